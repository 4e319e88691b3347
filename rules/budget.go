package rules

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/bits-and-blooms/bitset"
)

// A table of hundreds of columns has millions of conjunctions, more than a
// search can look at. Options.Budget of them are kept: all single literals, as
// far as they go, and then the conjunctions of most gain.
//
// The gain of a conjunction is the weight of errors that the list of one rule
// on it spares: what the larger class of all samples does not err, less the
// errors on both sides of the rule. Where that is the same, as it is for the
// many that change no prediction, the larger difference |w1·W0 − w0·W1| counts,
// of the weights w of a class and of all others in the conjunction, and W in all
// samples, for the class where it is largest. Both are exact integers, and what
// is still equal goes by simplicity. That is a strict total order, so that the
// same are kept on every machine.
//
// Conjunctions of equal captured sets have equal gains. So the best of all
// different sets are found with no more than twice the budget of them in
// memory: what has a whole budget of better ones before it cannot come back.

// rank is the place of a conjunction in the order by gain, literals aside.
type rank struct {
	single bool
	gain   int64
	spread [2]uint64 // high and low word
}

// compare orders the better rank first.
func (r rank) compare(s rank) int {
	if r.single != s.single {
		if r.single {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(s.gain, r.gain), compareWords(s.spread, r.spread))
}

// rankOf returns the rank of a conjunction of the given weight, of which each
// class but the first has weights.
func (m *miner) rankOf(single bool, weight int64, weights []int64) rank {
	r := rank{single: single}
	first, firstOfAll := weight, m.total // what is left to the first class
	most, mostOutside, mostOfAll := int64(0), int64(0), int64(0)
	class := func(w, all int64) {
		most, mostOutside, mostOfAll = max(most, w), max(mostOutside, all-w), max(mostOfAll, all)
		if s := spread(w, weight-w, all, m.total-all); compareWords(s, r.spread) > 0 {
			r.spread = s
		}
	}
	for c, w := range weights {
		class(w, m.classes[c].weight)
		first -= w
		firstOfAll -= m.classes[c].weight
	}
	class(first, firstOfAll)
	// Errors of all samples, less those of both sides: the totals cancel out.
	r.gain = most + mostOutside - mostOfAll
	return r
}

// spread returns |a·d − b·c| in two words.
func spread(a, b, c, d int64) [2]uint64 {
	x, y := product(a, d), product(b, c)
	if compareWords(x, y) < 0 {
		x, y = y, x
	}
	low, borrow := bits.Sub64(x[1], y[1], 0)
	high, _ := bits.Sub64(x[0], y[0], borrow)
	return [2]uint64{high, low}
}

// product returns a·b in two words.
func product(a, b int64) [2]uint64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	return [2]uint64{high, low}
}

func compareWords(x, y [2]uint64) int {
	return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
}

// classSet is the samples of a class.
type classSet struct {
	set    *bitset.BitSet
	weight int64
}

// rankLevel decides whether the conjunctions of the next level are to be
// ranked, for there may be more than the budget with them.
func (m *miner) rankLevel(level []*conjunction) {
	possible := len(m.pool)
	for _, c := range level {
		next := 0
		if n := len(c.literals); n > 0 {
			next = c.literals[n-1] + 1
		}
		possible += len(m.literals) - next
	}
	if m.ranked || possible <= m.options.Budget {
		return
	}
	m.ranked = true
	for _, set := range ClassSets(m.data)[1:] {
		m.classes = append(m.classes, classSet{set, m.weigh(set, set)})
	}
	weights := make([]int64, len(m.classes))
	for _, c := range m.pool {
		set := m.read(c.literals, m.buffers[0])
		for k, class := range m.classes {
			weights[k] = m.weigh(set, class.set)
		}
		c.rank = m.rankOf(len(c.literals) == 1, c.weight, weights)
	}
}

// prune gives up all but the best of the pool, up to the budget.
func (m *miner) prune() {
	if len(m.pool) <= m.options.Budget {
		return
	}
	slices.SortFunc(m.pool, func(a, b *conjunction) int { return cmp.Or(a.rank.compare(b.rank), m.simpler(a, b)) })
	for _, c := range m.pool[m.options.Budget:] {
		c.givenUp = true
		m.forget(c)
	}
	m.pool = slices.Clip(m.pool[:m.options.Budget])
	m.floor = &m.pool[len(m.pool)-1].rank
}

// forget removes a conjunction from those that are found by their hash.
func (m *miner) forget(c *conjunction) {
	rest := slices.DeleteFunc(m.byHash[c.hash], func(k *conjunction) bool { return k == c })
	if m.byHash[c.hash] = rest; len(rest) == 0 {
		delete(m.byHash, c.hash)
	}
}

// ranker ranks the extensions of one conjunction after the other.
type ranker struct {
	m       *miner
	parts   []*bitset.BitSet // the samples of each class in the conjunction
	weights []int64
}

func (m *miner) ranker() *ranker {
	r := &ranker{m: m, weights: make([]int64, len(m.classes))}
	for range m.classes {
		r.parts = append(r.parts, bitset.New(uint(m.data.N)))
	}
	return r
}

// of readies the ranker for extensions of the conjunction that captures set.
func (r *ranker) of(set *bitset.BitSet) {
	for c, part := range r.parts {
		set.CopyFull(part)
		part.InPlaceIntersection(r.m.classes[c].set)
	}
}

// rank ranks the extension by a literal that captures bits.
func (r *ranker) rank(single bool, weight int64, bits *bitset.BitSet) rank {
	for c, part := range r.parts {
		r.weights[c] = r.m.weigh(part, bits)
	}
	return r.m.rankOf(single, weight, r.weights)
}
