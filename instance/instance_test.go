package instance

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// samples is a small data set as a person would write it down.
type samples struct {
	holds   [][]bool // holds[a][i]: sample i satisfies antecedent a
	label   []bool
	weights []int64 // nil: 1 each
}

// randomSamples draws keys from a small pool, so that samples share keys and
// disagree on labels.
func randomSamples(rng *rand.Rand, n, antecedents int) samples {
	pool := make([][]bool, 1+rng.IntN(n))
	for i := range pool {
		pool[i] = make([]bool, antecedents)
		for a := range pool[i] {
			pool[i][a] = rng.IntN(3) == 0
		}
	}
	s := samples{holds: make([][]bool, antecedents), label: make([]bool, n)}
	for a := range s.holds {
		s.holds[a] = make([]bool, n)
	}
	noise := rng.IntN(4)
	for i := range n {
		key := rng.IntN(len(pool))
		for a := range s.holds {
			s.holds[a][i] = pool[key][a]
		}
		s.label[i] = (key%2 == 0) != (rng.IntN(4) < noise)
	}
	if rng.IntN(2) == 0 {
		s.weights = make([]int64, n)
		for i := range s.weights {
			s.weights[i] = 1 + rng.Int64N(int64(1)<<rng.IntN(40))
		}
	}
	return s
}

func (s samples) instance(t *testing.T) *Instance {
	t.Helper()
	columns := make([]*bitset.BitSet, len(s.holds))
	for a, h := range s.holds {
		columns[a] = setOf(h)
	}
	in, err := New(columns, setOf(s.label), s.weights, len(s.label))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func setOf(b []bool) *bitset.BitSet {
	s := bitset.New(uint(len(b)))
	for i, x := range b {
		s.SetTo(uint(i), x)
	}
	return s
}

func (s samples) weight(i int) int64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[i]
}

// rule is a rule of a rule list in this test.
type rule struct {
	antecedent int
	class1     bool
}

func randomList(rng *rand.Rand, antecedents int) (list []rule, otherwise bool) {
	for range rng.IntN(antecedents + 1) {
		list = append(list, rule{rng.IntN(antecedents), rng.IntN(2) == 0})
	}
	return list, rng.IntN(2) == 0
}

// errors is the definition: the weight of the samples that the list gets wrong.
func (s samples) errors(list []rule, otherwise bool) (sum int64) {
	for i, label := range s.label {
		predicted := otherwise
		for _, r := range list {
			if s.holds[r.antecedent][i] {
				predicted = r.class1
				break
			}
		}
		if predicted != label {
			sum += s.weight(i)
		}
	}
	return sum
}

// errors is what the reduction says of the same list.
func (in *Instance) errors(list []rule, otherwise bool) int64 {
	u := make([]uint64, in.Words)
	for w := range u {
		u[w] = ^uint64(0)
	}
	sum := in.Base
	take := func(set []uint64, class1 bool) {
		g1, g0 := in.Planes.Cost(set)
		if class1 {
			sum += g0
		} else {
			sum += g1
		}
	}
	for _, r := range list {
		captured := make([]uint64, in.Words)
		for w := range u {
			captured[w] = u[w] & in.Columns[r.antecedent][w]
			u[w] &^= captured[w]
		}
		take(captured, r.class1)
	}
	take(u, otherwise)
	return sum
}

