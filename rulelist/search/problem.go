package search

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist/separation"
	"parcorels/rules"
)

// column is the place of an antecedent in the order of a problem: searches, bounds and the
// trie speak of columns.
type column = separation.Column

// antecedent is the index of an antecedent in the instance: results, proofs, checkpoints
// and the order of lists speak of antecedents, as the order of columns is nobody else's.
type antecedent uint16

// problem is an instance in the form that the workers read: λ in integers, and
// only the antecedents that can ever be of use, those with the most to gain
// first, so that the columns still alive deep in the search share blocks. It
// is immutable once the search begins.
//
// All costs, bounds and objectives in this package are scaled integers,
// unit·errors + price·length, with unit = Den(λ) and price = Num(λ)·N. Errors
// include the unavoidable base, so the root costs unit·Base.
type problem struct {
	in      *instance.Instance
	unit    int64
	price   int64
	support int64 // a rule that gains no more than this is useless (prune_support.go); −1 without that pruning
	without Prunings
	longest int   // most rules of a list (limit.go)
	limited bool  // whether that is a limit that was asked for
	step    int64 // all objectives are multiples of it; 1 with a proof, whose checker does not round (known.go)

	classes     *classes     // of more than two (classes.go); nil: there are two
	antecedents []antecedent // of each column, its index in the instance
	columns     [][]uint64   // column → captured points
	matrix      *bitvec.Matrix
	planes      *bitvec.Planes
	hasher      *bitvec.Hasher
	words       int
	all         []uint64 // every point

	heavyFirst []weighedWord // the words with points, by falling lightest point
	g1, g0     int64         // cost of all points of class 1 and of class 0
}

// ErrOverflow reports weights and a λ whose exact objectives would not fit 63
// bits.
var ErrOverflow = errors.New("the objective would overflow")

// maxScaled bounds unit·N, so that sums of a few costs stay below 2^63.
const maxScaled = 1 << 60

const maxAntecedents = rules.MaxAntecedents

// newProblem returns the problem without its columns, which choose adds.
func newProblem(in *instance.Instance, o Options) (*problem, error) {
	if in.Antecedents > maxAntecedents {
		return nil, optionerr.Errorf("Antecedents", "%d antecedents, at most %d are supported", in.Antecedents, maxAntecedents)
	}
	if hi, lo := bits.Mul64(uint64(o.Lambda.Den), uint64(in.Total)); hi != 0 || lo >= maxScaled {
		return nil, fmt.Errorf("%w: total weight %d × the denominator %d of λ exceeds 2^60; use smaller weights or a λ with fewer digits", ErrOverflow, in.Total, o.Lambda.Den)
	}
	p := &problem{
		in:      in,
		unit:    o.Lambda.Den,
		price:   o.Lambda.Num * in.Total,
		without: o.Without,
		longest: maxDepth,
		planes:  in.Planes,
		hasher:  bitvec.NewHasher(in.Words),
		words:   in.Words,
	}
	p.support = p.price / p.unit
	if p.step = 1; o.Proof == nil {
		p.step = ratio.GCD(p.unit, p.price)
	}
	if o.MaxRules > 0 {
		p.longest, p.limited = o.MaxRules, true
	}
	if !p.uses(Support) {
		p.support = -1
	}
	p.all = everyPoint(in)
	p.heavyFirst = weigh(in)
	p.g1, p.g0 = p.planes.Cost(p.all)
	if in.Gains != nil {
		p.useClasses(in.Gains)
	}
	return p, nil
}

// weighedWord is a word of a set with the cost of its lightest point.
type weighedWord struct {
	index    int
	lightest int64
}

func weigh(in *instance.Instance) (words []weighedWord) {
	for i := range in.Words {
		w := weighedWord{i, unknown}
		for _, c := range in.Costs[i*64 : i*64+64] {
			if c > 0 {
				w.lightest = min(w.lightest, c)
			}
		}
		if w.lightest < unknown {
			words = append(words, w)
		}
	}
	slices.SortStableFunc(words, func(a, b weighedWord) int { return cmp.Compare(b.lightest, a.lightest) })
	return words
}

func everyPoint(in *instance.Instance) []uint64 {
	all := make([]uint64, in.Words)
	for i, c := range in.Costs {
		if c > 0 {
			all[i/64] |= 1 << (i % 64)
		}
	}
	return all
}

