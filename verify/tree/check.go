// Package tree checks proofs that a decision tree is optimal: that no tree on the
// features comes before the one that a proof file claims.
//
// It shares no code with the search: sets of samples are rebuilt from the samples,
// whole sets are compared and no hash is trusted, and everything is counted by
// plain loops. Begin with [Open] and [Proof.Check]. docs/proof-format.md has the
// file byte by byte.
//
// # The argument
//
// With λ = num/den and N the total weight, objective(T) = den·errors + num·N·leaves.
// Trees are compared by objective, then leaves, then the features in preorder, the
// side with the feature first. The value of a tree is K·objective + leaves. K is
// so large that the tree with the smallest value has the smallest objective, and
// of those the fewest leaves (check.go).
//
// A record claims that no tree on some set S of samples, with some number of
// splits left on a path, has a value below its bound. [Proof.Check] makes sure of
// every record from its own counts of S and from records on smaller sets: a tree on
// S is one leaf, and the value of that is counted; or it begins with a feature f
// and has a tree on each side. The value of a side is at least what its own
// counts give: the best tree of one or two leaves, three leaves of which one has
// the least error that a part of the side may have, or four leaves without error;
// or what a record on the same set claims. Sets shrink strictly on the way
// down, so by induction over their sizes all records are true.
//
// The record on all samples must claim the value of the claimed tree. Then no tree
// has a smaller objective, nor as small a one with fewer leaves. And at each split
// of the claimed tree, every smaller feature must be shown to give a larger value
// than the subtree there has: so no tree of the same value comes before it in
// preorder. A leaf must predict the first of the heaviest classes.
package tree

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/bits"

	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/verify/framing"
)

// Magic begins every proof about trees.
const Magic = "PARCTREE"

const version = 5

// Proof is an open proof file of which the header has been read. It is good for
// one call of Check.
type Proof struct {
	framing.Proof
	k       int64 // the factor of objectives in values
	depth   int   // most splits on a path; 0: no limit
	minRows int   // least samples of a leaf of a tree with splits; 0: any number
}

// Open reads the header of a proof. Its errors wrap framing.ErrFormat or
// framing.ErrRefused, or are those of r.
func Open(r io.Reader) (p *Proof, err error) {
	p = &Proof{}
	p.Proof, err = framing.Open(r, Magic, version, func(h *framing.Parser) {
		p.k = h.Below64("K", math.MaxInt64)
		p.depth = h.Below("depth", math.MaxInt32)
		p.minRows = h.Below("number of samples", math.MaxInt32)
	})
	return p, err
}

// Result is what was proved, and what it took.
type Result struct {
	Tree      []int // in preorder: a feature for each split, −1−class for each leaf
	Leaves    int
	Errors    int64 // weight of the samples that it gets wrong
	Objective int64 // Den·Errors + Num·N·Leaves, with λ = Num/Den
	Scale     int64 // Den·N
	Lambda    ratio.Ratio
	Depth     int
	MinRows   int
	Records   int64
}

// Check makes sure that the proof is about set, and that no tree on it comes
// before the claimed one. Otherwise it returns an error that wraps
// framing.ErrRefused. Other errors are those of the reader and of ctx.
func (p *Proof) Check(ctx context.Context, set *rules.Set, o framing.Options) (Result, error) {
	c, err := p.newChecker(set)
	if err != nil {
		return Result{}, err
	}
	defer o.Watch(&c.counts)()
	cl := &claim{}
	if _, err := p.Blocks.Content(ctx.Err, c.addRecord, func(p *framing.Parser) { c.parseClaim(p, cl) }); err != nil {
		return Result{}, err
	}
	if err := c.checkRecords(ctx, o); err != nil {
		return Result{}, err
	}
	return c.checkClaim(cl)
}

// checker is a proof being checked.
type checker struct {
	*samples
	values
	*Proof
	records []record
	known   map[string]int64 // the largest bound of the records of a set
	counts  framing.Counts
}

// record claims that no tree on a set has a value below bound.
type record struct {
	set    []uint64
	splits int // left on a path, framing.Endless for no limit
	bound  int64
}

