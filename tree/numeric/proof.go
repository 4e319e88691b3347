package numeric

import (
	"encoding/binary"

	"parcorels/internal/blockfile"
)

// The proof (docs/proof-format.md): for the splits of the tree that have three levels and more,
// the places of each column whose sides bound all places between. It is written after the search.
// What holds of sets with two levels a checker finds out by itself.

const proofMagic = "PARCTHRS"
const proofVersion = 1

// prover writes the records of a proof.
type prover struct {
	*worker
	out *blockfile.ProofWriter
}

// prove writes the whole proof of the tree of the root, which has so many levels.
func (w *worker) prove(tree Tree, levels int, looked func(column int) []end) error {
	out := blockfile.NewProofWriter(w.o.Proof.Writer())
	out.Header(w.o.Proof, proofMagic, proofVersion, w.o.Lambda.Num, w.o.Lambda.Den, int64(w.o.Antecedents), w.table.Total, w.Digits,
		int64(levels))
	p, ok := &prover{w, out}, out.Err() == nil
	if ok {
		_, ok = p.order(&w.root, levels, tree, looked)
	}
	var err error
	w.proofBytes, w.proofRecords, err = out.End(ok, func() []byte { return p.claim(&w.root, tree, nil) })
	return err
}

// order writes what shows that no tree of a set is smaller than the one that tree begins with, and
// returns what is behind that. Looked are places that are known, nil for none.
func (p *prover) order(s *set, levels int, tree Tree, looked func(column int) []end) (rest Tree, ok bool) {
	node := tree[0]
	value, _ := p.valueOf(s, tree)
	place := 0
	if node.Column >= 0 {
		place = p.placeOf(s, node)
	}
	if levels > 2 && !p.cover(s, levels, func(column, at int) int64 {
		if column < node.Column || column == node.Column && at < place {
			return value + 1
		}
		return value
	}, node.Column, place, looked) {
		return nil, false
	}
	if node.Column < 0 {
		return tree[1:], p.run.Running()
	}
	if levels <= 2 { // the checker sees for itself
		_, rest = p.valueOf(s, tree)
		return rest, p.run.Running()
	}
	var to sides
	p.split(s, node.Column, place, &to)
	if rest, ok = p.order(&to.left, levels-1, tree[1:], nil); ok {
		rest, ok = p.order(&to.right, levels-1, rest, nil)
	}
	return rest, ok
}

// valueOf returns the value of the tree that tree begins with, on a set, and what is behind it.
func (p *prover) valueOf(s *set, tree Tree) (value int64, rest Tree) {
	if tree[0].Column < 0 {
		value, _ = p.leafValue(s)
		return value, tree[1:]
	}
	var to sides
	p.split(s, tree[0].Column, p.placeOf(s, tree[0]), &to)
	left, rest := p.valueOf(&to.left, tree[1:])
	right, rest := p.valueOf(&to.right, rest)
	return left + right, rest
}

// placeOf returns how many items of a set are on the left of a split.
func (p *prover) placeOf(s *set, n Node) (items int) {
	for items < s.size() && p.table.rank(s.lists[n.Column][items]) <= n.Low {
		items++
	}
	return items
}

// cover writes a record for each column of a set: places whose sides' bounds show that no place
// has a value below what need says of the column and the items in front of it. The place of the tree, of
// so many items in front of it, need not show anything. Records of the sides follow, where they are
// needed.
func (p *prover) cover(s *set, levels int, need func(column, items int) int64, column, items int, looked func(column int) []end) bool {
	n, gaps := p.gaps(s, levels, 0, looked)
	found := make([][]end, len(gaps))
	p.together(len(gaps), func(w *worker, i int) {
		w.node(levels) // memory for the sides
		h, b := gaps[i].column, gaps[i].b
		isLast := b.place == len(n.places[h])-1
		if at := int(n.places[h][b.place]); !isLast && b.left+b.right < need(h, at) && (h != column || at != items) {
			b = w.look(n, h, b.place, gaps[i].a, b, need(h, at), 0)
			b.left, b.right = max(b.left, gaps[i].b.left), max(b.right, gaps[i].b.right) // as those behind have it
		}
		if found[i] = w.between(n, h, gaps[i].a, b, need, column, items, nil); !isLast {
			found[i] = append(found[i], b)
		}
	})
	n.shared = nil
	if !p.run.Running() {
		return false
	}
	lists := make([][]end, len(s.lists))
	for i, g := range gaps {
		lists[g.column] = append(lists[g.column], found[i]...)
	}
	for _, list := range lists {
		p.record(list, levels)
	}
	if levels == 3 {
		return true
	}
	for h, list := range lists {
		for _, e := range list {
			var to sides
			p.split(s, h, int(n.places[h][e.place]), &to)
			if !p.under(&to.left, levels-1, e.left) || !p.under(&to.right, levels-1, e.right) {
				return false
			}
		}
	}
	return true
}

// under writes what shows that the value of a set is at least need, unless that is plain.
func (p *prover) under(s *set, levels int, need int64) bool {
	return need <= 2*p.Price || p.cover(s, levels, func(int, int) int64 { return need }, -1, 0, nil)
}

// between appends the places between two that bound the rest.
func (w *worker) between(n *node, column int, a, b end, need func(column, items int) int64, chosen, items int, list []end) []end {
	weights, places := n.weights[column], n.places[column]
	// In the chosen column, the places in front of the chosen one need one more than the others.
	for place := a.place + 1; place < b.place && w.run.Running(); place++ {
		if column == chosen && int(places[place]) == items {
			continue
		}
		known := at(weights, place, a, b, w.Unit)
		want := need(column, int(places[place]))
		if known.left+known.right >= want {
			continue
		}
		// The middle of the places that are open from here on.
		first, last := openPlaces(weights, end{place: place - 1, left: a.left, right: w.Price}, b, want, w.Unit)
		middle := max(place, (first+last)/2)
		if column == chosen && int(places[middle]) == items {
			middle = place
		}
		m := w.look(n, column, middle, a, b, need(column, int(places[middle])), w.Unit*(weights[max(last, middle)]-weights[place])/2)
		list = w.between(n, column, a, m, need, chosen, items, list)
		return w.between(n, column, m, b, need, chosen, items, append(list, m))
	}
	return list
}

// record writes a list of places.
func (p *prover) record(list []end, levels int) {
	b := binary.AppendUvarint(p.out.Buffer, uint64(len(list)))
	before := 0
	for _, e := range list {
		b = binary.AppendUvarint(b, uint64(e.place-before-1))
		if before = e.place; levels > 3 {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(e.left)), uint64(e.right))
		}
	}
	p.out.Buffer = b
	p.out.Recorded()
}

// claim appends the tree: a split is its column and its place, a leaf its class behind all columns.
func (p *prover) claim(s *set, tree Tree, b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(tree)))
	var walk func(s *set, tree Tree) Tree
	walk = func(s *set, tree Tree) Tree {
		n := tree[0]
		if n.Column < 0 {
			b = binary.AppendUvarint(b, uint64(p.table.Columns-1-n.Column))
			return tree[1:]
		}
		b = binary.AppendUvarint(b, uint64(n.Column))
		items, place := p.placeOf(s, n), 0
		for p.places(s, n.Column, nil)[place] < int32(items) {
			place++
		}
		b = binary.AppendUvarint(b, uint64(place))
		var to sides
		p.split(s, n.Column, items, &to)
		return walk(&to.right, walk(&to.left, tree[1:]))
	}
	walk(s, tree)
	return binary.AppendUvarint(b, uint64(p.Errors(p.value)))
}
