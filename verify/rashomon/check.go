package rashomon

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"

	"parcorels/rules"
	"parcorels/verify/framing"
)

// mostCost bounds all costs, so that sums of some of them fit a word.
const mostCost = 1 << 60

// mostPrices bounds how many prices all costs together are, so that sums of weights fit a word: a price is
// quanta of them.
const mostPrices = 1 << 40

// none is a cost that no list has.
const none = 1 << 61

// Result is what a checked proof shows.
type Result struct {
	Threshold int64    // in units of 1/(λ.Den·total weight)
	Lists     *big.Int // with an objective of at most that; nil of a proof with limits
	Records   int64
	// Rules and Default are a list of the least objective, of those within the limits.
	Rules     []Rule
	Default   bool
	Objective int64
	Answers   Answers // nil of a proof with limits
}

// Rule is an antecedent and what it predicts.
type Rule struct {
	Antecedent int
	Label      bool
}

// checker is a call of Check.
type checker struct {
	*content
	ctx                context.Context
	den                int64 // of λ: what an error costs, without limits
	rule               int64 // what a rule costs, without limits
	scale              int64 // Z
	limits             []Limit
	unit               int64 // of costs
	price              int64 // of a rule
	most               int64 // T, beyond what every list loses
	base               int64
	words              int
	columns            [][]uint64 // the distinct ones
	members            [][]int    // the antecedents of each
	of                 []int      // by antecedent, its column
	all                []uint64
	costly             []uint64   // groups with a cost
	ones               []uint64   // of these, those of label 1
	digits             [][]uint64 // of costs in units
	weights0, weights1 []int64    // of each group, by class
	inside             [][]uint64 // the groups of each weight
	sampleGroups       []int32
	best               *Result

	known map[string]int64 // lemmas, by the costly groups
	sets  [][]uint64       // of the states
	place map[string]int
	d     []int64
	least []int64 // of each state, the least completion in the graph
}

// Check checks the proof against the samples. An error that wraps framing.ErrRefused says what does not hold.
// Inside says which samples are in the group that the limits are about; a proof without limits has none.
func (p *Proof) Check(ctx context.Context, set *rules.Set, inside []bool) (*Result, error) {
	if err := p.about.OfData(set.Digest(), len(set.Antecedents), set.Data.TotalWeight()); err != nil {
		return nil, err
	}
	if !p.about.InLowestTerms() || p.about.Lambda.Num <= 0 || p.about.Lambda.Num >= p.about.Lambda.Den {
		return nil, framing.Refused("λ is %d/%d: expected a fraction between 0 and 1 in lowest terms", p.about.Lambda.Num, p.about.Lambda.Den)
	}
	c := &checker{ctx: ctx, den: p.about.Lambda.Den, scale: p.scale, limits: p.limits}
	if scaled := product(p.about.Weight, p.about.Lambda.Den); p.scale < 1 || scaled.Mul(scaled, big.NewInt(p.scale)).Cmp(big.NewInt(mostCost)) >= 0 {
		return nil, framing.Refused("%w", errScale)
	}
	c.rule = p.about.Lambda.Num * p.about.Weight
	c.price = c.scale * c.rule
	if err := c.group(set, inside); err != nil {
		return nil, framing.Refused("%w", err)
	}
	if c.most = p.threshold - c.base; c.most > mostCost {
		return nil, framing.Refused("%w", errScale)
	}
	content, err := p.read(ctx.Err)
	if err != nil {
		return nil, err
	}
	c.content = content
	for _, step := range []func() error{c.checkWeights, c.checkLemmas, c.followEdges, c.checkStates} {
		if err := step(); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, framing.Refused("%w", err)
		}
	}
	var r *Result
	if len(c.limits) > 0 {
		if r, err = c.checkFair(); err != nil {
			return nil, framing.Refused("%w", err)
		}
	} else if r = c.result(); r.Lists.String() != c.lists {
		return nil, framing.Refused("it claims %.40q lists, there are %v", c.lists, r.Lists)
	}
	r.Threshold, r.Records = p.threshold, int64(c.records)
	return r, nil
}

