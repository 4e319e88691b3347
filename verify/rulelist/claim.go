package rulelist

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"parcorels/verify/framing"
)

// claim is the last block: the list that is said to be the smallest, and what
// the file is to contain.
type claim struct {
	list   []uint16
	labels []uint16 // of its rules, and of the default
	errors int64
	blocks uint64
	count  uint64 // records
}

// readAll reads the blocks behind the header, and says meanwhile how many records
// there were.
func (p *Proof) readAll(stop func() error, l limits, records *atomic.Int64) (*tree, *claim, error) {
	r := newRecordReader(l)
	for {
		if err := stop(); err != nil {
			return nil, nil, err
		}
		kind, payload, err := p.blocks.Next()
		if err != nil {
			return nil, nil, err
		}
		switch kind {
		case framing.Records:
			if err := r.block(payload); err != nil {
				return nil, nil, refused("block %d: %w", p.blocks.Last(), err)
			}
			records.Store(int64(r.records))
		case framing.Claim:
			c, err := p.readClaim(payload, r)
			if err != nil {
				return nil, nil, err
			}
			r.tree.link()
			return r.tree, c, p.blocks.End()
		default:
			return nil, nil, refused("block %d: it is of type %q, expected %q or %q", p.blocks.Last(), kind, framing.Records, framing.Claim)
		}
	}
}

func (p *Proof) readClaim(payload []byte, r *recordReader) (*claim, error) {
	c, err := parseClaim(payload, r.limits, r.seen, p.blocks.Sum())
	if err == nil {
		if got := uint64(len(r.tree.blocks)); got != c.blocks || r.records != c.count {
			err = fmt.Errorf("there are %d records in %d blocks, it counts %d in %d", r.records, got, c.count, c.blocks)
		}
	}
	if err != nil {
		return nil, refused("block %d, the claim: %w", p.blocks.Last(), err)
	}
	return c, nil
}

var errSeal = errors.New("its seal is not that of the file")

func parseClaim(payload []byte, l limits, seen *epochSet, seal []byte) (*claim, error) {
	p := newParser(payload)
	c := &claim{}
	c.list = p.prefix(nil, l, seen)
	for range len(c.list) + 1 {
		c.labels = append(c.labels, uint16(p.Below("label", l.classes)))
	}
	c.errors = p.Below64("number of errors", math.MaxInt64)
	c.blocks, c.count = p.Varint(), p.Varint()
	s := p.Take(sha256.Size)
	if p.More() {
		p.Fail(framing.ErrBehind)
	}
	if string(s) != string(seal) {
		p.Fail(errSeal)
	}
	return c, p.Err
}
