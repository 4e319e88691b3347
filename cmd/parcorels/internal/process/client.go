package process

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"parcorels/answer"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/report"
	"parcorels/report/export"
	runs "parcorels/run"
	"parcorels/verify"
)

// A program runs a command with the word client before it, as in
// "parcorels client fit - --lambda 0.01". The table comes on stdin
// (docs/column-protocol.md), and all that the command says goes to stdout as
// lines of JSON, one object each. The client holds stdin open until it has the
// result. Closing it earlier ends the search with the best model so far, so that
// no process outlives a client that is killed.

// Client is the other end of stdin and stdout.
type Client struct {
	*Env
	stdin  io.Reader
	cancel context.CancelFunc
	mutex  sync.Mutex
	out    io.Writer
	err    error // the first failure to write
	// printed is what the command writes to stdout. It is the last event of a command that sends no other.
	printed bytes.Buffer
	ended   bool // the last event is sent
}

// clientCommands are the commands that a client can run.
var clientCommands = []string{"fit", "verify", "path", "alternatives", "cv", "evaluate", "explain", "report", "export", "show"}

// progressEvent, textEvent, errorEvent and resultEvent are the lines that a
// client reads, told apart by their first member.
type progressEvent struct {
	Event string `json:"event"` // "progress"
	report.Look
}

type textEvent struct {
	Event string `json:"event"` // "note", or "printed", the last line: what the command has written to stdout
	Text  string `json:"text"`
}

type errorEvent struct {
	Event   string `json:"event"`            // "error", the last line
	Kind    string `json:"kind"`             // "input", "output", "refused" (by verify) or "interrupted"
	Message string `json:"message"`          // one line
	Option  string `json:"option,omitempty"` // that is wrong, without dashes
}

type resultEvent struct {
	Event    string           `json:"event"`    // "result", the last line
	Result   any              `json:"result"`   // what --json writes
	Model    string           `json:"model"`    // the text of the model file
	Text     string           `json:"text"`     // the model as people read it
	Decision *export.Decision `json:"decision"` // the model reduced to what predicts
	Columns  []string         `json:"columns"`  // names of the table's columns, in order
}

// Attach makes a client of stdin and stdout and drops the word from args. The
// context it returns ends when the client goes away.
func (e *Env) Attach(ctx context.Context, args []string) (context.Context, []string, error) {
	if len(args) == 0 || args[0] != "client" {
		return ctx, args, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	e.Client = &Client{Env: e, stdin: e.Stdin, cancel: cancel, out: e.Stdout}
	if len(args) < 2 || !slices.Contains(clientCommands, args[1]) {
		return ctx, args[1:], fmt.Errorf("a client can run the commands %s", clientCommands)
	}
	e.Stdout, e.Stderr = &e.Client.printed, clientNotes{e.Client}
	return ctx, args[1:], nil
}

// send writes one line. Nothing can be done if the client is gone.
func (c *Client) send(event any) {
	line, err := json.Marshal(event)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err == nil && c.err == nil {
		_, err = c.out.Write(append(line, '\n'))
	}
	if c.err == nil {
		c.err = err
	}
}

// watch cancels the context once the client closes stdin, or is gone: a process
// that the client forked may hold stdin open beyond its end.
func (c *Client) watch() {
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			time.Sleep(time.Second)
		}
		c.cancel()
	}()
	go func() {
		_, _ = io.Copy(io.Discard, c.stdin)
		c.cancel()
	}()
}

// Progress tells the client how far the search is, once a bound is known.
func (c *Client) Progress(e family.Event) {
	if look := e.Look(); look.Bound != nil {
		c.send(progressEvent{"progress", look})
	}
}

// Fail tells the client why there is no result.
func (c *Client) Fail(err error) {
	kind := "input"
	switch {
	case errors.Is(err, verify.ErrRefused):
		kind = "refused"
	case errors.Is(err, runs.ErrOutput):
		kind = "output"
	case errors.Is(err, ErrInterrupted):
		kind = "interrupted"
	}
	option, wrong := "", (*optionerr.Error)(nil)
	if errors.As(err, &wrong) {
		option = c.Flag(wrong.Field)
	}
	c.ended = true
	c.send(errorEvent{"error", kind, optionerr.Rename(wording.OneLine(err), c.dashed), option})
}

// Result tells the client what the command found.
func (c *Client) Result(object any, m model.Model, columns []string) error {
	var text bytes.Buffer
	if err := m.Encode(&text); err != nil {
		return err
	}
	c.ended = true
	c.send(resultEvent{"result", object, text.String(), m.Text(answer.Width), export.NewDecision(m), columns})
	if c.err != nil {
		return runs.OutputError(c.err)
	}
	return nil
}

// End tells the client what the command has printed, where it has sent no result.
func (c *Client) End() {
	if !c.ended {
		c.send(textEvent{"printed", c.printed.String()})
	}
}

// clientNotes sends what a command prints to stderr as notes.
type clientNotes struct{ client *Client }

func (n clientNotes) Write(b []byte) (int, error) {
	n.client.send(textEvent{"note", string(bytes.TrimSpace(b))})
	return len(b), nil
}
