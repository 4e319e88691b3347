// Package status says how a search ended: one type for the searches, the models and the
// reports. It imports nothing of this module, so a model can hold a status without
// importing a search. Package parallel exports it; begin there.
package status

import (
	"fmt"
	"slices"
	"strings"
)

// Status is how a search ended. Its zero value claims nothing.
type Status int

const (
	// Unknown: the search did not run to any end that it could report.
	Unknown Status = iota
	// Optimal: no model is better; the whole space was closed.
	Optimal
	// TimeLimit: the limit on time was reached first.
	TimeLimit
	// NodeLimit: the limit on expansions was reached first.
	NodeLimit
	// MemoryLimit: not even the data structures of one worker fit.
	MemoryLimit
	// Interrupted: the caller cancelled the search.
	Interrupted
	// Stalled: for long neither the best model nor the bound had moved.
	Stalled
	// Finished: the search did all that it was to do. The model is not proved to
	// be optimal; it says what is proved.
	Finished
)

var texts = []string{"unknown", "optimal", "time-limit", "node-limit", "memory-limit", "interrupted", "stalled", "finished"}

// Ends lists the texts of the statuses that a search can end with, Unknown left out.
func Ends() string { return strings.Join(texts[1:], ", ") }

// String returns the text of a status, that of Unknown for what is none.
func (s Status) String() string {
	if s < 0 || int(s) >= len(texts) {
		return texts[Unknown]
	}
	return texts[s]
}

// MarshalText writes the text of the status.
func (s Status) MarshalText() ([]byte, error) {
	if s < 0 || int(s) >= len(texts) {
		return nil, fmt.Errorf("status %d does not exist", int(s))
	}
	return []byte(texts[s]), nil
}

// UnmarshalText reads the text of a status. It refuses every other text.
func (s *Status) UnmarshalText(text []byte) error {
	i := slices.Index(texts, string(text))
	if i < 0 {
		return fmt.Errorf("status is %q, expected one of %s", text, Ends())
	}
	*s = Status(i)
	return nil
}
