package rules

import (
	"crypto/sha256"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/must"

	"github.com/bits-and-blooms/bitset"
)

// digestByDefinition collects the bytes bit by bit.
func digestByDefinition(s *Set) [32]byte {
	b := []byte("parcorels instance 1\n")
	number := func(x uint64) {
		for range 8 {
			b = append(b, byte(x))
			x >>= 8
		}
	}
	bits := func(set *bitset.BitSet) {
		for first := 0; first < s.Data.N; first += 8 {
			var x byte
			for i := first; i < min(first+8, s.Data.N); i++ {
				if set.Test(uint(i)) {
					x += 1 << (i - first)
				}
			}
			b = append(b, x)
		}
	}
	number(uint64(len(s.Antecedents)))
	number(uint64(s.Data.N))
	bits(s.Data.InClass(1))
	for _, a := range s.Antecedents {
		bits(a.Captured())
	}
	if s.Data.Weights != nil {
		for _, w := range s.Data.Weights {
			number(uint64(w))
		}
	}
	return sha256.Sum256(b)
}

// digestSet draws a set of n samples by m antecedents.
func digestSet(rng *rand.Rand, n, m int) *Set {
	random := func() *bitset.BitSet {
		b := bitset.New(uint(n))
		for i := range uint(n) {
			b.SetTo(i, rng.IntN(2) == 0)
		}
		return b
	}
	d := &dataset.Dataset{N: n, ClassOf: dataset.ClassesOf(random())}
	s := &Set{Data: d}
	for range m {
		s.Antecedents = append(s.Antecedents, Antecedent{Parts: []*bitset.BitSet{random()}})
	}
	if rng.IntN(2) == 0 {
		d.Weights = make([]int64, n)
		for i := range d.Weights {
			d.Weights[i] = 1 + rng.Int64N(1<<rng.IntN(62))
		}
	}
	return s
}

func TestDigestIsTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for n := range 300 {
		s := digestSet(rng, n, rng.IntN(5))
		if s.Digest() != digestByDefinition(s) {
			t.Fatalf("%d samples, %d antecedents: not the digest of the definition", n, len(s.Antecedents))
		}
	}
}

// TestDigestOfManyClasses: classes count, and three classes never have the
// digest of two.
func TestDigestOfManyClasses(t *testing.T) {
	digest := func(labels string, o dataset.Options) [32]byte {
		d := must.Get(dataset.ReadFrom(strings.NewReader("f,y\n"+labels), "t.csv", o))(t)
		set := must.Get(Mine(t.Context(), d, Options{}))(t)
		return set.Digest()
	}
	many := dataset.Options{Multiclass: true}
	first := digest("a,1\nb,2\na,3\n", many)
	if first != digest("a,x\nb,y\na,z\n", many) {
		t.Error("the names of classes change the digest")
	}
	if first == digest("a,1\nb,3\na,2\n", many) || first == digest("a,1\nb,2\na,3\n", dataset.Options{Positive: "2"}) {
		t.Error("other classes have the same digest")
	}
}
