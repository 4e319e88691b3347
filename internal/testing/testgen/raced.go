//go:build race

package testgen

// Raced tells whether the race detector is on.
const Raced = true
