package bench

import (
	"math"
	"strconv"
)

// Trees is the Model of a case whose answer is the optimal decision tree.
const Trees = "tree"

// The tables of trees.

// treeTable has a row for each case, and beside it every other solver.
func treeTable(list []*summary) *table {
	t := newTable("data", "λ", "depth", "objective", "leaves", "seconds", "range", "runs", "counts", "sets", "process MB")
	others := t.addSolvers(list, "ratio of searches", searchRatio)
	for _, s := range list {
		if s.Solver != Own {
			continue
		}
		if s.failed() {
			t.add(s.Instance, shortLambda(s.Lambda), s.depth(), "", "", "failed")
			continue
		}
		t.add(append([]string{
			s.Instance, shortLambda(s.Lambda), s.depth(), s.objective(), strconv.Itoa(s.Length), s.time(), s.span(searchSeconds),
			strconv.Itoa(len(s.runs)), count(int64(s.median(expanded))), count(s.MapEntries), figure(s.median(peakBytes) / 1e6),
		}, others(s)...)...)
	}
	return t
}

func (s *summary) depth() string {
	if s.Depth == 0 {
		return "any"
	}
	return strconv.Itoa(s.Depth)
}

func share(x float64) string {
	return strconv.FormatFloat(math.Round(1e4*x)/100+0, 'f', 2, 64) + "%" // + 0: no −0
}

// measure returns a measure of the first run by its name.
func (s *summary) measure(name string) (m Measure) {
	for _, m := range s.Measures {
		if m.Name == name {
			return m
		}
	}
	return m
}
