package cli

import (
	"strings"
	"testing"
)

// TestFlagged: what the packages call a field is an option here.
func TestFlagged(t *testing.T) {
	for text, want := range map[string]string{
		"option Positive chooses otherwise":    "--positive chooses otherwise",
		"option MaxCard, option NoHeader":      "--max-card, --no-header",
		"option Budget is 0, option Comma":     "--max-antecedents is 0, --sep",
		"option Labels, option Data, option L": "--labels, --data, option L",
	} {
		if got := flagged(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestBenchNamesOptions: what a run of bench tells meanwhile has options, too, not fields.
func TestBenchNamesOptions(t *testing.T) {
	t.Setenv("PARCORELS_DATA", "")
	status, _, stderr := run("bench", "haberman")
	if status != exitInput || strings.Count(stderr, "haberman is not there: say by --data or PARCORELS_DATA") != 2 {
		t.Errorf("status %d, %s", status, stderr)
	}
}
