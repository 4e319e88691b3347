package tree

import (
	"fmt"
	"math"

	"parcorels/verify/framing"
)

// claim is the tree that is said to be the smallest.
type claim struct {
	tree   []int
	errors int64
}

// maxSets bounds the bytes of the sets of all records: a proof of a few bytes a
// record could ask for any amount of memory where samples are many.
const maxSets = 1 << 34

var errMemory = fmt.Errorf("the sets of its records take more than %d GiB", maxSets>>30)

// addRecord reads a record.
func (c *checker) addRecord(p *framing.Parser) {
	r := record{set: c.all, splits: framing.Splits(c.depth)}
	if n := len(c.records); n > 0 {
		back := p.Below("distance to the parent", n+1)
		if back == 0 {
			p.Fail(errTree)
			return
		}
		side, parent := p.Below("side", 2*len(c.columns)), &c.records[n-back]
		if parent.splits == 0 {
			p.Fail(errTree)
		}
		if p.Err != nil {
			return
		}
		r.set, r.splits = framing.Side(make([]uint64, 0, c.words), parent.set, c.columns[side/2], side%2 == 1), framing.Fewer(parent.splits)
	}
	r.bound = p.Below64("bound", int64(far))
	if int64(len(c.records))*int64(16*c.words+64) > maxSets {
		p.Fail(errMemory)
	}
	if p.Err != nil {
		return
	}
	c.records = append(c.records, r)
	c.counts.Records.Add(1)
	k := string(appendKey(nil, r.set, r.splits))
	c.known[k] = max(c.known[k], r.bound)
}

func (c *checker) parseClaim(p *framing.Parser, cl *claim) {
	for n := p.Below("number of nodes", 2*c.groups+2); n > 0 && p.Err == nil; n-- {
		x := p.Below("node", len(c.columns)+c.classes)
		if x >= len(c.columns) {
			x = -1 - (x - len(c.columns))
		}
		cl.tree = append(cl.tree, x)
	}
	cl.errors = p.Below64("number of errors", math.MaxInt64)
}

// checkClaim goes down the claimed tree: what it gets wrong is counted, its value
// must be what is proved of all samples, and no smaller feature may do as well at
// any of its splits.
func (c *checker) checkClaim(cl *claim) (Result, error) {
	d := descent{checker: c, n: newCounter(c.samples), tree: cl.tree, errors: c.balance}
	leaves := (len(cl.tree) + 1) / 2
	all, splits := c.all, framing.Splits(c.depth)
	value, err := d.walk(all, splits)
	switch {
	case err != nil:
		return Result{}, err
	case d.at != len(cl.tree):
		return Result{}, framing.Refused("the claimed tree: %w", errTree)
	case d.errors != cl.errors:
		return Result{}, framing.Refused("the claimed tree: it is said to get a weight of %d wrong, the samples say %d", cl.errors,
			d.errors)
	case value > c.lowest(all, splits):
		return Result{}, framing.Refused("the claimed tree has value %d, but a value of %d at least is all that the records prove", value,
			c.lowest(all, splits))
	}
	λ := c.About().Lambda
	return Result{
		Tree: cl.tree, Leaves: leaves, Errors: d.errors,
		Objective: λ.Den*d.errors + λ.Num*c.total*int64(leaves), Scale: λ.Den * c.total,
		Lambda: λ, Depth: c.depth, MinRows: c.minRows, Records: int64(len(c.records)),
	}, nil
}

// descent is a way down a claimed tree.
type descent struct {
	*checker
	n      *counter
	tree   []int
	at     int   // the next node
	errors int64 // of the leaves so far
}

// walk checks the tree that begins at the next node, on a set, and returns its
// value.
func (d *descent) walk(set []uint64, splits int) (int64, error) {
	if d.at == len(d.tree) {
		return 0, framing.Refused("the claimed tree: %w", errTree)
	}
	at, f := d.at, d.tree[d.at]
	d.at++
	if f < 0 {
		return d.leaf(set, at, -1-f)
	}
	if splits == 0 {
		return 0, framing.Refused("the claimed tree: node %d is a split beyond depth %d", at, d.depth)
	}
	var value int64
	for _, with := range []bool{true, false} {
		side := framing.Side(nil, set, d.columns[f], with)
		if framing.Sum(d.rows, side, side) < d.least {
			return 0, framing.Refused("the claimed tree: node %d has a side of fewer than %d samples", at, d.least)
		}
		v, err := d.walk(side, framing.Fewer(splits))
		if err != nil {
			return 0, err
		}
		value += v
	}
	if value >= far {
		return 0, framing.Refused("the claimed tree: its value exceeds 61 bits")
	}
	d.n.count(set, splits)
	if !d.reaches(d.n, &record{set: set, splits: splits}, f, value+1) {
		return 0, framing.Refused("the claimed tree: at node %d, a smaller feature may give as good a tree", at)
	}
	return value, nil
}

// leaf checks that a leaf predicts the first of the heaviest classes.
func (d *descent) leaf(set []uint64, at, class int) (int64, error) {
	weights := make([]int64, d.classes)
	var all, cost int64
	for g := range d.groups {
		if set[g/64]>>(g%64)&1 == 0 {
			continue
		}
		for c := range weights {
			weights[c] += d.weights[c][g]
			all += d.weights[c][g]
		}
		cost += d.costs[class][g]
	}
	for c, w := range weights {
		if w > weights[class] || w == weights[class] && c < class {
			return 0, framing.Refused("the claimed tree: leaf %d predicts class %d, but class %d weighs as much or more", at, class, c)
		}
	}
	d.errors += all - weights[class]
	return d.of(cost, 1), nil
}