var errClasses = errors.New("the data do not have two classes")

// group puts samples together, and gives each group its label and cost.
func (c *checker) group(set *rules.Set, inside []bool) error {
	d := set.Data
	if d.ClassOf != nil {
		return errClasses
	}
	var captured [][]uint64
	for _, a := range set.Antecedents {
		captured = append(captured, a.Captured().Words())
	}
	g := framing.NewGroups(captured, d.N, 2, d.Class, func(i int) int64 { return weightOf(d, i) })
	for i := range c.limits {
		if err := c.limits[i].differences(set, inside, g.Of, g.Len()); err != nil {
			return err
		}
	}
	c.all, c.sampleGroups = g.All(), g.Of
	c.words = len(c.all)
	c.weights0, c.weights1 = g.Weights[0], g.Weights[1]
	if err := c.priceGroups(); err != nil {
		return err
	}
	known := map[string]int{}
	for a, column := range g.Columns() {
		k, ok := known[name(column)]
		if !ok {
			k = len(c.columns)
			known[name(column)] = k
			c.columns, c.members = append(c.columns, column), append(c.members, nil)
		}
		c.members[k] = append(c.members[k], a)
		c.of = append(c.of, k)
	}
	return nil
}

// priceGroups finds what the dearer class of each group costs beyond the other, and base.
func (c *checker) priceGroups() error {
	loss0, loss1 := make([]*big.Int, len(c.weights0)), make([]*big.Int, len(c.weights0))
	for i := range loss0 {
		loss0[i], loss1[i] = product(c.scale*c.den, c.weights1[i]), product(c.scale*c.den, c.weights0[i])
	}
	c.addPrices(loss1)
	c.costly, c.ones = make([]uint64, c.words), make([]uint64, c.words)
	base, all := new(big.Int), new(big.Int)
	costs := make([]int64, len(loss0))
	for i, a := range loss0 {
		b := loss1[i]
		more := new(big.Int).Sub(a, b)
		switch more.Sign() {
		case 1:
			c.ones[i/64] |= 1 << (i % 64)
			base.Add(base, b)
		default:
			base.Add(base, a)
		}
		if more.Abs(more).Sign() > 0 {
			c.costly[i/64] |= 1 << (i % 64)
		}
		if all.Add(all, more); all.Cmp(big.NewInt(mostCost)) >= 0 {
			return errScale
		}
		costs[i] = more.Int64()
	}
	if new(big.Int).Abs(base).Cmp(big.NewInt(mostCost)) >= 0 || all.Cmp(product(c.price, mostPrices)) > 0 {
		return errScale
	}
	c.base = base.Int64()
	for _, x := range costs {
		for a, b := c.unit, x; ; a, b = b, a%b {
			if c.unit = a; b == 0 {
				break
			}
		}
	}
	c.unit = max(c.unit, 1)
	for i := range costs {
		costs[i] /= c.unit
	}
	c.digits = framing.Digits(costs)
	return nil
}

// name is a set as a key of maps.
func name(set []uint64) string {
	b := make([]byte, 0, 8*len(set))
	for _, w := range set {
		for i := range 8 {
			b = append(b, byte(w>>(8*i)))
		}
	}
	return string(b)
}

// costs returns what predicting 0 and predicting 1 costs for the groups of a in b.
func (c *checker) costs(a, b []uint64) (cost [2]int64) {
	for k, digit := range c.digits {
		for w, x := range digit {
			x &= a[w] & b[w]
			cost[0] += int64(bits.OnesCount64(x&c.ones[w])) << k
			cost[1] += int64(bits.OnesCount64(x&^c.ones[w])) << k
		}
	}
	cost[0] *= c.unit
	cost[1] *= c.unit
	return cost
}

