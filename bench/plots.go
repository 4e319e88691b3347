package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A plot is described here as data, without a library that draws: bench/_plot,
// a module of its own, turns it into an SVG or PNG file. So nobody who builds
// parcorels compiles fonts and image formats.

// Plot is one figure of one or several panels.
type Plot struct {
	Name   string // of the file, without its ending
	Panels []Panel
}

// Panel is a pair of axes with what is drawn on them.
type Panel struct {
	Title, X, Y           string // titles of the panel and its axes
	LogX, LogY            bool
	FromY                 *float64 // where the Y axis begins; nil: where the data begin
	AtLeastY              float64  // the least upper end of the Y axis
	RoomX, RoomY          float64  // the upper end of an axis is multiplied by it, for the legend; 0: not
	XTicks                []float64
	XNames                []string // instead of numbers, for x = 0, 1, …
	LegendTop, LegendLeft bool
	Series                []Series
}

// Series is points under a name, joined by a line unless scattered.
type Series struct {
	Name      string // in the legend; "" keeps it out
	Points    []Point
	Style     int  // number of the colour; beyond the colours also of the dashes
	Dashed    bool // whatever the style
	Marked    bool // a glyph at each point
	Scattered bool // glyphs without a line
}

// Point is a point of a series.
type Point struct{ X, Y float64 }

// Plots returns the figures that show the records: those of each suite that has some.
func Plots(records []Record) (plots []Plot) {
	for _, part := range parts(records) {
		plots = append(plots, plotsOf(part)...)
	}
	return plots
}

// plotsOf returns the plots that suit a part of a suite.
func plotsOf(records []Record) []Plot {
	list := summarize(records)
	first := &records[0]
	switch first.Suite + "/" + first.Part {
	case "table/":
		return tablePlots(list)
	case "corels-jmlr/table 3":
		return tracePlots(list)
	case "corels-jmlr/table 4", "corels-jmlr/table 5":
		return ablationPlots(list)
	case "scaling/workers":
		return workerPlots(list)
	case "scaling/samples", "scaling/antecedents", "osdt/samples", "osdt/features":
		return sizePlots(list)
	case "osdt/folds":
		return accuracyPlots(list)
	case "open/":
		return gapPlots("open", "Instances that nobody had certified", list)
	case "trees/weak":
		return gapPlots("trees-weak", "Trees of any depth, weak signal", list)
	case "kernels/":
		return kernelPlots(list)
	}
	return nil
}

// zero is the start of an axis that shows shares.
var zero = new(float64)

// add adds a series unless it is empty.
func (p *Panel) add(list ...Series) {
	for _, s := range list {
		if len(s.Points) > 0 {
			p.Series = append(p.Series, s)
		}
	}
}

// steps turns values that hold until the next point into a line.
func steps(trace []TracePoint, value func(*TracePoint) (float64, bool)) (line []Point) {
	for i := range trace {
		v, ok := value(&trace[i])
		if !ok || trace[i].Seconds <= 0 {
			continue
		}
		if n := len(line); n > 0 {
			line = append(line, Point{X: trace[i].Seconds, Y: line[n-1].Y})
		}
		line = append(line, Point{X: trace[i].Seconds, Y: v})
	}
	return line
}

// tablePlots shows the seconds of every instance, and those of other solvers.
func tablePlots(list []*summary) []Plot {
	p := Panel{Title: "One worker: seconds to a certified list", Y: "seconds", LogY: true, LegendTop: true, LegendLeft: true, RoomY: 8}
	var solvers []string
	points := map[string][]Point{}
	for _, s := range list {
		name := s.Instance + " " + shortLambda(s.Lambda)
		if !slices.Contains(p.XNames, name) {
			p.XNames = append(p.XNames, name)
		}
		if !slices.Contains(solvers, s.Solver) {
			solvers = append(solvers, s.Solver)
		}
		if !s.failed() {
			points[s.Solver] = append(points[s.Solver], Point{X: float64(slices.Index(p.XNames, name)), Y: s.seconds()})
		}
	}
	for i, solver := range solvers {
		p.add(Series{Name: solver, Points: points[solver], Style: i, Scattered: true})
	}
	return []Plot{{"table", []Panel{p}}}
}

