package crossval

import (
	"context"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/model/evaluate"
	"parcorels/rules"
)

// training returns what a fit of o learns from, if the samples of rows are to be learned from, and d with the
// features of that part.
func training(ctx context.Context, d *dataset.Dataset, rows *bitset.BitSet, o Options) (set *rules.Set, cut *dataset.Dataset, err error) {
	part := d.Subset(rows)
	if d.Format == "out" {
		set, err = rules.Given(part)
		return set, d, err
	}
	if cut = d.Recut(rows, part); cut != d {
		part.Features, part.Notes = cut.Subset(rows).Features, cut.Notes
	}
	set, err = rules.Mine(ctx, part, o.Mining)
	return set, cut, err
}

// Held is a table of which some samples are kept back from learning.
type Held struct {
	Set         *rules.Set // mined from the samples that are learned from
	Train, Test *bitset.BitSet

	cut *dataset.Dataset // all samples, with the features of the training part
}

// KeepBack keeps a share of the samples back, as Run does with Options.Holdout. Among the
// options, only Holdout, Groups, Seed and Mining count.
func KeepBack(ctx context.Context, d *dataset.Dataset, o Options) (*Held, error) {
	folds, err := split(d, o)
	if err != nil {
		return nil, err
	}
	h := &Held{Test: folds[0], Train: folds[0].Complement()}
	h.Set, h.cut, err = training(ctx, d, h.Train, o)
	return h, err
}

// Evaluate says how good a model of the training part is on it, and on the samples kept
// back. Samples count one each. Probabilities are those of the training part, smoothed.
func (h *Held) Evaluate(m *family.Model) (train, test *evaluate.Evaluation) {
	j := newJudge(m, h.Set)
	return j.evaluation(h.cut, h.Train, h.Train), j.evaluation(h.cut, h.Train, h.Test)
}

// Regret says what the decisions of such a model cost in both parts; nil without costs.
func (h *Held) Regret(m *family.Model) (train, test *evaluate.Regret) {
	j := newJudge(m, h.Set)
	of := func(rows *bitset.BitSet) *evaluate.Regret {
		return regret(h.cut, rows, j.byWeight(h.cut, h.Train, rows))
	}
	return of(h.Train), of(h.Test)
}