func without(set, column []uint64) []uint64 {
	left := make([]uint64, len(set))
	for w, x := range set {
		left[w] = x &^ column[w]
	}
	return left
}

func intersects(a, b []uint64) bool {
	for w, x := range a {
		if x&b[w] != 0 {
			return true
		}
	}
	return false
}

func within(a, b []uint64) bool {
	for w, x := range a {
		if x&^b[w] != 0 {
			return false
		}
	}
	return true
}

// quanta are the units of weights: so many are the price of a rule.
const quanta = 1 << 12

// checkWeights makes sure that no group and no rule bears too much.
func (c *checker) checkWeights() error {
	load := make([]int64, 64*c.words)
	rules := make([][2]int64, len(c.columns))
	for i, y := range c.weights {
		set := make([]uint64, c.words)
		for _, g := range y.groups {
			if g >= 64*c.words || c.costly[g/64]>>(g%64)&1 == 0 || set[g/64]>>(g%64)&1 == 1 {
				return fmt.Errorf("weight %d: group %d is none that costs anything, or is there twice", i, g)
			}
			set[g/64] |= 1 << (g % 64)
			one := make([]uint64, c.words)
			one[g/64] = 1 << (g % 64)
			cost := c.costs(one, one)
			if load[g] += y.y; product(load[g], c.price).Cmp(product(cost[0]+cost[1], quanta)) > 0 {
				return fmt.Errorf("weight %d: group %d bears more than its cost", i, g)
			}
		}
		if !intersects(set, c.ones) || within(set, c.ones) {
			return fmt.Errorf("weight %d has groups of one label", i)
		}
		c.inside = append(c.inside, set)
		for s, column := range c.columns {
			captured := intersect(set, column)
			switch one := intersects(captured, c.ones); {
			case one && within(captured, c.ones):
				rules[s][1] += y.y
			case !one && intersects(captured, set):
				rules[s][0] += y.y
			}
		}
	}
	for s, column := range c.columns {
		cost := c.costs(c.all, column)
		for q := range 2 { // rule q gains what predicting the other label costs
			if cost[1-q] > c.price && rules[s][q] > quanta {
				return fmt.Errorf("antecedent %d bears more than the price of a rule", c.members[s][0])
			}
		}
	}
	return nil
}

func product(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }

func intersect(a, b []uint64) []uint64 {
	out := make([]uint64, len(a))
	for w, x := range a {
		out[w] = x & b[w]
	}
	return out
}

// weigh returns what the weights within a set tell of V.
func (c *checker) weigh(set []uint64) int64 {
	sum := int64(0)
	for i, q := range c.inside {
		if within(q, set) {
			sum += c.weights[i].y
		}
	}
	n := product(sum, c.price)
	n.Add(n, big.NewInt(quanta-1))
	return n.Rsh(n, 12).Int64()
}

// low returns what is known of V of a set of which the default costs so much.
func (c *checker) low(set []uint64, stop int64, enough int64) int64 {
	low := min(stop, c.price)
	if low >= enough {
		return low
	}
	if lo, ok := c.known[name(intersect(set, c.costly))]; ok {
		low = max(low, lo)
	}
	if low >= enough {
		return low
	}
	return max(low, c.weigh(set))
}

// checkLemmas goes through the lemmas, each of which may rest on those before it.
func (c *checker) checkLemmas() error {
	c.known = map[string]int64{}
	for i, l := range c.lemmas {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		set := c.all
		for _, a := range l.prefix {
			set = without(set, c.columns[c.of[a]])
		}
		all := c.costs(set, set)
		if min(all[0], all[1]) < l.low {
			return fmt.Errorf("lemma %d: a default costs less", i)
		}
		for s, column := range c.columns {
			rule := c.costs(set, column)
			if max(rule[0], rule[1]) <= c.price {
				continue
			}
			cost := c.price + min(rule[0], rule[1])
			if cost >= l.low {
				continue
			}
			if cost+c.low(without(set, column), min(all[0]-rule[0], all[1]-rule[1]), l.low-cost) < l.low {
				return fmt.Errorf("lemma %d: a rule with antecedent %d may cost less", i, c.members[s][0])
			}
		}
		key := name(intersect(set, c.costly))
		c.known[key] = max(c.known[key], l.low)
	}
	return nil
}

