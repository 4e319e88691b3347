package rashomon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"slices"

	"parcorels/rules"
	"parcorels/verify/framing"
)

// All good trees. A state is a set of groups with a number of splits that may follow; L of it is
// the least cost of a tree of the graph, and its room the largest that splits above give it: that of all
// groups is T, and a split gives each side the room of the set less L of the other side.
//
// Claim: if every state has room for L, each tree on a state that costs at most its room is one of the
// graph, and no tree on it costs less than L. By induction over sizes of sets: let a tree on a
// state within its room begin with a split. If the state has the split, the sides cost L of
// theirs at least, so each is within its state's room and of the graph. If it has not, what is known
// of both sides says that they cost more together than the room. So all trees within the room are of the
// graph, the least of them costs L, and L is within the room.
//
// What is known of a side: its cost as one leaf, or two leaves without error; L, if it is a state; and
// lemmas, which follow in the same way from what is known of smaller sets.

// TreesMagic begins every proof about all good trees.
const TreesMagic = "PARCTSET"

const treesVersion = 1

// TreesProof is an open proof file of which the header has been read. It is good for one call of
// Check.
type TreesProof struct {
	about     framing.About
	threshold int64
	depth     int
	blocks    *framing.Reader
}

// OpenTrees reads the header of a proof, as Open does.
func OpenTrees(r io.Reader) (*TreesProof, error) {
	p := &TreesProof{}
	var err error
	p.blocks, p.about, err = framing.Open(r, TreesMagic, treesVersion, func(h *framing.Parser) {
		p.threshold = h.Below64("threshold", mostCost)
		p.depth = h.Below("depth", math.MaxInt32)
	})
	return p, err
}

// About returns what the proof is about.
func (p *TreesProof) About() framing.About { return p.about }

// TreesResult is what a checked proof shows.
type TreesResult struct {
	Threshold int64    // in units of 1/(λ.Den·total weight)
	Trees     *big.Int // with an objective of at most that
	Depth     int      // most splits on a path; 0: no limit
	Records   int64
	Tree      []int // one of the least objective in preorder: a feature for each split, −1−class for each leaf
	Objective int64
}

// treeState is what a record says of a set, and what follows.
type treeState struct {
	set    []uint64
	level  int
	splits []treeSplit
	least  int64 // L
	leaves int   // the fewest of a tree that costs L
	room   int64
}

type treeSplit struct{ antecedent, with, without int }

type treeLemma struct {
	set   []uint64
	level int
	low   int64
}

// endless stands for no limit of splits.
const endless = math.MaxInt32

// treesChecker is a call of Check.
type treesChecker struct {
	costs
	ctx     context.Context
	price   int64 // of a leaf
	most    int64 // T beyond base
	columns [][]uint64
	states  []treeState
	lemmas  []treeLemma
	known   map[string]int64 // lemmas, by set and level
	place   map[string]int   // states
	digest  string           // of trees that is claimed
	records uint64
}

// Check checks the proof against the samples. An error that wraps framing.ErrRefused says what does not hold.
func (p *TreesProof) Check(ctx context.Context, set *rules.Set) (*TreesResult, error) {
	if err := p.about.OfData(set.Digest(), len(set.Antecedents), set.Data.TotalWeight()); err != nil {
		return nil, err
	}
	l := p.about.Lambda
	if scaled := product(p.about.Weight, max(l.Den, l.Num)); !p.about.InLowestTerms() || l.Num <= 0 ||
		scaled.Cmp(big.NewInt(mostCost)) >= 0 {
		return nil, framing.Refused("λ is %d/%d: expected a positive fraction in lowest terms, of fewer digits", l.Num, l.Den)
	}
	c := &treesChecker{ctx: ctx, price: l.Num * p.about.Weight, known: map[string]int64{}, place: map[string]int{}}
	var err error
	if c.columns, err = c.group(set); err != nil {
		return nil, framing.Refused("%w", err)
	}
	if _, err := c.costs.price(func(class, group int) *big.Int { return c.wrong(class, group, l.Den) }); err != nil {
		return nil, framing.Refused("%w", err)
	}
	c.most = p.threshold - c.base
	if err := c.read(p); err != nil {
		return nil, err
	}
	for _, step := range []func() error{c.checkSplits, c.checkLemmas, c.checkStates} {
		if err := step(); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, framing.Refused("%w", err)
		}
	}
	r := &TreesResult{Threshold: p.threshold, Trees: new(big.Int), Depth: p.depth, Records: int64(c.records)}
	for _, n := range c.count() {
		r.Trees.Add(r.Trees, n)
	}
	if r.Trees.String() != c.digest {
		return nil, framing.Refused("it claims %.40q trees, there are %v", c.digest, r.Trees)
	}
	r.Tree, r.Objective = c.tree(0, nil), c.states[0].least+c.base
	return r, nil
}

