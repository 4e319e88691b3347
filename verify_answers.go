package parcorels

import (
	"maps"
	"math/big"
	"slices"

	"parcorels/ratio"
	"parcorels/rules"
	verifygood "parcorels/verify/rashomon"
)

// VerifiedModels are all good models as a checked proof has them: questions about them are answered
// anew, by code that shares none with the search. Answers that need tables may fail with ErrTooMany.
type VerifiedModels struct {
	Threshold float64 // the largest objective that is good

	answers verifygood.Answers
	set     *rules.Set
	total   float64 // weight of the samples
	scale   float64
}

func newVerified(a verifygood.Answers, set *rules.Set, lambda ratio.Ratio, threshold int64) *VerifiedModels {
	total := float64(set.Data.TotalWeight())
	v := &VerifiedModels{answers: a, set: set, total: total, scale: float64(lambda.Den) * total}
	v.Threshold = float64(threshold) / v.scale
	return v
}

// Sizes returns the numbers of good models by their rules or leaves.
func (v *VerifiedModels) Sizes() map[int]*big.Int { return v.answers.Sizes() }

// uses returns whether an antecedent looks at one of some columns.
func (v *VerifiedModels) uses(columns ...string) func(antecedent int) bool {
	looks := looking(v.set, columns...)
	return func(antecedent int) bool { return looks[antecedent] }
}

// Models returns how many good models there are, and the least objective of one if there are any.
func (v *VerifiedModels) Models() (models *big.Int, least float64) {
	models, units := v.answers.Models()
	return models, float64(units) / v.scale
}

// Without returns the good models that look at none of some columns.
func (v *VerifiedModels) Without(columns ...string) *VerifiedModels {
	uses, part := v.uses(columns...), *v
	part.answers = v.answers.Only(func(antecedent int) bool { return !uses(antecedent) })
	return &part
}

// Classifiers returns in how many ways good models predict the samples.
func (v *VerifiedModels) Classifiers() (int, error) {
	n, ok := verifygood.Classifiers(v.answers, v.set)
	if !ok {
		return 0, ErrTooMany
	}
	return n, nil
}

// Forms counts good lists as people may see them.
func (v *VerifiedModels) Forms() (verifygood.Forms, error) {
	f, ok := verifygood.CountForms(v.answers)
	if !ok {
		return f, ErrTooMany
	}
	return f, nil
}

// Reliance returns how much accuracy a good model loses at least and at most if the values of a column are dealt out
// among the samples at random: see Alternatives.Reliance.
func (v *VerifiedModels) Reliance(column string) (least, most float64, err error) {
	least, most, ok := verifygood.Reliance(v.answers, v.set, column)
	if !ok {
		return 0, 0, ErrTooMany
	}
	return least, most, nil
}

// Columns returns the columns that the antecedents look at.
func (v *VerifiedModels) Columns() []string { return allColumns(v.set) }

// Decided returns the share of the samples, by weight, that a good model decides by a column, at least and at most: see Use.
func (v *VerifiedModels) Decided(column string) (least, most float64, err error) {
	weights := make([]int64, v.set.Data.N)
	for i := range weights {
		weights[i] = v.set.Data.Weight(i)
	}
	values, ok := v.answers.Sums(verifygood.Rows{}, verifygood.Sum{Decided: weights, Marked: v.uses(column)})
	if !ok {
		return 0, 0, ErrTooMany
	}
	low, high := ends(values)
	return float64(low) / v.total, float64(high) / v.total, nil
}

// ends returns the least and the largest key, 0 of none.
func ends(values map[int64]int64) (least, most int64) {
	keys := slices.Sorted(maps.Keys(values))
	if len(keys) == 0 {
		return 0, 0
	}
	return keys[0], keys[len(keys)-1]
}

// Ambiguity returns the share of the samples, by weight, that good models do not all decide alike.
func (v *VerifiedModels) Ambiguity() float64 { return float64(v.answers.Ambiguous()) / v.total }

// Discrepancy returns the largest share of the samples, by weight, that a good model decides otherwise than the
// optimum.
func (v *VerifiedModels) Discrepancy() (float64, error) {
	most, ok := verifygood.Discrepancy(v.answers, v.set)
	if !ok {
		return 0, ErrTooMany
	}
	return float64(most) / v.total, nil
}

// VerifiedTrade is the least objective of a good model with a difference between two groups, as Trade.
type VerifiedTrade struct {
	Objective    float64
	Difference   float64 // absolute
	Below, Above bool    // whether there is such a model with a difference of at most 0, and one of at least 0
}

// Front returns good models with ever smaller differences of a rate between a group and the others.
func (v *VerifiedModels) Front(group []bool, m Measure) (front []VerifiedTrade, err error) {
	trades, ok, err := verifygood.Front(v.answers, v.set, group, verifygood.Measure(slices.Index(Measures, m)))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrTooMany
	}
	for _, t := range trades {
		front = append(front, VerifiedTrade{float64(t.Objective) / v.scale, t.Difference, t.Below, t.Above})
	}
	return front, nil
}

// VerifiedRows are rows of which nothing was learned.
type VerifiedRows struct {
	v    *VerifiedModels
	rows verifygood.Rows
}

// Further takes rows of another table, as Alternatives do.
func (v *VerifiedModels) Further(header []string, rows [][]string) (*VerifiedRows, error) {
	patterns, err := judge(v.set, header, rows)
	if err != nil {
		return nil, err
	}
	f := &VerifiedRows{v: v, rows: verifygood.Rows{Count: len(rows), Holds: make([][]uint64, len(v.set.Antecedents))}}
	for k := range f.rows.Holds {
		holds := make([]uint64, (len(rows)+63)/64)
		for i, p := range patterns {
			holds[i/64] |= uint64(p[k/8]>>(k%8)&1) << (i % 64)
		}
		f.rows.Holds[k] = holds
	}
	return f, nil
}

// Errors returns the least and the largest number of rows that a good model gets wrong. Classes are those of the
// rows, −1 for a row that does not count.
func (f *VerifiedRows) Errors(classes []int) (least, most int64, err error) {
	s := verifygood.Sum{Further: make([][]int64, f.v.set.Data.ClassCount())}
	for q := range s.Further {
		s.Further[q] = make([]int64, len(classes))
		for i, c := range classes {
			if c >= 0 && c != q {
				s.Further[q][i] = 1
			}
		}
	}
	values, ok := f.v.answers.Sums(f.rows, s)
	if !ok {
		return 0, 0, ErrTooMany
	}
	least, most = ends(values)
	return least, most, nil
}

// Otherwise returns for each row the class that the optimum predicts, the class of the best good model that predicts
// another one, and how much larger its objective is; −1 and 0 if there is none.
func (f *VerifiedRows) Otherwise() (optimum, other []int, objective []float64, err error) {
	least, ok := f.v.answers.Least(f.rows)
	if !ok {
		return nil, nil, nil, ErrTooMany
	}
	for i := range f.rows.Count {
		own := f.v.answers.Optimum(func(k int) bool { return f.rows.Holds[k][i/64]>>(i%64)&1 == 1 })
		best, units := -1, int64(0)
		for class := range least {
			if o := least[class][i]; class != own && o >= 0 && (best < 0 || o < units) {
				best, units = class, o
			}
		}
		optimum, other, objective = append(optimum, own), append(other, best), append(objective, float64(units)/f.v.scale)
	}
	return optimum, other, objective, nil
}
