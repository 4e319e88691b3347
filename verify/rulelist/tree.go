package rulelist

import (
	"math"
	"slices"

	"parcorels/verify/framing"
)

// tree holds the records of a proof by prefix, in about fifty bytes a record
// beside those of the file: a node for each prefix that has a record, or is the
// beginning of one that has, without pointers. What the records say stays
// encoded in the blocks that they came in.
type tree struct {
	nodes  []node
	child  map[uint64]uint32 // (node, antecedent) to node, while records are added
	second map[uint32]uint64 // where the dominated record of a node with both kinds is
	again  []repeated
	more   map[uint32][]uint64 // where further expanded records of a node are
	blocks [][]byte

	counted uint64   // all lists of at most so many rules are to be counted, a record says; 0: none does
	bounds  []*bound // of the empty prefix, in the order of the file
	weighed map[uint32][]*bound
	sets    sets
}

// repeated is one more dominated record of a node: two workers may find two
// reasons at once. (One more expanded record is of a search that was cut off
// and went on.)
type repeated struct {
	at uint64
	id uint32
}

// node is a prefix: that of its parent and one more antecedent.
type node struct {
	at         uint64 // of its record: block and offset of what follows the prefix
	parent     uint32
	first      uint32 // child, 0 for none
	next       uint32 // child of the same parent, 0 for none
	antecedent uint16
	flags      uint8
}

// root is the node of the empty prefix.
const root = 0

// What a node has, and which of it was checked on the way down.
const (
	hasExpanded = 1 << iota
	hasDominated
	expandedDone
	dominatedDone
	hasBound
)

func newTree() *tree {
	return &tree{nodes: make([]node, 1), child: map[uint64]uint32{}, second: map[uint32]uint64{}, more: map[uint32][]uint64{},
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
				return 0, refused("it has more than %d prefixes, which is more than this checker can hold", uint32(math.MaxUint32))
			}
			next = uint32(len(t.nodes))
			t.nodes = append(t.nodes, node{parent: at, antecedent: a})
			t.child[key] = next
		}
		at = next
	}
	return at, nil
}

// put notes a record of a node.
func (t *tree) put(id uint32, kind uint8, block, offset int) {
	n := &t.nodes[id]
	at := uint64(block)<<20 | uint64(offset)
	switch {
	case n.flags&kind != 0 && kind == hasDominated:
		t.again = append(t.again, repeated{at, id})
	case n.flags&kind != 0:
		t.more[id] = append(t.more[id], at)
	case n.flags&(hasExpanded|hasDominated) == 0:
		n.at = at
	case kind == hasDominated:
		t.second[id] = at
	default:
		t.second[id], n.at = n.at, at
	}
	n.flags |= kind
}

// weigh notes a bound of a node.
func (t *tree) weigh(id uint32, b *bound) {
	t.weighed[id] = append(t.weighed[id], b)
	t.nodes[id].flags |= hasBound
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

// expanded returns how many prefixes are said to have been expanded. The empty
// one is taken for it in any case.
func (t *tree) expanded() int64 {
	n := int64(1)
	for _, x := range t.nodes[1:] {
		if x.flags&hasExpanded != 0 {
			n++
		}
	}
	return n
}

// record returns a parser of what a record of a node says of its prefix.
func (t *tree) record(id uint32, kind uint8) parser {
	at := t.nodes[id].at
	if second, both := t.second[id]; both && kind == hasDominated {
		at = second
	}
	return t.parser(at)
}

func (t *tree) parser(at uint64) parser {
	return parser{framing.Parser{Bytes: t.blocks[at>>20], At: int(at & (1<<20 - 1))}}
}

// expansions calls f with a parser of what each expanded record of a node says,
// until one fails.
func (t *tree) expansions(id uint32, f func(parser) *Failure) *Failure {
	if t.nodes[id].flags&hasExpanded == 0 {
		return nil
	}
	if fail := f(t.record(id, hasExpanded)); fail != nil {
		return fail
	}
	for _, at := range t.more[id] {
		if fail := f(t.parser(at)); fail != nil {
			return fail
		}
	}
	return nil
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
