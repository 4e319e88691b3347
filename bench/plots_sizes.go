package bench

import "slices"

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

// sizePlots shows the time over samples or antecedents.
func sizePlots(list []*summary) []Plot {
	what, size := "samples", func(s *summary) int { return int(s.Samples) }
	if list[0].Part == "antecedents" {
		what, size = "antecedents", func(s *summary) int { return s.Antecedents }
	}
	lines := []Series{{Name: "making or reading the table"}, {Name: "reducing it"}, {Name: "search"}}
	for i := range lines {
		lines[i].Style, lines[i].Marked = i, true
	}
	for _, s := range list {
		if s.failed() {
			continue
		}
		for i, f := range []func(*Record) float64{readSeconds, reduceSeconds, searchSeconds} {
			lines[i].Points = append(lines[i].Points, Point{X: float64(size(s)), Y: max(s.median(f), 1e-6)})
		}
	}
	p := Panel{Title: list[0].Family() + ", λ = " + shortLambda(list[0].Lambda) + ", one worker", X: what, Y: "seconds",
		LogX: true, LogY: true, LegendTop: true, LegendLeft: true, RoomY: 8}
	p.add(lines...)
	return []Plot{{"scaling-" + what, []Panel{p}}}
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
		p.add(Series{Name: s.Variant, Points: points, Style: i, Marked: true, Dashed: i == 0})
	}
	return []Plot{{"kernels", []Panel{p}}}
}
