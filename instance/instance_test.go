package instance

import (
	"math/rand/v2"
	"parcorels/internal/testing/cases"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

func TestReductionKeepsErrorsOfEveryList(t *testing.T) {
	for seed := range uint64(cases.Some(400)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := randomSamples(rng, 1+rng.IntN(300), rng.IntN(140))
		in := s.instance(t)
		for range 20 {
			list, otherwise := randomList(rng, len(s.holds))
			if got, want := in.errors(list, otherwise), s.errors(list, otherwise); got != want {
				t.Fatalf("seed %d: list %v else %v: %d errors on the instance, %d on the samples", seed, list, otherwise, got, want)
			}
		}
	}
}

func TestEdges(t *testing.T) {
	none := func(n int) *bitset.BitSet { return bitset.New(uint(n)) }
	all := func(n int) *bitset.BitSet { return none(n).SetAll() }
	for _, c := range []struct {
		name                string
		columns             []*bitset.BitSet
		labels              *bitset.BitSet
		samples             int
		points, words, ones int
		base                int64
	}{
		{"no antecedents", nil, none(5).Set(1).Set(2), 5, 1, 1, 0, 2},
		{"no antecedents, even classes", nil, none(4).Set(1).Set(2), 4, 0, 0, 0, 2},
		{"pure noise", []*bitset.BitSet{all(2)}, none(2).Set(0), 2, 0, 0, 0, 1},
		{"class 1 only", []*bitset.BitSet{none(70).Set(69)}, all(70), 70, 2, 1, 1, 0},
		{"class 0 only", []*bitset.BitSet{none(70).Set(69)}, none(70), 70, 2, 1, 0, 0},
	} {
		in, err := given(c.columns, c.labels, nil, c.samples)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := in.check(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if in.Points != c.points || in.Words != c.words || in.Words1 != c.ones || in.Base != c.base {
			t.Errorf("%s: points %d, words %d, of class 1 %d, base %d", c.name, in.Points, in.Words, in.Words1, in.Base)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	two := bitset.New(2)
	for _, c := range []struct {
		columns []*bitset.BitSet
		weights []int64
		samples int
		says    string
	}{
		{nil, nil, 0, "not 0"},
		{nil, nil, 3, "2 labels for 3 samples"},
		{nil, []int64{1}, 2, "1 weights for 2 samples"},
		{[]*bitset.BitSet{two, bitset.New(1)}, nil, 2, "antecedent 1 has 1 bits"},
		{nil, []int64{1, 0}, 2, "sample 1 has weight 0"},
		{nil, []int64{-7, 1}, 2, "sample 0 has weight -7"},
		{nil, []int64{MaxTotal, 1}, 2, "2^62"},
		{nil, []int64{1 << 61, 1 << 62}, 2, "2^62"},
	} {
		_, err := given(c.columns, two, c.weights, c.samples)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, want one that says %q", c, err, c.says)
		}
	}
	if _, err := given(nil, two, []int64{MaxTotal - 1, 1}, 2); err != nil {
		t.Errorf("the largest total is refused: %v", err)
	}
}
