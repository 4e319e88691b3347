package rulelist

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sync/atomic"

	"github.com/bits-and-blooms/bitset"

	"parcorels/verify/framing"
)

// tree holds the records of a proof by prefix, in about fifty bytes a record
// beside those of the file: a node for each prefix that has a record, or is the
// beginning of one that has, without pointers. What the records say stays
// encoded in the blocks that they came in.
type tree struct {
	nodes    []node
	child    map[uint64]uint32 // (node, antecedent) to node, while records are added
	records  []record          // but for bounds; the first one stands for none
	expanded int64             // prefixes that are said to have been expanded; the empty one is taken for it in any case
	blocks   [][]byte

	counted uint64   // all lists of at most so many rules are to be counted, a record says; 0: none does
	bounds  []*bound // of the empty prefix, in the order of the file
	weighed map[uint32][]*bound
	sets    [][]uint32 // of groups
}

// node is a prefix: that of its parent and one more antecedent.
type node struct {
	parent     uint32
	first      uint32 // child, 0 for none
	next       uint32 // child of the same parent, 0 for none
	records    uint32 // the last one of the file, 0 for none
	antecedent uint16
	goesOn     bool // it is said to have been expanded, or has a bound
}

// root is the node of the empty prefix.
const root = 0

// record says that a prefix is expanded or dominated. There may be several of one kind: two workers may find two
// reasons at once, and a search that was cut off and went on expands a prefix again.
type record struct {
	at   uint64 // block and offset of what follows the prefix
	next uint32 // record of the same node, 0 for none
	kind uint8
	done bool // checked on the way down
}

func newTree() *tree {
	return &tree{nodes: make([]node, 1), child: map[uint64]uint32{}, records: make([]record, 1), expanded: 1,
		weighed: map[uint32][]*bound{}}
}

// find returns the node of a prefix, which it makes if need be.
func (t *tree) find(prefix []uint16) (uint32, error) {
	at := uint32(root)
	for _, a := range prefix {
		key := uint64(at)<<16 | uint64(a)
		next, ok := t.child[key]
		if !ok {
			if uint64(len(t.nodes)) > math.MaxUint32 {
				return 0, errTooMany
			}
			next = uint32(len(t.nodes))
			t.nodes = append(t.nodes, node{parent: at, antecedent: a})
			t.child[key] = next
		}
		at = next
	}
	return at, nil
}

// put notes a record of a prefix.
func (t *tree) put(prefix []uint16, kind uint8, block, offset int) error {
	id, err := t.find(prefix)
	if err != nil {
		return err
	}
	if uint64(len(t.records)) > math.MaxUint32 {
		return errTooMany
	}
	n := &t.nodes[id]
	if kind == recordExpanded && t.of(id, kind) == nil && id != root {
		t.expanded++
	}
	n.goesOn = n.goesOn || kind == recordExpanded
	t.records = append(t.records, record{at: uint64(block)<<20 | uint64(offset), next: n.records, kind: kind})
	n.records = uint32(len(t.records) - 1)
	return nil
}

// weigh notes a bound of a node.
func (t *tree) weigh(id uint32, b *bound) {
	t.weighed[id] = append(t.weighed[id], b)
	t.nodes[id].goesOn = true
}

// link makes the lists of children when all records are there.
func (t *tree) link() {
	t.child = nil
	for id := len(t.nodes) - 1; id > root; id-- {
		n := &t.nodes[id]
		p := &t.nodes[n.parent]
		n.next, p.first = p.first, uint32(id)
	}
}

// of returns a record of a node, nil if there is none of that kind.
func (t *tree) of(id uint32, kind uint8) *record {
	for r := range t.all(id) {
		if r.kind == kind {
			return r
		}
	}
	return nil
}

// all yields the records of a node.
func (t *tree) all(id uint32) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		for at := t.nodes[id].records; at != 0; at = t.records[at].next {
			if !yield(&t.records[at]) {
				return
			}
		}
	}
}

// parser returns a parser of what a record says of its prefix.
func (t *tree) parser(r *record) *framing.Parser {
	return &framing.Parser{Bytes: t.blocks[r.at>>20], At: int(r.at & (1<<20 - 1))}
}

// prefix appends the antecedents of a node to buffer.
func (t *tree) prefix(id uint32, buffer []uint16) []uint16 {
	from := len(buffer)
	for ; id != root; id = t.nodes[id].parent {
		buffer = append(buffer, t.nodes[id].antecedent)
	}
	slices.Reverse(buffer[from:])
	return buffer
}

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

// Magic begins every proof about rule lists.
const Magic = "PARCPROF"

// version is the one that is read.
const version = 8

func refused(format string, args ...any) error { return framing.Refused(format, args...) }

// Proof is an open proof file of which the header has been read. It is good
// for one call of Check.
type Proof struct {
	framing.Proof
	most int // rules of a list; 0: no limit
	may
}

// Open reads the header of a proof. Its errors wrap framing.ErrFormat or
// framing.ErrRefused, or are those of r.
func Open(r io.Reader) (proof *Proof, err error) {
	proof = &Proof{}
	proof.Proof, err = framing.Open(r, Magic, version, func(p *framing.Parser) {
		proof.most = p.Below("limit of rules", mostRules)
		proof.may.read(p)
	})
	return proof, err
}

// MaxRules returns the most rules of the lists that the proof is about; 0: any number.
func (p *Proof) MaxRules() int { return p.most }

// claim is the last block: the list that is said to be the smallest.
type claim struct {
	list   []uint16
	labels []uint16 // of its rules, and of the default
	errors int64
}

// readAll reads the blocks behind the header, and says meanwhile how many records
// there were.
func (p *Proof) readAll(stop func() error, l limits, records *atomic.Int64) (*tree, *claim, error) {
	r, c := &recordReader{tree: newTree(), limits: l, seen: bitset.New(uint(l.antecedents))}, &claim{}
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

var errRepeats = errors.New("a prefix has an antecedent twice")

// limits bound what a prefix can be.
type limits struct {
	antecedents int  // there are
	classes     int  // likewise
	limited     bool // whether lists have a limit of rules
	longest     int  // prefix whose cost is sure to fit 63 bits
}

// readPrefix reads ints that are different antecedents, and appends them to buffer.
func readPrefix(p *framing.Parser, buffer []uint16, l limits, seen *bitset.BitSet) []uint16 {
	seen.ClearAll()
	for n := p.Below("prefix of length", l.longest+1); n > 0 && p.Err == nil; n-- {
		a := p.Below("antecedent", l.antecedents)
		if p.Err == nil && seen.Test(uint(a)) {
			p.Fail(errRepeats)
		}
		seen.Set(uint(a))
		buffer = append(buffer, uint16(a))
	}
	return buffer
}

// Reading the records of bounds.

var errBoundSum = errors.New("the weights of a bound add up to 2^62 or more")
var errAscend = errors.New("the groups of a set do not ascend")
var errNoSet = errors.New("a bound names a set that its block does not have")

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
