package graph

import (
	"time"

	"parcorels/internal/blockfile"
)

// treeProver writes the proof of a build of trees.
type treeProver struct {
	*treeBuilder
	proofRecords
}

// prove writes the proof of the graph that was built.
func (b *treeBuilder) prove(to *Proof) error {
	b.stopped, b.end = false, time.Time{}
	p := &treeProver{b, newProofRecords(to, b.p.Points, len(b.p.Columns), 0, ofTrees, b.threshold+b.base, int64(b.p.Depth))}
	p.graph(b.bySizes(), func(i int32) []split { return b.states[i].splits }, b.antecedents(), func(i int32, path []int) {
		s, has := &b.states[i], map[int32]bool{}
		for _, x := range s.splits {
			has[x.column] = true
		}
		p.cover(s.set, s.level, path, s.room+1, has)
	})
	p.lemmas(func(n need) { p.cover(n.set, n.level, n.path, n.low, nil) })
	if b.halted() {
		return blockfile.ErrStopped
	}
	return p.claimCount(b.finish().Count().Models())
}

// cover asks for the lemmas by which all splits of a set, but those that it has, cost so much at least.
func (p *treeProver) cover(set []uint64, level int32, path []int, low int64, has map[int32]bool) {
	if level == 0 {
		return
	}
	f := p.frame(0)
	p.count(f, set)
	p.countSplits(f, set)
	next := max(level-1, -1)
	for _, w := range f.ways {
		if w.bound >= low || has[w.column] || !f.split(set, p.p.Columns[w.column], p.samples) {
			continue
		}
		least := [2]int64{w.low[0], low - w.low[0]} // of the sides without and with
		if with, ok := p.value(1, f.sides[1], next, low-1-w.low[0]); ok {
			least = [2]int64{low - with, with}
		}
		for side := range 2 {
			if least[side] <= w.low[side] || next == 0 {
				continue
			}
			key := p.keyOf(f.sides[side], next)
			if _, state := p.known[key]; !state { // of which V is known
				p.ask(key, f.sides[side], next, path, 2*int(w.column)+side, least[side])
			}
		}
	}
}
