package problem

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"parcorels/bitvec"
	"parcorels/costs"
	"parcorels/instance"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist"
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

// The order: complete lists are compared by objective,
// then length, then antecedent indices lexicographically. It is a strict total
// order, so exactly one list is smallest, and a prefix may be dropped only if
// every completion of it is beaten by a strictly smaller list. Then no prefix
// of the smallest list is ever dropped, whatever the interleaving of the
// workers, and the same list comes back every time.

// Solution is a complete list. It is immutable once published.
type Solution struct {
	Objective int64
	List      []Antecedent // antecedent indices of the instance
	Step      int64        // no other list is as good but those that are better by so much; 0: not known (search/near.go)
	Source    byte         // 'F' first incumbent, 'S' search, 'R' checkpoint resumed
	Found     time.Time
}

// Better reports whether s comes before t in the order.
func (s Solution) Better(t *Solution) bool {
	order := cmp.Or(cmp.Compare(s.Objective, t.Objective), cmp.Compare(len(s.List), len(t.List)), slices.Compare(s.List, t.List))
	return order < 0
}

// LexLess compares the antecedent indices of two prefixes given as columns.
func (p *Problem) LexLess(a, b []Column) bool {
	return slices.CompareFunc(a, b, func(x, y Column) int { return cmp.Compare(p.Antecedents[x], p.Antecedents[y]) }) < 0
}

// Evaluate makes a solution of a list of antecedents.
func (p *Problem) Evaluate(list []Antecedent) *Solution {
	u := append([]uint64(nil), p.All...)
	var errors int64
	for _, a := range list {
		_, e, _ := p.Rule(u, a)
		errors += e
		bitvec.AndNot(u, u, p.In.Columns[a])
	}
	_, e, _ := p.Best(u, u)
	errors += e
	return &Solution{Objective: p.RootCost() + p.Price*int64(len(list)) + p.Unit*errors, List: list, Source: 'R'}
}

// Rules returns the rules of a list with the label that each predicts: the
// heaviest class of what it captures, the smallest one on a tie, or the only one that it may predict.
func (p *Problem) Rules(list []Antecedent) (rules []rulelist.Rule, def int) {
	u := append([]uint64(nil), p.All...)
	for _, a := range list {
		label, _, _ := p.Rule(u, a)
		rules = append(rules, rulelist.Rule{Antecedent: int(a), Class: label})
		bitvec.AndNot(u, u, p.In.Columns[a])
	}
	def, _, _ = p.Best(u, u)
	return rules, def
}

// Prunings is a set of prunings, by bit.
type Prunings uint

// The prunings of this package; each has a file with its argument.
const (
	Bound      Prunings = 1 << iota // bound.go
	Support                         // support.go
	Commuting                       // prune/commuting.go
	Similar                         // prune/dominance.go
	LookAhead                       // prune/lookahead.go
	Incumbent                       // package first: the incumbent before the search
	Redundant                       // prune/redundant.go
	Separation                      // prune/separation.go
	Split                           // prune/split.go
)

var pruningNames = []string{"bound", "support", "commuting", "dominance", "lookahead", "incumbent", "redundant", "separation", "split"}

// ParsePrunings reads a comma-separated list of names.
func ParsePrunings(s string) (p Prunings, err error) {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		i, err := Find("Without", pruningNames, name)
		if err != nil {
			return 0, err
		}
		p |= 1 << i
	}
	return p, nil
}

// AllPrunings returns the set of every pruning.
func AllPrunings() Prunings { return 1<<len(pruningNames) - 1 }

func (p Prunings) Has(q Prunings) bool { return p&q != 0 }

func (p Prunings) String() string {
	var on []string
	for i, name := range pruningNames {
		if p.Has(1 << i) {
			on = append(on, name)
		}
	}
	return strings.Join(on, ",")
}

// Find returns the place of a name among others, or a *optionerr.Error.
func Find(option string, names []string, s string) (int, error) {
	if i := slices.Index(names, s); i >= 0 {
		return i, nil
	}
	return 0, optionerr.Bad(option, strconv.Quote(s), "one of %s", strings.Join(names, ", "))
}
