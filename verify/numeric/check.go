// Package numeric checks proofs that a decision tree over all thresholds is the smallest of its
// data. Begin with [Open], then [Proof.Check].
//
// It shares no code with the search. A proof has, for each split of the tree with three levels
// and more left, a list of places of each column. The checker solves both sides of each place
// and makes sure that no place between can be better:
//
// Let L(p) and R(p) be the least values of trees on both sides of place p, and w(p, q) the
// weight between two places. A tree of a set also serves its subsets. On a larger set it
// errs in addition by at most what is added. So for a < p < b
//
//	L(p) ≥ max(L(a), L(b) − unit·w(p, b)),   R(p) ≥ max(R(b), R(a) − unit·w(a, p)).
//
// Sets with two levels are solved by this package alone (two.go): each place that this bound
// leaves open is looked at, and both of its sides are solved by one split each, sample by sample.
// Sets with three levels and more below the first have bounds of their own in the proof, and lists
// that show them. docs/proof-format.md has the bytes.
package numeric

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify/framing"
)

// Magic begins every proof about trees over all thresholds.
const Magic = "PARCTHRS"

const version = 1

// far is larger than any value; two of them add up without overflow.
const far = framing.Far

// Proof is an open proof file of which the header has been read. It is good for one call of
// Check.
type Proof struct {
	framing.Proof
	k     int64 // the factor of objectives in values
	depth int   // most splits on a path
}

// Open reads the header of a proof. Its errors wrap framing.ErrFormat or framing.ErrRefused, or
// are those of r.
func Open(r io.Reader) (p *Proof, err error) {
	p = &Proof{}
	p.Proof, err = framing.Open(r, Magic, version, func(h *framing.Parser) {
		p.k = h.Below64("K", math.MaxInt64)
		p.depth = h.Below("depth", 1<<10)
	})
	return p, err
}

// Node is a split of a checked tree, or a leaf.
type Node struct {
	Column    int   // in the order of the proof format; −1 − class of a leaf
	Low, High int32 // ranks beside the place of the split
}

// Result is what was proved, and what it took.
type Result struct {
	Tree      []Node // in preorder
	Leaves    int
	Errors    int64 // weight of the samples that it gets wrong
	Objective int64 // Den·Errors + Num·N·Leaves, with λ = Num/Den
	Lambda    ratio.Ratio
	Depth     int
	Records   int64
}

// checker is one call of Check.
type checker struct {
	*samples
	*Proof
	unit, price int64
	records     *records
	group       *errgroup.Group
	ctx         context.Context
}

// Check makes sure that the proof proves its claim about the data of set. An error that wraps
// framing.ErrRefused says which step does not hold. Workers share the places; 0: all that
// GOMAXPROCS allows.
func (p *Proof) Check(ctx context.Context, set *rules.Set, workers int) (Result, error) {
	h := p.About()
	if err := h.OfData(set.Digest(), len(set.Antecedents), set.Data.TotalWeight()); err != nil {
		return Result{}, err
	}
	if !h.InLowestTerms() || p.depth < 1 {
		return Result{}, framing.Refused("its header has λ = %d/%d and depth %d", h.Lambda.Num, h.Lambda.Den, p.depth)
	}
	s, err := newSamples(set)
	if err != nil {
		return Result{}, err
	}
	cl := &claimed{}
	in, err := readRecords(ctx, p.Blocks, func(q *framing.Parser) { cl.parse(q, len(s.ranks), s.classes, 2*len(s.class)+2) })
	if err != nil {
		return Result{}, err
	}
	c := &checker{samples: s, Proof: p, records: in, ctx: ctx}
	if err := c.prices(); err != nil {
		return Result{}, err
	}
	c.group, c.ctx = errgroup.WithContext(ctx)
	c.group.SetLimit(cmp.Or(workers, runtime.GOMAXPROCS(0)))
	r, err := c.claim(cl)
	if failed := c.group.Wait(); failed != nil {
		return Result{}, failed
	}
	if err == nil {
		err = ctx.Err()
	}
	return r, err
}

