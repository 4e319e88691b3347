package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
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

// drawings make the figures of a suite, or of a part of one.
var drawings = map[string]func([]*summary) []Plot{
	"table/":              instancePlot,
	"corels-jmlr/table 3": tracePlots,
	"corels-jmlr/table 4": ablationPlots,
	"corels-jmlr/table 5": ablationPlots,
	"scaling/workers":     workerPlot,
	"scaling/samples":     sizePlot,
	"scaling/antecedents": sizePlot,
	"osdt/samples":        sizePlot,
	"osdt/features":       sizePlot,
	"osdt/folds":          accuracyPlot,
	"open/":               gapPlot,
	"trees/weak":          gapPlot,
	"kernels/":            kernelPlot,
}

// Plots returns the figures that show the records: those of each suite that has some.
func Plots(records []Record) (plots []Plot) {
	for _, part := range parts(records) {
		if draw := drawings[part[0].Suite+"/"+part[0].Part]; draw != nil {
			for _, p := range draw(summarize(part)) {
				if slices.ContainsFunc(p.Panels, func(panel Panel) bool { return len(panel.Series) > 0 }) {
					plots = append(plots, p)
				}
			}
		}
	}
	return plots
}

// add adds a series unless it is empty.
func (p *Panel) add(s Series) {
	if len(s.Points) > 0 {
		p.Series = append(p.Series, s)
	}
}

// label tells an instance and its λ from others.
func (s *summary) label() string { return s.Instance + ", λ = " + s.lambda() }

// steps turns values that hold until the next point into a line.
func (s *summary) steps(value func(*TracePoint) (float64, bool)) (line []Point) {
	for i := range s.Trace {
		v, ok := value(&s.Trace[i])
		at := s.Trace[i].Seconds
		if !ok || at <= 0 {
			continue
		}
		if n := len(line); n > 0 {
			line = append(line, Point{at, line[n-1].Y})
		}
		line = append(line, Point{at, v})
	}
	return line
}

func remaining(t *TracePoint) (float64, bool) { return t.LogRemain, t.LogRemain > 0 }

