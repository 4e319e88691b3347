package graph

import (
	"slices"
	"time"

	"parcorels/internal/blockfile"
)

// The proof that no good tree is missing (docs/proof-format.md). It has the graph, and lemmas "V(w) ≥ lo".
// For each split that a state does not have, a checker sees by itself, from these, that its sides
// cost more together than the state has room for. As for lists, the lemmas are found at the end,
// from large sets to small. All that is needed is true, as the build proved it.

const (
	treeMagic   = "PARCTSET"
	treeVersion = 1
)

// The kinds of records.
const (
	treeStateRecord = iota
	treeLemmaRecord
)

// treeProver writes the proof of a build.
type treeProver struct {
	*treeBuilder
	proofRecords
}

// prove writes the proof of the graph that was built.
func (b *treeBuilder) prove(to *Proof) error {
	b.stopped, b.end = false, time.Time{}
	p := &treeProver{b, newProofRecords(to, b.p.Points)}
	p.out.Header(to.Proof, treeMagic, treeVersion, to.Lambda.Num, to.Lambda.Den, int64(len(b.p.Columns)), to.Weight, b.threshold+b.base,
		int64(b.p.Depth))
	order := bySize(len(b.states), func(i int) []uint64 { return b.states[i].set })
	if len(order) > 0 { // the root is the largest set
		paths, name := make([][]int, len(b.states)), make([]int, len(b.states))
		for at, i := range order {
			name[i] = at
		}
		for _, i := range order {
			p.state(i, paths, name)
		}
	}
	p.lemmas()
	if b.halted() {
		return blockfile.ErrStopped
	}
	p.out.Flush()
	return p.claimCount(b.finish().Count().Models())
}

// state writes the splits of a state, and asks for the lemmas of those that it does not have.
func (p *treeProver) state(i int32, paths [][]int, name []int) {
	s := &p.states[i]
	p.number(treeStateRecord, int64(len(s.splits)))
	has := map[int32]bool{}
	for _, x := range s.splits {
		has[x.column] = true
		for side, child := range []int32{x.without, x.with} {
			if paths[child] == nil {
				paths[child] = append(slices.Clone(paths[i]), 2*int(x.column)+side)
			}
		}
		p.number(int64(x.column), int64(name[x.with]), int64(name[x.without]))
	}
	p.out.Recorded()
	p.cover(s.set, s.level, paths[i], s.room+1, func(column int32) bool { return has[column] })
}

// cover asks for the lemmas by which all splits of a set, but those to pass by, cost so much at least.
func (p *treeProver) cover(set []uint64, level int32, path []int, low int64, pass func(column int32) bool) {
	if level == 0 {
		return
	}
	f := p.frame(0)
	p.count(f, set)
	p.countSplits(f, set)
	next := max(level-1, -1)
	for _, w := range f.ways {
		if w.bound >= low || pass(w.column) || !f.split(set, p.p.Columns[w.column], p.samples) {
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

// lemmas finds all lemmas that are needed, and writes them.
func (p *treeProver) lemmas() {
	for _, places := range slices.Backward(p.places) {
		for _, at := range places {
			n := p.needs[at]
			p.cover(n.set, n.level, n.path, n.low, func(int32) bool { return false })
			p.lemma(treeLemmaRecord, n)
		}
	}
}
