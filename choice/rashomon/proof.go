package rashomon

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/internal/blockfile"
	"parcorels/ratio"
)

// The proof that no good list is missing (docs/proof-format.md). It has the weights of the
// inequalities, the graph before it is trimmed, and lemmas "V(w) ≥ lo". Of every rule
// that is no edge of a state a checker sees by itself, from these, that it leads beyond the
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
	set  []uint64 // costWords
	path []int    // antecedents of a prefix that leaves it
	low  int64
}

// prover writes the proof of a build.
type prover struct {
	*worker
	out    *blockfile.ProofWriter
	known  map[bitvec.Key]int // by key, the place in needs
	needs  []need
	bySize [][]int
}

// prove writes the proof of the graph that was built.
func (b *builder) prove(to *Proof) error {
	p := &prover{worker: b.workers[0], out: blockfile.NewProofWriter(to.Writer()), known: map[bitvec.Key]int{}, bySize: make([][]int, 64*b.costWords+1)}
	about := []int64{to.Lambda.Num, to.Lambda.Den, int64(len(b.Columns)), to.Weight, b.threshold + b.base}
	p.out.Header(to.Proof, proofMagic, proofVersion, append(about, to.fair.priced()...)...)
	for i, set := range b.weights.sets {
		p.record(weightRecord, len(set))
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
	s := b.finish()
	return p.out.Claim(append(binary.AppendUvarint(nil, uint64(len(s.Count().Lists().String()))), s.Count().Lists().String()...))
}

// bySizes returns the states from the largest sets to the smallest.
func (g *graph) bySizes() []int32 {
	order, sizes := make([]int32, len(g.d)), make([]int, len(g.d))
	for i := range order {
		order[i] = int32(i)
		for _, w := range g.sets[i*g.words : (i+1)*g.words] {
			sizes[i] += bits.OnesCount64(w)
		}
	}
	slices.SortStableFunc(order, func(i, j int32) int { return sizes[j] - sizes[i] })
	return order
}

func (p *prover) record(kind, n int) {
	p.number(int64(kind))
	p.number(int64(n))
}

func (p *prover) number(x int64) { p.out.Buffer = binary.AppendUvarint(p.out.Buffer, uint64(x)) }

// state writes the edges of a state, and asks for the lemmas of what is no edge.
func (p *prover) state(i int32, paths [][]int, name []int) {
	edges := p.edges[max(p.from[i], 0):max(p.to[i], 0)]
	labels := map[int32]int64{}
	for _, e := range edges {
		labels[e.column] |= 1 << e.label
		if paths[e.child] == nil {
			paths[e.child] = append(slices.Clone(paths[i]), p.antecedents[e.column][0])
		}
	}
	p.record(stateRecord, len(labels))
	for i, e := range edges {
		if i == 0 || edges[i-1].column != e.column { // all labels of a column stand together
			p.number(int64(p.antecedents[e.column][0]))
			p.number(labels[e.column])
			p.number(int64(name[e.child]))
		}
	}
	p.out.Recorded()

	set := p.sets[int(i)*p.words : (int(i)+1)*p.words]
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
			if key := p.hash.AndNotHash(child, set, column); p.isState(key) {
				continue
			}
			p.ask(child[:p.costWords], paths[i], p.antecedents[s][0], p.threshold-d-cost+1)
		}
	}
}

// countAll counts what a proof has to look at.
func (p *prover) countAll(f *frame) {
	p.weights.within(f)
	p.weigh(f)
	p.count(f, p.matrix.Blocks())
}

func (p *prover) isState(key bitvec.Key) bool {
	_, ok := p.builder.known[key]
	return ok
}

// ask asks for a lemma.
func (p *prover) ask(set []uint64, path []int, last int, low int64) {
	key := p.costHash.Hash(set)
	at, ok := p.known[key]
	if !ok {
		at = len(p.needs)
		p.known[key] = at
		p.needs = append(p.needs, need{slices.Clone(set), append(slices.Clone(path), last), low})
		size := 0
		for _, w := range set {
			size += bits.OnesCount64(w)
		}
		p.bySize[size] = append(p.bySize[size], at)
	}
	p.needs[at].low = max(p.needs[at].low, low)
}

// lemmas finds all lemmas that are needed, and writes them from the smallest sets to the largest.
func (p *prover) lemmas() {
	child := make([]uint64, p.costWords)
	for _, places := range slices.Backward(p.bySize) {
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
					p.ask(child, n.path, p.antecedents[s][0], n.low-cost)
				}
			}
		}
	}
	for _, places := range p.bySize {
		for _, at := range places {
			n := p.needs[at]
			p.record(lemmaRecord, len(n.path))
			for _, a := range n.path {
				p.number(int64(a))
			}
			p.number(n.low)
			p.out.Recorded()
		}
	}
}