// leaves returns what a set costs as one leaf of each class.
func (c *treesChecker) leaves(set []uint64) []int64 {
	costs, _ := c.losses(set, set)
	for class := range costs {
		costs[class] += c.price
	}
	return costs
}

func treeName(set []uint64, level int) string {
	return name(append(slices.Clone(set), uint64(level)))
}

func below(level int) int {
	if level == endless {
		return endless
	}
	return level - 1
}

var (
	errEdge = errors.New("a split leads to a state that is not behind it, or is another set")
	errPath = errors.New("a lemma is about a set below no split that may follow")
)

// read reads all records.
func (c *treesChecker) read(p *TreesProof) error {
	level := endless
	if p.depth > 0 {
		level = p.depth
	}
	sets := map[int]treeState{0: {set: c.all, level: level}} // of the states that splits lead to
	var err error
	c.records, err = p.blocks.Content(c.ctx.Err, func(h *framing.Parser) { c.record(h, sets, level) },
		func(h *framing.Parser) { c.digest = string(h.Take(h.Varint())) })
	if err == nil && len(sets) != max(len(c.states), 1) {
		err = framing.Refused("splits lead to %d states, there are %d", len(sets), len(c.states))
	}
	return err
}

// record reads a state or a lemma.
func (c *treesChecker) record(h *framing.Parser, sets map[int]treeState, level int) {
	if h.Below("kind of record", 2) == 1 {
		l := treeLemma{set: c.all, level: level}
		for n := h.Below("length", math.MaxInt32); n > 0 && h.Err == nil; n-- {
			if side := h.Below("side", 2*len(c.columns)); h.Err == nil {
				if l.level == 0 {
					h.Fail(errPath)
				}
				l.set, l.level = c.side(l.set, side/2, side%2 == 1), below(l.level)
			}
		}
		l.low = h.Below64("bound", mostCost)
		c.lemmas = append(c.lemmas, l)
		return
	}
	at := len(c.states)
	s, ok := sets[at]
	if !ok {
		h.Fail(fmt.Errorf("state %d is led to by none before it", at))
		return
	}
	for n := h.Below("number of splits", math.MaxInt32); n > 0 && h.Err == nil; n-- {
		x := treeSplit{h.Below("antecedent", len(c.columns)), h.Below("state", math.MaxInt32), h.Below("state", math.MaxInt32)}
		if h.Err != nil {
			return
		}
		if s.level == 0 {
			h.Fail(errPath)
			return
		}
		for side, child := range []int{x.without, x.with} {
			of := treeState{set: c.side(s.set, x.antecedent, side == 1), level: below(s.level)}
			known, ok := sets[child]
			if child <= at || !intersects(of.set, of.set) || ok && !slices.Equal(known.set, of.set) || ok && known.level != of.level {
				h.Fail(errEdge)
				return
			}
			sets[child] = of
		}
		s.splits = append(s.splits, x)
	}
	c.states = append(c.states, s)
}

func (c *treesChecker) side(set []uint64, antecedent int, with bool) []uint64 {
	if with {
		return intersect(set, c.columns[antecedent])
	}
	return without(set, c.columns[antecedent])
}

// checkSplits makes sure that all states and splits differ, and that each state has room for L.
func (c *treesChecker) checkSplits() error {
	for i := range c.states {
		s := &c.states[i]
		name := treeName(s.set, s.level)
		if _, ok := c.place[name]; ok {
			return fmt.Errorf("state %d is another one, too", i)
		}
		c.place[name] = i
		used := map[int]bool{}
		for _, x := range s.splits {
			if used[x.antecedent] {
				return fmt.Errorf("state %d has a split twice", i)
			}
			used[x.antecedent] = true
		}
	}
	c.findLeast()
	c.findRooms()
	for i, s := range c.states {
		if s.room < s.least {
			return fmt.Errorf("state %d has no room for any tree", i)
		}
	}
	return nil
}

// findLeast finds L of each state, from the last: splits lead to states behind.
func (c *treesChecker) findLeast() {
	for i := len(c.states) - 1; i >= 0; i-- {
		s := &c.states[i]
		s.least, s.leaves = slices.Min(c.leaves(s.set)), 1
		for _, x := range s.splits {
			with, without := &c.states[x.with], &c.states[x.without]
			cost, leaves := with.least+without.least, with.leaves+without.leaves
			if cost < s.least || cost == s.least && leaves < s.leaves {
				s.least, s.leaves = cost, leaves
			}
		}
	}
}

