package bench

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
