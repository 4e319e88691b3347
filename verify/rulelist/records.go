package rulelist

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/verify/framing"
)

// What records begin with, and dominators.
const (
	recordExpanded  = 1
	recordDominated = 2
	recordBound     = 3
	recordWeights   = 4
	recordCounted   = 5

	byPrefix  = 0
	byShorter = 1
)

// errRootDominated reports a record that cannot be true: every other prefix
// costs more than the empty one, which has no rules and errs by the base.
var errRootDominated = errors.New("the empty prefix cannot be dominated")

var errTooMany = refused("it has more than %d prefixes or records, which is more than this checker can hold", uint32(math.MaxUint32))

// recordReader fills a tree.
type recordReader struct {
	tree   *tree
	limits limits
	seen   *bitset.BitSet
	prefix []uint16
	other  []uint16

	inBlock []uint32 // sets of bounds that the block at hand has named
}

func newRecordReader(l limits) *recordReader {
	return &recordReader{
		tree: newTree(), limits: l, seen: bitset.New(uint(l.antecedents)),
	}
}

// next adds a record of a block, which it keeps.
func (r *recordReader) next(p *framing.Parser) {
	if p.At == 0 {
		r.tree.blocks = append(r.tree.blocks, p.Bytes)
		r.inBlock = r.inBlock[:0]
	}
	if err := r.record(p); err != nil {
		p.Fail(err)
	}
}

// record reads one record and finds out whether it is one.
func (r *recordReader) record(p *framing.Parser) error {
	kind := p.Varint()
	switch {
	case p.Err != nil:
		return p.Err
	case kind == recordBound:
		return r.bound(p)
	case kind == recordWeights:
		return r.weigh(p)
	case kind == recordCounted:
		if r.tree.counted = p.Varint(); r.tree.counted == 0 {
			return errors.New("lists of no rule are to be counted")
		}
		return p.Err
	case kind != recordExpanded && kind != recordDominated:
		return fmt.Errorf("its kind is %d, expected 1 to 5", kind)
	}
	r.prefix = readPrefix(p, r.prefix[:0], r.limits, r.seen)
	if p.Err != nil {
		return p.Err
	}
	content := p.At
	if kind == recordExpanded {
		for range exceptions(p, r.prefix, r.limits, r.seen, &r.other) {
			continue // all are read
		}
	} else {
		if len(r.prefix) == 0 {
			return errRootDominated
		}
		readDominator(p, r.prefix, r.limits, r.seen, &r.other)
	}
	if p.Err != nil {
		return p.Err
	}
	return r.tree.put(r.prefix, uint8(kind), len(r.tree.blocks)-1, content)
}

// dominator is what a record says is smaller than a prefix.
type dominator struct {
	kind   uint64
	which  int      // by one that is shorter: the rule that it lacks
	prefix []uint16 // by any prefix: its antecedents
}

// readDominator reads what dominates a prefix that is not empty. The buffer holds
// its antecedents.
func readDominator(p *framing.Parser, of []uint16, l limits, seen *bitset.BitSet, buffer *[]uint16) (d dominator) {
	d.kind = p.Varint()
	switch d.kind {
	case byPrefix:
		*buffer = readPrefix(p, (*buffer)[:0], l, seen)
		d.prefix = *buffer
	case byShorter:
		d.which = p.Below("rule", len(of))
	default:
		p.Fail(fmt.Errorf("its dominator is of kind %d, expected 0 or 1", d.kind))
	}
	return d
}

// exceptions yields the extensions of an expanded prefix that are dominated, each with what dominates it, up to their end
// or an error.
func exceptions(p *framing.Parser, of []uint16, l limits, seen *bitset.BitSet, buffer *[]uint16) iter.Seq2[int, dominator] {
	return func(yield func(int, dominator) bool) {
		for {
			a := p.Below("antecedent", l.antecedents+1)
			if a == 0 {
				return
			}
			if slices.Contains(of, uint16(a-1)) {
				p.Fail(errRepeats)
				return
			}
			if by := readDominator(p, append(of, uint16(a-1)), l, seen, buffer); p.Err != nil || !yield(a-1, by) {
				return
			}
		}
	}
}
