package rulelist

import (
	"math"
	"sync/atomic"

	"github.com/bits-and-blooms/bitset"

	"parcorels/verify/framing"
)

// readAll reads the blocks behind the header, and says meanwhile how many records
// there were.
func (p *Proof) readAll(stop func() error, l limits, records *atomic.Int64) (*tree, *claim, error) {
	r, c := newRecordReader(l), &claim{}
	_, err := p.Blocks.Content(stop, func(p *framing.Parser) {
		r.next(p)
		records.Add(1)
	}, func(p *framing.Parser) { c.read(p, l, r.seen) })
	r.tree.link()
	return r.tree, c, err
}

func (c *claim) read(p *framing.Parser, l limits, seen *bitset.BitSet) {
	c.list = readPrefix(p, nil, l, seen)
	for range len(c.list) + 1 {
		c.labels = append(c.labels, uint16(p.Below("label", l.classes)))
	}
	c.errors = p.Below64("number of errors", math.MaxInt64)
}
