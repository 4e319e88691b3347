package separation

import (
	"math/bits"

	"parcorels/bitvec"
	"parcorels/costs"
)

// The exact scale. Lists are compared by objective, then by length, so a bound
// counts in units of 1/Scale of an objective: a rule costs Scale·price + Tie,
// an error on e Scale·unit·cost(e). With Tie = 1 and Scale above the number of
// rules of any list, the sum orders lists by both at once. Scale is as large as
// 62 bits allow, so that rounding weights down to integers loses nothing that
// matters; where even 2^17 does not fit, Tie is 0 and lengths are not compared.

const (
	mostScaleBits = 20
	tieScaleBits  = 17
	maxValueBits  = 58
)

// Problem is a rule-list problem in the form that the bound reads. It is
// immutable and may be shared.
//
// A rule is named by k·column + label, of k labels.
type Problem struct {
	Columns [][]uint64
	Words   int
	labels  int // k
	costs   *costs.Table

	Scale int64 // of an objective; a power of two
	Tie   int64 // what a rule costs beside its price: 1, or 0 where that does not fit

	Surcharge int64 // as in Prices
	Limited   bool  // whether Prices had a limit

	rule  int64   // cost of a rule with its surcharge, scaled
	price int64   // of a rule without it, in objective units
	unit  int64   // of an error
	cost  []int64 // by bit position, what it costs at least to miss the cheapest label of a point, in errors

	all   []uint64 // every point that costs so much
	width int      // words of a set of columns
	rows  []uint64 // by point, width words: the columns that hold it
}

// Point is a point of a problem, by its bit position in the words of a set.
type Point int32

// Column is the place of an antecedent among Problem.Columns.
type Column uint16

// Prices are what lists pay, in units of the objective.
type Prices struct {
	Error, Rule int64 // an error of weight 1, and a rule
	// Where lists have at most Most rules, a rule costs the surcharge on top, a multiplier of
	// that limit: the caller takes Surcharge·Most off the bound. 0: no limit.
	Surcharge int64
	Most      int
}

// New lays out a problem: columns over points with these costs, of this total weight. A rule is pure on points whose cheapest
// label it predicts. So a point counts by that label, at what it costs at least to miss it.
func New(columns [][]uint64, t *costs.Table, prices Prices, total int64) *Problem {
	p := &Problem{
		Columns: columns, Words: t.Words, labels: t.Labels, costs: t,
		price: prices.Rule, unit: prices.Error, cost: t.Own, width: (len(columns) + 63) / 64,
	}
	most := p.unit*total + p.price + prices.Surcharge*int64(prices.Most+1)
	shift := min(mostScaleBits, max(0, maxValueBits-bits.Len64(uint64(most))))
	if p.Scale = 1 << shift; shift >= tieScaleBits {
		p.Tie = 1
	}
	p.Surcharge, p.Limited = prices.Surcharge, prices.Most > 0
	p.rule = p.Scale*(p.price+p.Surcharge) + p.Tie
	p.all = make([]uint64, p.Words)
	for e, c := range p.cost {
		if c > 0 {
			p.all[e/64] |= 1 << (e % 64)
		}
	}
	p.transpose()
	return p
}

// transpose fills in the rows of the points.
func (p *Problem) transpose() {
	p.rows = make([]uint64, len(p.cost)*p.width)
	for col, words := range p.Columns {
		for e := range bitvec.Members(words) {
			p.rows[e*p.width+col/64] |= 1 << (col % 64)
		}
	}
}

// rules is the number of names of rules.
func (p *Problem) rules() int { return p.labels * len(p.Columns) }

// row returns the columns that hold a point.
func (p *Problem) row(e Point) []uint64 {
	return p.rows[int(e)*p.width : (int(e)+1)*p.width]
}

// label returns the label of a point.
func (p *Problem) label(e Point) int { return int(p.costs.ByWord[e/64]) }

// pointCost returns the scaled cost of mispredicting a point.
func (p *Problem) pointCost(e Point) int64 { return p.Scale * p.unit * p.cost[e] }

// Value puts an objective and a length on the scale of bounds.
func (p *Problem) Value(objective int64, length int) int64 {
	return p.Scale*objective + p.Tie*int64(length)
}

// Bytes is the memory that a problem of so many points and columns takes.
func Bytes(positions, columns int) int64 { return int64(positions) * int64((columns+63)/64) * 8 }