func (p *Proof) newChecker(set *rules.Set) (*checker, error) {
	s, err := newSamples(set, p.minRows)
	if err != nil {
		return nil, err
	}
	h := p.About()
	if err := h.OfData(set.Digest(), len(set.Antecedents), s.total); err != nil {
		return nil, err
	}
	if !h.InLowestTerms() {
		return nil, framing.Refused("its λ is %d/%d, expected a fraction in lowest terms", h.Lambda.Num, h.Lambda.Den)
	}
	if err := framing.CheckObjectives(h.Lambda, s.total); err != nil {
		return nil, err
	}
	worst := newCounter(s).count(s.all, 0) // no set costs more in one leaf than all samples do
	unit, price, err := framing.NewValues(p.k, h.Lambda, s.total, s.groups, worst, worst, 4)
	if err != nil {
		return nil, err
	}
	return &checker{samples: s, values: values{unit, price}, Proof: p, known: map[string]int64{}}, nil
}

// appendKey appends what stands for a set with some splits left: all of its bits.
func appendKey(b []byte, set []uint64, splits int) []byte {
	for _, w := range set {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return binary.LittleEndian.AppendUint32(b, uint32(splits))
}

// lowest returns the largest bound that is proved of a set.
func (c *checker) lowest(set []uint64, splits int) int64 {
	var key [256]byte
	return c.known[string(appendKey(key[:0], set, splits))]
}

// checkRecords makes sure of every record. It reports the first one that does not
// hold, whatever the number of workers.
func (c *checker) checkRecords(ctx context.Context, o framing.Options) error {
	i := o.First(ctx, len(c.records), func() func(int) bool {
		n := newCounter(c.samples)
		return func(i int) bool {
			c.counts.Checked.Add(1)
			return c.holds(n, &c.records[i])
		}
	})
	if ctx.Err() == nil && i < len(c.records) {
		return framing.Refused("record %d: some tree on its set may be below %d", i, c.records[i].bound)
	}
	return ctx.Err()
}

// holds makes sure of a record, given all that are on smaller sets.
func (c *checker) holds(n *counter, r *record) bool {
	return c.of(n.count(r.set, r.splits), 1) >= r.bound && c.reaches(n, r, len(c.columns), r.bound)
}

// reaches reports whether every split of a counted set on one of the first
// features has a value of at least bound.
func (c *checker) reaches(n *counter, r *record, features int, bound int64) bool {
	if r.splits == 0 {
		return true
	}
	for f, split := range n.splitOf[:features] {
		if split < 0 {
			continue
		}
		with, without := c.bound(&n.sides[split][1], r.splits), c.bound(&n.sides[split][0], r.splits)
		if with+without >= bound {
			continue
		}
		left := framing.Fewer(r.splits)
		n.side = framing.Side(n.side[:0], r.set, c.columns[f], true)
		with = max(with, c.lowest(n.side, left))
		n.side = framing.Side(n.side[:0], r.set, c.columns[f], false)
		without = max(without, c.lowest(n.side, left))
		if with+without < bound {
			return false
		}
	}
	return true
}

// bound returns what the counts say of a side: the least of its best tree of at most
// two leaves, of three leaves with the error that one of them must have, and of four
// leaves without error.
func (c *checker) bound(b *bounds, splits int) int64 {
	least := c.of(b.one, 1)
	if splits > 1 {
		least = min(least, c.of(b.two, 2))
	}
	if splits > 2 {
		least = min(least, c.of(b.cut, 3), c.of(0, 4))
	}
	return least
}

var errTree = errors.New("its nodes are not one tree in preorder")

// far is larger than any value; two of them add up without overflow.
const far = framing.Far

// values turn errors and leaves into one integer.
type values struct{ unit, price int64 }

// of returns the value of a tree, far if it is larger.
func (v values) of(errors, leaves int64) int64 {
	hi, lo := bits.Mul64(uint64(leaves), uint64(v.price))
	if hi != 0 || lo >= uint64(far) {
		return far
	}
	return min(far, v.unit*errors+int64(lo))
}
