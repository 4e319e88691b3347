// Package goodmodels checks proofs that a file has all good models: every plain rule list, or every tree, with an objective of
// at most a threshold, and no other. It counts them by itself. Begin with [Open] and [Proof.Check].
//
// It shares no code with the search. All counts are taken from the samples, put together if
// they satisfy the same antecedents. docs/proof-format.md has the file byte by byte.
//
// # The argument
//
// Costs are in units of 1/(den·N), beyond what every model loses. The label of a group is the class that costs nothing there.
// A rule gains the largest costs of what it captures, less those of its label. A list is a tree: the side of
// a split where the antecedent holds always ends, by a rule. Every end costs P and what it gets wrong, so a list costs P
// more than its objective says, and so does T.
//
// A state is a set of groups, and a split of it leads to the states of its sides. V of a set is the least cost of a model
// there. L of a state is the least cost of a model of the graph. The room of a state is the largest that splits above
// give it: that of all groups is T, and a split gives each side the room of the set less L of the other.
//
// Known of a set are the cost of its best end or, if less, two ends without error; L, if it is a state; lemmas "V ≥ lo" of
// sets with the same costly groups; and for lists the weights.
//
// Weights. Each weight y(Q) stands for a set Q of groups with costs, of several labels. No group bears
// more than any class but its label costs, and no rule (s,q) that gains more than P bears more than P, over
// the Q of which it captures some groups, all of label q. Then V(u) is at least P and the sum
// of y(Q) over Q within u: a completion that gets all of Q right has a rule that is pure on
// Q, the first one that touches it. A least completion has no rule that gains at most P.
//
// Lemmas. V(w) ≥ lo, if each end costs lo at least, and so do both sides of each split by what is known of them. For lists
// only splits count whose rule gains more than P.
//
// States. Every state has room for L at least. For each split that a state does not have, both sides cost more than its
// room by what is known of them. For lists it is enough that L + P − g exceeds the room, where g is what the rule gains.
//
// Claim A: L of each state is V, and the lemmas hold. V depends only on the groups that cost something. By induction over
// their number: take a least model with the fewest ends. Both sides of its first split have fewer costly groups, as a side
// without any costs P and saves nothing, and the rule of a list gains more than P. If the state has the split, L is at most
// V. If not, V exceeds the room by what is known of the sides; but L is the cost of a model, and the room has place for it.
// Likewise for a lemma.
//
// Claim B: each model on a state that costs at most its room is one of the graph. By induction over sizes of sets, let it
// begin with a split. If the state has the split, the sides cost L of theirs at least, so each is within its state's room
// and of the graph. If not, the sides cost more than the room. Or the rule of a list gains g with L + P − g beyond the room:
// without it the list costs P − g less at least, and L at least.
package goodmodels

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"parcorels/rules"
	"parcorels/verify/framing"
)

// mostPrices bounds how many prices all costs together are, so that sums of weights fit a word: a price is
// quanta of them.
const mostPrices = 1 << 40

// Check checks the proof against the samples. An error that wraps framing.ErrRefused says what does not hold.
// Inside says which samples are in the group that the limits are about; a proof without limits has none.
func (p *Proof) Check(ctx context.Context, set *rules.Set, inside []bool) (*Result, error) {
	of := p.About()
	if err := of.OfData(set.Digest(), len(set.Antecedents), set.Data.TotalWeight()); err != nil {
		return nil, err
	}
	l := of.Lambda
	if !of.InLowestTerms() || l.Num <= 0 || !p.trees && l.Num >= l.Den {
		return nil, framing.Refused("λ is %d/%d: expected a positive fraction in lowest terms, of lists below 1", l.Num, l.Den)
	}
	c := &checker{ctx: ctx, trees: p.trees, den: l.Den, scale: p.scale, limits: p.limits, known: map[string]int64{},
		place: map[string]int{}}
	if scaled := product(of.Weight, max(l.Num, l.Den)); p.scale < 1 ||
		scaled.Mul(scaled, big.NewInt(p.scale)).Cmp(big.NewInt(mostCost)) >= 0 {
		return nil, framing.Refused("%w", errScale)
	}
	c.rule = l.Num * of.Weight
	c.price = c.scale * c.rule
	if err := c.group(set, inside); err != nil {
		return nil, framing.Refused("%w", err)
	}
	most := big.NewInt(p.threshold)
	for _, l := range c.limits { // the header has T, lifted so that it is not negative
		most.Sub(most, product(l.price, max(0, -l.end())))
	}
	if most.Sub(most, big.NewInt(c.base)); !p.trees {
		most.Add(most, big.NewInt(c.price))
	}
	if most.Cmp(big.NewInt(mostCost)) > 0 || !most.IsInt64() {
		return nil, framing.Refused("%w", errScale)
	}
	c.most = most.Int64()
	if err := c.read(p); err != nil {
		return nil, err
	}
	for _, step := range []func() error{c.checkWeights, c.checkSplits, c.checkLemmas, c.checkStates} {
		if err := step(); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, framing.Refused("%w", err)
		}
	}
	r, err := c.result()
	if err != nil {
		return nil, framing.Refused("%w", err)
	}
	r.Trees, r.Threshold, r.Depth, r.Records = p.trees, p.threshold, p.depth, int64(c.records)
	return r, nil
}

