package crossval

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/model/evaluate"
	"parcorels/ratio"
	"parcorels/rules"
)

// AllRows stands for the fold of a training part that leaves nothing out.
const AllRows = -1

// Training returns what a fit of o learns from, if the samples of rows are to
// be learned from: their classes balanced, their antecedents mined. The fold
// tells apart what is drawn at random for different folds.
func Training(ctx context.Context, d *dataset.Dataset, rows *bitset.BitSet, fold int, o Options) (*rules.Set, error) {
	set, _, err := training(ctx, d, rows, fold, o)
	return set, err
}

// training is Training, and returns d with the features of the training part as
// well.
func training(ctx context.Context, d *dataset.Dataset, rows *bitset.BitSet, fold int, o Options) (set *rules.Set, cut *dataset.Dataset,
	err error) {
	part, rows, err := balanced(d, rows, fold, o)
	if err != nil {
		return nil, nil, err
	}
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

// balanced returns the samples of rows with their classes balanced, and which
// samples they are: fewer if some are not drawn.
func balanced(d *dataset.Dataset, rows *bitset.BitSet, fold int, o Options) (*dataset.Dataset, *bitset.BitSet, error) {
	switch o.Balance {
	case Weights:
		return d.Subset(rows).Balanced(), rows, nil
	case Resample:
		return resampled(d, rows, rand.NewPCG(o.Seed, streamResample+uint64(fold)))
	}
	return d.Subset(rows), rows, nil
}

// resampled draws from each class of rows but the largest, with replacement, as
// often as that has samples. A sample that is drawn n times weighs n; those never
// drawn are left out.
func resampled(d *dataset.Dataset, rows *bitset.BitSet, source *rand.PCG) (*dataset.Dataset, *bitset.BitSet, error) {
	if d.Weights != nil {
		return nil, nil, fmt.Errorf("samples with weights cannot be resampled: balance them by %s", Weights)
	}
	classes := make([][]uint, d.ClassCount())
	for i := range rows.EachSet() {
		c := d.Class(int(i))
		classes[c] = append(classes[c], i)
	}
	largest := 0
	for c, members := range classes {
		if len(members) > len(classes[largest]) {
			largest = c
		}
	}
	drawn, kept := make(map[uint]int64), bitset.New(uint(d.N))
	for c, members := range classes {
		switch {
		case c == largest:
			for _, sample := range members {
				kept.Set(sample)
			}
		case len(members) > 0:
			for range classes[largest] {
				// The high word of the product is below len(members), evenly but
				// for one part in 2^64 / len(members).
				i, _ := bits.Mul64(source.Uint64(), uint64(len(members)))
				drawn[members[i]]++
				kept.Set(members[i])
			}
		}
	}
	if len(drawn) == 0 {
		return d.Subset(rows), rows, nil
	}
	part := d.Subset(kept)
	part.WeightUnit = ratio.New(1, 1)
	part.Weights = make([]int64, 0, part.N)
	for i := range kept.EachSet() {
		part.Weights = append(part.Weights, max(drawn[i], 1))
	}
	return part, kept, nil
}

// Held is a table of which some samples are kept back from learning.
type Held struct {
	Set         *rules.Set // mined from the samples that are learned from
	Train, Test *bitset.BitSet

	cut *dataset.Dataset // all samples, with the features of the training part
}

// KeepBack keeps a share of the samples back, as Run does with Options.Holdout. Among the
// options, only Holdout, Groups, Seed, Balance and Mining count.
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

// Regret says what the decisions of such a model cost in both parts; nil without costs.
func (h *Held) Regret(l *Learned) (train, test *evaluate.Regret) {
	j := newJudge(l, h.Set)
	of := func(rows *bitset.BitSet) *evaluate.Regret { return regret(h.cut, rows, j.confusion(h.cut, rows)) }
	return of(h.Train), of(h.Test)
}
