package answer

import (
	"math/big"
	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/ratio"
	"strings"
	"testing"
)

// TestPathInterrupted: Ctrl-C is not a limit, which more time would lift.
func TestPathInterrupted(t *testing.T) {
	for stopped, want := range map[bool]string{true: "the search was interrupted\n",
		false: "a limit ended the search: a larger --time goes on\n"} {
		r := &Path{Answer: &askpath.Answer{Down: big.NewRat(1, 2)}, Problem: &family.Problem{}, Least: ratio.New(1, 200), Stopped: stopped}
		if text := render("proved path", r); !strings.HasSuffix(text, "for smaller λ, down to 0.005, "+want) {
			t.Errorf("stopped %v: %s", stopped, text)
		}
	}
}
