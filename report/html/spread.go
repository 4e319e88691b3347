package html

import (
	"fmt"

	"parcorels/internal/wording"
	"parcorels/report"
)

// Spread is a small picture of a column: a bar for each value or range, split by class, in a
// box of 160 by 40.
type Spread struct {
	Label string
	Parts []spreadPart
}

// spreadPart is the part of a bar that is of a class.
type spreadPart struct {
	X, Y, W, H float64
	Class      int
	Title      string
}

// spreadClasses is how many classes have a colour of their own.
const spreadClasses = 4

// NewSpread draws a column, the first class at the top. It returns nil where there is nothing
// to draw.
func NewSpread(s *report.Spread, column string, labels []string) *Spread {
	bars := s.Bars(column, len(labels))
	most := 0
	for _, b := range bars {
		most = max(most, b.Rows())
	}
	if most == 0 {
		return nil
	}
	d := &Spread{Label: "How " + column + " is spread over the classes"}
	width := 160 / float64(max(len(bars), 4))
	for i, b := range bars {
		y, n := 40.0, int64(b.Rows())
		title := b.Label + ": " + wording.Count(n, "row")
		for c, k := range b.Classes {
			if k > 0 && len(labels) <= spreadClasses {
				title += fmt.Sprintf(", %s %s", wording.Percent(int64(k), n), labels[c])
			}
		}
		for c := len(b.Classes) - 1; c >= 0; c-- {
			if h := 38 * float64(b.Classes[c]) / float64(most); h > 0 {
				y -= h
				d.Parts = append(d.Parts, spreadPart{width * float64(i), y, width * .86, h, min(c, spreadClasses-1), title})
			}
		}
	}
	return d
}
