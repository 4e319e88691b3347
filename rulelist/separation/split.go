package separation

import (
	"cmp"
	"math/bits"
	"slices"

	"parcorels/bitvec"
)

// The split bound: weights that are chosen once, for all prefixes.
//
// At the root the cost of each point is split among the pairs that hold it: a pair has at most its
// share as its weight, so no point ever bears more than its cost. Pairs that few rules tell apart
// come first (shares.go). The work left for a prefix is about its rules, and takes a count, not an ascent.
//
//   - Pairs that the same two rules make right, or fewer, are a bundle. The shares of the
//     pairs in each bundle that the prefix leaves are added up, and its weight is raised to that sum, or as
//     far as its rules bear.
//   - Of all other pairs those that a full rule makes right have no weight. The others have the same
//     part of their shares, 1/4 to 4/4. One count over these pairs gives the loads of all
//     rules. The part above the cost of a rule is subtracted.
//
// So the bound is LB(y) of argument.go, whatever the shares and parts are. It needs no LP. On tables of
// some dozens of antecedents and much noise it is worth nearly what an ascent is, in a fiftieth of its time: NYCLU with
// λ = .01 takes 1,200 prefixes instead of 39,661.

const (
	fewRules     = 8   // of a pair at most
	splitColumns = 128 // most columns of a problem
	splitBundles = 128 // most bundles
	splitParts   = 4   // of a share
	splitSample  = 32  // points that are looked at before
	splitNear    = 4   // rules between one and its neighbour
)

// Split has the pairs with their shares. It is immutable.
type Split struct {
	p        *Problem
	words    int        // of a set of pairs
	first    int        // of them, those of bundles
	all      []uint64   // every pair
	touching [][]uint64 // by column, the pairs with a point that it captures
	bundles  []bundle
	weights  *bitvec.Planes // the shares of the pairs in bundles
	rest     [][]uint64     // by rule, the pairs that it is pure on, behind the bundles
	matrix   *bitvec.Matrix
	planes   *bitvec.Planes // their shares
}

// bundle is pairs that the same rules make right. A rule that is missing is the one behind the last.
type bundle struct {
	rules [2]int32
	end   int // of its words
}

// NewSplit splits the costs of points among the pairs of the root's first pool. It returns nil if few
// of them have few rules.
func (r *Root) NewSplit() *Split {
	p := r.P
	if p.labels != 2 || len(p.Columns) > splitColumns {
		return nil
	}
	count, few := r.countRules()
	if 2*few < r.Pool.Len() {
		return nil
	}
	s := &Split{p: p}
	pairs, shares := r.share(count)
	s.lay(r, s.bundle(r, pairs, count, shares), shares)
	return s
}

// FewApart reports whether, of some points, most have one of the other label that few rules tell from them.
func (p *Problem) FewApart() bool {
	if p.labels != 2 || len(p.Columns) > splitColumns {
		return false
	}
	s := p.newPairs(p.NewContext())
	few, seen := 0, 0
	for i := 0; i < len(s.all); i += len(s.all)/splitSample + 1 {
		seen++
		few += s.fewFrom(s.all[i])
	}
	return 2*few > seen
}

// fewFrom returns 1 if a point has such a neighbour.
func (s *Pairs) fewFrom(e Point) int {
	for _, f := range s.others[s.p.label(e)] {
		if s.p.apart(s.c, e, f) <= splitNear {
			return 1
		}
	}
	return 0
}

// Problem returns the problem that is bounded.
func (s *Split) Problem() *Problem { return s.p }

// SplitBytes is about the memory of a split of at most so many pairs.
func SplitBytes(pairs, columns int) int64 {
	return int64(pairs+64*splitBundles) / 8 * int64(6*columns+32)
}

// countRules returns how many rules each set has, and how many sets are pairs with few.
func (r *Root) countRules() (count []int, few int) {
	count = make([]int, r.Pool.Len())
	for k := range count {
		for q, live := range r.Context.Live {
			for i, w := range r.Pool.pureOn(int32(k), q) {
				count[k] += bits.OnesCount64(w & live[i])
			}
		}
		if count[k] <= fewRules {
			few++
		}
	}
	return count, few
}

