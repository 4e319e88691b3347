package serve

import (
	"fmt"

	"parcorels/internal/wording"
	"parcorels/model"
)

// Pictures are SVG whose numbers stand in attributes: no style and no script is in them.

// drawing is a small picture of a column: a bar for each value or range, split by class.
type drawing struct {
	Label string
	Bars  []rect
}

// rect is a part of a bar, of a class.
type rect struct {
	X, Y, W, H float64
	Class      int
	Title      string
}

// drawnClasses is how many classes have a colour of their own.
const drawnClasses = 4

// drawn draws the bars of a column in a box of 160 by 40, class 1 at the bottom.
func drawn(name string, bars []bar, classes []classView) *drawing {
	most := 0
	for _, b := range bars {
		most = max(most, total(b.Classes))
	}
	if most == 0 {
		return nil
	}
	d := &drawing{Label: fmt.Sprintf("How %s is spread over the classes", name)}
	width := 160 / float64(max(len(bars), 4))
	for i, b := range bars {
		y := 40.0
		n := total(b.Classes)
		title := b.Label + ": " + wording.Count(int64(n), "row")
		for c, k := range b.Classes {
			if k > 0 && len(classes) <= drawnClasses {
				title += fmt.Sprintf(", %s %s", model.Percent(int64(k), int64(n)), classes[c].Label)
			}
		}
		for c := len(b.Classes) - 1; c >= 0; c-- {
			h := 38 * float64(b.Classes[c]) / float64(most)
			if h == 0 {
				continue
			}
			y -= h
			d.Bars = append(d.Bars, rect{X: width * float64(i), Y: y, W: width * .86, H: h, Class: min(c, drawnClasses-1), Title: title})
		}
	}
	return d
}
