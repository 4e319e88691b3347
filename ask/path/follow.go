// Package path finds all optimal models of a table for all prices of a rule, so that
// nobody must guess λ. Begin with [Ask].
//
// The types to know: a [Solver] finds the optimum for one λ, of any family that minimises
// errors/total + λ·size; a [Path] is what Follow returns; a [Vertex] is a model with the
// interval of λ in which it is optimal; an [Interval] is where that is not proved.
package path

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"parcorels/ratio"
)

// Solution is what a solver found for one λ.
type Solution[M any] struct {
	Model  M
	Size   int      // rules or leaves
	Errors int64    // weight of the samples that the model gets wrong
	Bound  *big.Rat // no model has a smaller errors/total + λ·size; nil if the model is optimal
}

// Solver finds the smallest of the optimal models for a λ between 0 and 1, or the best
// that it could with a bound. Near are models that are the smallest of the optimal ones for the nearest λ on both
// sides, the first for a larger one. A deadline of ctx
// is the limit of its time.
type Solver[M any] func(ctx context.Context, lambda ratio.Ratio, near ...M) (Solution[M], error)

// Vertex is a model that is optimal for every λ of an interval, the smallest of these but
// at its upper end, where it ties with the vertex before.
type Vertex[M any] struct {
	Solution[M]
	From, To *big.Rat // To is nil of the first vertex: optimal for any larger λ
}

// Interval is an open interval of λ.
type Interval struct{ Low, High *big.Rat }

// Path has all optimal models from some λ upwards.
type Path[M any] struct {
	Vertices []Vertex[M] // by size; From of one is To of the next; none if a limit ended the first search
	// Down is the λ down to which the path is certified, but for what is in Open.
	Down *big.Rat
	// Open are intervals in which a limit left open whether another model is better,
	// ascending, without overlap.
	Open   []Interval
	Solves int
}

// descent is what λ is divided by from one step downwards to the next, and up to twice that by the
// last one. The searches for the smallest λ are the longest, so one more would nearly double the time.
const descent = 4

// nearby is how much larger λ is at most for which no step towards one without a proof is tried.
const nearby = 1.1

// top is a λ at which no model is worth a second rule or leaf: it saves less than all
// weight.
var top = ratio.New(999, 1000)

// Follow finds the path down to λ = least, of a table with this total weight. It solves
// for ever smaller λ, and between two of them wherever another model may be optimal, so
// that a limit costs the lower end of the path alone. Where ctx has a deadline and a step ends without a proof,
// shorter steps follow. An error is one of the solver.
//
// Let z(λ) be the optimal value, a concave function with straight pieces, one for each
// vertex. Two arguments are all that it needs:
//
//   - T1: if L is optimal for λ' and M for λ < λ', M has at least as many rules as L. (Add
//     the two inequalities.) So nothing lies between vertices of k and k + 1 rules.
//   - T2: a model that is optimal at both ends of an interval is optimal inside it, as all
//     values are linear in λ. So where the lines of two optimal models cross, one search
//     decides: if none is below the crossing, both intervals end there; if one is, it is a
//     vertex in between.
func Follow[M any](ctx context.Context, total int64, least ratio.Ratio, solve Solver[M]) (*Path[M], error) {
	f := &follower[M]{ctx: ctx, total: total, solve: solve}
	first, err := f.at(ctx, top)
	if err != nil {
		return nil, err
	}
	if first.Bound != nil {
		return &Path[M]{Down: big.NewRat(1, 1), Solves: 1}, nil
	}
	f.vertices = []*Solution[M]{first}
	highest := big.NewRat(first.Errors, total) // a rule cannot save more
	path := &Path[M]{Down: new(big.Rat).Set(highest)}
	end := least.Rat()
	var missed *big.Rat // the largest λ at which a search ended without a proof
	for first.Errors > 0 && path.Down.Cmp(end) > 0 {
		lambda := f.next(path.Down, missed, end)
		if lambda == nil {
			break
		}
		last, at := f.vertices[len(f.vertices)-1], exact(lambda, false)
		lambda.SetFrac64(at.Num, at.Den)
		corner, err := f.step(at, last.Model)
		if err != nil {
			return nil, err
		}
		if corner.Bound != nil {
			if missed = lambda; !f.goesOn() {
				break
			}
			continue
		}
		if err := f.between(last, corner, lambda, path.Down); err != nil {
			return nil, err
		}
		if corner.Size > last.Size {
			f.vertices = append(f.vertices, corner)
		}
		path.Down = lambda
	}
	if path.Down.Cmp(end) < 0 || first.Errors == 0 {
		path.Down = end
	}
	f.finish(path)
	return path, nil
}

// follower is a call of Follow.
type follower[M any] struct {
	ctx      context.Context
	total    int64
	solve    Solver[M]
	vertices []*Solution[M] // by size
	open     []Interval
	solves   int
}

func (f *follower[M]) at(ctx context.Context, lambda ratio.Ratio, near ...M) (*Solution[M], error) {
	f.solves++
	s, err := f.solve(ctx, lambda, near...)
	return &s, err
}

