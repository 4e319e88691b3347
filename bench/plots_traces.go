package bench

import (
	"fmt"
	"math"
)

// tracePlots shows figures 14 and 15 of the JMLR paper: for each λ the
// objective and the bound, the remaining space, and the queue by length.
func tracePlots(list []*summary) []Plot {
	var panels, queues []Panel
	for _, s := range list {
		if len(s.Trace) == 0 {
			continue
		}
		title := s.Instance + ", λ = " + shortLambda(s.Lambda)
		bounds := Panel{Title: title, X: "seconds", Y: "objective and bound", LogX: true, FromY: zero}
		bounds.add(
			Series{Name: "objective", Points: steps(s.Trace, func(t *TracePoint) (float64, bool) { return t.Objective, true })},
			Series{Name: "lower bound", Points: steps(s.Trace, func(t *TracePoint) (float64, bool) { return t.Bound, true }), Style: 1, Dashed: true},
		)
		remains := Panel{Title: title, X: "seconds", Y: "log10 of prefixes left", LogX: true}
		remains.add(Series{Points: steps(s.Trace, remaining)})
		panels = append(panels, bounds, remains)
		queues = append(queues, queuePanel(s, title))
	}
	if len(panels) == 0 {
		return nil
	}
	return []Plot{{"jmlr-traces", panels}, {"jmlr-queue", queues}}
}

func remaining(t *TracePoint) (float64, bool) { return t.LogRemain, t.LogRemain > 0 }

// queuePanel shows the queue by length of prefix over time.
func queuePanel(s *summary, title string) Panel {
	start := 0.9 // just below one prefix
	p := Panel{Title: title, X: "seconds", Y: "prefixes in the queue", LogX: true, LogY: true, LegendTop: true, FromY: &start, AtLeastY: 10}
	longest := 0
	for i := range s.Trace {
		longest = max(longest, len(s.Trace[i].Queue))
	}
	first, last := math.Inf(1), math.Inf(-1)
	for length := 1; length < longest; length++ {
		points := steps(s.Trace, func(t *TracePoint) (float64, bool) {
			if length >= len(t.Queue) || t.Queue[length] <= 0 {
				return 0, false
			}
			return float64(t.Queue[length]), true
		})
		p.add(Series{Name: fmt.Sprintf("length %d", length), Points: points, Style: length - 1})
		for _, at := range points {
			first, last = min(first, at.X), max(last, at.X)
		}
	}
	if len(p.Series) > 0 {
		p.RoomX = math.Pow(max(last/first, 10), .3)
	}
	return p
}

// paperVariants are the rows of the paper's ablation, which figures 16 to 18
// show.
const paperVariants = 6

// ablationPlots shows the queue by length (figures 16 and 17) and the remaining
// space (figure 18) of the variants that the paper has.
func ablationPlots(list []*summary) []Plot {
	var queues []Panel
	remains := Panel{Title: list[0].Instance + ", λ = " + shortLambda(list[0].Lambda), X: "seconds", Y: "log10 of prefixes left",
		LogX: true, LogY: true, LegendTop: true, RoomX: 8}
	for i, s := range list {
		if i == paperVariants || len(s.Trace) == 0 {
			break
		}
		queues = append(queues, queuePanel(s, s.Variant))
		remains.add(Series{Name: s.Variant, Points: steps(s.Trace, remaining), Style: i})
	}
	if len(queues) == 0 {
		return nil
	}
	name := "ablation-" + list[0].Instance
	return []Plot{{name + "-queue", queues}, {name + "-remaining", []Panel{remains}}}
}

// gapPlots shows the gap over time.
func gapPlots(name, title string, list []*summary) []Plot {
	p := Panel{Title: title, X: "seconds", Y: "gap, per cent", LogX: true, FromY: zero, LegendLeft: true}
	for i, s := range list {
		gap := steps(s.Trace, func(t *TracePoint) (float64, bool) {
			return 100 * (t.Objective - t.Bound) / t.Objective, t.Objective > 0
		})
		p.add(Series{Name: s.Instance + ", λ = " + shortLambda(s.Lambda), Points: gap, Style: i})
	}
	if len(p.Series) == 0 {
		return nil
	}
	return []Plot{{name, []Panel{p}}}
}
