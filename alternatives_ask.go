package parcorels

import (
	"errors"
	"math/big"
	"slices"
	"strings"

	"parcorels/choice/rashomon"
	"parcorels/optionerr"
)

// mostEntries bounds the tables of a question: some gigabytes.
const mostEntries = 20_000_000

// ErrTooMany reports a question whose tables would take too much memory.
var ErrTooMany = errors.New("the good models are too many for this question: ask within a smaller threshold")

// Columns returns the columns that the antecedents look at.
func (a *Alternatives) Columns() (names []string) {
	for i := range a.problem.Set.Antecedents {
		for _, c := range a.columnsOf(i) {
			if !slices.Contains(names, c) {
				names = append(names, c)
			}
		}
	}
	return names
}

// columnsOf returns the columns that an antecedent looks at. Names of ready-made antecedents
// such as {sex:Male,age:<21} tell their columns; any other is a column of its own.
func (a *Alternatives) columnsOf(antecedent int) (names []string) {
	set := a.problem.Set
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

// uses says of each antecedent whether it looks at a column.
func (a *Alternatives) uses(column string) (func(antecedent int) bool, error) {
	known := false
	looks := make([]bool, len(a.problem.Set.Antecedents))
	for i := range looks {
		looks[i] = slices.Contains(a.columnsOf(i), column)
		known = known || looks[i]
	}
	if !known {
		return nil, optionerr.Errorf("Column", "no condition looks at a column %q: expected one of %s", column, strings.Join(a.Columns(), ", "))
	}
	return func(antecedent int) bool { return looks[antecedent] }, nil
}

// Without returns the good models that do not look at a column.
func (a *Alternatives) Without(column string) (*Alternatives, error) {
	looks, err := a.uses(column)
	if err != nil {
		return nil, err
	}
	b := *a
	b.Set = a.Only(func(antecedent int) bool { return !looks(antecedent) })
	return &b, nil
}

// Use says what good models make of a column.
type Use struct {
	Column      string
	With, Lists *big.Int       // models that look at it, of all
	Best        *rashomon.List // the best without it; nil: every good model looks at it
	Least, Most float64        // share of the samples, by weight, that its rules decide
}

// Use asks what good models make of a column: how many look at it, the best that does not, and the
// share of the samples that rules with it decide, at least and at most.
func (a *Alternatives) Use(column string) (*Use, error) {
	looks, err := a.uses(column)
	if err != nil {
		return nil, err
	}
	u := &Use{Column: column, Lists: a.Count().Lists()}
	only := a.Only(func(antecedent int) bool { return !looks(antecedent) })
	without := only.Count().Lists()
	u.With = new(big.Int).Sub(u.Lists, without)
	if without.Sign() > 0 {
		best, ok := only.Smallest()
		if !ok {
			return nil, ErrTooMany
		}
		u.Best = &best
	}
	t, ok := a.Sums(rashomon.Sum{Decided: a.weights, By: looks}, mostEntries)
	if !ok {
		return nil, ErrTooMany
	}
	least, most := extremes(t)
	u.Least, u.Most = float64(least)/float64(a.total), float64(most)/float64(a.total)
	return u, nil
}

func extremes(t *rashomon.Table[int64]) (least, most int64) {
	least, most = t.Key(0), t.Key(0)
	for i := range t.Len() {
		least, most = min(least, t.Key(i)), max(most, t.Key(i))
	}
	return least, most
}

// ColumnChoice is a set of columns with the best model that looks at these and no others.
type ColumnChoice struct {
	Columns []string
	List    rashomon.List
}

// ColumnChoices returns the sets of columns that are enough for a good model, and no smaller
// part of them is, with the best model of each; those of the fewest columns first.
func (a *Alternatives) ColumnChoices() ([]ColumnChoice, error) {
	names := a.Columns()
	if len(names) > 64 {
		return nil, optionerr.Errorf("Column", "the conditions look at %d columns, expected at most 64", len(names))
	}
	masks := make([]uint64, len(a.problem.Set.Antecedents))
	for i := range masks {
		for _, c := range a.columnsOf(i) {
			masks[i] |= 1 << slices.Index(names, c)
		}
	}
	t, ok := a.ColumnSets(func(antecedent int) uint64 { return masks[antecedent] }, mostEntries)
	if !ok {
		return nil, ErrTooMany
	}
	var list []ColumnChoice
	for i := range t.Len() {
		minimal := true
		for j := range t.Len() {
			minimal = minimal && (t.Key(j) == t.Key(i) || t.Key(j)&^t.Key(i) != 0)
		}
		if !minimal {
			continue
		}
		x := ColumnChoice{List: t.At(i), Columns: []string{}}
		for c, name := range names {
			if t.Key(i)>>c&1 == 1 {
				x.Columns = append(x.Columns, name)
			}
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(x, y ColumnChoice) int { return len(x.Columns) - len(y.Columns) })
	return list, nil
}

// Disagreement says how much good models differ in what they predict (Marx, Calmon and Ustun,
// ICML 2020). Shares are of the weight of the samples.
type Disagreement struct {
	Ambiguity   float64       // samples that some good model decides otherwise than the optimum
	Discrepancy float64       // samples that one good model decides otherwise, at most
	Farthest    rashomon.List // that model
}

// Disagreement compares all good models with the optimum.
func (a *Alternatives) Disagreement() (*Disagreement, error) {
	best, ok := a.Smallest()
	if !ok {
		return nil, ErrTooMany
	}
	predicted := a.predictions(best)
	flips := a.Flips()
	var d Disagreement
	var other rashomon.Sum
	ambiguous := int64(0)
	for q := range other.Predicted {
		other.Predicted[q] = make([]int64, len(a.weights))
	}
	for p, w := range a.weights {
		label := 0
		if predicted[p] {
			label = 1
		}
		other.Predicted[1-label][p] = w
		if flips[1-label][p] >= 0 {
			ambiguous += w
		}
	}
	t, ok := a.Sums(other, mostEntries)
	if !ok {
		return nil, ErrTooMany
	}
	_, most := extremes(t)
	for i := range t.Len() {
		if t.Key(i) == most {
			d.Farthest = t.At(i)
			break
		}
	}
	d.Ambiguity, d.Discrepancy = float64(ambiguous)/float64(a.total), float64(most)/float64(a.total)
	return &d, nil
}

// predictions returns what a list predicts, by point.
func (a *Alternatives) predictions(l rashomon.List) []bool {
	predicted := make([]bool, len(a.weights))
	for p := range predicted {
		predicted[p] = l.Default
		for _, r := range l.Rules {
			if a.points.Columns[r.Antecedent][p/64]>>(p%64)&1 == 1 {
				predicted[p] = r.Label
				break
			}
		}
	}
	return predicted
}

// Trade is a model with the difference of a rate between two groups.
type Trade struct {
	Difference float64 // of those inside less those outside
	List       rashomon.List
}

// Front returns the best models for ever smaller differences of a rate between the samples of
// a group and the others: no good model has both a smaller objective and a smaller difference.
func (a *Alternatives) Front(group []bool, m Measure) ([]Trade, error) {
	value, scale, err := difference(a.problem.Set, len(a.weights), group, m)
	if err != nil {
		return nil, err
	}
	sum := rashomon.Sum{}
	sum.Predicted[1] = value
	t, ok := a.Sums(sum, mostEntries)
	if !ok {
		return nil, ErrTooMany
	}
	var front []Trade
	least := int64(-1)
	for i := range t.Len() { // in the order of objective
		if d := max(t.Key(i), -t.Key(i)); least < 0 || d < least {
			least = d
			if k := len(front) - 1; k >= 0 && front[k].List.Objective == t.Objective(i) {
				front = front[:k]
			}
			front = append(front, Trade{float64(t.Key(i)) / float64(scale), t.At(i)})
		}
	}
	return front, nil
}
