package crossval

import (
	"math"

	"parcorels/dataset"
	"parcorels/model"

	"github.com/bits-and-blooms/bitset"
)

// Measured are the measures of predictions on test parts. The samples count one
// each. Probabilities are those of the training part, smoothed by Laplace's rule
// so that log loss is finite.
type Measured struct {
	Accuracy, Balanced, Precision, Recall, F1, AUC, LogLoss, Brier Estimate
}

// measure evaluates a list on the samples of test, with the probabilities that
// the samples of train give.
func (l List) measure(d *dataset.Dataset, train, test *bitset.BitSet) model.Measures {
	e := model.Evaluation{Classes: d.Classes[:]}
	learned, judged := l.counts(d, train), l.counts(d, test)
	for i, n := range learned {
		class := l.Default
		if i < len(l.Rules) {
			class = l.Rules[i].Class
		}
		total := float64(n[0] + n[1] + 2)
		e.Predicted = append(e.Predicted, class)
		e.Probabilities = append(e.Probabilities, []float64{float64(n[0]+1) / total, float64(n[1]+1) / total})
		e.Counts = append(e.Counts, judged[i][:])
	}
	return e.Measures()
}

// counts returns how many samples of each class each line captures among rows.
func (l List) counts(d *dataset.Dataset, rows *bitset.BitSet) (counts [][2]int64) {
	take := func(captured *bitset.BitSet) {
		ones := int64(captured.IntersectionCardinality(d.Labels))
		counts = append(counts, [2]int64{int64(captured.Count()) - ones, ones})
	}
	left := rows.Clone()
	for _, r := range l.Rules {
		captured := r.captured(d, left)
		take(captured)
		left.InPlaceDifference(captured)
	}
	take(left)
	return counts
}

// measured returns the mean of each measure over the folds in which it is
// defined.
func measured(fits []*Fit) (m Measured) {
	for to, of := range map[*Estimate]func(*model.Measures) model.Rate{
		&m.Accuracy:  func(x *model.Measures) model.Rate { return x.Accuracy },
		&m.Balanced:  func(x *model.Measures) model.Rate { return x.Balanced },
		&m.Precision: func(x *model.Measures) model.Rate { return x.Precision },
		&m.Recall:    func(x *model.Measures) model.Rate { return x.Recall },
		&m.F1:        func(x *model.Measures) model.Rate { return x.F1 },
		&m.AUC:       func(x *model.Measures) model.Rate { return x.AUC },
		&m.LogLoss:   func(x *model.Measures) model.Rate { return x.LogLoss },
		&m.Brier:     func(x *model.Measures) model.Rate { return x.Brier },
	} {
		var defined []*Fit
		for _, f := range fits {
			if !math.IsNaN(float64(of(&f.Measures))) {
				defined = append(defined, f)
			}
		}
		*to = estimate(defined, func(f *Fit) float64 { return float64(of(&f.Measures)) })
		if len(defined) == 0 {
			to.Mean = math.NaN()
		}
	}
	return m
}
