package bench

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
)

// drawTraces draws figures 14 and 15 of the JMLR paper: for each λ the
// objective and the bound, the remaining space, and the queue by length.
func drawTraces(list []*summary) ([]figurePanels, error) {
	var bounds, remains, queues []*plot.Plot
	for _, s := range list {
		if len(s.Trace) == 0 {
			continue
		}
		title := s.Instance + ", λ = " + shortLambda(s.Lambda)
		b := newPlot(title, "seconds", "objective and bound")
		r := newPlot(title, "seconds", "log10 of prefixes left")
		if err := addAll(b, boundSeries(s, "", 0)); err != nil {
			return nil, err
		}
		if err := (series{points: steps(s.Trace, remaining)}).add(r); err != nil {
			return nil, err
		}
		q, err := queuePlot(s, title)
		if err != nil {
			return nil, err
		}
		b.Legend.Top, b.Y.Min = false, 0
		logX(b)
		logX(r)
		bounds, remains, queues = append(bounds, b), append(remains, r), append(queues, q)
	}
	if len(bounds) == 0 {
		return nil, nil
	}
	var panels []*plot.Plot
	for i := range bounds {
		panels = append(panels, bounds[i], remains[i])
	}
	return []figurePanels{{"jmlr-traces", panels}, {"jmlr-queue", queues}}, nil
}

// boundSeries is the objective and the lower bound over time.
func boundSeries(s *summary, name string, style int) []series {
	objective := steps(s.Trace, func(t *TracePoint) (float64, bool) { return t.Objective, true })
	bound := steps(s.Trace, func(t *TracePoint) (float64, bool) { return t.Bound, true })
	return []series{
		{name: name + "objective", points: objective, style: style},
		{name: name + "lower bound", points: bound, style: style + 1, dashed: true},
	}
}

func remaining(t *TracePoint) (float64, bool) { return t.LogRemain, t.LogRemain > 0 }

// queuePlot is the queue by length of prefix over time.
func queuePlot(s *summary, title string) (*plot.Plot, error) {
	p := newPlot(title, "seconds", "prefixes in the queue")
	longest := 0
	for i := range s.Trace {
		longest = max(longest, len(s.Trace[i].Queue))
	}
	for length := 1; length < longest; length++ {
		points := steps(s.Trace, func(t *TracePoint) (float64, bool) {
			if length >= len(t.Queue) || t.Queue[length] <= 0 {
				return 0, false
			}
			return float64(t.Queue[length]), true
		})
		if err := (series{name: fmt.Sprintf("length %d", length), points: points, style: length - 1}).add(p); err != nil {
			return nil, err
		}
	}
	p.Legend.Top = true
	p.Y.Min, p.Y.Max = 0.9, max(p.Y.Max, 10)
	p.X.Max *= math.Pow(max(p.X.Max/p.X.Min, 10), .3) // room for the legend
	logX(p)
	logY(p)
	return p, nil
}

// paperVariants are the rows of the paper's ablation, which figures 16 to 18
// show.
const paperVariants = 6

// drawAblation draws the queue by length (figures 16 and 17) and the remaining
// space (figure 18) of the variants that the paper has.
func drawAblation(list []*summary) ([]figurePanels, error) {
	var queues []*plot.Plot
	remains := newPlot(list[0].Instance+", λ = "+shortLambda(list[0].Lambda), "seconds", "log10 of prefixes left")
	for i, s := range list {
		if i == paperVariants || len(s.Trace) == 0 {
			break
		}
		q, err := queuePlot(s, s.Variant)
		if err != nil {
			return nil, err
		}
		queues = append(queues, q)
		if err := (series{name: s.Variant, points: steps(s.Trace, remaining), style: i}).add(remains); err != nil {
			return nil, err
		}
	}
	if len(queues) == 0 {
		return nil, nil
	}
	logX(remains)
	logY(remains)
	remains.Legend.Top = true
	remains.X.Max *= 8 // room for the legend
	name := "ablation-" + list[0].Instance
	return []figurePanels{{name + "-queue", queues}, {name + "-remaining", []*plot.Plot{remains}}}, nil
}

// drawOpen draws the gap of instances that are not certified over time.
func drawOpen(list []*summary) ([]figurePanels, error) {
	p := newPlot("Instances that nobody had certified", "seconds", "gap, per cent")
	for i, s := range list {
		gap := steps(s.Trace, func(t *TracePoint) (float64, bool) {
			return 100 * (t.Objective - t.Bound) / t.Objective, t.Objective > 0
		})
		if err := (series{name: s.Instance + ", λ = " + shortLambda(s.Lambda), points: gap, style: i}).add(p); err != nil {
			return nil, err
		}
	}
	p.Y.Min = 0
	logX(p)
	p.Legend.Left = true
	return []figurePanels{{"open", []*plot.Plot{p}}}, nil
}
