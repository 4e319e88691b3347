package rulelist

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// The separation bound. A record gives weights y to sets Q of groups that hold both
// labels. For the rules of a list and the groups that it gets wrong, in each Q:
// a group of Q is wrong, or a rule "a then q" is in the list that is pure on Q, that
// is, the groups of Q with a have label q, and there are some. For if all of Q is
// right and some rule touches Q, the first one that does captures all groups
// of Q with its antecedent, gives them one label, and is right; and if none
// touches Q, the default gives one label to groups of both.
//
// Add y times this up over all sets: what lists cost for rules and groups is at
// least Σ y, but for loads above costs, where the load of a rule or group is the sum
// of y over the sets in whose sentence it is. So every list costs at least
//
//	LB = Σ y − Σ max(0, load(a,q) − price) − Σ max(0, load(e) − cost(e))
//
// beside the base, and a list with the rule "a then q" at least
// LB + max(0, price − load(a,q)). A rule for which this exceeds L* is excluded: it
// is in no list that is smaller than L*. So are those that gain no more than λN,
// and those of antecedents that are useless behind the empty prefix. The smallest
// list has none of them, so excluded rules may be left out of the loads of
// the records that follow.
//
// All is in integers: a unit of the objective counts 2^scale, and a rule one more if
// scale is 17 or above, more than any list has rules: then LB orders lists by
// objective and length at once.

// bound is a record of weights.
type bound struct {
	scale, shift int // weights count 2^shift, an objective 2^scale
	sets         []weighed
}

// weighed is a set of groups with its weight. Groups are numbered with label 1
// first, by falling cost, and then by their first samples.
type weighed struct {
	groups []int
	weight int64
}

const (
	tieScale  = 17
	mostScale = 40
	mostSum   = 1 << 62
)

var (
	errBoundSum   = errors.New("the weights of a bound add up to 2^62 or more")
	errBoundScale = errors.New("the scale of a bound takes objectives beyond 2^61")
	errOneLabel   = errors.New("a set of a bound does not hold both labels")
)

// bound reads what a record of one says. The groups are counted later.
func (r *recordReader) bound(p *parser) error {
	b := &bound{scale: p.Below("scale", mostScale+1), shift: p.Below("shift", 62)}
	var sum uint64
	for n := p.Varint(); n > 0 && p.Err == nil; n-- {
		var w weighed
		at := uint64(0)
		for m := p.Varint(); m > 0 && p.Err == nil; m-- {
			step := p.Varint()
			if at += step; at > 1<<31 || step == 0 && len(w.groups) > 0 {
				p.Fail(errors.New("the groups of a set do not ascend"))
			}
			w.groups = append(w.groups, int(at))
		}
		y := p.Varint()
		if y > mostSum>>b.shift || sum+y<<b.shift >= mostSum {
			p.Fail(errBoundSum)
			break
		}
		sum += y << b.shift
		w.weight = int64(y << b.shift)
		b.sets = append(b.sets, w)
	}
	if p.Err == nil {
		r.tree.bounds = append(r.tree.bounds, b)
	}
	return p.Err
}

// exclusion is the rules that no list smaller than the claimed one has.
type exclusion struct {
	rules [2][]bool // by label and antecedent
	order []int     // of a group's number, the group
	loads [2][]int64
	group []int64
	holds []uint8
}

// useBounds computes the bounds of a proof, in their order, and excludes what they
// exclude.
func (p *problem) useBounds(all []*bound) error {
	if len(all) == 0 {
		return nil
	}
	x := &exclusion{order: make([]int, len(p.share)), group: make([]int64, len(p.share)), holds: make([]uint8, len(p.captured))}
	for g := range x.order {
		x.order[g] = g
	}
	slices.SortStableFunc(x.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(p.heavy[b], p.heavy[a]), cmp.Compare(p.share[b], p.share[a]))
	})
	counts := make([]gains, len(p.captured))
	p.countSome(p.every, p.all, p.all, counts)
	for q := range x.rules {
		x.rules[q], x.loads[q] = make([]bool, len(counts)), make([]int64, len(counts))
		for a, g := range counts {
			x.rules[q][a] = p.useless(g, p.costs) || g[q] <= p.worth
		}
	}
	for i, b := range all {
		if err := p.exclude(x, b); err != nil {
			return refused("bound %d: %w", i+1, err)
		}
	}
	p.excluded = x.rules
	return nil
}

// exclude excludes the rules that one bound excludes.
func (p *problem) exclude(x *exclusion, b *bound) error {
	tie := int64(0)
	if b.scale >= tieScale {
		tie = 1
	}
	if bits.Len64(uint64(p.unit*p.samples.total+p.price))+b.scale > 60 {
		return errBoundScale
	}
	price := p.price<<b.scale + tie
	most := (p.objective-p.unit*p.base)<<b.scale + tie*int64(len(p.claimed))
	value, err := p.load(x, b)
	if err != nil {
		return err
	}
	for g, load := range x.group {
		value -= max(0, load-p.unit*p.share[g]<<b.scale)
		if value <= 0 {
			return nil
		}
	}
	for q := range x.rules {
		for _, load := range x.loads[q] {
			value -= max(0, load-price)
			if value <= 0 {
				return nil
			}
		}
	}
	for q := range x.rules {
		for a, load := range x.loads[q] {
			if value+max(0, price-load) > most {
				x.rules[q][a] = true
			}
		}
	}
	return nil
}

// load adds up the loads of a bound, and its weights.
func (p *problem) load(x *exclusion, b *bound) (sum int64, err error) {
	clear(x.group)
	clear(x.loads[0])
	clear(x.loads[1])
	for _, w := range b.sets {
		clear(x.holds)
		var labels uint8
		for _, number := range w.groups {
			if number >= len(x.order) {
				return 0, fmt.Errorf("there is no group %d among %d", number, len(x.order))
			}
			g := x.order[number]
			x.group[g] += w.weight
			labels |= 1 << p.heavy[g]
			for _, a := range p.at(g) {
				x.holds[a] |= 1 << p.heavy[g]
			}
		}
		if labels != 3 {
			return 0, errOneLabel
		}
		for a, of := range x.holds {
			for q := range x.rules {
				if of == 1<<q && !x.rules[q][a] {
					x.loads[q][a] += w.weight
				}
			}
		}
		sum += w.weight
	}
	return sum, nil
}

// excludes reports whether no list smaller than the claimed one has a rule.
func (p *problem) excludes(a, label int) bool {
	return p.excluded[label] != nil && p.excluded[label][a]
}
