//go:build !race

// Package interleave marks the steps of lock-free operations, so that tests can
// put other goroutines' work between them. Call Here between two steps; a test
// in a build for the race detector begins with Suspend.
package interleave

// Here stands between two steps. It does nothing and costs nothing, except in
// builds for the race detector.
func Here() {}
