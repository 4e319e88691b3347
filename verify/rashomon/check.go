package rashomon

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

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
	Default   int
	Objective int64
}

// Rule is an antecedent and the class that it predicts.
type Rule struct{ Antecedent, Label int }

// checker is a call of Check.
type checker struct {
	*content
	costs
	ctx     context.Context
	den     int64 // of λ: what an error costs, without limits
	rule    int64 // what a rule costs, without limits
	scale   int64 // Z
	limits  []Limit
	price   int64 // of a rule
	most    int64 // T, beyond what every list loses
	words   int
	columns [][]uint64 // the distinct ones
	members [][]int    // the antecedents of each
	column  []int      // by antecedent

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
		return nil, framing.Refused("λ is %d/%d: expected a fraction between 0 and 1 in lowest terms", p.about.Lambda.Num,
			p.about.Lambda.Den)
	}
	c := &checker{ctx: ctx, den: p.about.Lambda.Den, scale: p.scale, limits: p.limits}
	if scaled := product(p.about.Weight, p.about.Lambda.Den); p.scale < 1 ||
		scaled.Mul(scaled, big.NewInt(p.scale)).Cmp(big.NewInt(mostCost)) >= 0 {
		return nil, framing.Refused("%w", errScale)
	}
	c.rule = p.about.Lambda.Num * p.about.Weight
	c.price = c.scale * c.rule
	if err := c.group(set, inside); err != nil {
		return nil, framing.Refused("%w", err)
	}
	most := big.NewInt(p.threshold)
	for _, l := range c.limits { // the header has T, lifted so that it is not negative
		most.Sub(most, product(l.price, max(0, -l.end())))
	}
	if most.Sub(most, big.NewInt(c.base)); most.Cmp(big.NewInt(mostCost)) > 0 || !most.IsInt64() {
		return nil, framing.Refused("%w", errScale)
	}
	c.most = most.Int64()
	content, err := p.read(ctx.Err, len(c.byClass))
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

var errClasses = errors.New("limits and differences of groups are of data of two classes")

// mostClasses is how many classes the labels of an edge may have.
const mostClasses = 62

// group puts samples together, and prices the groups.
func (c *checker) group(set *rules.Set, inside []bool) error {
	columns, err := c.costs.group(set)
	if err != nil {
		return err
	}
	c.words = len(c.all)
	if len(c.byClass) > mostClasses {
		return fmt.Errorf("the data have %d classes, expected at most %d", len(c.byClass), mostClasses)
	}
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
	if err != nil || all.Cmp(product(c.price, mostPrices)) > 0 {
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
	classes := len(c.digits)
	load := make([]int64, len(c.own))
	rules := make([]int64, classes*len(c.columns))
	for i, y := range c.weights {
		set := make([]uint64, c.words)
		for _, g := range y.groups {
			if g >= len(c.own) || c.own[g] == 0 || set[g/64]>>(g%64)&1 == 1 {
				return fmt.Errorf("weight %d: group %d is none of which one class alone costs nothing, or is there twice", i, g)
			}
			set[g/64] |= 1 << (g % 64)
			if load[g] += y.y; product(load[g], c.price).Cmp(product(c.own[g], quanta)) > 0 {
				return fmt.Errorf("weight %d: group %d bears more than its cost", i, g)
			}
		}
		if len(y.groups) == 0 || c.labelOf(set) >= 0 {
			return fmt.Errorf("weight %d has groups of one label", i)
		}
		for s, column := range c.columns {
			if captured := intersect(set, column); intersects(captured, set) {
				if q := c.labelOf(captured); q >= 0 {
					rules[classes*s+q] += y.y
				}
			}
		}
	}
	for s, column := range c.columns {
		cost, most := c.losses(c.all, column)
		for q, own := range cost {
			if most-own > c.price && rules[classes*s+q] > quanta {
				return fmt.Errorf("antecedent %d bears more than the price of a rule", c.members[s][0])
			}
		}
	}
	return nil
}

// labelOf returns the label of all groups of a set, −1 if they have several.
func (c *checker) labelOf(set []uint64) int {
	label := -1
	for g := range framing.Members(set) {
		if label >= 0 && c.label[g] != label {
			return -1
		}
		label = c.label[g]
	}
	return label
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
	for _, q := range c.weights {
		left := uint64(1) // 0 if the set lacks one of the groups, which are few
		for _, g := range q.groups {
			left &= set[g/64] >> (g % 64)
		}
		sum += q.y * int64(left)
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
			set = without(set, c.columns[c.column[a]])
		}
		all, _ := c.losses(set, set)
		if slices.Min(all) < l.low {
			return fmt.Errorf("lemma %d: a default costs less", i)
		}
		for s, column := range c.columns {
			rule, most := c.losses(set, column)
			cost := c.price + slices.Min(rule)
			if most-slices.Min(rule) <= c.price || cost >= l.low {
				continue
			}
			if cost+c.low(without(set, column), behind(all, rule), l.low-cost) < l.low {
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
			column := c.column[e.antecedent]
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
			wrong, _ := c.losses(c.sets[i], c.columns[column])
			for q, cost := range wrong {
				if e.labels>>q&1 == 1 {
					c.d[e.child] = min(c.d[e.child], c.d[i]+c.price+cost)
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
		all, _ := c.losses(set, set)
		c.least[i] = slices.Min(all)
		labels := map[int]int64{}
		for _, e := range c.states[i].edges {
			column := c.column[e.antecedent]
			labels[column] = e.labels
			wrong, _ := c.losses(set, c.columns[column])
			for q, cost := range wrong {
				if e.labels>>q&1 == 1 {
					c.least[i] = min(c.least[i], c.price+cost+c.least[e.child])
				}
			}
		}
		least := min(c.least[i], c.most-c.d[i]+1)
		for s, column := range c.columns {
			if labels[s] == 1<<len(all)-1 || !intersects(set, column) || within(set, column) {
				continue
			}
			wrong, most := c.losses(set, column)
			left := without(set, column)
			for q, cost := range wrong {
				beyond := c.most - c.d[i] - c.price - cost // what V of the child has to exceed
				if labels[s]>>q&1 == 1 || c.d[i]+least+c.price-most+cost > c.most || beyond < 0 {
					continue
				}
				low := int64(0)
				if at, ok := c.place[name(left)]; ok {
					low = min(c.least[at], c.most-c.d[at]+1)
				}
				if low <= beyond && c.low(left, behind(all, wrong), beyond+1) <= beyond {
					return fmt.Errorf("state %d: a rule with antecedent %d and label %d may be part of a good list", i, c.members[s][0], q)
				}
			}
		}
	}
	return nil
}
