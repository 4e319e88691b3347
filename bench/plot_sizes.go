package bench

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawTable draws the seconds of every instance, and those of other solvers.
func drawTable(list []*summary) ([]figurePanels, error) {
	p := newPlot("One worker: seconds to a certified list", "", "seconds")
	var names []string
	points := map[string]plotter.XYs{}
	var solvers []string
	for _, s := range list {
		name := s.Instance + " " + shortLambda(s.Lambda)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if !slices.Contains(solvers, s.Solver) {
			solvers = append(solvers, s.Solver)
		}
		if !s.failed() {
			points[s.Solver] = append(points[s.Solver], plotter.XY{X: float64(slices.Index(names, name)), Y: s.seconds()})
		}
	}
	for i, solver := range solvers {
		if len(points[solver]) == 0 {
			continue
		}
		dots, err := plotter.NewScatter(points[solver])
		if err != nil {
			return nil, err
		}
		dots.Color, dots.Shape, dots.Radius = palette[i%len(palette)], shapes[i%len(shapes)], vg.Points(3.5)
		p.Add(dots)
		p.Legend.Add(solver, dots)
	}
	logY(p)
	p.NominalX(names...)
	p.X.Tick.Label.Rotation = math.Pi / 3
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	p.Legend.Top, p.Legend.Left = true, true
	p.Y.Max *= 8 // room for the legend
	return []figurePanels{{"table", []*plot.Plot{p}}}, nil
}

// drawWorkers draws the speed-up over the workers.
func drawWorkers(list []*summary) ([]figurePanels, error) {
	p := newPlot("Speed-up over workers", "workers", "speed-up")
	lines := map[string]*series{}
	var order []*series
	most := 1
	for _, s := range list {
		if !s.ofWorkers() {
			continue
		}
		name := s.Instance + ", λ = " + shortLambda(s.Lambda)
		if lines[name] == nil {
			lines[name] = &series{name: name, style: len(order), marked: true}
			order = append(order, lines[name])
		}
		lines[name].points = append(lines[name].points, plotter.XY{X: float64(s.Workers), Y: fewest(list, s).seconds() / s.seconds()})
		most = max(most, s.Workers)
	}
	ideal := series{name: "ideal", points: plotter.XYs{{X: 1, Y: 1}, {X: float64(most), Y: float64(most)}}, style: len(palette) - 1, dashed: true}
	if err := ideal.add(p); err != nil {
		return nil, err
	}
	for _, s := range order {
		if err := s.add(p); err != nil {
			return nil, err
		}
	}
	p.X.Tick.Marker = wholeTicks{most}
	p.Legend.Top, p.Legend.Left = true, true
	return []figurePanels{{"scaling-workers", []*plot.Plot{p}}}, nil
}

// wholeTicks marks 1, 2, 4, … workers.
type wholeTicks struct{ most int }

func (w wholeTicks) Ticks(_, _ float64) (ticks []plot.Tick) {
	for _, n := range workerCounts(w.most) {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: fmt.Sprint(n)})
	}
	return ticks
}

// drawSizes draws the time over samples or antecedents.
func drawSizes(list []*summary) ([]figurePanels, error) {
	what, size := "samples", func(s *summary) int { return s.Samples }
	if list[0].Part == "antecedents" {
		what, size = "antecedents", func(s *summary) int { return s.Antecedents }
	}
	lines := []series{{name: "making or reading the table"}, {name: "reducing it"}, {name: "search"}}
	for i := range lines {
		lines[i].style, lines[i].marked = i, true
	}
	for _, s := range list {
		if s.failed() {
			continue
		}
		for i, f := range []func(*Record) float64{readSeconds, reduceSeconds, searchSeconds} {
			lines[i].points = append(lines[i].points, plotter.XY{X: float64(size(s)), Y: max(s.median(f), 1e-6)})
		}
	}
	p := newPlot(list[0].Family()+", λ = "+shortLambda(list[0].Lambda)+", one worker", what, "seconds")
	if err := addAll(p, lines); err != nil {
		return nil, err
	}
	logX(p)
	logY(p)
	p.Legend.Top, p.Legend.Left = true, true
	p.Y.Max *= 8 // room for the legend
	return []figurePanels{{"scaling-" + what, []*plot.Plot{p}}}, nil
}

// drawKernels draws the throughput of each kernel over the size.
func drawKernels(list []*summary) ([]figurePanels, error) {
	p := newPlot("Counting 160 columns", "words a column", "GB/s")
	for i, s := range list {
		var points plotter.XYs
		for _, m := range s.Measures {
			if m.Unit == "GB/s" {
				points = append(points, plotter.XY{X: float64(m.Size), Y: s.best(m.Name, m.Size, m.Unit)})
			}
		}
		if err := (series{name: s.Variant, points: points, style: i, marked: true, dashed: i == 0}).add(p); err != nil {
			return nil, err
		}
	}
	logX(p)
	logY(p)
	p.Legend.Top = true
	return []figurePanels{{"kernels", []*plot.Plot{p}}}, nil
}
