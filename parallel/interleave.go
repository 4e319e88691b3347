//go:build !race

package parallel

// interleave stands between the steps of the lock-free operations. Here it is
// nothing and costs nothing; in builds for the race detector it lets another
// goroutine in now and then, so that tests meet the rare orders of events.
func interleave() {}