// bundle makes the bundles, and returns the pairs in their order: those of each bundle begin with a word, and so do
// the others, a multiple of [bitvec.Lanes] words from the first. A place without a pair is negative.
func (s *Split) bundle(r *Root, pairs []int32, count []int, shares []int64) (sets []int32) {
	var of [splitBundles + 1][]int32
	for _, k := range pairs {
		at := splitBundles
		if count[k] <= 2 {
			at = s.bundleOf(s.p.pureRules(r, k))
		}
		of[at] = append(of[at], k)
	}
	for i := range s.bundles {
		sets = appendWords(sets, of[i], shares, 1)
		s.bundles[i].end = len(sets) / 64
	}
	sets = appendWords(sets, nil, shares, bitvec.Lanes)
	s.first = len(sets) / 64
	s.weights = bitvec.NewPlanes(s.costs(sets, shares), s.first)
	return appendWords(sets, of[splitBundles], shares, 1)
}

// bundleOf returns the bundle of two rules, or splitBundles where no other one is to be made.
func (s *Split) bundleOf(rules [2]int32) int {
	for i := range s.bundles {
		if s.bundles[i].rules == rules {
			return i
		}
	}
	if len(s.bundles) < splitBundles {
		s.bundles = append(s.bundles, bundle{rules: rules})
		return len(s.bundles) - 1
	}
	return splitBundles
}

// pureRules returns up to two rules that make a pair right.
func (p *Problem) pureRules(r *Root, k int32) (rules [2]int32) {
	n, none := 0, int32(p.rules())
	rules = [2]int32{none, none}
	for rule := range r.Context.pure(r.Pool, k) {
		if rules[n] = int32(rule); n == 1 {
			break
		}
		n++
	}
	return rules
}

// appendWords appends pairs, those with the largest shares first, and fills the last of so many words.
func appendWords(sets, pairs []int32, shares []int64, words int) []int32 {
	slices.SortStableFunc(pairs, func(a, b int32) int { return cmp.Compare(shares[b], shares[a]) })
	sets = append(sets, pairs...)
	for len(sets)%(64*words) != 0 {
		sets = append(sets, -1)
	}
	return sets
}

// costs returns the shares of places.
func (s *Split) costs(sets []int32, shares []int64) []int64 {
	costs := make([]int64, len(sets))
	for i, k := range sets {
		if k >= 0 {
			costs[i] = shares[k]
		}
	}
	return costs
}

// lay lays out which columns touch pairs, and which rules are pure on those behind the bundles.
func (s *Split) lay(r *Root, sets []int32, shares []int64) {
	p := s.p
	s.words = len(sets) / 64
	s.all = make([]uint64, s.words)
	for range p.Columns {
		s.touching = append(s.touching, make([]uint64, s.words))
	}
	behind := s.words - s.first
	for range p.rules() {
		s.rest = append(s.rest, make([]uint64, behind))
	}
	for at, k := range sets {
		if k < 0 {
			continue
		}
		word, bit := at/64, uint64(1)<<(at%64)
		s.all[word] |= bit
		set := r.Pool.Set(k)
		for _, e := range set {
			for col := range bitvec.Members(p.row(e)) {
				s.touching[col][word] |= bit
			}
		}
		if word >= s.first {
			for rule := range r.Context.pure(r.Pool, k) {
				s.rest[rule][word-s.first] |= bit
			}
		}
	}
	s.planes = bitvec.NewPlanes(s.costs(sets[64*s.first:], shares), behind)
	s.matrix = bitvec.NewMatrix(len(s.rest), behind)
	for rule, pure := range s.rest {
		s.matrix.Set(rule, pure)
	}
}

// SplitNode bounds prefixes, one after the other. Each worker has one of its own.
type SplitNode struct {
	s           *Split
	scale       int64
	left, child []uint64 // pairs
	live        []int32  // rules
	cost        []int64  // by rule, what it bears
	spare       []int64  // likewise, behind the bundles
	prog        bitvec.Program
	load, none  []int64
	reach       int64   // about the most that the bound of a child is
	byWord      []int64 // of bundles, the shares of the pairs that are left
	raised      []int64 // by bundle, its weight
	ahead       []int64 // by bundle, the weights at the prefix of it and those behind it
}

// NewNode returns a SplitNode.
func (s *Split) NewNode() *SplitNode {
	n := s.matrix.Blocks() * bitvec.Lanes
	return &SplitNode{
		s: s, scale: s.p.Scale * s.p.unit,
		left: make([]uint64, s.words), child: make([]uint64, s.words),
		cost: make([]int64, s.p.rules()+1), spare: make([]int64, s.p.rules()+1),
		load: make([]int64, n), none: make([]int64, n),
		byWord: make([]int64, s.first), raised: make([]int64, len(s.bundles)), ahead: make([]int64, len(s.bundles)+1),
	}
}

