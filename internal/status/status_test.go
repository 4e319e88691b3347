package status_test

import (
	"testing"

	"parcorels/internal/status"
)

// TestText: each status has a text of its own, what is none has none, and the zero value claims nothing.
func TestText(t *testing.T) {
	if s := *new(status.Status); s == status.Optimal || s.String() != "unknown" {
		t.Errorf("the zero value is %v", s)
	}
	seen := map[string]bool{}
	for s := status.Unknown - 1; s <= status.Finished+1; s++ {
		text, err := s.MarshalText()
		is := s >= status.Unknown && s <= status.Finished
		if is != (err == nil) || is && string(text) != s.String() || !is && s.String() != "unknown" || seen[string(text)] {
			t.Errorf("status %d has the text %q, %v, %v", int(s), text, s, err)
		}
		seen[string(text)] = err == nil
	}
}
