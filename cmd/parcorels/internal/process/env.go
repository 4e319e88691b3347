// Package process is the process around a command: streams or a client, memory, tables and models that are
// loaded, results that are written. Begin with [Env].
//
// Reading the source: env.go, load.go.
package process

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"parcorels/answer"
	"parcorels/ask/goodmodels"
	"parcorels/cmd/internal/console"
	"parcorels/cmd/internal/memory"
	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/report"
	"parcorels/report/export"
	runs "parcorels/run"
	"parcorels/verify"
)

// Env is what a command has of the process around it.
type Env struct {
	Stdin         io.Reader
	Stdout        io.Writer
	Stderr        io.Writer
	Place         *console.Place // where stderr is a terminal
	Start         time.Time
	Args          []string // the command line
	Client        *Client  // nil: a person
	Memory        *memory.Manager
	ProgressEvery time.Duration             // 0: a second
	Software      string                    // what the program calls itself in models
	Flag          func(field string) string // the option of a field, without dashes; "" if there is none
	Solve         family.Solver
}

// errInterrupted reports a cancellation before there was anything to show,
// errStopped one after which the result was printed all the same.
var ErrInterrupted = errors.New("interrupted before there was a result")
var ErrStopped = fmt.Errorf("%w: stopped", ErrInterrupted)

// Flagged returns a text with options instead of fields.
func (e *Env) Flagged(text string) string { return optionerr.Rename(text, e.dashed) }

// dashed returns the option of a field as it is typed; "" if there is none.
func (e *Env) dashed(field string) string {
	if flag := e.Flag(field); flag != "" {
		return "--" + flag
	}
	return ""
}

// FlaggedAll is flagged for each of some texts.
func (e *Env) FlaggedAll(texts []string) []string {
	list := []string{}
	for _, text := range texts {
		list = append(list, e.Flagged(text))
	}
	return list
}

// Print writes text to stdout.
func (e *Env) Print(text string) error {
	if _, err := io.WriteString(e.Stdout, text); err != nil {
		return runs.OutputError(fmt.Errorf("cannot write to stdout: %w", runs.Cause(err)))
	}
	return nil
}

// WriteFile writes a whole file, or to stdout if path is "-". Errors of write
// itself are returned as they are.
func (e *Env) WriteFile(path string, write func(io.Writer) error) error {
	if path == "-" {
		out := &stdout{Env: e}
		if err := write(out); err != nil && out.err == nil {
			return err
		}
		return out.err
	}
	return runs.Unwritable(path, atomicfile.Write(path, write))
}

// WriteJSON is writeFile for an object, indented, with names as they are.
func (e *Env) WriteJSON(path string, object any) error {
	return e.WriteFile(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(object)
	})
}

// Tell writes an object and prints a text, each if it is asked for.
func (o *Output) Tell(e *Env, object any, text string) error {
	var errs []error
	if o.JSON != "" {
		errs = append(errs, e.WriteJSON(o.JSON, object))
	}
	if o.JSON != "-" && o.ModelFile != "-" {
		errs = append(errs, e.Print(text))
	}
	return errors.Join(errs...)
}

// stdout remembers its own error.
type stdout struct {
	*Env
	err error
}

func (s *stdout) Write(b []byte) (int, error) {
	if s.err == nil {
		s.err = s.Print(string(b))
	}
	if s.err != nil {
		return 0, s.err
	}
	return len(b), nil
}

// Note prints a line that is no error.
func (e *Env) Note(format string, args ...any) {
	_, _ = fmt.Fprintf(e.Stderr, "parcorels: note: "+format+"\n", args...)
}

// Output is where a result goes, and what is told meanwhile.
type Output struct {
	ModelFile string // -o
	JSON      string
	Progress  string // auto, always, full or never
	Quiet     bool
}

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

// ProgressTable prints a line for each look at a search, or at a check
// (cli/verify.go), with a header every headerEvery lines. A line has 77 columns: a terminal of 80 then has room for
// the ^C that it shows when the search is interrupted.
type ProgressTable struct {
	Out   io.Writer
	Rows  int
	Price float64   // λ
	Brief bool      // on a terminal: print nothing of what ends before the first line
	last  time.Time // of the line before, or the start
}

const HeaderEvery = 20