// Begin takes a prefix: its columns, and by label the columns whose rule a completion may use.
func (n *SplitNode) Begin(prefix []Column, live [][]uint64) {
	copy(n.left, n.s.all)
	for _, col := range prefix {
		bitvec.AndNot(n.left, n.left, n.s.touching[col])
	}
	n.live = n.live[:0]
	for rule := range n.cost {
		n.cost[rule] = unbearable
	}
	for q := range live {
		for col := range bitvec.Members(live[q]) {
			rule := n.s.p.labels*col + q
			n.live = append(n.live, int32(rule))
			n.cost[rule] = n.s.p.rule
		}
	}
}

// unbearable is more than all pairs weigh. A rule that no completion uses bears as much.
const unbearable = int64(1) << 60

// Prefix returns a bound on what completions cost beyond the prefix. It may be the first that exceeds most.
func (n *SplitNode) Prefix(most int64) (value int64) {
	copy(n.child, n.left)
	value, n.reach = n.bound(most, unbearable)
	for i := len(n.raised) - 1; i >= 0; i-- {
		n.ahead[i] = n.ahead[i+1] + n.raised[i]
	}
	return value
}

// Child returns a bound on what completions cost beyond the child that a column makes. It is 0 where that of the prefix
// says that it hardly exceeds most: a child has fewer pairs.
func (n *SplitNode) Child(col int, most int64) (value int64) {
	if n.reach <= most {
		return 0
	}
	bitvec.AndNot(n.child, n.left, n.s.touching[col])
	value, _ = n.bound(most, 0)
	return value
}

// bound bounds a prefix that leaves the pairs n.child, and overwrites them. With fewer pairs about reach is the most
// that comes of it. It gives up where the bundles of the prefix, the other pairs and more make no more than most.
func (n *SplitNode) bound(most, more int64) (value, reach int64) {
	rest := n.child[n.s.first:]
	sum, _ := n.s.planes.Cost(rest)
	value = n.raiseBundles(most, sum*n.scale+more)
	if value > most {
		return value, unbearable
	}
	if reach = value + sum*n.scale; reach <= most {
		return value, reach
	}
	for _, rule := range n.live {
		if n.spare[rule] < n.s.p.rule/8 { // is as good as full
			bitvec.AndNot(rest, rest, n.s.rest[rule])
		}
	}
	sum, _ = n.s.planes.Cost(rest)
	if reach = value + sum*n.scale; reach <= most {
		return value, reach
	}
	value += n.part(rest, sum*n.scale)
	return value, value
}

// raiseBundles raises the weights of the bundles, one after the other, and returns their sum. It ends with the first sum that exceeds
// most. It also ends where the weights that those behind had at the prefix, and rest, do not make more than most of it.
func (n *SplitNode) raiseBundles(most, rest int64) (value int64) {
	copy(n.spare, n.cost)
	n.s.weights.CostByWord(n.byWord, n.child[:n.s.first])
	spare, at := n.spare, 0
	for i := range n.s.bundles {
		b := &n.s.bundles[i]
		var sum int64
		for _, weight := range n.byWord[at:b.end] {
			sum += weight
		}
		at = b.end
		one, two := &spare[b.rules[0]], &spare[b.rules[1]]
		sum = min(sum*n.scale, *one, *two)
		*one -= sum
		*two -= sum
		n.raised[i] = sum
		if value += sum; value > most || value+n.ahead[i+1]+rest <= most {
			break
		}
	}
	return value
}

// part returns the best that the same part of the shares of all pairs of rest gives, which have this sum.
func (n *SplitNode) part(rest []uint64, sum int64) (best int64) {
	n.s.planes.Compile(&n.prog, rest)
	n.s.matrix.Count(&n.prog, 0, n.s.matrix.Blocks(), n.load, n.none)
	for k := int64(1); k <= splitParts; k++ {
		value := k * sum
		for _, rule := range n.live {
			value -= max(0, k*n.load[rule]*n.scale-splitParts*n.spare[rule])
			if value <= best {
				return best / splitParts
			}
		}
		best = value
	}
	return best / splitParts
}
