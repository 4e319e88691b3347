// Package await ends a wait, not the work that is waited for. Begin with For.
package await

import "context"

// outcome is what work ended with.
type outcome[T any] struct {
	value T
	err   error
}

// For returns what work returns, or the error of ctx as soon as it is done.
func For[T any](ctx context.Context, work func() (T, error)) (T, error) {
	done := make(chan outcome[T], 1)
	go func() {
		v, err := work()
		done <- outcome[T]{v, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
