package goodmodels

import (
	"context"
	"fmt"
	"slices"

	"parcorels/ask/goodmodels/graph"
	"parcorels/rules"
)

// Further are rows of which nothing was learned, as all good models see them.
type Further struct {
	a        *Answer
	found    *graph.Set
	pointOf  []int
	patterns [][]byte // of each row, the antecedents that hold
	flips    [][]int64
}

// Further takes rows of another table, given as cells under names of columns, and finds
// what the good models predict for them. On a cell that is missing, where none was in training, or
// not of its column's kind, no condition holds.
//
// The rows are points that cost nothing; they only tell more sets apart.
func (a *Answer) Further(ctx context.Context, header []string, rows [][]string) (*Further, error) {
	patterns, err := judge(a.problem.Set, header, rows)
	if err != nil {
		return nil, err
	}
	f := &Further{a: a, patterns: patterns}
	if f.found, f.pointOf, err = a.haunted(ctx, patterns); err != nil {
		return nil, err
	}
	f.flips = f.found.Flips()
	return f, nil
}

// haunted returns the good models with rows that cost nothing, given by the antecedents that hold in
// them, and the point of each.
func (a *Answer) haunted(ctx context.Context, patterns [][]byte) (*graph.Set, []int, error) {
	known := map[string]int{}
	for p := range a.Points.Count {
		known[string(a.pattern(p))] = p
	}
	ghosts := 0
	var pointOf []int
	for _, row := range patterns {
		p, ok := known[string(row)]
		if !ok {
			p = a.Points.Count + ghosts
			known[string(row)] = p
			ghosts++
		}
		pointOf = append(pointOf, p)
	}
	words := (a.Points.Count + ghosts + 63) / 64
	columns := make([][]uint64, len(a.Points.Columns))
	for k, c := range a.Points.Columns {
		columns[k] = slices.Grow(slices.Clone(c), words)[:max(words, len(c))]
		clear(columns[k][len(c):])
		columns[k] = columns[k][:words]
	}
	for i, p := range pointOf {
		for k := range columns {
			columns[k][p/64] |= uint64(patterns[i][k/8]>>(k%8)&1) << (p % 64)
		}
	}
	found, err := graph.Build(ctx, a.haunt(columns, ghosts), a.Threshold(), a.Limits)
	if err == nil && !found.Complete {
		err = ErrTooMany // a question is about all models, not those within a smaller threshold
	}
	if err == nil && a.allowed != nil {
		found = found.Only(a.allowed)
	}
	return found, pointOf, err
}

// judge finds the antecedents that hold in each row.
func judge(set *rules.Set, header []string, rows [][]string) ([][]byte, error) {
	place := make([]int, len(set.Data.Features))
	for i, f := range set.Data.Features {
		name := f.Column
		if name == "" {
			name = f.Name
		}
		if place[i] = slices.Index(header, name); place[i] < 0 {
			return nil, fmt.Errorf("the table lacks column %q, which the conditions look at", name)
		}
	}
	patterns := make([][]byte, len(rows))
	holds, fails := make([]bool, len(place)), make([]bool, len(place)) // neither: cannot be judged
	for i, cells := range rows {
		patterns[i] = make([]byte, (len(set.Antecedents)+7)/8)
		for l := range place {
			is, err := set.Data.Features[l].Test.Holds(cells[place[l]])
			holds[l], fails[l] = is && err == nil, !is && err == nil
		}
		for k, x := range set.Antecedents {
			if !slices.ContainsFunc(x.Literals, func(l rules.Literal) bool {
				return !holds[l.Feature] && !l.Negated || !fails[l.Feature] && l.Negated
			}) {
				patterns[i][k/8] |= 1 << (k % 8)
			}
		}
	}
	return patterns, nil
}

// pattern returns the antecedents that hold at a point.
func (a *Answer) pattern(p int) []byte {
	row := make([]byte, (len(a.Points.Columns)+7)/8)
	for k, c := range a.Points.Columns {
		row[k/8] |= byte(c[p/64]>>(p%64)&1) << (k % 8)
	}
	return row
}

// Least returns the least objective of a good model that predicts a class for a row, and false if
// no good model does.
func (f *Further) Least(row, class int) (objective int64, ok bool) {
	objective = f.flips[class][f.pointOf[row]]
	return objective, objective >= 0
}

// Optimum returns the class that the optimum predicts for a row.
func (f *Further) Optimum(row int) int {
	return f.a.Optimum.Decides(func(k int) bool { return f.patterns[row][k/8]>>(k%8)&1 == 1 })
}

// Otherwise returns the class of the best good model that does not predict what the optimum does for
// a row, and its objective; false if every good model does.
func (f *Further) Otherwise(row int) (class int, objective int64, ok bool) {
	own := f.Optimum(row)
	for c := range f.flips {
		if o, there := f.Least(row, c); c != own && there && (!ok || o < objective) {
			class, objective, ok = c, o, true
		}
	}
	return class, objective, ok
}

// Label returns the label text of a class.
func (f *Further) Label(class int) string { return f.a.Best.About().Label(class) }
