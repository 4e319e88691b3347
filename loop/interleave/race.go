//go:build race

package interleave

import (
	"math/rand/v2"
	"runtime"
)

// Here stands between two steps. In this build it now and then lets another
// goroutine run, so that tests meet the rare orders of events.
func Here() { between() }

// between is what happens between two steps.
var between = func() {
	if rand.Uint32()%8 == 0 {
		runtime.Gosched()
	}
}

// Suspend calls meanwhile when the next goroutine comes to the given step,
// counted from 0. The function that it returns ends this and reports whether
// the step was reached. Suspensions may be nested; none may run beside others.
func Suspend(step int, meanwhile func()) (reached func() bool) {
	outer, met := between, false
	between = func() {
		if step--; step < 0 && !met {
			met = true
			inner := between
			between = func() {}
			meanwhile()
			between = inner
		}
	}
	return func() bool { between = outer; return met }
}

// Steps counts the steps that f takes.
func Steps(f func()) (n int) {
	outer := between
	between = func() { n++ }
	f()
	between = outer
	return n
}
