package crossval

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"parcorels/dataset"
	"parcorels/ratio"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
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
func training(ctx context.Context, d *dataset.Dataset, rows *bitset.BitSet, fold int, o Options) (set *rules.Set, cut *dataset.Dataset, err error) {
	part, rows, err := balanced(d, rows, fold, o)
	if err != nil {
		return nil, nil, err
	}
	if d.Format == "out" {
		set, err = rules.Given(part)
		return set, d, err
	}
	if cut = d.Recut(rows, part.Weights); cut != d {
		part.Features = cut.Subset(rows).Features
	}
	set, err = rules.Mine(ctx, part, o.Mining)
	return set, cut, err
}

// balanced returns the samples of rows with their classes balanced, and which
// samples they are: fewer if some are not drawn.
func balanced(d *dataset.Dataset, rows *bitset.BitSet, fold int, o Options) (*dataset.Dataset, *bitset.BitSet, error) {
	switch o.Balance {
	case Weights:
		part, err := d.Subset(rows).Balanced()
		return part, rows, err
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
	for i, ok := rows.NextSet(0); ok; i, ok = rows.NextSet(i + 1) {
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
	for i, ok := kept.NextSet(0); ok; i, ok = kept.NextSet(i + 1) {
		part.Weights = append(part.Weights, max(drawn[i], 1))
	}
	return part, kept, nil
}