// prices checks K, and that values and objectives fit.
func (c *checker) prices() (err error) {
	λ, weight := c.About().Lambda, int64(0)
	for _, w := range c.weight {
		weight += w
	}
	if c.unit, c.price, err = framing.NewValues(c.k, λ, c.total, c.groups, c.most, weight, 8); err != nil {
		return err
	}
	return framing.CheckObjectives(λ, c.total)
}

// claim checks the claimed tree.
func (c *checker) claim(cl *claimed) (r Result, err error) {
	d := descent{checker: c, claimed: cl}
	var value int64
	if len(c.class) == 0 {
		if len(cl.nodes) != 1 || cl.nodes[0].column >= 0 {
			return Result{}, refusedTree("no sample can be told apart, and the tree has a split")
		}
		d.tree = []Node{{Column: cl.nodes[0].column}}
		value = c.price
		if cl.nodes[0].column != -1 {
			return Result{}, refusedTree("it does not predict class 0")
		}
	} else {
		value, err = d.walk(c.whole(), c.depth)
		switch {
		case err != nil:
			return Result{}, err
		case d.at != len(cl.nodes):
			return Result{}, refusedTree("nodes follow its end")
		}
	}
	if err := c.records.end(); err != nil {
		return Result{}, err
	}
	λ, leaves := c.About().Lambda, int64(len(d.tree)+1)/2
	wrong := c.balance + (value-leaves*c.price)/c.unit
	if wrong != cl.errors {
		return Result{}, refusedTree("it is said to get a weight of %d wrong, the samples say %d", cl.errors, wrong)
	}
	return Result{
		Tree: d.tree, Leaves: int(leaves), Errors: wrong, Lambda: λ, Depth: c.depth, Records: c.records.read,
		Objective: λ.Den*wrong + λ.Num*c.total*leaves,
	}, nil
}

func refusedTree(format string, args ...any) error {
	return framing.Refused("the claimed tree: "+format, args...)
}

var errShape = errors.New("its nodes are not one tree in preorder within its depth")

// descent is a way down a claimed tree.
type descent struct {
	*checker
	*claimed
	at   int // the next node
	tree []Node
}

// valueOf returns the value of the tree that begins at a node on a set, and the node behind it.
func (d *descent) valueOf(p *part, at, levels int) (value int64, next int, err error) {
	if at >= len(d.nodes) {
		return 0, 0, framing.Refused("the claimed tree: %w", errShape)
	}
	n := d.nodes[at]
	if n.column < 0 {
		class := -1 - n.column
		for c, w := range p.counts {
			if w > p.counts[class] || w == p.counts[class] && c < class {
				return 0, 0, refusedTree("leaf %d predicts class %d, but class %d weighs as much or more", at, class, c)
			}
		}
		return d.one(p), at + 1, nil
	}
	ends := d.ends(p, n.column)
	if levels == 0 || n.place < 1 || n.place >= len(ends)-1 {
		return 0, 0, framing.Refused("the claimed tree: %w", errShape)
	}
	left, right := d.split(p, n.column, ends[n.place])
	l, next, err := d.valueOf(left, at+1, levels-1)
	if err != nil {
		return 0, 0, err
	}
	r, next, err := d.valueOf(right, next, levels-1)
	return min(far, l+r), next, err
}

