package parcorels

import (
	"math/big"
	"slices"

	"parcorels/ratio"
	"parcorels/rules"
	verifygood "parcorels/verify/rashomon"
)

// VerifiedModels are all good models as a checked proof has them: questions about them are answered
// anew, by code that shares none with the search.
type VerifiedModels struct {
	Threshold float64 // the largest objective that is good

	answers verifygood.Answers
	set     *rules.Set
	scale   float64
}

func newVerified(a verifygood.Answers, set *rules.Set, lambda ratio.Ratio, threshold int64) *VerifiedModels {
	v := &VerifiedModels{answers: a, set: set, scale: float64(lambda.Den) * float64(set.Data.TotalWeight())}
	v.Threshold = float64(threshold) / v.scale
	return v
}

// Sizes returns the numbers of good models by their rules or leaves.
func (v *VerifiedModels) Sizes() map[int]*big.Int { return v.answers.Sizes() }

// Without returns how many good models do not look at a column, and the least objective of one if there are any.
// "" is no column: all models.
func (v *VerifiedModels) Without(column string) (models *big.Int, least float64) {
	models, units := v.answers.Only(func(antecedent int) bool {
		return column == "" || !slices.Contains(columnsOf(v.set, antecedent), column)
	})
	return models, float64(units) / v.scale
}

// Ambiguity returns the share of the samples, by weight, that good models do not all decide alike.
func (v *VerifiedModels) Ambiguity() float64 {
	return float64(v.answers.Ambiguous()) / float64(v.set.Data.TotalWeight())
}