// followEdges finds the set of each state, and the least cost of a prefix.
func (c *checker) followEdges() error {
	if len(c.states) == 0 {
		return errors.New("it has no state")
	}
	c.sets, c.d = make([][]uint64, len(c.states)), make([]int64, len(c.states))
	c.place = map[string]int{name(c.all): 0}
	c.sets[0] = c.all
	for i, s := range c.states {
		if c.sets[i] == nil {
			return fmt.Errorf("state %d is led to by none before it", i)
		}
		used := map[int]bool{}
		for _, e := range s.edges {
			column := c.of[e.antecedent]
			left := without(c.sets[i], c.columns[column])
			switch {
			case e.child <= i || e.child >= len(c.states):
				return fmt.Errorf("state %d: an edge leads to state %d", i, e.child)
			case used[column]:
				return fmt.Errorf("state %d has two edges of one column", i)
			case !intersects(c.sets[i], c.columns[column]) || !intersects(left, left):
				return fmt.Errorf("state %d: antecedent %d captures nothing, or all", i, e.antecedent)
			}
			used[column] = true
			if c.sets[e.child] == nil {
				if _, known := c.place[name(left)]; known {
					return fmt.Errorf("state %d is another one, too", e.child)
				}
				c.sets[e.child], c.place[name(left)], c.d[e.child] = left, e.child, none
			} else if c.place[name(left)] != e.child {
				return fmt.Errorf("state %d: an edge of antecedent %d does not lead to state %d", i, e.antecedent, e.child)
			}
			wrong := c.costs(c.sets[i], c.columns[column])
			for q := range 2 {
				if e.labels>>q&1 == 1 {
					c.d[e.child] = min(c.d[e.child], c.d[i]+c.price+wrong[q])
				}
			}
		}
	}
	return nil
}

// checkStates makes sure of each state, from the last, that no edge is missing.
func (c *checker) checkStates() error {
	c.least = make([]int64, len(c.states))
	for i := len(c.states) - 1; i >= 0; i-- {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		set := c.sets[i]
		all := c.costs(set, set)
		c.least[i] = min(all[0], all[1])
		labels := map[int]int{}
		for _, e := range c.states[i].edges {
			column := c.of[e.antecedent]
			labels[column] = e.labels
			wrong := c.costs(set, c.columns[column])
			for q := range 2 {
				if e.labels>>q&1 == 1 {
					c.least[i] = min(c.least[i], c.price+wrong[q]+c.least[e.child])
				}
			}
		}
		for s, column := range c.columns {
			if labels[s] == 3 || !intersects(set, column) || within(set, column) {
				continue
			}
			wrong := c.costs(set, column)
			left := without(set, column)
			for q := range 2 {
				beyond := c.most - c.d[i] - c.price - wrong[q] // what V of the child has to exceed
				if labels[s]>>q&1 == 1 || c.d[i]+c.least[i]+c.price-wrong[1-q] > c.most || beyond < 0 {
					continue
				}
				low := int64(0)
				if at, ok := c.place[name(left)]; ok {
					low = min(c.least[at], c.most-c.d[at]+1)
				}
				if low <= beyond && c.low(left, min(all[0]-wrong[0], all[1]-wrong[1]), beyond+1) <= beyond {
					return fmt.Errorf("state %d: a rule with antecedent %d and label %d may be part of a good list", i, c.members[s][0], q)
				}
			}
		}
	}
	return nil
}
