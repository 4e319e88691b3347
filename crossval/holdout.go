package crossval

import (
	"context"

	"parcorels/dataset"
	"parcorels/model/evaluate"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// Held is a table of which some samples are kept back from learning.
type Held struct {
	Set         *rules.Set // mined from the samples that are learned from
	Train, Test *bitset.BitSet

	cut *dataset.Dataset // all samples, with the features of the training part
}

// KeepBack keeps a share of the samples back, as Run does with Options.Holdout. Of the
// options only Holdout, Groups, Seed, Balance and Mining count.
func KeepBack(ctx context.Context, d *dataset.Dataset, o Options) (*Held, error) {
	folds, err := split(d, o)
	if err != nil {
		return nil, err
	}
	h := &Held{Test: folds[0], Train: folds[0].Complement()}
	h.Set, h.cut, err = training(ctx, d, h.Train, 0, o)
	return h, err
}

// Evaluate says how good a model of the training part is on it, and on the samples kept
// back. Samples count one each. Probabilities are those of the training part, smoothed.
func (h *Held) Evaluate(l *Learned) (train, test *evaluate.Evaluation) {
	j := newJudge(l, h.Set)
	return j.evaluation(h.cut, h.Train, h.Train), j.evaluation(h.cut, h.Train, h.Test)
}
