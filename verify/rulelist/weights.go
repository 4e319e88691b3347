package rulelist

import (
	"errors"

	"parcorels/verify/framing"
)

// Reading the records of bounds.

var (
	errBoundSum = errors.New("the weights of a bound add up to 2^62 or more")
	errAscend   = errors.New("the groups of a set do not ascend")
	errNoSet    = errors.New("a bound names a set that its block does not have")
)

// readSet reads a set and returns its number.
func (r *recordReader) readSet(p *framing.Parser) uint32 {
	var set []uint32
	at := uint64(0)
	for m, first := p.Varint(), true; m > 0 && p.Err == nil; m, first = m-1, false {
		step := p.Varint()
		if at += step; step > 1<<31 || at > 1<<31 || step == 0 && !first {
			p.Fail(errAscend)
		}
		set = append(set, uint32(at))
	}
	r.tree.sets = append(r.tree.sets, set)
	return uint32(len(r.tree.sets) - 1)
}

// weights adds up the weights of a link.
type weights struct {
	all   []weighed
	shift int
	sum   uint64
}

// add reads the weight of a set.
func (w *weights) add(p *framing.Parser, set uint32) {
	y := p.Varint()
	if y > mostSum>>w.shift || w.sum+y<<w.shift >= mostSum {
		p.Fail(errBoundSum)
	}
	if y > 0 && p.Err == nil {
		w.sum += y << w.shift
		w.all = append(w.all, weighed{set, int64(y << w.shift)})
	}
}

// scale reads what a bound counts in, and the surcharge where lists have a limit of rules.
func (r *recordReader) scale(p *framing.Parser) *bound {
	b := &bound{scale: p.Below("scale", mostScale+1)}
	if r.limits.limited {
		b.more = p.Below64("surcharge", mostSum)
	}
	return b
}

// bound reads a record of a bound of the empty prefix.
func (r *recordReader) bound(p *framing.Parser) error {
	b := r.scale(p)
	w := weights{shift: p.Below("shift", 62)}
	for n := p.Varint(); n > 0 && p.Err == nil; n-- {
		w.add(p, r.readSet(p))
	}
	b.links = append(b.links, w.all)
	r.tree.bounds = append(r.tree.bounds, b)
	return p.Err
}

// weigh reads a record of a bound of a prefix. The sets that it names by number are
// those of the block.
func (r *recordReader) weigh(p *framing.Parser) error {
	r.prefix = readPrefix(p, r.prefix[:0], r.limits, r.seen)
	b := r.scale(p)
	for n := p.Varint(); n > 0 && p.Err == nil; n-- {
		b.links = append(b.links, r.link(p))
	}
	if p.Err != nil {
		return p.Err
	}
	id, err := r.tree.find(r.prefix)
	if err != nil {
		return err
	}
	r.tree.weigh(id, b)
	return nil
}

func (r *recordReader) link(p *framing.Parser) []weighed {
	w := weights{shift: p.Below("shift", 62)}
	at := uint64(0)
	for n, first := p.Varint(), true; n > 0 && p.Err == nil; n, first = n-1, false {
		step := p.Varint()
		if at += step; at >= uint64(len(r.inBlock)) || step > at || step == 0 && !first {
			p.Fail(errNoSet)
			break
		}
		w.add(p, r.inBlock[at])
	}
	for n := p.Varint(); n > 0 && p.Err == nil; n-- {
		set := r.readSet(p)
		r.inBlock = append(r.inBlock, set)
		w.add(p, set)
	}
	return w.all
}
