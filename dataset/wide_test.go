package dataset

import (
	"fmt"
	"strings"
	"testing"
)

// TestWideTable has errors in columns that are merged side by side: the first row is told, and
// of the same row the first column.
func TestWideTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bad  [][2]int // line, column
		want string
	}{
		{[][2]int{{4, 150}, {7, 10}}, `t.csv:4: "\xff" in column "c150" is not UTF-8 text`},
		{[][2]int{{5, 150}, {5, 70}, {5, 199}}, `t.csv:5: "\xff" in column "c70" is not UTF-8 text`},
	} {
		lines := make([][]string, 9)
		for i := range lines {
			for k := range 200 {
				cell := fmt.Sprintf("c%d", k)
				if i > 0 {
					cell = fmt.Sprintf("v%d", i*k%7)
				}
				lines[i] = append(lines[i], cell)
			}
		}
		for _, at := range c.bad {
			lines[at[0]-1][at[1]] = "\xff"
		}
		var text strings.Builder
		for _, l := range lines {
			text.WriteString(strings.Join(l, ",") + "\n")
		}
		if _, err := ReadFrom(strings.NewReader(text.String()), "t.csv", Options{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, expected %s", err, c.want)
		}
	}
}
