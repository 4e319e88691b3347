package cli

import (
	"parcorels/cmd/parcorels/internal/process"
	"testing"
)

// TestFlagged: what the packages call a field is an option here.
func TestFlagged(t *testing.T) {
	for text, want := range map[string]string{
		"option Positive chooses otherwise":    "--positive chooses otherwise",
		"option MaxCard, option NoHeader":      "--max-card, --no-header",
		"option Budget is 0, option Comma":     "--max-antecedents is 0, --sep",
		"option Labels, option Seed, option L": "--labels, --seed, option L",
	} {
		if got := (&process.Env{Flag: flagOf}).Flagged(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
