//go:build !purego

package testgen

// plain reports whether there is no assembly.
const plain = false
