package tree

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"

	"parcorels/verify/framing"
)

// claim is the tree that is said to be the smallest.
type claim struct {
	tree            []int
	errors          int64
	blocks, records uint64
}

// readAll reads the records, rebuilds their sets, and returns the claim.
func (c *checker) readAll(ctx context.Context, in *framing.Reader) (*claim, error) {
	for blocks := 0; ; blocks++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		kind, payload, err := in.Next()
		if err != nil {
			return nil, err
		}
		switch kind {
		case framing.Records:
			if err := c.addRecords(payload); err != nil {
				return nil, framing.Refused("block %d: %w", in.Last(), err)
			}
		case framing.Claim:
			cl, err := c.parseClaim(payload, in.Sum(), blocks)
			if err != nil {
				return nil, framing.Refused("block %d, the claim: %w", in.Last(), err)
			}
			return cl, in.End()
		default:
			return nil, framing.Refused("block %d: it is of type %q, expected %q or %q", in.Last(), kind, framing.Records, framing.Claim)
		}
	}
}

// maxSets bounds the bytes of the sets of all records: a proof of a few bytes a
// record could ask for any amount of memory where samples are many.
const maxSets = 1 << 34

var errMemory = fmt.Errorf("the sets of its records take more than %d GiB", maxSets>>30)

// addRecords reads whole records.
func (c *checker) addRecords(payload []byte) error {
	p := framing.Parser{Bytes: payload}
	for p.More() {
		r := record{set: c.all, splits: endless}
		if c.header.Depth > 0 {
			r.splits = c.header.Depth
		}
		if n := len(c.records); n > 0 {
			back := p.Below("distance to the parent", n+1)
			if back == 0 && p.Err == nil && c.header.MaxLeaves == 0 {
				p.Fail(errTree)
			}
			if back > 0 { // 0: another on all groups
				side := p.Below("side", 2*len(c.columns))
				if p.Err != nil {
					return p.Err
				}
				parent := &c.records[n-back]
				if parent.splits == 0 {
					return errTree
				}
				r.set, r.splits = c.side(parent.set, side/2, side%2 == 1), fewer(parent.splits)
			}
		}
		if c.header.MaxLeaves > 0 {
			r.leaves = p.Below("number of leaves", c.header.MaxLeaves+1)
		}
		r.bound = p.Below64("bound", int64(far))
		if p.Err != nil {
			return p.Err
		}
		if int64(len(c.records))*int64(16*c.words+64) > maxSets {
			return errMemory
		}
		c.records = append(c.records, r)
		if k := key(r.set, r.splits); r.leaves == 0 {
			c.known[k] = max(c.known[k], r.bound)
		} else {
			k = sizedKey(k, r.leaves)
			c.sized[k] = max(c.sized[k], r.bound)
		}
	}
	return p.Err
}

func (c *checker) parseClaim(payload, sum []byte, blocks int) (*claim, error) {
	p := framing.Parser{Bytes: payload}
	cl := &claim{}
	for n := p.Below("number of nodes", 2*c.groups+2); n > 0 && p.Err == nil; n-- {
		x := p.Below("node", len(c.columns)+c.classes)
		if x >= len(c.columns) {
			x = -1 - (x - len(c.columns))
		}
		cl.tree = append(cl.tree, x)
	}
	cl.errors = p.Below64("number of errors", math.MaxInt64)
	cl.blocks, cl.records = p.Varint(), p.Varint()
	seal := p.Take(sha256.Size)
	if p.More() {
		p.Fail(framing.ErrBehind)
	}
	switch {
	case p.Err != nil:
	case !bytes.Equal(seal, sum):
		p.Fail(errSeal)
	case cl.blocks != uint64(blocks):
		p.Fail(errCount("blocks of records", cl.blocks, blocks))
	case cl.records != uint64(len(c.records)):
		p.Fail(errCount("records", cl.records, len(c.records)))
	}
	return cl, p.Err
}