// next is the λ of the next step down; nil if a search has ended without a proof nearby.
func (f *follower[M]) next(down, missed, end *big.Rat) *big.Rat {
	lambda := ratio.Over(down, ratio.Int(descent))
	if missed == nil {
		if half := ratio.Over(lambda, ratio.Int(2)); half.Cmp(end) <= 0 {
			return new(big.Rat).Set(end)
		}
		return lambda
	}
	if lambda.Cmp(missed) > 0 {
		return lambda
	}
	high, _ := down.Float64()
	low, _ := missed.Float64()
	if high < nearby*low {
		return nil
	}
	short := strconv.FormatFloat(math.Sqrt(high*low), 'e', 2, 64) // three digits are enough to be between them
	middle, _ := new(big.Rat).SetString(short)
	return middle
}

// step searches for a step down. It takes three quarters of the time that is left, so that a step of half the length
// is possible if there is no proof of the whole one.
func (f *follower[M]) step(lambda ratio.Ratio, near M) (*Solution[M], error) {
	end, limited := f.ctx.Deadline()
	if !limited {
		return f.at(f.ctx, lambda, near)
	}
	ctx, cancel := context.WithDeadline(f.ctx, end.Add(-time.Until(end)/4))
	defer cancel()
	return f.at(ctx, lambda, near)
}

// goesOn reports whether there is time left.
func (f *follower[M]) goesOn() bool {
	_, limited := f.ctx.Deadline()
	return limited && f.ctx.Err() == nil
}

// between adds the vertices between p, optimal down to high or below, and q, optimal at
// low, in the order of size.
func (f *follower[M]) between(p, q *Solution[M], low, high *big.Rat) error {
	if q.Size <= p.Size+1 {
		return nil
	}
	crossing := f.crossing(p, q)
	at := exact(crossing, true)
	if !at.Valid() {
		f.open = append(f.open, Interval{low, high}) // too many digits to be searched
		return nil
	}
	r, err := f.at(f.ctx, at, p.Model, q.Model)
	if err != nil {
		return err
	}
	common := f.value(p, crossing)
	switch below := f.value(r, crossing).Cmp(common) < 0; {
	case r.Bound != nil:
		// T3: a list that beats p at λ above the crossing has more rules than p, so its value
		// at the crossing is less than common − (λ − crossing). With the bound, λ is less than
		// common − bound above it; likewise below.
		reach := ratio.Minus(common, r.Bound)
		f.open = append(f.open, Interval{larger(low, ratio.Minus(crossing, reach)), smaller(high, ratio.Sum(crossing, reach))})
		return nil
	case !below:
		return nil
	}
	if err := f.between(p, r, crossing, high); err != nil {
		return err
	}
	f.vertices = append(f.vertices, r)
	return f.between(r, q, low, crossing)
}

// crossing is the λ at which two models have the same value.
func (f *follower[M]) crossing(p, q *Solution[M]) *big.Rat {
	return ratio.Over(big.NewRat(p.Errors-q.Errors, f.total), ratio.Int(int64(q.Size-p.Size)))
}

// value is errors/total + λ·size.
func (f *follower[M]) value(s *Solution[M], lambda *big.Rat) *big.Rat {
	return ratio.Sum(ratio.Product(lambda, ratio.Int(int64(s.Size))), big.NewRat(s.Errors, f.total))
}

// finish writes vertices, with the λ at which each begins to be optimal, and what is open.
func (f *follower[M]) finish(path *Path[M]) {
	path.Solves = f.solves
	var above *big.Rat
	for i, s := range f.vertices {
		v := Vertex[M]{Solution: *s, From: path.Down, To: above}
		if i+1 < len(f.vertices) {
			v.From = f.crossing(s, f.vertices[i+1])
		}
		above = v.From
		path.Vertices = append(path.Vertices, v)
	}
	slices.SortFunc(f.open, func(a, b Interval) int { return cmp.Or(a.Low.Cmp(b.Low), a.High.Cmp(b.High)) })
	for _, o := range f.open {
		if k := len(path.Open) - 1; k >= 0 && o.Low.Cmp(path.Open[k].High) <= 0 {
			path.Open[k].High = larger(path.Open[k].High, o.High)
			continue
		}
		path.Open = append(path.Open, o)
	}
}

// mostDigits bounds the terms of a λ, as those of one that a person types.
const mostDigits = 40

// exact returns r as a ratio. One of too many digits is the nearest below of fewer, or
// without a value if it must be that number.
func exact(r *big.Rat, itself bool) ratio.Ratio {
	if r.Num().BitLen() <= mostDigits && r.Denom().BitLen() <= mostDigits {
		x, _ := ratio.FromRat(r)
		return x
	}
	if itself {
		return ratio.Ratio{}
	}
	const den = 1 << 30
	return ratio.New(max(1, ratio.Floor(ratio.Product(r, ratio.Int(den))).Int64()), den)
}

func smaller(list ...*big.Rat) *big.Rat { return slices.MinFunc(list, (*big.Rat).Cmp) }

func larger(list ...*big.Rat) *big.Rat { return slices.MaxFunc(list, (*big.Rat).Cmp) }