// workerPlots shows the speed-up over the workers.
func workerPlots(list []*summary) []Plot {
	lines := map[string]*Series{}
	var order []*Series
	most := 1
	for _, s := range list {
		if !s.ofWorkers() {
			continue
		}
		name := s.Instance + ", λ = " + shortLambda(s.Lambda)
		if lines[name] == nil {
			lines[name] = &Series{Name: name, Style: len(order), Marked: true}
			order = append(order, lines[name])
		}
		lines[name].Points = append(lines[name].Points, Point{X: float64(s.Workers), Y: fewest(list, s).seconds() / s.seconds()})
		most = max(most, s.Workers)
	}
	p := Panel{Title: "Speed-up over workers", X: "workers", Y: "speed-up", LegendTop: true, LegendLeft: true}
	p.add(Series{Name: "ideal", Points: []Point{{X: 1, Y: 1}, {X: float64(most), Y: float64(most)}}, Style: idealStyle, Dashed: true})
	for _, s := range order {
		p.add(*s)
	}
	for _, n := range workerCounts(most) {
		p.XTicks = append(p.XTicks, float64(n))
	}
	return []Plot{{"scaling-workers", []Panel{p}}}
}

// idealStyle is the last colour, black.
const idealStyle = 6

// sizePlots shows the time over samples or antecedents, a panel for each family.
func sizePlots(list []*summary) []Plot {
	what, size := list[0].Part, func(s *summary) int { return s.Antecedents }
	if what == "samples" {
		size = func(s *summary) int { return int(s.Samples) }
	}
	figures := []struct {
		name string
		of   func(*Record) float64
	}{
		{"making or reading the table", readSeconds}, {"reducing it", reduceSeconds}, {"search", searchSeconds},
		{"CART", func(r *Record) float64 { return (&summary{Record: r}).measure(greedySeconds).Value }},
	}
	var panels []Panel
	for _, family := range byFamily(list) {
		p := Panel{Title: family[0].Family() + ", λ = " + shortLambda(family[0].Lambda) + ", one worker", X: what, Y: "seconds",
			LogX: true, LogY: true, LegendTop: true, LegendLeft: true, RoomY: 8}
		for style, f := range figures {
			line := Series{Name: f.name, Style: style, Marked: true}
			for _, s := range family {
				if v := s.median(f.of); v > 0 {
					line.Points = append(line.Points, Point{X: float64(size(s)), Y: max(v, 1e-6)})
				}
			}
			p.add(line)
		}
		panels = append(panels, p)
	}
	return []Plot{{list[0].Suite + "-" + what, panels}}
}

// byFamily splits summaries of ours that have a result by the family of their instances.
func byFamily(list []*summary) (families [][]*summary) {
	at := map[string]int{}
	for _, s := range ownOf(list) {
		i, known := at[s.Family()]
		if !known {
			i, families = len(families), append(families, nil)
			at[s.Family()] = i
		}
		families[i] = append(families[i], s)
	}
	return families
}

// accuracyPlots shows accuracy over leaves, on the rows that were learned from and on
// others: figures 10 to 16 of the OSDT paper.
func accuracyPlots(list []*summary) []Plot {
	var panels []Panel
	for i, family := range byFamily(list) {
		p := Panel{Title: family[0].Instance, X: "leaves", Y: "accuracy, per cent"}
		for _, line := range []struct {
			name, measure string
			style         int
			dashed        bool
		}{
			{"optimal, training", trainMeasure, 0, false}, {"optimal, test", accuracyMeasure, 0, true},
			{"CART, training", greedyTrain, 1, false}, {"CART, test", greedySame, 1, true},
		} {
			var points []Point
			for _, s := range family {
				points = append(points, Point{X: s.measure(rulesMeasure).Value, Y: 100 * s.measure(line.measure).Value})
			}
			slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
			if i > 0 {
				line.name = "" // the first panel's legend is for all
			}
			p.add(Series{Name: line.name, Points: points, Style: line.style, Dashed: line.dashed, Marked: true})
		}
		panels = append(panels, p)
	}
	return []Plot{{"osdt-accuracy", panels}}
}

// kernelPlots shows the throughput of each kernel over the size.
func kernelPlots(list []*summary) []Plot {
	p := Panel{Title: "Counting 160 columns", X: "words a column", Y: "GB/s", LogX: true, LogY: true, LegendTop: true}
	for i, s := range list {
		var points []Point
		for _, m := range s.Measures {
			if m.Unit == "GB/s" {
				points = append(points, Point{X: float64(m.Size), Y: s.best(m.Name, m.Size, m.Unit)})
			}
		}
		p.add(Series{Name: s.Variant, Points: points, Style: i, Marked: true})
	}
	return []Plot{{"kernels", []Panel{p}}}
}

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
