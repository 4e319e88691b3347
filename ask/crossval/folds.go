package crossval

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/optionerr"

	"github.com/bits-and-blooms/bitset"
)

// Stratify deals the samples of d into folds at random and returns the sets of
// samples, one a fold. In each class, and in all, the sizes of two folds differ
// by one sample at most, so a class of fewer samples than folds is missing from some. The
// answer depends on seed, labels and nothing else. It is an error if there are fewer
// samples than folds.
func Stratify(d *dataset.Dataset, folds int, seed uint64) ([]*bitset.BitSet, error) {
	switch {
	case folds < 2:
		return nil, optionerr.Errorf("Folds", "%d folds, expected at least 2", folds)
	case d.N < folds:
		return nil, optionerr.Errorf("Folds", "%s, too few for one in each of %d folds", wording.Count(int64(d.N), "sample"), folds)
	}
	classes := shuffled(d, seed)
	sets := make([]*bitset.BitSet, folds)
	for f := range sets {
		sets[f] = bitset.New(uint(d.N))
	}
	// A class goes on where the one before has ended, so that the first folds do
	// not get the larger share of all.
	for i, sample := range slices.Concat(classes...) {
		sets[i%folds].Set(sample)
	}
	return sets, nil
}

// shuffled returns the samples of each class in random order. Sorting by random
// keys shuffles evenly, and unlike the methods of package rand it promises the
// same order for all time: a generator's raw output is fixed by its definition.
func shuffled(d *dataset.Dataset, seed uint64) [][]uint {
	classes := make([][]uint, d.ClassCount())
	keys := make([]uint64, d.N)
	source := rand.NewPCG(seed, streamFolds)
	for i := range keys {
		keys[i] = source.Uint64()
		c := d.Class(i)
		classes[c] = append(classes[c], uint(i))
	}
	for _, members := range classes {
		slices.SortStableFunc(members, func(a, b uint) int { return cmp.Compare(keys[a], keys[b]) })
	}
	return classes
}

// streamFolds is the second half of a generator's seed.
const streamFolds = 1
