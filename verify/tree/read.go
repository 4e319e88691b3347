package tree

import (
	"context"
	"fmt"
	"math"

	"parcorels/verify/framing"
)

// claim is the tree that is said to be the smallest.
type claim struct {
	tree   []int
	errors int64
}

// readAll reads the records, rebuilds their sets, and returns the claim.
func (c *checker) readAll(ctx context.Context, in *framing.Reader) (*claim, error) {
	cl := &claim{}
	_, err := in.Content(ctx.Err, c.addRecord, func(p *framing.Parser) { c.parseClaim(p, cl) })
	return cl, err
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
