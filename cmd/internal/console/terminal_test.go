package console

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// evil has what a terminal would obey or hide: escape sequences of both kinds,
// bell, carriage return, backspace, a reversal of the reading direction, a
// space of no width, a line separator.
const evil = "a\x1b[31mb\a\r\b\u009b2J\u202ec\u200b\u2028d"

// TestTerminalInPieces: the same text is shown however it is written, also when
// a write ends within a character.
func TestTerminalInPieces(t *testing.T) {
	const text = evil + "é€😀\n\tx\xffy"
	const want = `a\x1b[31mb\a\r\b\u009b2J\u202ec\u200b\u2028dé€😀` + "\n\tx\ufffdy"
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var b strings.Builder
		w := &terminal{to: &b}
		for rest := text; rest != ""; {
			n := min(1+rng.IntN(5), len(rest))
			if k, err := w.Write([]byte(rest[:n])); k != n || err != nil {
				t.Fatal(k, err)
			}
			rest = rest[n:]
		}
		if b.String() != want {
			t.Fatalf("%q\nwant %q", b.String(), want)
		}
	}
	if _, err := (&terminal{to: broken{}}).Write([]byte("x")); err == nil {
		t.Error("an error is lost")
	}
}

// broken fails to write.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }
