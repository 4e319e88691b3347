package console

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// screen is a terminal of a width that obeys what a Place writes.
type screen struct {
	width    int
	lines    []string
	row, col int
}

func (s *screen) Write(b []byte) (int, error) {
	text := string(b)
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			i := strings.IndexAny(rest, "FJ")
			if n, _ := strconv.Atoi(rest[:i]); rest[i] == 'F' {
				s.row, s.col = s.row-n, 0
			} else {
				s.lines = s.lines[:s.row]
			}
			text = rest[i+1:]
			continue
		}
		if text[0] == '\n' {
			s.row, s.col = s.row+1, 0
		} else {
			if s.col == s.width {
				s.row, s.col = s.row+1, 0
			}
			for len(s.lines) <= s.row {
				s.lines = append(s.lines, "")
			}
			s.lines[s.row] += text[:1]
			s.col++
		}
		text = text[1:]
	}
	return len(b), nil
}

// TestPlace: a block takes the place of the last one, also where lines are longer than the terminal is wide, and
// what else is written stays above.
func TestPlace(t *testing.T) {
	s := &screen{width: 10}
	p := &Place{to: s, size: func() (int, int) { return s.width, 6 }}
	for _, step := range []struct {
		block, text string
		want        []string
	}{
		{"a\nb\n", "", []string{"a", "b"}},
		{"twelve signs\nc\n", "", []string{"twelve sig", "ns", "c"}},
		{"ten signs.\n", "", []string{"ten signs."}},
		{"", "note\n", []string{"note", "ten signs."}},
		{"1\n2\n3\n4\n5\n6\n7\n", "", []string{"note", "1", "2", "3", "6", "7"}},
		{"", "more\n", []string{"note", "more", "1", "2", "3", "6", "7"}},
		{"end\n", "", []string{"note", "more", "end"}},
	} {
		if step.text != "" {
			fmt.Fprint(p, step.text)
		} else {
			p.Show(step.block)
		}
		if got := strings.Join(s.lines, "|"); got != strings.Join(step.want, "|") {
			t.Fatalf("%+v: the screen is %q", step, got)
		}
	}
	p.Show("")
	if got := strings.Join(s.lines, "|"); got != "note|more" {
		t.Errorf("at the end the screen is %q", got)
	}
	(*Place)(nil).Show("nothing")
}
