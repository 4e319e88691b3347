package rulelist

import (
	"iter"
	"math"
	"slices"

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
