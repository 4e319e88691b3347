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

// split returns the test parts: those of Holdout, of Groups, or stratified folds.
func split(d *dataset.Dataset, o Options) ([]*bitset.BitSet, error) {
	if o.Groups != nil && len(o.Groups) != d.N {
		return nil, optionerr.Errorf("Groups", "%d samples have a group, expected %d", len(o.Groups), d.N)
	}
	switch {
	case o.Groups != nil && o.Holdout > 0:
		// The groups are dealt into so many folds that one of them is the share.
		// A test part has one group at least, however small the share.
		different := len(slices.Compact(slices.Sorted(slices.Values(o.Groups))))
		n := max(2, int(min(1/o.Holdout+.5, float64(different))))
		folds, err := grouped(d, o.Groups, n, o.Seed)
		if err != nil {
			return nil, err
		}
		return folds[:1], nil
	case o.Groups != nil:
		return grouped(d, o.Groups, o.Folds, o.Seed)
	case o.Holdout > 0:
		return holdout(d, o.Holdout, o.Seed)
	}
	return Stratify(d, o.Folds, o.Seed)
}

// holdout returns one test part with a share of the samples of each class, drawn
// at random, at least one and not all, but for classes of one sample.
func holdout(d *dataset.Dataset, share float64, seed uint64) ([]*bitset.BitSet, error) {
	test := bitset.New(uint(d.N))
	for c, members := range shuffled(d, seed) {
		if len(members) < 2 && (d.Costs == nil || d.N < 2*d.ClassCount()) { // a decision need not be the cheapest one anywhere
			return nil, optionerr.Errorf("Holdout", "class %q has fewer than 2 samples, too few for a training and a test part",
				d.ClassName(c))
		}
		n := min(max(int(share*float64(len(members))+.5), 1), len(members)-1)
		for _, sample := range members[:max(0, n)] {
			test.Set(sample)
		}
	}
	return []*bitset.BitSet{test}, nil
}

// grouped deals whole groups of samples into folds, large groups first and
// groups of one size at random. Each goes to the fold in which it brings the
// sizes of both classes nearest to equal: where the sum over the classes of what
// the fold has already, weighed by what the group adds, is smallest.
func grouped(d *dataset.Dataset, groups []int, folds int, seed uint64) ([]*bitset.BitSet, error) {
	type group struct {
		members []uint
		counts  []int
		key     uint64
	}
	var all []*group
	index := map[int]*group{}
	for i, id := range groups {
		g := index[id]
		if g == nil {
			g = &group{counts: make([]int, d.ClassCount())}
			index[id], all = g, append(all, g)
		}
		g.members = append(g.members, uint(i))
		g.counts[d.Class(i)]++
	}
	if len(all) < folds {
		return nil, optionerr.Errorf("Folds", "%d groups, too few for one in each of %d folds", len(all), folds)
	}
	source := rand.NewPCG(seed, streamFolds)
	for _, g := range all {
		g.key = source.Uint64()
	}
	slices.SortStableFunc(all, func(a, b *group) int {
		return cmp.Or(len(b.members)-len(a.members), cmp.Compare(a.key, b.key))
	})
	totals := make([]float64, d.ClassCount())
	for _, g := range all {
		for c, n := range g.counts {
			totals[c] += float64(n)
		}
	}
	sets, has := make([]*bitset.BitSet, folds), make([][]float64, folds)
	for f := range sets {
		sets[f], has[f] = bitset.New(uint(d.N)), make([]float64, len(totals))
	}
	for _, g := range all {
		best, least := 0, 0.0
		for f := range has {
			load := 0.0
			for c, n := range g.counts {
				load += (has[f][c] + float64(n)) * float64(n) / max(totals[c]*totals[c], 1)
			}
			if f == 0 || load < least {
				best, least = f, load
			}
		}
		for _, m := range g.members {
			sets[best].Set(m)
		}
		for c, n := range g.counts {
			has[best][c] += float64(n)
		}
	}
	for f, s := range sets {
		if s.None() {
			return nil, optionerr.Errorf("Folds", "fold %d of %d has no group: some are too large, take fewer folds", f+1, folds)
		}
	}
	return sets, nil
}
