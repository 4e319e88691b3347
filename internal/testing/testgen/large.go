package testgen

import (
	"math/rand/v2"

	"github.com/bits-and-blooms/bitset"

	"parcorels/internal/testing/given"
	"parcorels/rules"
)

// Large returns an instance of which a count takes more than one slice. All is noise but antecedents 0, which captures class 1
// and a part of class 0, and 1, which captures only half of that.
func Large() *rules.Set {
	const samples, antecedents = 1 << 19, 150
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() *bitset.BitSet {
		words := make([]uint64, samples/64)
		for i := range words {
			words[i] = rng.Uint64()
		}
		return bitset.FromWithLength(samples, words)
	}
	columns := make([]*bitset.BitSet, antecedents)
	for i := range columns {
		columns[i] = random()
	}
	labels := random()
	columns[1] = random().Intersection(labels.Union(random()))
	columns[0] = columns[1].Union(labels)
	return given.Set(columns, labels, nil, samples)
}