// result is what follows from the graph, which has all good models.
func (c *checker) result() (*Result, error) {
	if len(c.limits) > 0 {
		return c.checkFair()
	}
	r := &Result{Models: c.count(), Objective: c.states[0].least + c.base}
	if r.Models.String() != c.models {
		return nil, fmt.Errorf("it claims %.40q models, there are %v", c.models, r.Models)
	}
	r.Tree = c.model(0, nil)
	if !c.trees {
		r.Objective -= c.price
		for ; len(r.Tree) > 1; r.Tree = r.Tree[2:] {
			r.Rules = append(r.Rules, Rule{r.Tree[0], -1 - r.Tree[1]})
		}
		r.Default, r.Tree = -1-r.Tree[0], nil
	}
	return r, nil
}

// group puts samples together, and prices the groups.
func (c *checker) group(set *rules.Set, inside []bool) error {
	columns, err := c.costs.group(set)
	if err != nil {
		return err
	}
	c.words = len(c.all)
	for i := range c.limits {
		if err := c.limits[i].prepare(set, inside, c.of, len(c.weight)); err != nil {
			return err
		}
	}
	all, err := c.costs.price(func(class, group int) *big.Int {
		cost := c.wrong(class, group, c.scale*c.den)
		for _, l := range c.limits {
			if class == 1 {
				cost.Add(cost, product(l.price*l.sign, l.value[group]))
			}
		}
		return cost
	})
	if err != nil || !c.trees && all.Cmp(product(c.price, mostPrices)) > 0 {
		return errScale
	}
	known := map[string]int{}
	for a, column := range columns {
		k, ok := known[name(column)]
		if !ok {
			k = len(c.columns)
			known[name(column)] = k
			c.columns, c.members = append(c.columns, column), append(c.members, nil)
		}
		c.members[k] = append(c.members[k], a)
		c.column = append(c.column, k)
	}
	return nil
}

// checkSplits makes sure that all states and splits differ, and that each state has room for L.
func (c *checker) checkSplits() error {
	if len(c.states) == 0 {
		return errors.New("it has no state")
	}
	for i := range c.states {
		s := &c.states[i]
		name := levelName(s.set, s.level)
		if _, ok := c.place[name]; ok {
			return fmt.Errorf("state %d is another one, too", i)
		}
		c.place[name] = i
		used := map[int]bool{}
		for _, x := range s.splits {
			if used[x.column] {
				return fmt.Errorf("state %d has a split twice", i)
			}
			used[x.column] = true
		}
	}
	c.findLeast()
	c.findRooms()
	for i, s := range c.states {
		if s.room < s.least {
			return fmt.Errorf("state %d has no room for any model", i)
		}
	}
	return nil
}

// findLeast finds L of each state, from the last: splits lead to states behind.
func (c *checker) findLeast() {
	for i := len(c.states) - 1; i >= 0; i-- {
		s := &c.states[i]
		s.ends = c.ends(s.set)
		s.least, s.size = slices.Min(s.ends), 1
		for _, x := range s.splits {
			with, size := c.first(s, x)
			without := &c.states[x.without]
			cost, size := with+without.least, size+without.size
			if cost < s.least || cost == s.least && size < s.size {
				s.least, s.size = cost, size
			}
		}
	}
}

// findRooms finds the room of each state, from the first. What no model within T leads to has −1.
func (c *checker) findRooms() {
	for i := range c.states {
		c.states[i].room = -1
	}
	c.states[0].room = c.most
	for i := range c.states {
		s := &c.states[i]
		if s.room < s.least {
			continue
		}
		for _, x := range s.splits {
			without := &c.states[x.without]
			if x.with != 0 {
				with := &c.states[x.with]
				with.room = max(with.room, s.room-without.least)
			}
			with, _ := c.first(s, x)
			without.room = max(without.room, s.room-with)
		}
	}
}

// checkLemmas makes sure of the lemmas. Each rests on what is known of fewer costly groups.
func (c *checker) checkLemmas() error {
	for _, l := range c.lemmas {
		name := levelName(intersect(l.set, c.costly), l.level)
		c.known[name] = max(c.known[name], l.low)
	}
	for i, l := range c.lemmas {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if slices.Min(c.ends(l.set)) < l.low {
			return fmt.Errorf("lemma %d: an end costs less", i)
		}
		useless := func(_ int, gain int64) bool { return !c.trees && gain <= c.price }
		if k, ok := c.covered(l.set, l.level, l.low, useless); !ok {
			return fmt.Errorf("lemma %d: a split by antecedent %d may cost less", i, c.members[k][0])
		}
	}
	return nil
}