// markedLine has a point for each summary that has a value, with a glyph.
func markedLine(name string, style int, list []*summary, x, y func(*summary) float64) Series {
	line := Series{Name: name, Style: style, Marked: true}
	for _, s := range list {
		if v := y(s); v > 0 {
			line.Points = append(line.Points, Point{x(s), v})
		}
	}
	slices.SortStableFunc(line.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	return line
}

// instancePlot shows the seconds of every instance, and those of other solvers.
func instancePlot(list []*summary) []Plot {
	p := Panel{Title: "One worker: seconds to a certified list", Y: "seconds", LogY: true, LegendTop: true, LegendLeft: true, RoomY: 8}
	name := func(s *summary) string { return s.Instance + " " + s.lambda() }
	for _, same := range grouped(list, name) {
		p.XNames = append(p.XNames, name(same[0]))
	}
	place := func(s *summary) float64 { return float64(slices.Index(p.XNames, name(s))) }
	for style, solver := range grouped(list, func(s *summary) string { return s.Solver }) {
		solved := slices.DeleteFunc(slices.Clone(solver), (*summary).failed)
		line := markedLine(solver[0].Solver, style, solved, place, (*summary).seconds)
		line.Scattered = true
		p.add(line)
	}
	return []Plot{{"table", []Panel{p}}}
}

const black = 6 // the last colour

// workerPlot shows the speed-up over the workers.
func workerPlot(list []*summary) []Plot {
	p := Panel{Title: "Speed-up over workers", X: "workers", Y: "speed-up", LegendTop: true, LegendLeft: true}
	together := slices.DeleteFunc(ours(list), func(s *summary) bool { return s.Copies > 1 })
	workers := func(s *summary) float64 { return float64(s.Workers) }
	most := 1
	for _, s := range together {
		most = max(most, s.Workers)
	}
	p.add(Series{Name: "ideal", Points: []Point{{1, 1}, {float64(most), float64(most)}}, Style: black, Dashed: true})
	for style, same := range grouped(together, (*summary).label) {
		p.add(markedLine(same[0].label(), style, same, workers, (*summary).speedUp))
	}
	for _, n := range workerCounts(most) {
		p.XTicks = append(p.XTicks, float64(n))
	}
	return []Plot{{"scaling-workers", []Panel{p}}}
}

// byFamily splits summaries of ours by the family of their instances.
func byFamily(list []*summary) [][]*summary {
	return grouped(ours(list), func(s *summary) string { return s.Family() })
}

// sizePlot shows the time over samples or antecedents, a panel for each family.
func sizePlot(list []*summary) []Plot {
	what := list[0].Part
	size := func(s *summary) float64 { return float64(s.Antecedents) }
	if what == "samples" {
		size = func(s *summary) float64 { return float64(s.Samples) }
	}
	plot := Plot{Name: list[0].Suite + "-" + what}
	for _, family := range byFamily(list) {
		p := Panel{Title: family[0].Family() + ", λ = " + family[0].lambda() + ", one worker", X: what, Y: "seconds",
			LogX: true, LogY: true, LegendTop: true, LegendLeft: true, RoomY: 8}
		add := func(name string, style int, seconds func(*Record) float64) {
			p.add(markedLine(name, style, family, size, func(s *summary) float64 { return s.median(seconds) }))
		}
		add("making or reading the table", 0, readSeconds)
		add("reducing it", 1, reduceSeconds)
		add("search", 2, searchSeconds)
		add("CART", 3, func(r *Record) float64 { return r.Measures[greedySeconds] })
		plot.Panels = append(plot.Panels, p)
	}
	return []Plot{plot}
}

// accuracyPlot shows accuracy over leaves, on the rows that were learned from and on
// others: figures 10 to 16 of the OSDT paper.
func accuracyPlot(list []*summary) []Plot {
	plot := Plot{Name: "osdt-accuracy"}
	leaves := func(s *summary) float64 { return s.Measures[length] }
	for i, family := range byFamily(list) {
		p := Panel{Title: family[0].Instance, X: "leaves", Y: "accuracy, per cent"}
		add := func(name, measure string, style int, dashed bool) {
			if i > 0 {
				name = "" // the first panel's legend is for all
			}
			line := markedLine(name, style, family, leaves, func(s *summary) float64 { return 100 * s.Measures[measure] })
			line.Dashed = dashed
			p.add(line)
		}
		add("optimal, training", training, 0, false)
		add("optimal, test", accuracy, 0, true)
		add("CART, training", greedyTrain, 1, false)
		add("CART, test", greedySame, 1, true)
		plot.Panels = append(plot.Panels, p)
	}
	return []Plot{plot}
}

// kernelPlot shows the throughput of each kernel over the size.
func kernelPlot(list []*summary) []Plot {
	p := Panel{Title: "Counting 160 columns", X: "words a column", Y: "GB/s", LogX: true, LogY: true, LegendTop: true}
	for style, kernel := range grouped(ratesOf(list), func(r Rate) string { return r.Name }) {
		line := Series{Name: kernel[0].Name, Style: style, Marked: true}
		best := bestRates(kernel)
		for _, size := range sizesOf(kernel) {
			line.Points = append(line.Points, Point{float64(size), best[size]})
		}
		p.add(line)
	}
	return []Plot{{"kernels", []Panel{p}}}
}

// tracePlots shows figures 14 and 15 of the JMLR paper: for each λ the
// objective and the bound, the remaining space, and the queue by length.
func tracePlots(list []*summary) []Plot {
	traces, queues := Plot{Name: "jmlr-traces"}, Plot{Name: "jmlr-queue"}
	for _, s := range list {
		bounds := Panel{Title: s.label(), X: "seconds", Y: "objective and bound", LogX: true, FromY: new(float64)}
		bounds.add(Series{Name: "objective", Points: s.steps(func(t *TracePoint) (float64, bool) { return t.Objective, true })})
		bounds.add(Series{Name: "lower bound", Points: s.steps(func(t *TracePoint) (float64, bool) { return t.Bound, true }), Style: 1, Dashed: true})
		remains := Panel{Title: s.label(), X: "seconds", Y: "log10 of prefixes left", LogX: true}
		remains.add(Series{Points: s.steps(remaining)})
		traces.Panels = append(traces.Panels, bounds, remains)
		queues.Panels = append(queues.Panels, queuePanel(s, s.label()))
	}
	return []Plot{traces, queues}
}

// queuePanel shows the queue by length of prefix over time.
func queuePanel(s *summary, title string) Panel {
	start := 0.9 // just below one prefix
	p := Panel{Title: title, X: "seconds", Y: "prefixes in the queue", LogX: true, LogY: true, LegendTop: true, FromY: &start, AtLeastY: 10}
	longest := 0
	for _, t := range s.Trace {
		longest = max(longest, len(t.Queue))
	}
	first, last := math.Inf(1), math.Inf(-1)
	for length := 1; length < longest; length++ {
		points := s.steps(func(t *TracePoint) (float64, bool) {
			if length >= len(t.Queue) {
				return 0, false
			}
			return float64(t.Queue[length]), t.Queue[length] > 0
		})
		p.add(Series{Name: fmt.Sprintf("length %d", length), Points: points, Style: length - 1})
		for _, at := range points {
			first, last = min(first, at.X), max(last, at.X)
		}
	}
	p.RoomX = math.Pow(max(last/first, 10), .3)
	return p
}

// paperVariants are the rows of the paper's ablation, which figures 16 to 18
// show.
const paperVariants = 6

// ablationPlots shows the queue by length (figures 16 and 17) and the remaining
// space (figure 18) of the variants that the paper has.
func ablationPlots(list []*summary) []Plot {
	name := "ablation-" + list[0].Instance
	queues := Plot{Name: name + "-queue"}
	remains := Panel{Title: list[0].label(), X: "seconds", Y: "log10 of prefixes left", LogX: true, LogY: true, LegendTop: true, RoomX: 8}
	for i, s := range list[:min(len(list), paperVariants)] {
		queues.Panels = append(queues.Panels, queuePanel(s, s.Variant))
		remains.add(Series{Name: s.Variant, Points: s.steps(remaining), Style: i})
	}
	return []Plot{queues, {name + "-remaining", []Panel{remains}}}
}

// gapPlot shows the gap over time.
func gapPlot(list []*summary) []Plot {
	p := Panel{Title: "Instances that nobody had certified", X: "seconds", Y: "gap, per cent", LogX: true, FromY: new(float64), LegendLeft: true}
	if list[0].Part != "" {
		p.Title = "Trees of any depth, weak signal"
	}
	for i, s := range list {
		gap := s.steps(func(t *TracePoint) (float64, bool) {
			return 100 * (t.Objective - t.Bound) / t.Objective, t.Objective > 0
		})
		p.add(Series{Name: s.label(), Points: gap, Style: i})
	}
	return []Plot{{strings.TrimSuffix(list[0].Suite+"-"+list[0].Part, "-"), []Panel{p}}}
}
