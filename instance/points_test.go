package instance

import (
	"math/rand/v2"
	"parcorels/internal/testing/cases"
	"reflect"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// TestPointsAreTheGroupsOfTheSamples compares points of two to five classes
// with a map from keys to weights.
func TestPointsAreTheGroupsOfTheSamples(t *testing.T) {
	for seed := range uint64(cases.Some(200)) {
		rng := rand.New(rand.NewPCG(seed, 11))
		s := randomSamples(rng, 1+rng.IntN(300), rng.IntN(140))
		k := 2 + rng.IntN(4)
		classOf := make([]uint16, len(s.label))
		for i := range classOf {
			classOf[i] = uint16(rng.IntN(k))
		}
		p, err := givenClassPoints(s.columns(), classOf, k, s.weights, len(s.label))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		checkPoints(t, p, s, func(i int) int { return int(classOf[i]) })
	}
}

func checkPoints(t *testing.T, p *Points, s samples, class func(int) int) {
	t.Helper()
	want := map[string][]int64{}
	var order []string
	totals := make([]int64, p.Classes)
	for i := range s.label {
		key := s.key(i)
		if want[key] == nil {
			want[key] = make([]int64, p.Classes)
			order = append(order, key)
		}
		want[key][class(i)] += s.weight(i)
		totals[class(i)] += s.weight(i)
	}
	if p.Count != len(order) || p.Samples != len(s.label) || p.Words != (len(order)+63)/64 || len(p.Columns) != p.Antecedents {
		t.Fatalf("%d points in %d words, want %d", p.Count, p.Words, len(order))
	}
	var total int64
	for c, w := range totals {
		if total += w; p.ClassTotals[c] != w {
			t.Fatalf("class %d weighs %d, want %d", c, p.ClassTotals[c], w)
		}
	}
	if p.Total != total {
		t.Fatalf("the total is %d, want %d", p.Total, total)
	}
	for i := range 64 * p.Words {
		got, key := make([]int64, p.Classes), strings.Repeat("0", p.Antecedents)
		if i < p.Count {
			key = order[i]
		}
		for c := range got {
			got[c] = p.Weights[c][i]
		}
		weights, isPoint := want[key]
		if i >= p.Count {
			weights, isPoint = make([]int64, p.Classes), true
		}
		if p.keyAt(i) != key || !isPoint || !reflect.DeepEqual(got, weights) {
			t.Fatalf("point %d is %s with weights %v, want %s with %v", i, p.keyAt(i), got, key, weights)
		}
	}
}

func (p *Points) keyAt(i int) string {
	var key strings.Builder
	for _, c := range p.Columns {
		key.WriteByte('0' + byte(c[i/64]>>(i%64)&1))
	}
	return key.String()
}

// TestReduceIsNew compares the reduction of points with that of the samples.
func TestReduceIsNew(t *testing.T) {
	for seed := range uint64(cases.Some(300)) {
		rng := rand.New(rand.NewPCG(seed, 12))
		s := randomSamples(rng, 1+rng.IntN(400), rng.IntN(140))
		p, err := givenPoints(s.columns(), setOf(s.label), s.weights, len(s.label))
		if err != nil {
			t.Fatal(err)
		}
		checkPoints(t, p, s, func(i int) int {
			if s.label[i] {
				return 1
			}
			return 0
		})
		if want := s.instance(t); !reflect.DeepEqual(p.Reduce(), want) {
			t.Fatalf("seed %d: the reduction of the points is not that of the samples", seed)
		}
	}
}

func TestNewClassPointsRefuses(t *testing.T) {
	for _, c := range []struct {
		classOf []uint16
		k       int
		says    string
	}{
		{[]uint16{0, 1}, 1, "1 classes"},
		{[]uint16{0, 1}, 1 << 17, "classes"},
		{[]uint16{0, 3}, 3, "sample 1 has class 3"},
		{[]uint16{0}, 2, "1 labels for 2 samples"},
	} {
		_, err := givenClassPoints([]*bitset.BitSet{bitset.New(2)}, c.classOf, c.k, nil, 2)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, want one that says %q", c, err, c.says)
		}
	}
}