// checkStates makes sure that no state lacks a split.
func (c *checker) checkStates() error {
	for i := range c.states {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		s := &c.states[i]
		has := map[int]bool{}
		for _, x := range s.splits {
			has[x.column] = true
		}
		pass := func(column int, gain int64) bool {
			return has[column] || !c.trees && s.least+c.price-gain > s.room
		}
		if k, ok := c.covered(s.set, s.level, s.room+1, pass); !ok {
			return fmt.Errorf("state %d: a split by antecedent %d may be part of a good model", i, c.members[k][0])
		}
	}
	return nil
}

// covered reports whether all splits of a set, but those to pass by, cost so much at least. Otherwise it
// returns the column of one for which that is not known. To pass by one it gets what its rule gains.
func (c *checker) covered(set []uint64, level int, low int64, pass func(column int, gain int64) bool) (column int, ok bool) {
	if level == 0 || low <= 2*c.price {
		return 0, true
	}
	all, _ := c.losses(set, set)
	next := framing.Fewer(level)
	for k, column := range c.columns {
		captured, most := c.losses(set, column)
		wrong := slices.Min(captured)
		end, rest := c.price+wrong, int64(none)
		for class, cost := range all {
			rest = min(rest, c.price+cost-captured[class])
		}
		if pass(k, most-wrong) || c.start(end, next, true)+c.start(rest, next, false) >= low ||
			!intersects(set, column) || within(set, column) {
			continue
		}
		with := end
		if c.trees {
			with = c.low(intersect(set, column), next, end, none)
		}
		if with+c.low(without(set, column), next, rest, low-with) < low {
			return k, false
		}
	}
	return 0, true
}

// start returns what is known of a side from the cost of its best end: the end, or two ends without errors.
func (c *checker) start(end int64, level int, first bool) int64 {
	if level == 0 || first && !c.trees {
		return end
	}
	return min(end, 2*c.price)
}

// low returns what is known of the cost of models on a set, the best end of which costs so much. It may return less where
// that is enough.
func (c *checker) low(set []uint64, level int, end, enough int64) int64 {
	low := c.start(end, level, false)
	if low == end || low >= enough {
		return low
	}
	if at, ok := c.place[levelName(set, level)]; ok {
		low = max(low, c.states[at].least)
	}
	if lo, ok := c.known[levelName(intersect(set, c.costly), level)]; ok {
		low = max(low, lo)
	}
	if low < enough && len(c.weights) > 0 {
		low = max(low, c.price+c.weigh(set))
	}
	return min(low, end)
}

// mostCost bounds all costs, so that sums of some of them fit a word.
const mostCost = 1 << 60

// none is a cost that no model has.
const none = 1 << 61

// Result is what a checked proof shows.
type Result struct {
	Trees     bool     // it is about trees, else about lists
	Threshold int64    // in units of 1/(λ.Den·total weight)
	Models    *big.Int // with an objective of at most that; nil of a proof with limits
	Depth     int      // most splits on a path of a tree; 0: no limit
	Records   int64

	// A model of the least objective, of those within the limits: a list, or a tree in preorder, a feature for each split
	// and −1−class for each leaf.
	Rules     []Rule
	Default   int
	Tree      []int
	Objective int64
}

// Rule is an antecedent and the class that it predicts.
type Rule struct{ Antecedent, Label int }

// checker is a call of Check.
type checker struct {
	content
	costs
	ctx     context.Context
	trees   bool
	den     int64 // of λ: what an error costs, without limits
	rule    int64 // what a rule costs, without limits
	scale   int64 // Z
	limits  []Limit
	price   int64 // of an end
	most    int64 // T, beyond what every model loses; a list has an end that is no rule
	words   int
	columns [][]uint64 // the distinct ones
	members [][]int    // the antecedents of each
	column  []int      // by antecedent

	known map[string]int64 // lemmas
	place map[string]int   // states
}

var errScale = errors.New("its numbers are too large to be added up")

var errClasses = errors.New("limits and differences of groups are of data of two classes")

// ends returns what ending costs for a set, by class.
func (c *checker) ends(set []uint64) []int64 {
	costs, _ := c.losses(set, set)
	for class := range costs {
		costs[class] += c.price
	}
	return costs
}

// first returns what the side with a split's column costs at least, and the fewest ends of that.
func (c *checker) first(s *state, x split) (least int64, size int) {
	if x.with != 0 {
		return c.states[x.with].least, c.states[x.with].size
	}
	return slices.Min(c.firstEnds(s, x)), 1
}

// firstEnds returns what ending there costs, by class.
func (c *checker) firstEnds(s *state, x split) []int64 {
	if x.with != 0 {
		return c.states[x.with].ends
	}
	ends := slices.Clone(s.ends)
	for q, cost := range c.states[x.without].ends {
		ends[q] -= cost - c.price
	}
	return ends
}
