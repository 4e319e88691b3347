// Package interleave marks the steps of lock-free operations, so that tests can
// put other goroutines' work between them. Begin with [Here], which is called between
// two steps; tests in a build for the race detector begin with Suspend.
package interleave