func TestReductionKeepsErrorsOfEveryList(t *testing.T) {
	for seed := range uint64(400) {
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

// TestInvariants checks the layout that the package comment promises.
func TestInvariants(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		s := randomSamples(rng, 1+rng.IntN(400), rng.IntN(100))
		in := s.instance(t)
		if err := in.check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var total, weight1 int64
		for i, label := range s.label {
			total += s.weight(i)
			if label {
				weight1 += s.weight(i)
			}
		}
		if in.Total != total || in.Weight1 != weight1 || in.Samples != len(s.label) {
			t.Fatalf("seed %d: total %d, class 1 %d; want %d, %d", seed, in.Total, in.Weight1, total, weight1)
		}
	}
}

func (in *Instance) check() error {
	used := make([]uint64, in.Words)
	keys := map[string]bool{}
	var sum int64
	points := 0
	for i, c := range in.Costs {
		sum += c
		if c == 0 {
			continue
		}
		points++
		used[i/64] |= 1 << (i % 64)
		key := in.keyAt(i)
		if keys[key] {
			return fmt.Errorf("two points satisfy the same antecedents")
		}
		keys[key] = true
		if first := i == 0 || i == in.Words1*64; !first && in.Costs[i-1] < c {
			return fmt.Errorf("the point at %d costs %d, the one before it %d", i, c, in.Costs[i-1])
		}
	}
	if points != in.Points || sum+2*in.Base != in.Total || len(in.Columns) != in.Antecedents {
		return fmt.Errorf("%d points of cost %d, base %d, total %d, %d columns", points, sum, in.Base, in.Total, len(in.Columns))
	}
	return in.checkWords(used)
}

func (in *Instance) keyAt(i int) string {
	var key strings.Builder
	for _, c := range in.Columns {
		key.WriteByte('0' + byte(c[i/64]>>(i%64)&1))
	}
	return key.String()
}

// checkWords holds columns and planes against the costs. Used has the bits
// that carry a point.
func (in *Instance) checkWords(used []uint64) error {
	for a, c := range in.Columns {
		if len(c) != in.Words {
			return fmt.Errorf("column %d has %d words", a, len(c))
		}
		for w := range c {
			if c[w]&^used[w] != 0 {
				return fmt.Errorf("column %d has padding bits in word %d", a, w)
			}
		}
	}
	one := make([]uint64, in.Words)
	for i, c := range in.Costs {
		one[i/64] = 1 << (i % 64)
		g1, g0 := in.Planes.Cost(one)
		one[i/64] = 0
		if want1 := i < in.Words1*64; g1+g0 != c || (c > 0 && want1 != (g1 > 0)) {
			return fmt.Errorf("position %d costs %d, its planes say %d in class 1 and %d in class 0", i, c, g1, g0)
		}
	}
	return nil
}

// TestCollidingHashes groups with hashes that tell little or nothing: only the
// keys may decide.
func TestCollidingHashes(t *testing.T) {
	for _, mask := range []uint64{0, 1, 0xf} {
		rng := rand.New(rand.NewPCG(mask, 3))
		s := randomSamples(rng, 500, 70)
		g := newGrouping(len(s.holds))
		hash := g.hash
		g.hash = func(key []uint64) uint64 { return hash(key) & mask }
		columns := make([]*bitset.BitSet, len(s.holds))
		for a, h := range s.holds {
			columns[a] = setOf(h)
		}
		g.addAll(columns, setOf(s.label), s.weights, len(s.label))
		want := newGrouping(len(s.holds))
		want.addAll(columns, setOf(s.label), s.weights, len(s.label))
		if len(g.points) != len(want.points) {
			t.Fatalf("hash & %#x: %d points, want %d", mask, len(g.points), len(want.points))
		}
		for p := range g.points {
			if g.points[p].weight1 != want.points[p].weight1 || g.points[p].weight0 != want.points[p].weight0 {
				t.Fatalf("hash & %#x: point %d differs", mask, p)
			}
		}
	}
}

func TestTiesKeepTheOrderOfTheSamples(t *testing.T) {
	// Keys 2, 1, 3 of class 1 and cost 1 each, then key 0 twice.
	s := samples{
		holds: [][]bool{{false, true, true, false, false}, {true, false, true, false, false}},
		label: []bool{true, true, true, true, true},
	}
	in := s.instance(t)
	if in.Points != 4 || in.Costs[0] != 2 || in.Costs[1] != 1 {
		t.Fatalf("points %d, costs %v", in.Points, in.Costs[:4])
	}
	if in.Columns[0][0] != 0b1100 || in.Columns[1][0] != 0b1010 {
		t.Errorf("columns %04b and %04b, want 1100 and 1010", in.Columns[0][0], in.Columns[1][0])
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
		in, err := New(c.columns, c.labels, nil, c.samples)
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
		_, err := New(c.columns, two, c.weights, c.samples)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, want one that says %q", c, err, c.says)
		}
	}
	if _, err := New(nil, two, []int64{MaxTotal - 1, 1}, 2); err != nil {
		t.Errorf("the largest total is refused: %v", err)
	}
}

func TestTranspose(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	var m [64]uint64
	for i := range m {
		m[i] = rng.Uint64()
	}
	got := m
	transpose(&got)
	for r := range 64 {
		for c := range 64 {
			if got[c]>>r&1 != m[r]>>c&1 {
				t.Fatalf("bit %d of word %d did not become bit %d of word %d", c, r, r, c)
			}
		}
	}
}

// BenchmarkNew reduces 600,000 samples by 50 columns and their 1,225 pairs,
// once with few distinct points and once with nearly all of them distinct.
func BenchmarkNew(b *testing.B) {
	const n, features = 600_000, 50
	for _, distinct := range []int{1 << 10, 1 << 30} {
		columns, labels := table(n, features, distinct)
		b.Run(fmt.Sprintf("keys=2^%d", bits.Len(uint(distinct))-1), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in, err := New(columns, labels, nil, n)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(in.Points), "points")
			}
		})
	}
}

// table makes columns of random features, drawn from at most distinct keys,
// and of all pairs of them.
func table(n, features, distinct int) (columns []*bitset.BitSet, labels *bitset.BitSet) {
	rng := rand.New(rand.NewPCG(7, 7))
	labels = bitset.New(uint(n))
	for range features {
		columns = append(columns, bitset.New(uint(n)))
	}
	for i := range uint(n) {
		key := rand.New(rand.NewPCG(uint64(rng.IntN(distinct)), 8)).Uint64()
		for a := range features {
			columns[a].SetTo(i, key>>a&1 == 1)
		}
		labels.SetTo(i, rng.IntN(3) == 0)
	}
	for a := range features {
		for b := range a {
			columns = append(columns, columns[a].Intersection(columns[b]))
		}
	}
	return columns, labels
}
