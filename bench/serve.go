package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Request is what the hidden command reads: a line of JSON.
type Request struct {
	Case Case   `json:"case"`
	Data string `json:"data"`
}

// Reply is what it prints.
type Reply struct {
	Outcome
	PeakBytes int64 `json:"peak_bytes"`
}

// Serve is the hidden command: it reads a request, has its memory bounded, runs
// it and prints the reply, with what peak then returns. It ends early when in ends, as it does when its parent is gone.
func Serve(ctx context.Context, in io.Reader, out io.Writer, bound func(*Case), peak func() int64) error {
	lines := json.NewDecoder(in)
	var q Request
	if err := lines.Decode(&q); err != nil {
		return fmt.Errorf("stdin holds no case: %w", err)
	}
	bound(&q.Case)
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, io.MultiReader(lines.Buffered(), in))
		cancel(errOrphan)
	}()
	o, err := Execute(ctx, q.Case, q.Data)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(Reply{o, peak()})
}

var errOrphan = errors.New("the process that asked is gone")