// ProgressTable returns the table that the output asks for, nil for none.
func (e *Env) ProgressTable(o *Output) *ProgressTable {
	switch {
	case o.Progress == "always", o.Progress == "full":
		return &ProgressTable{Out: e.Stderr, last: e.Start}
	case o.Progress == "never" || o.Quiet || !console.IsTerminal(e.Stderr):
		return nil
	}
	return &ProgressTable{Out: e.Stderr, Brief: true, last: e.Start}
}

// Event prints a line about a look at a search.
func (t *ProgressTable) Event(e family.Event) {
	part := wording.Plural(2, e.Family.Part())
	value, bound, gap := fmt.Sprintf("%.7f", e.Value), fmt.Sprintf("%.7f", roundedDown(e.Bound)), wording.Percentage(e.Gap)
	first := cell{" ", 1, strings.ToUpper((e.Source + " ")[:1])}
	second := cell{"error", 6, wording.Percentage(max(0, e.Value-t.Price*float64(e.Length)))}
	switch e.Family {
	case model.RuleSet: // its bound is known at the end
		first, second = cell{"step", -6, e.Source}, cell{"solved", 9, fmt.Sprintf("%d/%d", e.Step, e.Steps)}
		value, bound, gap = fmt.Sprintf("%.2f", e.Value), "–", "–"
	case model.BayesianRuleList:
		second = cell{"chains", 6, fmt.Sprint(e.Step)}
		if value, bound, gap = fmt.Sprintf("%.4f", e.Value), "–", "–"; !math.IsInf(e.Bound, 1) { // chains run before
			bound, gap = fmt.Sprintf("%.4f", e.Bound), fmt.Sprintf("%.4f", e.Gap)
		}
	}
	t.line(e.Final, first, cell{part, len(part), fmt.Sprint(e.Length)}, second, cell{"best", 9, value}, cell{"bound", 9, bound},
		cell{"gap", 6, gap},
		cell{"left", 7, wording.Short(e.Open)}, cell{"done", 8, wording.Short(e.Nodes)}, cell{"memory", 8, wording.Size(e.Bytes)},
		cell{"time", 7, wording.Seconds(e.Elapsed)})
}

// VerifyEvent prints a line about a look at a check.
func (t *ProgressTable) VerifyEvent(e verify.Progress) {
	of, share := "", ""
	if e.Of > 0 {
		of, share = wording.Short(e.Of), wording.Percentage(float64(e.Checked)/float64(e.Of))
	}
	if !e.Final && time.Since(t.last) < time.Second {
		return // looks come more often
	}
	t.last = time.Now()
	t.line(e.Final, cell{"records", 8, wording.Short(e.Records)}, cell{"checked", 8, wording.Short(e.Checked)}, cell{"of", 8, of},
		cell{"share", 6, share}, cell{"time", 7, wording.Seconds(e.Elapsed)})
}

// cell is a part of a line under its heading, as wide as a width says; a negative one
// aligns to the left.
type cell struct {
	heading string
	width   int
	text    string
}

// line prints a line, and the header if it is time. A failure to print progress
// is no failure of the search.
func (t *ProgressTable) line(final bool, cells ...cell) {
	if final && t.Rows == 0 && t.Brief {
		return
	}
	header, row := "", ""
	for _, c := range cells {
		header += fmt.Sprintf(" %*s", c.width, c.heading)
		row += fmt.Sprintf(" %*s", c.width, c.text)
	}
	if t.Rows%HeaderEvery == 0 {
		_, _ = fmt.Fprintln(t.Out, strings.TrimRight(header[1:], " "))
	}
	t.Rows++
	_, _ = fmt.Fprintln(t.Out, strings.TrimRight(row[1:], " "))
}

// roundedDown keeps a lower bound one when it is printed with seven decimals.
// A float that is too small by rounding is no reason to print less.
func roundedDown(bound float64) float64 { return math.Floor(bound*1e7+1e-6) / 1e7 }

// Growing prints a line about a graph that grows.
func (t *ProgressTable) Growing(g goodmodels.Growing) {
	t.line(false, cell{"states", 12, wording.Short(int64(g.States))}, cell{"open", 12, wording.Short(int64(g.Open))},
		cell{"bounded", 12, wording.Short(g.Nodes)}, cell{"time", 7, wording.Seconds(g.Elapsed)})
}
