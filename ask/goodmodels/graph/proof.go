package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"parcorels/bitvec"
	"parcorels/internal/blockfile"
	"parcorels/ratio"
	"parcorels/verify/framing"
	"parcorels/verify/goodmodels"
)

// The proof that no good model is missing (docs/proof-format.md). It has the graph before it is trimmed, and lemmas
// "V(w) ≥ lo"; for lists the weights of the inequalities, too. For every split that a state does not have, a checker sees by
// itself, from these, that its sides cost more together than the state has room for. The lemmas that this takes are
// found at the end, from large sets to small: where what is known of a side is not enough, the side gets a lemma, whose own
// splits may need others. All that is needed is true, as the build proved it.

// limited is what a proof says of the best list within limits.
type limited struct {
	header []int64 // the number of limits, and what G is (fair.go)
	lift   int64   // added to the threshold in the header, which is not negative then
	claim  []byte
}

const proofMagic = "PARCGOOD"
const proofVersion = 3

// The kinds of records.
const (
	weightRecord = iota
	stateRecord
	lemmaRecord
)

// need is a lemma that a proof has to have.
type need struct {
	set   []uint64
	level int32 // splits that may follow
	path  []int // sides that lead to it: twice an antecedent, and 1 more where it holds
	low   int64
}

// prover writes the proof of a build.
type prover struct {
	*worker
	out    *blockfile.ProofWriter
	asked  map[bitvec.Key]int // by key, the place in needs
	needs  []need
	places [][]int // of needs, by the size of the set
}

// prove writes the proof of the graph that was built; fair is nil if it is of all good models.
func (b *builder) prove(to *Proof, fair *limited) error {
	p := &prover{worker: b.workers[0], out: blockfile.NewProofWriter(to.Writer()), asked: map[bitvec.Key]int{},
		places: make([][]int, 64*b.words+1)}
	all := limited{header: []int64{int64(b.Depth) * int64(b.sides()-1)}}
	if fair != nil {
		all = *fair
	}
	p.out.Header(to.Proof, proofMagic, proofVersion, append([]int64{to.Lambda.Num, to.Lambda.Den, int64(len(b.Columns)), to.Weight,
		int64(b.sides() - 1), b.threshold + b.base + all.lift}, all.header...)...)
	for i, set := range b.weights.sets {
		p.number(weightRecord, int64(len(set)))
		for _, e := range set {
			p.number(int64(b.point[e]))
		}
		p.number(b.weights.y[i])
		p.out.Recorded()
	}
	p.graph(b.bySizes())
	p.lemmas()
	if b.halted() {
		return blockfile.ErrStopped
	}
	if fair != nil {
		return p.out.Claim(fair.claim)
	}
	digits := b.finish().Count().Models().String()
	return p.out.Claim(append(binary.AppendUvarint(nil, uint64(len(digits))), digits...))
}

func (p *prover) number(list ...int64) {
	for _, x := range list {
		p.out.Buffer = binary.AppendUvarint(p.out.Buffer, uint64(x))
	}
}

