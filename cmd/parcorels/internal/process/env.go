// Package process is the process around a command: streams or a client, memory, tables and models that are
// loaded, results that are written. Begin with [Env].
//
// Reading the source: env.go, output.go, client.go, progress.go, load.go, rows.go.
package process

import (
	"errors"
	"fmt"
	"io"
	"time"

	"parcorels/cmd/internal/console"
	"parcorels/cmd/internal/memory"
	"parcorels/family"
	"parcorels/optionerr"
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
