package verify

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// claim is the last block: the list that is said to be the smallest, and what
// the file is to contain.
type claim struct {
	list   []uint16
	labels []byte // of its rules, and of the default
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
		kind, payload, err := p.blocks.next()
		if err != nil {
			return nil, nil, err
		}
		switch kind {
		case blockRecords:
			if err := r.block(payload); err != nil {
				return nil, nil, refused("block %d: %w", p.blocks.read-1, err)
			}
			records.Store(int64(r.records))
		case blockClaim:
			c, err := p.readClaim(payload, r)
			if err != nil {
				return nil, nil, err
			}
			r.tree.link()
			return r.tree, c, p.blocks.end()
		default:
			return nil, nil, refused("block %d: it is of type %q, expected %q or %q", p.blocks.read-1, kind, blockRecords, blockClaim)
		}
	}
}

func (p *Proof) readClaim(payload []byte, r *recordReader) (*claim, error) {
	c, err := parseClaim(payload, r.limits, r.seen, p.blocks.seal.Sum(nil))
	if err == nil {
		if got := uint64(len(r.tree.blocks)); got != c.blocks || r.records != c.count {
			err = fmt.Errorf("there are %d records in %d blocks, it counts %d in %d", r.records, got, c.count, c.blocks)
		}
	}
	if err != nil {
		return nil, refused("block %d, the claim: %w", p.blocks.read-1, err)
	}
	return c, nil
}

var errSeal = errors.New("its seal is not that of the file")

func parseClaim(payload []byte, l limits, seen *stamps, seal []byte) (*claim, error) {
	p := parser{bytes: payload}
	c := &claim{}
	c.list = p.prefix(nil, l, seen)
	c.labels = p.take(uint64(len(c.list)) + 1)
	for _, l := range c.labels {
		if l > 1 {
			p.fail(fmt.Errorf("a label is %d, expected 0 or 1", l))
		}
	}
	c.errors = int64(p.below("number of errors", math.MaxInt64))
	c.blocks, c.count = p.varint(), p.varint()
	s := p.take(sha256.Size)
	if p.more() {
		p.fail(errBehind)
	}
	if string(s) != string(seal) {
		p.fail(errSeal)
	}
	return c, p.err
}
