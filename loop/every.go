package loop

import (
	"cmp"
	"sync"
	"time"
)

// Every calls tell from a goroutine of its own, once in a time (0: a second), until the returned function is called. That
// has it called for the last time, as final, and waits for that.
func Every(often time.Duration, tell func(final bool)) (end func()) {
	var group sync.WaitGroup
	over := make(chan struct{})
	group.Go(func() {
		tick := time.NewTicker(cmp.Or(max(often, 0), time.Second))
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				tell(false)
			case <-over:
				tell(true)
				return
			}
		}
	})
	return func() {
		close(over)
		group.Wait()
	}
}
