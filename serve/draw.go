package serve

import (
	"fmt"
	"math"
	"strings"

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

// chart is objective and bound over time, in a box of 100 by 100 that is stretched.
type chart struct {
	Label             string
	Value, Bound, Gap string // points of lines, and of the area between them
	Top, Middle, Low  string // values at the left
	End               float64
	Unit              string
}

// traced draws the looks at a search. Without two of them there is nothing to draw.
func traced(trace []look, what string) *chart {
	if len(trace) < 2 {
		return nil
	}
	low, high, end := math.Inf(1), math.Inf(-1), trace[len(trace)-1].T
	for _, l := range trace {
		low, high = min(low, l.Value), max(high, l.Value)
		if l.Bound != nil {
			low, high = min(low, *l.Bound), max(high, *l.Bound)
		}
	}
	if !(high > low) || end <= 0 {
		return nil
	}
	margin := (high - low) / 20
	low, high = low-margin, high+margin
	place := func(t, v float64) string { return fmt.Sprintf("%.1f,%.1f ", 1000*t/end, 300*(1-(v-low)/(high-low))) }
	var value, bound strings.Builder
	var back []string
	c := &chart{Label: fmt.Sprintf("%s of the best model so far and the bound on it, over %.0f seconds", what, end), End: end}
	for i, l := range trace {
		if i > 0 { // a better model comes at a moment
			value.WriteString(place(l.T, trace[i-1].Value))
		}
		value.WriteString(place(l.T, l.Value))
		if l.Bound != nil {
			bound.WriteString(place(l.T, *l.Bound))
			back = append(back, place(l.T, *l.Bound))
		}
	}
	c.Value, c.Bound = value.String(), bound.String()
	if len(back) > 1 {
		c.Gap = c.Value
		for i := len(back) - 1; i >= 0; i-- {
			c.Gap += back[i]
		}
	}
	c.Top, c.Middle, c.Low = brief3(high), brief3((low+high)/2), brief3(low)
	return c
}

// brief3 returns a float with three digits behind the point, fewer of large ones.
func brief3(v float64) string {
	if math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3f", v)
}
