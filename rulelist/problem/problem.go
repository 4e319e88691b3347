package problem

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/costs"
	"parcorels/instance"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist/separation"
	"parcorels/rules"
)

// Column is the place of an antecedent in the order of a problem: searches, bounds and the
// trie speak of columns.
type Column = separation.Column

// Antecedent is the index of an antecedent in the instance: results, proofs, checkpoints
// and the order of lists speak of antecedents, as the order of columns is nobody else's.
type Antecedent uint16

// Problem is an instance in the form that the workers read: λ in integers, and
// only the antecedents that can ever be of use, those with the most to gain
// first, so that the columns still alive deep in the search share blocks. It
// is immutable once the search begins.
//
// All costs, bounds and objectives in this package are scaled integers,
// unit·errors + price·length, with unit = Den(λ) and price = Num(λ)·N. Errors
// include the unavoidable base, so the root costs unit·Base.
type Problem struct {
	In      *instance.Instance
	Unit    int64
	Price   int64
	Support int64       // a rule that gains no more than this is useless (support.go); −1 without that pruning
	May     Restriction // which rules there may be (restrict.go)
	rowsOf  [][]uint64  // column → samples for which it holds; nil without MinRows
	without Prunings
	Longest int   // most rules of a list (limit.go)
	Limited bool  // whether that is a limit that was asked for
	Step    int64 // all objectives are multiples of it; 1 with a proof, whose checker does not round (search/near.go)

	*costs.Table
	Antecedents []Antecedent // of each column, its index in the instance
	Columns     [][]uint64   // column → captured points
	Matrix      *bitvec.Matrix
	Hasher      *bitvec.Hasher
	All         []uint64 // every point
	Sum         int64    // what all points cost
}

// ErrOverflow reports weights and a λ whose exact objectives would not fit 63
// bits.
var ErrOverflow = errors.New("the objective would overflow")

// MaxScaled bounds unit·N, so that sums of a few costs stay below 2^63.
const MaxScaled = 1 << 60

const MaxAntecedents = rules.MaxAntecedents

// Settings say what the problem is. But for λ and the limit of rules they do not change its optimum.
type Settings struct {
	Lambda   ratio.Ratio
	MaxRules int // 0: no limit
	May      Restriction
	Without  Prunings // prunings to leave out
	Proved   bool     // a proof is written, which does not know all that a search may know
}

// New returns the problem without its columns, which choose adds.
func New(in *instance.Instance, o Settings) (*Problem, error) {
	if in.Antecedents > MaxAntecedents {
		return nil, optionerr.Errorf("Antecedents", "%d antecedents, at most %d are supported", in.Antecedents, MaxAntecedents)
	}
	if hi, lo := bits.Mul64(uint64(o.Lambda.Den), uint64(in.Total)); hi != 0 || lo >= MaxScaled {
		return nil, fmt.Errorf("%w: total weight %d × the denominator %d of λ exceeds 2^60; use smaller weights or a λ with fewer digits",
			ErrOverflow, in.Total, o.Lambda.Den)
	}
	if err := o.May.check(in); err != nil {
		return nil, err
	}
	p := &Problem{
		In:      in,
		Unit:    o.Lambda.Den,
		Price:   o.Lambda.Num * in.Total,
		without: o.Without,
		May:     o.May,
		Longest: MaxDepth,
		Table:   in.Table,
		Hasher:  bitvec.NewHasher(in.Words),
		All:     in.All(),
	}
	p.Support = p.Price / p.Unit
	if p.Step = 1; !o.Proved {
		p.Step = ratio.GCD(p.Unit, p.Price)
	}
	if o.MaxRules > 0 {
		p.Longest, p.Limited = o.MaxRules, true
	}
	if p.CountsRows() {
		p.without |= Similar
	}
	if !p.Uses(Support) {
		p.Support = -1
	}
	p.Sum = p.Cost(p.All, p.All)
	return p, nil
}

// Choose keeps the antecedents that are alive at the root, by falling gain, and
// lays out their columns. It takes seconds on the largest instances, and
// reports false if goOn did not let it finish.
func (p *Problem) Choose(goOn func() bool) bool {
	gain, ok := p.rootGains(goOn)
	if !ok {
		return false
	}
	var useful []int32
	for i, g := range gain {
		if g > p.Support && !p.mayNot(Antecedent(i)) {
			useful = append(useful, int32(i))
		}
	}
	slices.SortFunc(useful, func(a, b int32) int { // package slices, as a search of shuffled labels takes little else
		return cmp.Or(cmp.Compare(gain[b], gain[a]), int(a-b))
	})

	for _, i := range useful {
		p.Antecedents, p.Columns = append(p.Antecedents, Antecedent(i)), append(p.Columns, p.In.Columns[i])
		if p.CountsRows() {
			p.rowsOf = append(p.rowsOf, p.rows(Antecedent(i)))
		}
	}
	p.Matrix = p.matrixOf(p.Columns, goOn)
	return goOn()
}

// matrixOf lays out columns, as many as goOn lets it.
func (p *Problem) matrixOf(columns [][]uint64, goOn func() bool) *bitvec.Matrix {
	m := bitvec.NewMatrix(len(columns), p.Words)
	for i, c := range columns {
		if !goOn() {
			break
		}
		m.Set(i, c)
	}
	return m
}

// Among returns the problem with some of its columns alone, in this order, for heuristics.
func (p *Problem) Among(columns []Column) *Problem {
	some := *p
	some.Antecedents, some.Columns, some.rowsOf = nil, nil, nil
	for _, col := range columns {
		some.Antecedents, some.Columns = append(some.Antecedents, p.Antecedents[col]), append(some.Columns, p.Columns[col])
	}
	some.Matrix = some.matrixOf(some.Columns, func() bool { return true })
	return &some
}

// Padded is the number of columns with those that fill the last block.
func (p *Problem) Padded() int { return p.Matrix.Blocks() * bitvec.Lanes }

// RootCost is the cost of the empty prefix.
func (p *Problem) RootCost() int64 { return p.Unit * p.In.Base }

// EmptyObjective is the objective of the empty list.
func (p *Problem) EmptyObjective() int64 { return p.RootCost() + p.Unit*p.EmptyErrors() }

// Uses reports whether the search makes use of a pruning.
func (p *Problem) Uses(q Prunings) bool { return p.without&q == 0 }

// StepUp returns the least objective that a list may have of at least so much.
func (p *Problem) StepUp(objective int64) int64 {
	if p.Step == 1 {
		return objective
	}
	return (objective + p.Step - 1) / p.Step * p.Step
}

// Levels returns how many rules the beams' lists have at most. A limited search looks beyond
// its limit for the surcharge.
func (p *Problem) Levels() int {
	if p.Limited {
		return min(MaxDepth, 2*p.Longest+2)
	}
	return p.Longest
}

// MaxDepth bounds the length of a prefix: every antecedent at most once.
const MaxDepth = MaxAntecedents - 1

// Unknown is more than any objective and any errors.
const Unknown = int64(1) << 62
