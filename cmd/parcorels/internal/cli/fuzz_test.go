package cli

import (
	"errors"
	"parcorels/internal/wording"
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
			made, rest, err := parsed(c, args...)
			switch {
			case errors.Is(err, pflag.ErrHelp):
			case err != nil:
				if line := wording.OneLine(err); line == "" || !plainText(line) {
					t.Fatalf("%s %q: %q", c.name, args, line)
				}
			case made == nil || len(rest) > len(args):
				t.Fatalf("%s %q: %v, %q", c.name, args, made, rest)
			}
		}
	})
}
