package graph

import (
	"encoding/binary"
	"math/big"
	"slices"

	"parcorels/bitvec"
	"parcorels/internal/blockfile"
	"parcorels/ratio"
)

// The proof that no good model is missing (docs/proof-format.md). It has the graph before it is trimmed, and lemmas
// "V(w) ≥ lo"; for lists the weights of the inequalities, too. For every split that a state does not have, a checker sees by
// itself, from these, that its sides cost more together than the state has room for. The lemmas that this takes are
// found at the end, from large sets to small: where what is known of a side is not enough, the side gets a lemma, whose own
// splits may need others. All that is needed is true, as the build proved it. A list ends with a default, which costs as much
// as a rule here, so lemmas of lists say P more.

// Proof says where a proof is written, and what it is about.
type Proof struct {
	*blockfile.Proof
	Lambda ratio.Ratio
	Weight int64 // of all samples

	fair *fairness // nil: of all good models
}

const (
	proofMagic   = "PARCGOOD"
	proofVersion = 3
)

// The kinds of models.
const (
	ofLists = iota
	ofTrees
)

// The kinds of records.
const (
	weightRecord = iota
	stateRecord
	lemmaRecord
)

// need is a lemma that a proof has to have.
type need struct {
	set   []uint64 // of lists costWords
	level int32    // of trees: splits that may follow
	path  []int    // sides that lead to it: twice an antecedent, and 1 more where it holds
	low   int64
}

// proofRecords are the records of a proof, with the lemmas that it has to have.
type proofRecords struct {
	out    *blockfile.ProofWriter
	more   int64              // what lemmas say beyond low
	asked  map[bitvec.Key]int // by key, the place in needs
	needs  []need
	places [][]int // of needs, by the size of the set
}

// newProofRecords writes the header of a proof, behind which about stands. Sets have so many points at most.
func newProofRecords(to *Proof, points, antecedents int, more int64, about ...int64) proofRecords {
	p := proofRecords{out: blockfile.NewProofWriter(to.Writer()), more: more, asked: map[bitvec.Key]int{}, places: make([][]int, points+1)}
	of := []int64{to.Lambda.Num, to.Lambda.Den, int64(antecedents), to.Weight}
	p.out.Header(to.Proof, proofMagic, proofVersion, append(of, about...)...)
	return p
}

func (p *proofRecords) number(list ...int64) {
	for _, x := range list {
		p.out.Buffer = binary.AppendUvarint(p.out.Buffer, uint64(x))
	}
}

// graph writes the splits of states in an order, the root first. Cover asks for the lemmas of what is no split of a state, to
// which a path leads.
func (p *proofRecords) graph(order []int32, splits func(i int32) []split, antecedents [][]int, cover func(i int32, path []int)) {
	paths, name := make([][]int, len(order)), make([]int, len(order))
	for at, i := range order {
		name[i] = at
	}
	for _, i := range order {
		list := splits(i)
		p.number(stateRecord, int64(len(list)))
		for _, x := range list {
			a, with := antecedents[x.column][0], 0
			if paths[x.without] == nil {
				paths[x.without] = append(slices.Clone(paths[i]), 2*a)
			}
			if x.with != rule {
				if with = name[x.with]; paths[x.with] == nil {
					paths[x.with] = append(slices.Clone(paths[i]), 2*a+1)
				}
			}
			p.number(int64(a), int64(with), int64(name[x.without]))
		}
		p.out.Recorded()
		cover(i, paths[i])
	}
}

// ask asks for a lemma, of a set that a path and one more side lead to.
func (p *proofRecords) ask(key bitvec.Key, set []uint64, level int32, path []int, side int, low int64) {
	at, ok := p.asked[key]
	if !ok {
		at = len(p.needs)
		p.asked[key] = at
		p.needs = append(p.needs, need{slices.Clone(set), level, append(slices.Clone(path), side), low})
		n := size(set)
		p.places[n] = append(p.places[n], at)
	}
	p.needs[at].low = max(p.needs[at].low, low)
}

// lemmas writes all lemmas that are needed, from the largest sets to the smallest. Cover asks for those that one rests on.
func (p *proofRecords) lemmas(cover func(n need)) {
	for _, places := range slices.Backward(p.places) {
		for _, at := range places {
			n := p.needs[at]
			cover(n)
			p.number(lemmaRecord, int64(len(n.path)))
			for _, side := range n.path {
				p.number(int64(side))
			}
			p.number(n.low + p.more)
			p.out.Recorded()
		}
	}
	p.out.Flush()
}

// claimCount ends a proof with how many models are good.
func (p *proofRecords) claimCount(models *big.Int) error {
	digits := models.String()
	return p.out.Claim(append(binary.AppendUvarint(nil, uint64(len(digits))), digits...))
}

// prover writes the proof of a build of lists.
type prover struct {
	*worker
	proofRecords
}

// prove writes the proof of the graph that was built.
func (b *builder) prove(to *Proof) error {
	about := append([]int64{ofLists, b.threshold + b.base + to.fair.lift()}, to.fair.priced()...)
	p := &prover{b.workers[0], newProofRecords(to, 64*b.costWords, len(b.Columns), b.Price, about...)}
	for i, set := range b.weights.sets {
		p.number(weightRecord, int64(len(set)))
		for _, e := range set {
			p.number(int64(b.point[e]))
		}
		p.number(b.weights.y[i])
		p.out.Recorded()
	}
	p.graph(b.bySizes(), b.out, b.antecedents, p.cover)
	p.lemmas(p.lemma)
	if to.fair != nil {
		return p.out.Claim(to.fair.claim())
	}
	return p.claimCount(b.finish().Count().Models())
}

// cover asks for the lemmas of what is no edge of a state.
func (p *prover) cover(i int32, path []int) {
	has := map[int32]bool{}
	for _, x := range p.builder.out(i) {
		has[x.column] = true
	}
	set := p.points(i)
	f := p.frame(0)
	copy(f.u, set)
	p.countAll(f)
	room, v := p.threshold-p.d[i], p.v[i]
	child := make([]uint64, p.words)
	for s, column := range p.columns {
		wrong, gain, after := f.column(s)
		low := max(min(p.Price, p.unit*after), p.weights.bound(f.sum-f.hit[s]))
		cost := p.Price + p.unit*wrong
		if has[int32(s)] || cost+low > room || v+p.Price-p.unit*gain > room || !p.splits(set, column) {
			continue
		}
		if _, state := p.known[p.hash.AndNotHash(child, set, column)]; !state {
			left := child[:p.costWords]
			p.ask(p.costHash.Hash(left), left, 0, path, 2*p.antecedents[s][0], room-cost+1)
		}
	}
}

// countAll counts what a proof has to look at.
func (p *prover) countAll(f *frame) {
	p.weights.within(f)
	p.weigh(f)
	p.count(f, p.matrix.Blocks())
}

// lemma asks for the lemmas that one rests on.
func (p *prover) lemma(n need) {
	child := make([]uint64, p.costWords)
	f := p.frame(0)
	copy(f.u, n.set)
	p.countAll(f)
	for s, column := range p.columns[:p.live] {
		wrong, gain, after := f.column(s)
		if p.unit*gain <= p.Price {
			continue
		}
		cost := p.Price + p.unit*wrong
		low := max(min(p.Price, p.unit*after), p.weights.bound(f.sum-f.hit[s]))
		if cost+low < n.low {
			bitvec.AndNot(child, f.u, column[:p.costWords])
			p.ask(p.costHash.Hash(child), child, 0, n.path, 2*p.antecedents[s][0], n.low-cost)
		}
	}
}
