package separation

import (
	"cmp"
	"math"
	"slices"
)

// Shares of the split bound.
//
// Pairs that few rules make right come first, so they are given shares level by level, by their number of rules. The shares of
// a level are a flow from the points of label 1 to those of label 0, through pairs, within what the points have left. A pair
// that finds it spent by others may get it back: along a path of pairs whose shares rise and fall in turn. So a level gets as
// much as it can get (Ford and Fulkerson 1956). A search that fails proves that no later path leads through where it has
// been, as all that can be reached from there is spent.
//
// Many flows are as large. The weight of a bundle is at most the price of a rule, and the bundles that are full waste shares.
// So the pairs of light bundles are first. NYCLU with λ = .0025 takes 248,688 prefixes where pairs take what is left one
// after the other, and 176,792 with both.

// sharing gives shares to the pairs of one level after the other.
type sharing struct {
	r      *Root
	left   []int64   // by point, of its cost
	shares []int64   // by set
	of     [][]int32 // by point, the pairs of the level
	seen   []int32   // by point of label 1, the last search that was there, or nowhere
	search int32
	been   []Point // in this search
}

// farthest is how many points a search visits at most, so that many points take no longer than their pairs did.
const farthest = 1 << 8

// nowhere marks points from which no path leads to one with something left.
const nowhere = math.MaxInt32

// share gives each pair, those with the fewest rules first, what its points have left of their costs. It returns those
// that get some, and the shares of all.
func (r *Root) share(count []int) (pairs []int32, shares []int64) {
	s := &sharing{r: r, left: slices.Clone(r.P.cost), shares: make([]int64, len(count))}
	s.of, s.seen = make([][]int32, len(s.left)), make([]int32, len(s.left))
	for rules := range fewRules + 1 {
		var level []int32
		for k, n := range count {
			if n == rules {
				level = append(level, int32(k))
			}
		}
		if rules <= 2 {
			s.order(level)
		}
		s.level(level)
		for _, k := range level {
			if s.shares[k] > 0 {
				pairs = append(pairs, k)
			}
		}
	}
	return pairs, s.shares
}

// order puts pairs of light bundles first.
func (s *sharing) order(level []int32) {
	rules, weight := make([][2]int32, len(s.shares)), map[[2]int32]int64{}
	for _, k := range level {
		one, zero := s.ends(k)
		rules[k] = s.r.P.pureRules(s.r, k)
		weight[rules[k]] += min(s.left[one], s.left[zero])
	}
	slices.SortStableFunc(level, func(a, b int32) int {
		return cmp.Or(cmp.Compare(weight[rules[a]], weight[rules[b]]), slices.Compare(rules[a][:], rules[b][:]))
	})
}

// ends returns the points of a pair.
func (s *sharing) ends(k int32) (one, zero Point) {
	set := s.r.Pool.Set(k)
	return set[0], set[1]
}

// level gives the pairs of a level what their points have left, then as much as paths bring.
func (s *sharing) level(pairs []int32) {
	clear(s.of)
	clear(s.seen)
	s.search = 0
	for _, k := range pairs {
		one, zero := s.ends(k)
		s.of[one], s.of[zero] = append(s.of[one], k), append(s.of[zero], k)
		s.shares[k] = min(s.left[one], s.left[zero])
		s.left[one] -= s.shares[k]
		s.left[zero] -= s.shares[k]
	}
	for _, k := range pairs {
		one, _ := s.ends(k)
		for s.left[one] > 0 {
			s.search, s.been = s.search+1, s.been[:0]
			more := s.raise(one, s.left[one])
			if s.left[one] -= more; more == 0 {
				for _, e := range s.been {
					s.seen[e] = nowhere
				}
				break
			}
		}
	}
}

// raise finds a path from a point of label 1 to one of label 0 with something left, raises the shares along it by as much as
// they allow, at most so much, and returns by how much.
func (s *sharing) raise(one Point, most int64) int64 {
	if s.seen[one] >= s.search || len(s.been) == farthest {
		return 0
	}
	s.seen[one], s.been = s.search, append(s.been, one)
	for _, k := range s.of[one] {
		_, zero := s.ends(k)
		more := min(most, s.left[zero])
		s.left[zero] -= more
		for i := 0; more == 0 && i < len(s.of[zero]); i++ {
			l := s.of[zero][i]
			if spent, _ := s.ends(l); s.shares[l] > 0 {
				more = s.raise(spent, min(most, s.shares[l]))
				s.shares[l] -= more
			}
		}
		if more > 0 {
			s.shares[k] += more
			return more
		}
	}
	return 0
}
