package crossval

import (
	"fmt"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/rules"
)

// judge says what a model predicts for samples that it was not learned from. It
// asks for features of data that are cut as the training part was, so that no cell
// is read again.
type judge struct {
	data  *dataset.Dataset // all samples, with the features of the model
	train *bitset.BitSet
	cases []model.Case
	when  [][]rules.Literal // of each case
}

func newJudge(m *family.Model, h *Held) *judge {
	j := &judge{data: h.cut.WithCuts(m.Cuts()), train: h.Train, cases: m.Cases()}
	set := h.Set.WithCuts(m.Cuts())
	for _, antecedents := range m.Antecedents() {
		var literals []rules.Literal
		for _, a := range antecedents {
			literals = append(literals, set.Antecedents[a].Literals...)
		}
		j.when = append(j.when, literals)
	}
	return j
}

// decided returns the samples of rows that each case decides.
func (j *judge) decided(rows *bitset.BitSet) (decided []*bitset.BitSet) {
	left := rows.Clone()
	for _, when := range j.when {
		captured := left.Clone()
		for _, literal := range when {
			if bits := j.data.Features[literal.Feature].Bits; literal.Negated {
				captured.InPlaceDifference(bits)
			} else {
				captured.InPlaceIntersection(bits)
			}
		}
		left.InPlaceDifference(captured)
		decided = append(decided, captured)
	}
	return decided
}

// regret returns what predictions for samples of rows cost; nil without costs.
func regret(d *dataset.Dataset, rows *bitset.BitSet, of evaluate.Measures) *evaluate.Regret {
	if d.Costs == nil {
		return nil
	}
	unit := 1 / d.WeightUnit.Float() // what a wrong decision costs more than a right one, by unit of weight
	if d.Costs.Error != nil {
		each, _ := d.Costs.Error.Float64()
		unit *= each
	}
	least := int64(0) // that the best decision of each sample gets wrong
	for i := range rows.EachSet() {
		for c, w := range d.WeightsAt(int(i)) {
			if c != d.Class(int(i)) {
				least += w
			}
		}
	}
	wrong, all := of.Errors()
	more := func(errors float64) float64 { return unit * (errors - float64(least)) / float64(rows.Count()) }
	r := &evaluate.Regret{Model: more(wrong)}
	for _, row := range of.Confusion {
		r.Each = append(r.Each, more(all-evaluate.Sum(row)))
	}
	return r
}

// check holds what the model claims to have captured against the samples
// themselves.
func (j *judge) check() error {
	for i, counts := range j.evaluation(j.train, false).Counts {
		if claimed := j.cases[i].Samples; !slices.Equal(claimed, counts) {
			return fmt.Errorf("case %d of the model claims %v samples of each class, and has %v", i+1, claimed, counts)
		}
	}
	return nil
}

// evaluation evaluates the model on the samples of rows, by their weight or one each, with the probabilities of its training part,
// smoothed by the family's prior or by Laplace's rule.
func (j *judge) evaluation(rows *bitset.BitSet, byWeight bool) *evaluate.Evaluation {
	e := &evaluate.Evaluation{Classes: j.data.LabelTexts()}
	for i, samples := range j.decided(rows) {
		counts, weights := make([]int64, j.data.ClassCount()), make([]float64, j.data.ClassCount())
		for k := range samples.EachSet() {
			counts[j.data.Class(int(k))] += j.data.RowsAt(int(k))
			for class, w := range j.data.WeightsAt(int(k)) {
				weights[class] += float64(w)
			}
		}
		c := j.cases[i]
		e.Counts, e.Predicted = append(e.Counts, counts), append(e.Predicted, c.Class)
		e.Probabilities = append(e.Probabilities, c.Probabilities(true))
		if byWeight {
			e.Weights = append(e.Weights, weights)
		}
	}
	return e
}

// Together evaluates all rows, each as the fold judges it that leaves it out, with λ number l.
func (r *Report) Together(l int) *evaluate.Evaluation {
	all := &evaluate.Evaluation{}
	for _, f := range r.Fits[l] {
		if f == nil {
			continue
		}
		e := f.judged
		all.Classes = e.Classes
		all.Predicted = append(all.Predicted, e.Predicted...)
		all.Probabilities = append(all.Probabilities, e.Probabilities...)
		all.Counts = append(all.Counts, e.Counts...)
	}
	return all
}
