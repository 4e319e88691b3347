package cli

import (
	"errors"
	"parcorels/cmd/internal/console"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// FuzzOptions takes any words for a command line, one a line: it is read, or
// refused with one line.
func FuzzOptions(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		args := strings.Split(text, "\n")
		for _, c := range commands() {
			s, rest, err := parsed(c, args...)
			switch {
			case errors.Is(err, pflag.ErrHelp):
			case err != nil:
				if line := console.OneLine(err); line == "" || !plainText(line) {
					t.Fatalf("%s %q: %q", c.name, args, line)
				}
			case s == nil || len(rest) > len(args):
				t.Fatalf("%s %q: %v, %q", c.name, args, s, rest)
			default:
				if err := s.reading().Validate(); err != nil && !plainText(console.OneLine(err)) {
					t.Fatalf("%s %q: %v", c.name, args, err)
				}
			}
		}
	})
}

// FuzzSize takes any text for an amount of memory.
func FuzzSize(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := parseSize(text); err == nil && n < minMemory {
			t.Fatalf("%q is %d bytes", text, n)
		}
	})
}
