package cli

import (
	"context"
	"errors"
	"io"
	"os"

	wait "parcorels/internal/await"
)

// interruptible is a reader that fails once its context is cancelled, also
// while it waits for a terminal or a pipe. What such a read brings later is
// lost, and it keeps the buffer: the process is about to end.
type interruptible struct {
	ctx    context.Context
	from   io.Reader
	buffer []byte
}

func newInterruptible(ctx context.Context, from io.Reader) *interruptible {
	return &interruptible{ctx: ctx, from: from, buffer: make([]byte, 1<<16)}
}

// Read implements io.Reader.
func (r *interruptible) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, errInterrupted
	}
	buffer := r.buffer[:min(len(b), len(r.buffer))]
	n, err := await(r.ctx, func() (int, error) { return r.from.Read(buffer) })
	return copy(b, buffer[:n]), err
}

// open opens a file for reading. A named pipe waits for its writer.
func open(ctx context.Context, path string) (*os.File, error) {
	return await(ctx, func() (*os.File, error) { return os.Open(path) })
}

// await returns what work returns, or errInterrupted as soon as ctx is done.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	v, err := wait.For(ctx, work)
	if err != nil && errors.Is(err, ctx.Err()) {
		err = errInterrupted
	}
	return v, err
}
