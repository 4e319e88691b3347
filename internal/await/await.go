// Package await ends a wait, not the work that is waited for. Begin with For.
package await

import "context"

// For returns what work returns, or the error of ctx as soon as it is done.
func For[T any](ctx context.Context, work func() (T, error)) (T, error) {
	var value, none T
	var err error
	if end := until(ctx, func() { value, err = work() }); end != nil {
		return none, end // work may still write the others
	}
	return value, err
}

// until waits for work, or returns the error of ctx as soon as it is done. It is apart so that there is one of it for
// all types.
func until(ctx context.Context, work func()) error {
	done := make(chan struct{})
	go func() {
		work()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
