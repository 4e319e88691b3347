package goodmodels

import (
	"errors"
	"math/big"
	"slices"
	"strings"

	"parcorels/ask/goodmodels/graph"
	"parcorels/family"
	"parcorels/optionerr"
	"parcorels/rules"
	"parcorels/rules/rates"
)

// mostEntries bounds the tables of a question: some gigabytes.
const mostEntries = 20_000_000

// ErrTooMany reports a question whose tables would take too much memory.
var ErrTooMany = errors.New("the good models are too many for this question: ask within a smaller threshold")

// Columns returns the columns that the antecedents look at.
func (a *Answer) Columns() []string { return allColumns(a.problem.Set) }

// allColumns returns the columns that the antecedents of a set look at.
func allColumns(set *rules.Set) (names []string) {
	for i := range set.Antecedents {
		for _, c := range columnsOf(set, i) {
			if !slices.Contains(names, c) {
				names = append(names, c)
			}
		}
	}
	return names
}

// columnsOf returns the columns that an antecedent looks at. Names of ready-made antecedents
// such as {sex:Male,age:<21} tell their columns; any other is a column of its own.
func columnsOf(set *rules.Set, antecedent int) (names []string) {
	for _, l := range set.Antecedents[antecedent].Literals {
		f := &set.Data.Features[l.Feature]
		if f.Column != "" {
			names = append(names, f.Column)
			continue
		}
		inside := strings.TrimSuffix(strings.TrimPrefix(f.Name, "{"), "}")
		for part := range strings.SplitSeq(inside, ",") {
			if column, _, ok := strings.Cut(part, ":"); ok {
				names = append(names, strings.TrimPrefix(column, "not "))
			} else {
				names = append(names, part)
			}
		}
	}
	return names
}

// looking says of each antecedent whether it looks at one of some columns.
func looking(set *rules.Set, columns ...string) []bool {
	looks := make([]bool, len(set.Antecedents))
	for i := range looks {
		looks[i] = slices.ContainsFunc(columnsOf(set, i), func(c string) bool { return slices.Contains(columns, c) })
	}
	return looks
}

// uses says of each antecedent whether it looks at a column.
func (a *Answer) uses(column string) (func(antecedent int) bool, error) {
	looks := looking(a.problem.Set, column)
	if !slices.Contains(looks, true) {
		return nil, optionerr.Errorf("Column", "no condition looks at a column %q: expected one of %s", column,
			strings.Join(a.Columns(), ", "))
	}
	return func(antecedent int) bool { return looks[antecedent] }, nil
}

// Without returns the good models that do not look at a column.
func (a *Answer) Without(column string) (*Answer, error) {
	looks, err := a.uses(column)
	if err != nil {
		return nil, err
	}
	b := *a
	b.allowed = func(antecedent int) bool { return !looks(antecedent) && (a.allowed == nil || a.allowed(antecedent)) }
	if b.Set = a.Only(b.allowed); b.States() > 0 {
		b.Optimum, err = b.smallest(b.Set)
	}
	return &b, err
}

// Use says what good models make of a column.
type Use struct {
	Column      string
	With, Lists *big.Int      // models that look at it, of all
	Best        *family.Model // the best without it; nil: every good model looks at it
	// Least and Most are the share of the samples, by weight, that a model decides by rules with
	// the column, or of a tree by a path with it.
	Least, Most float64
}

// Use asks what good models make of a column: how many look at it, the best that does not, and the
// share of the samples that are decided by it, at least and at most.
func (a *Answer) Use(column string) (*Use, error) {
	looks, err := a.uses(column)
	if err != nil {
		return nil, err
	}
	u := &Use{Column: column, Lists: a.Count().Models()}
	only := a.Only(func(antecedent int) bool { return !looks(antecedent) })
	without := only.Count().Models()
	u.With = new(big.Int).Sub(u.Lists, without)
	if without.Sign() > 0 {
		if u.Best, err = a.smallest(only); err != nil {
			return nil, err
		}
	}
	t, ok := a.Decided(looks, a.weights, mostEntries)
	if !ok || t.Len() == 0 {
		return nil, ErrTooMany
	}
	least, most := extremes(t)
	u.Least, u.Most = float64(least)/float64(a.Points.Total), float64(most)/float64(a.Points.Total)
	return u, nil
}

