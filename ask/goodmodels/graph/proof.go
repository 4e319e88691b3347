package graph

import (
	"encoding/binary"
	"math/big"
	"slices"

	"parcorels/bitvec"
	"parcorels/internal/blockfile"
	"parcorels/ratio"
)

// The proof that no good list is missing (docs/proof-format.md). It has the weights of the
// inequalities, the graph before it is trimmed, and lemmas "V(w) ≥ lo". For every rule
// that is no edge of a state, a checker sees by itself, from these, that it leads beyond the
// threshold. The lemmas that this takes are found at the end, from large sets to small: where the
// weights do not tell that V of a child is large enough, the child gets a lemma, whose own children
// may need others. All that is needed is true, as the build proved it.

// Proof says where a proof is written, and what it is about.
type Proof struct {
	*blockfile.Proof
	Lambda ratio.Ratio
	Weight int64 // of all samples

	fair *fairness // nil: of all good lists
}

const (
	proofMagic   = "PARCGOOD"
	proofVersion = 2
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
	path  []int    // that leads to it: of lists antecedents, of trees twice those, and 1 more where it holds
	low   int64
}

// proofRecords are the records of a proof, with the lemmas that it has to have.
type proofRecords struct {
	out    *blockfile.ProofWriter
	asked  map[bitvec.Key]int // by key, the place in needs
	needs  []need
	places [][]int // of needs, by the size of the set
}

func newProofRecords(to *Proof, points int) proofRecords {
	return proofRecords{out: blockfile.NewProofWriter(to.Writer()), asked: map[bitvec.Key]int{}, places: make([][]int, points+1)}
}

func (p *proofRecords) number(list ...int64) {
	for _, x := range list {
		p.out.Buffer = binary.AppendUvarint(p.out.Buffer, uint64(x))
	}
}

// ask asks for a lemma, of a set that a path and one more step lead to.
func (p *proofRecords) ask(key bitvec.Key, set []uint64, level int32, path []int, step int, low int64) {
	at, ok := p.asked[key]
	if !ok {
		at = len(p.needs)
		p.asked[key] = at
		p.needs = append(p.needs, need{slices.Clone(set), level, append(slices.Clone(path), step), low})
		n := size(set)
		p.places[n] = append(p.places[n], at)
	}
	p.needs[at].low = max(p.needs[at].low, low)
}

// lemma writes a lemma.
func (p *proofRecords) lemma(kind int64, n need) {
	p.number(kind, int64(len(n.path)))
	for _, step := range n.path {
		p.number(int64(step))
	}
	p.number(n.low)
	p.out.Recorded()
}

// claimCount ends a proof with how many models are good.
func (p *proofRecords) claimCount(models *big.Int) error {
	digits := models.String()
	return p.out.Claim(append(binary.AppendUvarint(nil, uint64(len(digits))), digits...))
}

// prover writes the proof of a build.
type prover struct {
	*worker
	proofRecords
}

// prove writes the proof of the graph that was built.
func (b *builder) prove(to *Proof) error {
	p := &prover{b.workers[0], newProofRecords(to, 64*b.costWords)}
	about := []int64{to.Lambda.Num, to.Lambda.Den, int64(len(b.Columns)), to.Weight, b.threshold + b.base + to.fair.lift()}
	p.out.Header(to.Proof, proofMagic, proofVersion, append(about, to.fair.priced()...)...)
	for i, set := range b.weights.sets {
		p.number(weightRecord, int64(len(set)))
		for _, e := range set {
			p.number(int64(b.point[e]))
		}
		p.number(b.weights.y[i])
		p.out.Recorded()
	}
	order := b.bySizes()
	paths := make([][]int, len(b.d))
	name := make([]int, len(b.d))
	for at, i := range order {
		name[i] = at
	}
	for _, i := range order {
		p.state(i, paths, name)
	}
	p.lemmas()
	p.out.Flush()
	if to.fair != nil {
		return p.out.Claim(to.fair.claim())
	}
	return p.claimCount(b.finish().Count().Models())
}

// state writes the edges of a state, and asks for the lemmas of what is no edge.
func (p *prover) state(i int32, paths [][]int, name []int) {
	edges := p.builder.out(i)
	labels := map[int32]uint64{}
	for _, e := range edges {
		labels[e.column] = e.labels
		if paths[e.child] == nil {
			paths[e.child] = append(slices.Clone(paths[i]), p.antecedents[e.column][0])
		}
	}
	p.number(stateRecord, int64(len(edges)))
	for _, e := range edges {
		p.number(int64(p.antecedents[e.column][0]), int64(e.labels), int64(name[e.child]))
	}
	p.out.Recorded()

	set := p.points(i)
	f := p.frame(0)
	copy(f.u, set)
	p.countAll(f)
	d, v := p.d[i], p.v[i]
	child := make([]uint64, p.words)
	for s, column := range p.columns {
		wrong, gain, after := f.column(s)
		low := max(min(p.Price, p.unit*after), p.weights.bound(f.sum-f.hit[s]))
		for q := range p.classes {
			g := p.unit * f.gain[q][s]
			cost := p.Price + p.unit*(wrong+gain) - g
			if labels[int32(s)]>>q&1 == 1 || d+cost+low > p.threshold || d+v+p.Price-g > p.threshold || !p.splits(set, column) {
				continue
			}
			if _, state := p.known[p.hash.AndNotHash(child, set, column)]; !state {
				left := child[:p.costWords]
				p.ask(p.costHash.Hash(left), left, 0, paths[i], p.antecedents[s][0], p.threshold-d-cost+1)
			}
		}
	}
}

// countAll counts what a proof has to look at.
func (p *prover) countAll(f *frame) {
	p.weights.within(f)
	p.weigh(f)
	p.count(f, p.matrix.Blocks())
}

// lemmas finds all lemmas that are needed, and writes them from the smallest sets to the largest.
func (p *prover) lemmas() {
	child := make([]uint64, p.costWords)
	for _, places := range slices.Backward(p.places) {
		for _, at := range places {
			n := p.needs[at]
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
					p.ask(p.costHash.Hash(child), child, 0, n.path, p.antecedents[s][0], n.low-cost)
				}
			}
		}
	}
	for _, places := range p.places {
		for _, at := range places {
			p.lemma(lemmaRecord, p.needs[at])
		}
	}
}
