package html

import (
	"fmt"
	"math"
	"strings"

	"parcorels/report"
)

// Trace is a chart of how the best model so far and the bound on all models close in on each
// other. It is drawn in a box that is stretched, with its numbers beside it.
type Trace struct {
	Label             string
	Value, Bound, Gap string // points of two lines, and of the area between them
	Top, Middle, Low  string
	End               float64 // seconds
}

// NewTrace draws looks at a search, of whose models the family calls the objective what. It
// returns nil where there is nothing to draw.
func NewTrace(what string, looks report.Trace) *Trace {
	if len(looks) < 2 {
		return nil
	}
	low, high, end := math.Inf(1), math.Inf(-1), looks[len(looks)-1].Seconds
	for _, l := range looks {
		low, high = min(low, l.Objective), max(high, l.Objective)
		if l.Bound != nil {
			low, high = min(low, *l.Bound), max(high, *l.Bound)
		}
	}
	if !(high > low) || end <= 0 {
		return nil
	}
	margin := (high - low) / 20
	low, high = low-margin, high+margin
	at := func(l report.Look, v float64) string {
		return fmt.Sprintf("%.1f,%.1f ", 1000*l.Seconds/end, 300*(1-(v-low)/(high-low)))
	}
	t := &Trace{Label: fmt.Sprintf("%s of the best model so far, and the bound on all models, over %.3g seconds", what, end), End: end}
	t.Top, t.Middle, t.Low = tidy(high), tidy((low+high)/2), tidy(low)
	var value, bound strings.Builder
	var back []string
	for i, l := range looks {
		if i > 0 { // a better model comes at a moment
			value.WriteString(at(l, looks[i-1].Objective))
		}
		value.WriteString(at(l, l.Objective))
		if l.Bound != nil {
			bound.WriteString(at(l, *l.Bound))
			back = append(back, at(l, *l.Bound))
		}
	}
	t.Value, t.Bound = value.String(), bound.String()
	if len(back) > 1 {
		t.Gap = t.Value
		for i := len(back) - 1; i >= 0; i-- {
			t.Gap += back[i]
		}
	}
	return t
}

// tidy returns a float with three digits behind the point, fewer of large ones.
func tidy(v float64) string {
	if math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3f", v)
}
