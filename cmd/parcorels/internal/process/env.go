// Package process is the process around a command: streams or a client, memory, tables and models that are
// loaded, results that are written. Begin with [Env].
//
// Reading the source: env.go, client.go, progress.go, load.go.
package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"parcorels/cmd/internal/console"
	"parcorels/cmd/internal/memory"
	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/optionerr"
	runs "parcorels/run"
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
var (
	ErrInterrupted = errors.New("interrupted before there was a result")
	ErrStopped     = fmt.Errorf("%w: stopped", ErrInterrupted)
)

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