// extremes returns the least and the largest key.
func extremes(t *graph.Table) (least, most int64) {
	least, most = t.Key(0)[0], t.Key(0)[0]
	for i := range t.Len() {
		least, most = min(least, t.Key(i)[0]), max(most, t.Key(i)[0])
	}
	return least, most
}

// ColumnChoice is a set of columns with the best model that looks at these and no others.
type ColumnChoice struct {
	Columns []string
	Best    *family.Model
}

// ColumnChoices returns the sets of columns that are enough for a good model, and no smaller
// part of them is, with the best model of each; those of the fewest columns first.
func (a *Answer) ColumnChoices() ([]ColumnChoice, error) {
	names := a.Columns()
	if len(names) > 64 {
		return nil, optionerr.Errorf("Column", "the conditions look at %d columns, expected at most 64", len(names))
	}
	masks := make([]uint64, len(a.problem.Set.Antecedents))
	for i := range masks {
		for _, c := range columnsOf(a.problem.Set, i) {
			masks[i] |= 1 << slices.Index(names, c)
		}
	}
	t, ok := a.ColumnSets(func(antecedent int) uint64 { return masks[antecedent] }, mostEntries)
	if !ok {
		return nil, ErrTooMany
	}
	var list []ColumnChoice
	for i := range t.Len() {
		own := uint64(t.Key(i)[0])
		minimal := true
		for j := range t.Len() {
			other := uint64(t.Key(j)[0])
			minimal = minimal && (other == own || other&^own != 0)
		}
		if !minimal {
			continue
		}
		m, err := a.Model(t.At(i))
		if err != nil {
			return nil, err
		}
		x := ColumnChoice{Best: m, Columns: []string{}}
		for c, name := range names {
			if own>>c&1 == 1 {
				x.Columns = append(x.Columns, name)
			}
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(x, y ColumnChoice) int { return len(x.Columns) - len(y.Columns) })
	return list, nil
}

// PredictsAt returns the class that a model of the problem predicts at a point.
func (f *Frame) PredictsAt(m *family.Model, p int) int {
	return m.Decides(func(k int) bool { return f.Points.Columns[k][p/64]>>(p%64)&1 == 1 })
}

// Trade is a model with the difference of a rate between two groups.
type Trade struct {
	Difference float64 // of those inside less those outside
	Best       *family.Model
}

// Front returns the best models for ever smaller differences of a rate between the samples of
// a group and the others: no good model has both a smaller objective and a smaller difference.
func (a *Answer) Front(group []bool, m rates.Measure) ([]Trade, error) {
	if len(a.Points.Weights) != 2 {
		return nil, rates.ErrRates(len(a.Points.Weights))
	}
	value, scale, err := rates.Difference(a.problem.Set, group, m)
	if err != nil {
		return nil, err
	}
	value = rates.ByGroup(a.problem.Set.PointOf(), len(a.weights), value)
	t, ok := a.Sums([][]int64{nil, value}, mostEntries)
	if !ok {
		return nil, ErrTooMany
	}
	var places []int                                 // of the front
	for i, least := 0, int64(-1); i < t.Len(); i++ { // in the order of objective
		if d := max(t.Key(i)[0], -t.Key(i)[0]); least < 0 || d < least {
			least = d
			if k := len(places) - 1; k >= 0 && t.Objective(places[k]) == t.Objective(i) {
				places = places[:k]
			}
			places = append(places, i)
		}
	}
	var front []Trade
	for _, i := range places {
		m, err := a.Model(t.At(i))
		if err != nil {
			return nil, err
		}
		front = append(front, Trade{float64(t.Key(i)[0]) / float64(scale), m})
	}
	return front, nil
}
