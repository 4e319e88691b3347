package cli

import (
	"context"
	"errors"
	"io"
	"os"
)

// interruptible is a reader that fails once its context is cancelled, also
// while it waits for a terminal or a pipe. What such a read brings later is
// lost, and it keeps the buffer: the process is about to end.
type interruptible struct {
	ctx    context.Context
	from   io.Reader
	buffer []byte
	read   chan outcome[int]
}

func newInterruptible(ctx context.Context, from io.Reader) *interruptible {
	return &interruptible{ctx: ctx, from: from, buffer: make([]byte, 1<<16), read: make(chan outcome[int], 1)}
}

// Read implements io.Reader.
func (r *interruptible) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, errInterrupted
	}
	buffer := r.buffer[:min(len(b), len(r.buffer))]
	go func() {
		n, err := r.from.Read(buffer)
		r.read <- outcome[int]{n, err}
	}()
	select {
	case o := <-r.read:
		return copy(b, buffer[:o.value]), o.err
	case <-r.ctx.Done():
		return 0, errInterrupted
	}
}

// open opens a file for reading. A named pipe waits for its writer.
func open(ctx context.Context, path string) (*os.File, error) {
	return await(ctx, func() (*os.File, error) { return os.Open(path) })
}

// outcome is what work ended with.
type outcome[T any] struct {
	value T
	err   error
}

// await returns what work returns, or errInterrupted as soon as ctx is done.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	done := make(chan outcome[T], 1)
	go func() {
		v, err := work()
		done <- outcome[T]{v, err}
	}()
	select {
	case o := <-done:
		if o.err != nil && errors.Is(o.err, ctx.Err()) {
			o.err = errInterrupted
		}
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, errInterrupted
	}
}
