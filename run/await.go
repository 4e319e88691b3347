package run

import (
	"context"
	"io"
)

// Await returns what work returns, or the error of ctx as soon as it is done; work goes on then.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// Until is a reader that fails once ctx is done.
type Until struct {
	io.Reader
	Ctx context.Context
}

// Read implements io.Reader.
func (u *Until) Read(p []byte) (int, error) {
	if err := u.Ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(p)
}
