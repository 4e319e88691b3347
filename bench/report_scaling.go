package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// workersTable is strong scaling: every row against the row of its instance
// with the fewest workers, as a rule one, and beside it the ceiling: the speed-up
// that as many searches side by side have, together.
func workersTable(list []*summary) *table {
	t := newTable("instance", "λ", "workers", "seconds", "range", "speed-up", "ceiling", "efficiency", "nodes", "CPU µs a node", "busy", "queue waits", "map retries")
	for _, s := range list {
		if !s.ofWorkers() {
			continue
		}
		base := fewest(list, s)
		speedUp := base.seconds() / s.seconds()
		t.add(s.Instance, shortLambda(s.Lambda), strconv.Itoa(s.Workers), s.time(), s.span(searchSeconds),
			fmt.Sprintf("%.2f", speedUp), ceiling(list, s), percent(speedUp*float64(base.Workers)/float64(s.Workers)),
			fmt.Sprintf("%.2f", s.median(expanded)/max(1, base.median(expanded))), figure(s.median(processorTime)), percent(s.median(utilisation)),
			count(s.QueueWaits), count(s.MapRetries))
	}
	return t
}

// ceiling is what as many searches of one worker side by side do in the time of
// one, empty if that was not measured.
func ceiling(list []*summary, s *summary) string {
	base := fewest(list, s)
	i := slices.IndexFunc(list, func(o *summary) bool {
		return o.sameProblem(s) && !o.ofWorkers() && o.Copies == s.Workers
	})
	if i < 0 || base.Workers != 1 {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(s.Workers)*base.seconds()/list[i].seconds())
}

// sameProblem reports whether both are of one instance and λ, and this one is
// ours and has a result.
func (s *summary) sameProblem(o *summary) bool {
	return s.Solver == Own && s.Instance == o.Instance && s.Lambda == o.Lambda && s.Without == o.Without && !s.failed()
}

// ofWorkers reports whether it is a result of ours by workers that work
// together, not side by side.
func (s *summary) ofWorkers() bool { return s.Solver == Own && !s.failed() && s.Copies <= 1 }

// fewest returns the summary of the same problem with the fewest workers.
func fewest(list []*summary, s *summary) *summary {
	same := slices.DeleteFunc(slices.Clone(list), func(o *summary) bool {
		return !o.sameProblem(s) || !o.ofWorkers()
	})
	return slices.MinFunc(same, func(a, b *summary) int { return a.Workers - b.Workers })
}

// sizesTable is how the time grows with samples or antecedents.
func sizesTable(list []*summary) *table {
	t := newTable("instance", "λ", "samples", "antecedents", "distinct points", "making it s", "reducing s", "search s", "range", "expanded", "process MB")
	for _, s := range ownOf(list) {
		t.add(s.Instance, shortLambda(s.Lambda), count(s.Samples), count(int64(s.Antecedents)), count(int64(s.Points)),
			figure(s.median(readSeconds)), figure(s.median(reduceSeconds)),
			s.time(), s.span(searchSeconds), count(s.Expanded), figure(s.median(peakBytes)/1e6))
	}
	return t
}

// Family is the name of the instance without its size.
func (c *Case) Family() string {
	name, _, _ := strings.Cut(c.Instance, "/")
	return name
}

// kernelTable has a column for each size: GB/s.
func kernelTable(list []*summary) *table {
	t := newTable("words a column")
	var sizes []int
	for _, m := range list[0].Measures {
		if !slices.Contains(sizes, m.Size) {
			sizes = append(sizes, m.Size)
			t.head = append(t.head, count(int64(m.Size)))
		}
	}
	for _, s := range list {
		row := []string{s.Variant}
		for _, size := range sizes {
			row = append(row, figure(s.best("throughput", size, "GB/s")))
		}
		t.add(row...)
	}
	return t
}

// best returns the largest value of a measure among the runs.
func (s *summary) best(name string, size int, unit string) (best float64) {
	for _, r := range s.runs {
		for _, m := range r.Measures {
			if m.Name == name && m.Size == size && m.Unit == unit {
				best = max(best, m.Value)
			}
		}
	}
	return best
}

// microTable has a row for each structure and operation, and a column for each
// number of goroutines.
func microTable(list []*summary) *table {
	type line struct{ name, unit string }
	var lines []line
	var sizes []int
	values := map[line]map[int][]float64{}
	for _, s := range list {
		for _, r := range s.runs {
			for _, m := range r.Measures {
				l := line{m.Name, m.Unit}
				if values[l] == nil {
					values[l] = map[int][]float64{}
					lines = append(lines, l)
				}
				if !slices.Contains(sizes, m.Size) {
					sizes = append(sizes, m.Size)
				}
				values[l][m.Size] = append(values[l][m.Size], m.Value)
			}
		}
	}
	slices.Sort(sizes)
	t := newTable("structure", "unit")
	for _, size := range sizes {
		t.head = append(t.head, map[bool]string{true: "alone", false: strconv.Itoa(size)}[size == 0])
	}
	for _, l := range lines {
		row := []string{l.name, l.unit}
		for _, size := range sizes {
			cell := ""
			if v := values[l][size]; len(v) > 0 {
				cell = figure(slices.Min(v))
			}
			row = append(row, cell)
		}
		t.add(row...)
	}
	return t
}

func percent(share float64) string {
	if math.IsNaN(share) {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}
