package status_test

import (
	"encoding/json"
	"testing"

	"parcorels/internal/status"
	"parcorels/internal/testing/must"
)

// TestText asks that each status survives its text, and that the zero value
// claims nothing.
func TestText(t *testing.T) {
	if s := *new(status.Status); s != status.Unknown || s == status.Optimal || s.String() != "unknown" {
		t.Errorf("the zero value is %v", s)
	}
	seen := map[string]bool{}
	for s := status.Unknown; s <= status.Finished; s++ {
		text := must.Get(json.Marshal(s))(t)
		var back status.Status
		if err := json.Unmarshal(text, &back); err != nil || back != s || seen[string(text)] || string(text) != `"`+s.String()+`"` {
			t.Errorf("%v became %s and %v, %v", s, text, back, err)
		}
		seen[string(text)] = true
	}
}

func TestRefused(t *testing.T) {
	for _, text := range []string{`"best"`, `""`, `"Optimal"`, `1`} {
		s := status.TimeLimit
		if err := json.Unmarshal([]byte(text), &s); err == nil || s != status.TimeLimit {
			t.Errorf("%s was read as %v, %v", text, s, err)
		}
	}
	for _, s := range []status.Status{-1, status.Finished + 1} {
		if text, err := s.MarshalText(); err == nil || s.String() != "unknown" {
			t.Errorf("status %d has the text %s, %v", int(s), text, s)
		}
	}
}
