package verify_test

import (
	"errors"
	"strings"
	"testing"

	"parcorels/verify"
)

// TestOpenRefuses asks for the right error about what is no proof of any family.
func TestOpenRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"":                          verify.ErrFormat,
		"PARC":                      verify.ErrFormat,
		"not a proof at all":        verify.ErrFormat,
		"PARCPROF":                  verify.ErrRefused,
		"PARCTREE":                  verify.ErrRefused,
		"PARCTREE\x09\x00\x00\x00":  verify.ErrFormat,
		"PARCPROF\x63\x00\x00\x00":  verify.ErrFormat,
		"PARCPROF\x08\x00\x00\x00Z": verify.ErrRefused,
	} {
		if p, err := verify.Open(strings.NewReader(text)); !errors.Is(err, want) || p != nil {
			t.Errorf("%q: %v, %v, expected %v", text, p, err, want)
		}
	}
}
