package optionerr_test

import (
	"errors"
	"fmt"
	"testing"

	"parcorels/optionerr"
)

func TestError(t *testing.T) {
	err := fmt.Errorf("t.csv: %w", optionerr.Errorf("MaxCard", "option MaxCard is %d", -1))
	var e *optionerr.Error
	if !errors.As(err, &e) || e.Field != "MaxCard" || err.Error() != "t.csv: option MaxCard is -1" {
		t.Errorf("%v, %+v", err, e)
	}
}

// TestBad: a value that is not what is expected is told by three fields.
func TestBad(t *testing.T) {
	e := optionerr.Bad("MaxCard", 0, "a number from 1 to %d", 4)
	if e.Field != "MaxCard" || e.Value != "0" || e.Expected != "a number from 1 to 4" {
		t.Errorf("%+v", e)
	}
	got := optionerr.Rename(e.Error(), func(string) string { return "--max-card" })
	if got != "--max-card is 0: expected a number from 1 to 4" {
		t.Error(got)
	}
}

func TestRename(t *testing.T) {
	flags := map[string]string{"MaxCard": "--max-card", "Positive": "--positive"}
	call := func(name string) string { return flags[name] }
	for text, want := range map[string]string{
		"lower option MaxCard, or give option Positive": "lower --max-card, or give --positive",
		"option Unknown stays":                          "option Unknown stays",
		"an option MaxCards and adoption Positive":      "an option MaxCards and adoption Positive",
		"option x": "option x",
	} {
		if got := optionerr.Rename(text, call); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