// walk checks that the tree that begins at the next node is the smallest of a set, and returns its
// value.
func (d *descent) walk(p *part, levels int) (int64, error) {
	at := d.at
	value, _, err := d.valueOf(p, at, levels)
	if err != nil {
		return 0, err
	}
	n := d.nodes[at]
	column, place, end := n.column, n.place, 0
	if column >= 0 {
		end = d.ends(p, column)[place]
	}
	switch {
	case levels == 0:
	case column >= 0 && d.one(p) <= value:
		return 0, refusedTree("node %d is a split of value %d, and a leaf has %d", at, value, d.one(p))
	case levels <= 2 && column < 0:
		if v := d.least(p, levels); v < value {
			return 0, refusedTree("node %d is a leaf of value %d, and a split has %d", at, value, v)
		}
	case levels == 1:
		if v, h, e := d.stump(p); v != value || h != column || e != end {
			return 0, refusedTree("another split is smaller than that of node %d", at)
		}
	case levels == 2:
		if d.least(p, 2) < value {
			return 0, refusedTree("a smaller tree than that of node %d exists", at)
		}
		if h, e := d.firstOfTwo(p, value); h != column || e != end {
			return 0, refusedTree("another split is smaller than that of node %d", at)
		}
	default:
		need := func(h, at int) int64 {
			switch {
			case h == column && at == place:
				return 0
			case h < column || h == column && at < place:
				return value + 1
			}
			return value
		}
		if err := d.bounded(p, levels, need); err != nil {
			return 0, err
		}
	}
	d.at++
	if column < 0 {
		d.tree = append(d.tree, Node{Column: column})
		return value, nil
	}
	list := p.lists[column]
	d.tree = append(d.tree, Node{column, d.ranks[column][list[end-1]], d.ranks[column][list[end]]})
	left, right := d.split(p, column, end)
	if _, err := d.walk(left, levels-1); err != nil {
		return 0, err
	}
	_, err = d.walk(right, levels-1)
	return value, err
}

// least returns the least value of trees of at most two levels.
func (c *checker) least(p *part, levels int) int64 {
	switch levels {
	case 0:
		return c.one(p)
	case 1:
		v, _, _ := c.stump(p)
		return min(v, c.one(p))
	}
	return c.twoLevels(p, nil, false, 0).value
}

// bounded checks that no split of a set with three levels and more has a smaller value than
// need says of its column and place, by a record for each column and those of the sides.
func (c *checker) bounded(p *part, levels int, need func(column, place int) int64) error {
	all := make([][]place, len(p.lists))
	ends := make([][]int, len(p.lists))
	for h := range p.lists {
		ends[h] = c.ends(p, h)
		list, err := c.records.places(len(ends[h])-2, levels > 3)
		if err != nil {
			return err
		}
		all[h] = list
		check := func() error { return c.column(p, h, ends[h], list, levels, need) }
		if levels > 3 {
			err = check()
		} else {
			c.group.Go(check) // which solves the sides
		}
		if err != nil {
			return err
		}
	}
	for h, list := range all {
		for _, x := range list {
			if levels == 3 {
				break
			}
			left, right := c.split(p, h, ends[h][x.at])
			for i, side := range []*part{left, right} {
				bound := [2]int64{x.left, x.right}[i]
				if c.one(side) < bound {
					return framing.Refused("record %d: a leaf has a smaller value than %d", c.records.read, bound)
				}
				if bound <= 2*c.price {
					continue // no split has a smaller value
				}
				if err := c.bounded(side, levels-1, func(int, int) int64 { return bound }); err != nil {
					return err
				}
			}
		}
	}
	return c.ctx.Err()
}

// column checks the places of one column.
func (c *checker) column(p *part, h int, ends []int, list []place, levels int, need func(column, place int) int64) error {
	list = slices.Clone(list)
	if levels == 3 {
		var onLeft, onRight solvedTwo // of the place before
		var before int64
		for i := range list {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			left, right := c.split(p, h, ends[list[i].at])
			var l, r solvedTwo
			if i == 0 {
				l, r = c.twoLevels(left, nil, false, 0), c.twoLevels(right, nil, false, 0)
			} else {
				moved := left.weight - before
				l, r = c.twoLevels(left, &onLeft, false, moved), c.twoLevels(right, &onRight, true, moved)
			}
			list[i].left, list[i].right = l.value, r.value
			onLeft, onRight, before = l, r, left.weight
		}
	}
	weights := c.inFront(p, h, ends)
	a := place{left: c.price, right: c.price}
	for _, b := range append(list, place{at: len(ends) - 1, left: c.price, right: c.price}) {
		for at := a.at + 1; at < b.at; at++ {
			if boundOf(weights, c.unit, at, a, b) < need(h, at) {
				return framing.Refused("column %d: a tree that splits at place %d may have a value below %d", h, at, need(h, at))
			}
		}
		if b.at < len(ends)-1 && b.left+b.right < need(h, b.at) {
			return framing.Refused("column %d: a tree that splits at place %d has a value below %d", h, b.at, need(h, b.at))
		}
		a = b
	}
	return nil
}