// graph writes the splits of states in an order, the root first, and asks for the lemmas of what is no split of one.
func (p *prover) graph(order []int32) {
	paths, name := make([][]int, len(order)), make([]int, len(order))
	for at, i := range order {
		name[i] = at
	}
	for _, i := range order {
		of, has := &p.builder.graph[i], map[int]bool{}
		p.number(stateRecord, int64(len(of.splits)))
		for _, x := range of.splits {
			has[int(x.column)] = true
			a, with := p.antecedents[x.column][0], 0
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
		p.cover(need{of.set, of.level, paths[i], of.room + 1}, func(s int, gain int64) bool {
			return has[s] || !p.Trees && of.value+p.Price-gain > of.room
		})
	}
}

// lemmas writes all lemmas that are needed, from the largest sets to the smallest, and asks for those that one rests on.
func (p *prover) lemmas() {
	for _, places := range slices.Backward(p.places) {
		for _, at := range places {
			n := p.needs[at]
			p.cover(n, func(_ int, gain int64) bool { return !p.Trees && gain <= p.Price })
			p.number(lemmaRecord, int64(len(n.path)))
			for _, side := range n.path {
				p.number(int64(side))
			}
			p.number(n.low)
			p.out.Recorded()
		}
	}
	p.out.Flush()
}

// cover asks for the lemmas by which all splits of a set, but those to pass by, cost so much at least.
func (p *prover) cover(n need, pass func(s int, gain int64) bool) {
	if n.level == 0 {
		return
	}
	f, next := p.lay(n.set), below(n.level)
	for s, column := range p.columns {
		y := p.way(f, s)
		if y.first+y.second >= n.low || pass(s, p.unit*y.gain) || !splits(n.set[:p.realWords], column) {
			continue
		}
		low := [2]int64{y.second, y.first} // what is known of the sides, and then what has to be
		least := [2]int64{n.low - y.first, y.first}
		if p.Trees {
			least = [2]int64{y.second, n.low - y.second}
			if with, ok := p.value(1, next, p.side(1, f, s, true, next), n.low-1-y.second); ok {
				least = [2]int64{n.low - with, with}
			}
		}
		for side := range p.sides() {
			if least[side] > low[side] && next != 0 {
				p.ask(n, s, side, least[side])
			}
		}
	}
}

// ask asks for a lemma of one side of a split, unless that is a state: V is known of it.
func (p *prover) ask(of need, s, side int, low int64) {
	set, level := make([]uint64, p.words), below(of.level)
	key := leveled(p.hash.AndNotHash(set, of.set, p.outside[1-side][s]), level)
	if _, state := p.known[key]; state {
		return
	}
	at, ok := p.asked[key]
	if !ok {
		at = len(p.needs)
		p.asked[key] = at
		p.needs = append(p.needs, need{set, level, append(slices.Clone(of.path), 2*p.antecedents[s][0]+side), low})
		n := size(set)
		p.places[n] = append(p.places[n], at)
	}
	p.needs[at].low = max(p.needs[at].low, low)
}

// ErrFile reports a file that is no proof of good models, or is not about these data.
var ErrFile = errors.New("not a file of good models of these data")

var errGraph = errors.New("its splits make no graph")

// reading is what a reader knows of lists or trees.
type reading struct {
	*Set
	named  map[int][]uint64 // the set of each state that a split has led to
	column []int32          // by antecedent
	layout *layout
}

// Read reads the graph of lists or trees from a proof, which it does not check. About has digest and weight of the
// data; problem makes the problem for the λ that the file tells.
func Read(from io.Reader, about Proof, trees bool, problem func(lambda ratio.Ratio) (*Problem, error)) (*Set, error) {
	proof, err := goodmodels.Open(from)
	if err != nil {
		return nil, fault(err)
	}
	of := proof.About()
	if of.Digest != about.Digest || !of.Lambda.Within() || proof.Trees() != trees || len(proof.Limits()) > 0 {
		return nil, ErrFile
	}
	p, err := problem(of.Lambda)
	if err != nil {
		return nil, err
	}
	if err := of.OfData(about.Digest, len(p.Columns), about.Weight); err != nil {
		return nil, fault(err)
	}
	p.Trees, p.Depth = trees, proof.Depth()
	l, err := newLayout(p)
	if err != nil {
		return nil, errors.Join(ErrFile, err)
	}
	x := &reading{Set: l.empty(proof.Threshold() - l.base), layout: l, named: map[int][]uint64{0: l.all},
		column: make([]int32, len(p.Columns))}
	for c, list := range x.antecedents {
		for _, a := range list {
			x.column[a] = int32(c)
		}
	}
	if err := proof.States(x.state); err != nil {
		return nil, fault(err)
	}
	if len(x.named) != max(len(x.states), 1) {
		return nil, fault(framing.Refused("it does not tell of all states"))
	}
	x.settle()
	return x.Set, nil
}

// fault says of what is wrong with a file that it is none of good models. Other errors are those of the reader.
func fault(err error) error {
	if errors.Is(err, framing.ErrFormat) || errors.Is(err, framing.ErrRefused) {
		return fmt.Errorf("%w: %w", ErrFile, err)
	}
	return err
}

// state takes the splits of the next state.
func (x *reading) state(list []goodmodels.Split) error {
	at := len(x.states)
	set, ok := x.named[at]
	if !ok {
		return errGraph
	}
	of := state{set: set, ends: x.layout.ends(nil, set)}
	for _, y := range list {
		s := split{x.column[y.Antecedent], int32(y.With), int32(y.Without)}
		ok := splits(set[:x.layout.realWords], x.layout.columns[s.column])
		for side, child := range []int{y.Without, y.With}[:x.layout.sides()] {
			of := make([]uint64, len(set))
			bitvec.AndNot(of, set, x.layout.outside[1-side][s.column])
			ok = ok && x.name(at, child, of)
		}
		if x.lists {
			s.with, ok = rule, ok && y.With == 0
		}
		if !ok {
			return errGraph
		}
		of.splits = append(of.splits, s)
	}
	x.states = append(x.states, of)
	return nil
}

// name notes that a split of a state leads to a child with such a set, and reports whether that may be.
func (x *reading) name(state, child int, set []uint64) bool {
	known, ok := x.named[child]
	if child <= state || ok && !slices.Equal(known, set) {
		return false
	}
	x.named[child] = set
	return true
}