// choose keeps the antecedents that are alive at the root, by falling gain, and
// lays out their columns. It takes seconds on the largest instances, and
// reports false if goOn did not let it finish.
func (p *problem) choose(goOn func() bool) bool {
	g1, g0, ok := p.rootGains(goOn)
	if !ok {
		return false
	}
	var useful []int32
	for i := range p.in.Antecedents {
		if p.useful(g1[i], g0[i]) {
			useful = append(useful, int32(i))
		}
	}
	gain := g1
	for i, g := range g0 {
		gain[i] = max(gain[i], g)
	}
	slices.SortFunc(useful, func(a, b int32) int { // package slices, as a search of shuffled labels takes little else
		return cmp.Or(cmp.Compare(gain[b], gain[a]), int(a-b))
	})

	for _, i := range useful {
		p.antecedents, p.columns = append(p.antecedents, antecedent(i)), append(p.columns, p.in.Columns[i])
	}
	p.matrix = p.matrixOf(p.columns, goOn)
	return goOn()
}

// chosenAtOnce is how many antecedents are counted at a time, or as many as have chosenWords
// words: a matrix of all of them would take as much memory as one of those that stay.
const (
	chosenAtOnce = 256
	chosenWords  = 1 << 21
)

// rootGains counts what each antecedent of the instance captures of class 1 and of class
// 0, or of more classes of the one with the largest gain, and 0.
func (p *problem) rootGains(goOn func() bool) (g1, g0 []int64, ok bool) {
	if p.classes == nil {
		return p.rootCounts(p.planes, goOn)
	}
	g1, g0 = make([]int64, p.in.Antecedents), make([]int64, p.in.Antecedents)
	for _, planes := range p.classes.gains {
		g, _, ok := p.rootCounts(planes, goOn)
		if !ok {
			return nil, nil, false
		}
		for i := range g1 {
			g1[i] = max(g1[i], g[i])
		}
	}
	return g1, g0, true
}

// rootCounts counts what each antecedent of the instance captures of planes.
func (p *problem) rootCounts(planes *bitvec.Planes, goOn func() bool) (g1, g0 []int64, ok bool) {
	var prog bitvec.Program
	planes.Compile(&prog, p.all)
	var some1, some0 [chosenAtOnce]int64
	atOnce := min(chosenAtOnce, max(1, chosenWords/max(1, p.words)/bitvec.Lanes)*bitvec.Lanes)
	m := bitvec.NewMatrix(min(atOnce, p.in.Antecedents), p.words)
	for columns := range slices.Chunk(p.in.Columns, atOnce) {
		for i, c := range columns {
			m.Set(i, c)
		}
		n := m.Blocks() * bitvec.Lanes
		if !goOn() || !m.CountWhile(&prog, some1[:n], some0[:n], goOn) {
			return nil, nil, false
		}
		g1, g0 = append(g1, some1[:len(columns)]...), append(g0, some0[:len(columns)]...)
	}
	return g1, g0, true
}

// matrixOf lays out columns, as many as goOn lets it.
func (p *problem) matrixOf(columns [][]uint64, goOn func() bool) *bitvec.Matrix {
	m := bitvec.NewMatrix(len(columns), p.words)
	for i, c := range columns {
		if !goOn() {
			break
		}
		m.Set(i, c)
	}
	return m
}

// padded is the number of columns with those that fill the last block.
func (p *problem) padded() int { return p.matrix.Blocks() * bitvec.Lanes }

// rootCost is the cost of the empty prefix.
func (p *problem) rootCost() int64 { return p.unit * p.in.Base }

// emptyObjective is the objective of the empty list.
func (p *problem) emptyObjective() int64 { return p.rootCost() + p.unit*p.emptyErrors() }

// appendProblem appends what a file says about the problem that it is about.
func appendProblem(b []byte, digest [32]byte, p *problem, o *Options) []byte {
	b = append(b, digest[:]...)
	b = binary.AppendUvarint(b, uint64(o.Lambda.Num))
	b = binary.AppendUvarint(b, uint64(o.Lambda.Den))
	b = binary.AppendUvarint(b, uint64(o.MaxRules))
	b = binary.AppendUvarint(b, uint64(p.in.Antecedents))
	return binary.AppendUvarint(b, uint64(p.in.Total))
}

// uses reports whether the search makes use of a pruning.
func (p *problem) uses(q Prunings) bool { return p.without&q == 0 }
