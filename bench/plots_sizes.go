package bench

import (
	"cmp"
	"slices"
)

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
