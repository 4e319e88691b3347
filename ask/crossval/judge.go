package crossval

import (
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
	cuts  []dataset.Cut // features behind those of the data
	cases []model.Case
	when  [][]rules.Literal // of each case
}

func newJudge(m *family.Model, set *rules.Set) *judge {
	j := &judge{cuts: m.Cuts(), cases: m.Cases()}
	set = set.WithCuts(j.cuts)
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
func (j *judge) decided(d *dataset.Dataset, rows *bitset.BitSet) (decided []*bitset.BitSet) {
	left := rows.Clone()
	d = d.WithCuts(j.cuts)
	for _, when := range j.when {
		captured := left.Clone()
		for _, literal := range when {
			if bits := d.Features[literal.Feature].Bits; literal.Negated {
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

// counts returns how many samples of each class each case decides among rows.
func (j *judge) counts(d *dataset.Dataset, rows *bitset.BitSet) (counts [][]int64) {
	for _, samples := range j.decided(d, rows) {
		n := make([]int64, d.ClassCount())
		for i := range samples.EachSet() {
			n[d.Class(int(i))]++
		}
		counts = append(counts, n)
	}
	return counts
}

// evaluation evaluates the model on the samples of test, with the probabilities that
// the samples of train give, smoothed by the family's prior or by Laplace's rule.
func (j *judge) evaluation(d *dataset.Dataset, train, test *bitset.BitSet) *evaluate.Evaluation {
	e := &evaluate.Evaluation{Classes: d.LabelTexts(), Counts: j.counts(d, test)}
	for i, n := range j.counts(d, train) {
		c := j.cases[i]
		c.Samples = n
		e.Predicted, e.Probabilities = append(e.Predicted, c.Class), append(e.Probabilities, c.Probabilities(true))
	}
	return e
}

// byWeight measures the model on the samples of test by their weight.
func (j *judge) byWeight(d *dataset.Dataset, train, test *bitset.BitSet) evaluate.Measures {
	e := j.evaluation(d, train, test)
	for _, samples := range j.decided(d, test) {
		weights := make([]float64, d.ClassCount())
		for k := range samples.EachSet() {
			for class, w := range d.WeightsAt(int(k)) {
				weights[class] += float64(w)
			}
		}
		e.Weights = append(e.Weights, weights)
	}
	return e.Measures()
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