// findRooms finds the room of each state, from the first. What no tree within T leads to has −1.
func (c *treesChecker) findRooms() {
	for i := range c.states {
		c.states[i].room = -1
	}
	if len(c.states) > 0 {
		c.states[0].room = c.most
	}
	for i := range c.states {
		s := &c.states[i]
		if s.room < s.least {
			continue
		}
		for _, x := range s.splits {
			with, without := &c.states[x.with], &c.states[x.without]
			with.room, without.room = max(with.room, s.room-without.least), max(without.room, s.room-with.least)
		}
	}
}

// low returns what is known of the cost of trees on a set.
func (c *treesChecker) low(set []uint64, level int) int64 {
	leaf := slices.Min(c.leaves(set))
	if level == 0 || leaf <= 2*c.price {
		return leaf
	}
	low, name := 2*c.price, treeName(set, level)
	if at, ok := c.place[name]; ok {
		low = max(low, c.states[at].least)
	}
	return min(leaf, max(low, c.known[name]))
}

// covered reports whether all splits of a set, but those to pass by, cost so much at least. Otherwise it
// returns one of which that is not known.
func (c *treesChecker) covered(set []uint64, level int, low int64, pass func(antecedent int) bool) (antecedent int, ok bool) {
	if level == 0 || low <= 2*c.price {
		return 0, true
	}
	for a := range c.columns {
		if pass(a) {
			continue
		}
		with, without := c.side(set, a, true), c.side(set, a, false)
		if !intersects(with, with) || !intersects(without, without) {
			continue
		}
		if c.low(with, below(level))+c.low(without, below(level)) < low {
			return a, false
		}
	}
	return 0, true
}

// checkLemmas makes sure of the lemmas. Each rests on what is known of smaller sets.
func (c *treesChecker) checkLemmas() error {
	for _, l := range c.lemmas {
		name := treeName(l.set, l.level)
		c.known[name] = max(c.known[name], l.low)
	}
	for i, l := range c.lemmas {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if slices.Min(c.leaves(l.set)) < l.low {
			return fmt.Errorf("lemma %d: a leaf costs less", i)
		}
		if a, ok := c.covered(l.set, l.level, l.low, func(int) bool { return false }); !ok {
			return fmt.Errorf("lemma %d: a split by antecedent %d may cost less", i, a)
		}
	}
	return nil
}

// checkStates makes sure that no state lacks a split.
func (c *treesChecker) checkStates() error {
	if len(c.states) == 0 { // no tree at all is good
		if slices.Min(c.leaves(c.all)) <= c.most {
			return errors.New("it has no state, and a leaf is a good tree")
		}
		return errors.New("it has no state")
	}
	for i := range c.states {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		s := &c.states[i]
		has := map[int]bool{}
		for _, x := range s.splits {
			has[x.antecedent] = true
		}
		if a, ok := c.covered(s.set, s.level, s.room+1, func(a int) bool { return has[a] }); !ok {
			return fmt.Errorf("state %d: a split by antecedent %d may be part of a good tree", i, a)
		}
	}
	return nil
}

// count finds the numbers of trees of the graph within the threshold: of each state leaves, and products of both
// sides, less pairs of leaves of one class.
func (c *treesChecker) count() numbers {
	tables, orders := make([]numbers, len(c.states)), make([][]sized, len(c.states))
	for i := len(c.states) - 1; i >= 0; i-- {
		s := &c.states[i]
		t := numbers{}
		for _, cost := range c.leaves(s.set) {
			if cost <= s.room {
				t.add(sized{cost, 1}, big.NewInt(1))
			}
		}
		for _, x := range s.splits {
			for _, a := range orders[x.with] {
				for _, b := range orders[x.without] {
					if a.cost+b.cost > s.room {
						break
					}
					t.add(sized{a.cost + b.cost, a.size + b.size}, new(big.Int).Mul(tables[x.with][a], tables[x.without][b]))
				}
			}
			without := c.leaves(c.states[x.without].set)
			for class, cost := range c.leaves(c.states[x.with].set) {
				if cost += without[class]; cost <= s.room {
					t.add(sized{cost, 2}, big.NewInt(-1))
				}
			}
		}
		maps.DeleteFunc(t, func(_ sized, n *big.Int) bool { return n.Sign() == 0 })
		tables[i], orders[i] = t, t.ordered()
	}
	return tables[0]
}

// tree appends the tree of a state that costs L and has the fewest leaves, of these the one with the
// smallest antecedents in preorder.
func (c *treesChecker) tree(state int, to []int) []int {
	s := &c.states[state]
	if s.leaves == 1 {
		return append(to, -1-slices.Index(c.leaves(s.set), s.least))
	}
	best := treeSplit{antecedent: len(c.columns)}
	for _, x := range s.splits {
		with, without := &c.states[x.with], &c.states[x.without]
		if x.antecedent < best.antecedent && with.least+without.least == s.least && with.leaves+without.leaves == s.leaves {
			best = x
		}
	}
	return c.tree(best.without, c.tree(best.with, append(to, best.antecedent)))
}
