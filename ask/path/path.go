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
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	listsearch "parcorels/rulelist/search"
)

// Usual is the smallest λ where nobody says.
const Usual = "0.005"

// Options say how to search, and down to which price.
type Options struct {
	family.Options                     // Lambda is not asked for; Time bounds all searches together
	Least          ratio.Ratio         // the smallest λ, between 0 and 1
	Searches       func(λ ratio.Ratio) // called before each search; nil: never
}

// Answer has all optimal models of a problem for all λ from Least upwards.
type Answer = Path[*family.Model]

// Ask finds all optimal rule lists or trees of the problem for every λ down to Least.
// The intervals that a limit of time leaves open are in the answer.
func Ask(ctx context.Context, p *family.Problem, o Options) (*Answer, error) {
	least := o.Least
	f := family.Of(p.Kind())
	switch {
	case !f.Shares:
		return nil, optionerr.Errorf("Family", "a %s has no price of a rule as a share of the samples, which a path is about", p.Kind())
	case o.Maximise != "":
		return nil, optionerr.Errorf("Maximise", "option Maximise has one model, which is on no path")
	case !least.Within():
		return nil, optionerr.Errorf("Lambda", "a path down to λ = %v: expected a number between 0 and 1", least)
	case o.Proof != nil || o.Checkpoint != nil:
		return nil, optionerr.Errorf("Proof", "a path has neither a proof nor a checkpoint")
	}
	limited := ctx
	if o.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.Time)
		defer cancel()
	}
	var weights []*listsearch.Weights // of the searches before, as there is one at a time
	return Follow(limited, p.Set.Data.TotalWeight(), least, func(limited context.Context, lambda ratio.Ratio,
		near ...*family.Model) (Solution[*family.Model], error) {
		if o.Searches != nil {
			o.Searches(lambda)
		}
		o := o.WithPrice(lambda)
		start := family.Start{Weights: listsearch.Nearest(weights, lambda), Keep: true, FromLarger: len(near) > 0}
		if end, ok := limited.Deadline(); ok && o.Time > 0 {
			o.Time = max(time.Until(end), 1)
		}
		for _, m := range near {
			start.Known = append(start.Known, m.Antecedents())
		}
		m, found, err := p.FitFrom(ctx, o, start)
		if err != nil {
			return Solution[*family.Model]{}, err
		}
		if found != nil {
			weights = append(weights, found)
		}
		c := m.Certificate()
		s := Solution[*family.Model]{Model: m, Size: c.Size, Errors: model.ErrorWeight(m.Cases())}
		if c.Status != status.Optimal {
			s.Bound = c.Bound.Rat()
		}
		return s, nil
	})
}

// A front is made of paths, one for each weight of a miss. A model of a path minimises a sum of what it misses, its false alarms
// and its size, each times a positive number. One that is better in one of the three and worse in none would have a smaller sum.
// So none of these models is beaten by any other. There may be more such models, between these.

// Front has the models of paths, by what they miss: one for each count of misses, false alarms and rules.
type Front struct {
	*Answer               // Down is the largest of the paths, Open what any of them has
	Weights []ratio.Ratio // of each vertex: what a sample of class 1 weighs beside one of class 0
}

// AskFront finds a path for each weight of class 1, where class 0 weighs 1, on the same conditions. Without weights they are those
// of UsualWeights. A path is of the share of all weight, as λ is under class weights.
func AskFront(ctx context.Context, p *family.Problem, o Options, weights []ratio.Ratio) (*Front, error) {
	read := p.Reading()
	switch d := p.Set.Data; {
	case d.ClassCount() != 2:
		return nil, optionerr.Errorf("Front", "option Front weighs two classes, there are %d: choose by option Positive", d.ClassCount())
	case read.ClassWeights+read.CostMatrix != "" || d.Gains != nil:
		return nil, optionerr.Errorf("Front", "option Front weighs the classes itself: leave other weights of classes and costs out")
	}
	totals := p.Set.Data.ClassTotals()
	if weights == nil {
		weights = UsualWeights(totals)
	}
	// Near the weight with which both classes count the same searches are hardest: they come last, and get the time that others leave.
	far := func(w ratio.Ratio) float64 {
		return math.Abs(math.Log(w.Float() * float64(max(totals[1], 1)) / float64(max(totals[0], 1))))
	}
	weights = slices.SortedStableFunc(slices.Values(weights), func(a, b ratio.Ratio) int { return cmp.Compare(far(b), far(a)) })
	type point struct {
		Vertex[*family.Model]
		weight ratio.Ratio
		wrong  [2]*big.Rat // share of class 0 in which it gives a false alarm, and of class 1 that it misses
	}
	var points []point
	order := func(a, b point) int {
		return cmp.Or(b.wrong[1].Cmp(a.wrong[1]), a.wrong[0].Cmp(b.wrong[0]), cmp.Compare(a.Size, b.Size))
	}
	f, end := &Front{Answer: &Answer{}}, time.Now().Add(o.Time)
	for i, w := range weights {
		if o.Time > 0 {
			o.Time = max(time.Until(end)/time.Duration(len(weights)-i), 1)
		}
		q, err := p.Reweighed(fmt.Sprintf("%d,%d", w.Den, w.Num), o.Options)
		if err != nil {
			return nil, err
		}
		path, err := Ask(ctx, q, o)
		if err != nil {
			return nil, err
		}
		f.Solves, f.Open = f.Solves+path.Solves, append(f.Open, path.Open...)
		if i == 0 || f.Down.Cmp(path.Down) < 0 {
			f.Down = path.Down
		}
		for _, v := range path.Vertices {
			v.Model.About().Options = nil // which are without the weight of a miss
			points = append(points, point{v, w, wrong(v.Model)})
		}
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Or(order(a, b), cmp.Compare(a.weight.Float(), b.weight.Float())) })
	for _, x := range slices.CompactFunc(points, func(a, b point) bool { return order(a, b) == 0 }) {
		f.Vertices, f.Weights = append(f.Vertices, x.Vertex), append(f.Weights, x.weight)
	}
	return f, nil
}

// wrong returns the share of the weight of each class that a model gets wrong.
func wrong(m *family.Model) (shares [2]*big.Rat) {
	all, missed := model.Totals(m.Cases())
	for class := range shares {
		shares[class] = big.NewRat(missed.Weights[class], max(all.Weights[class], 1))
	}
	return shares
}

// UsualWeights are the powers of two from a quarter of the smaller to four times the larger of 1 and the weight with which both
// classes count the same.
func UsualWeights(totals [2]int64) (weights []ratio.Ratio) {
	equal := float64(max(totals[0], 1)) / float64(max(totals[1], 1))
	for k := -30; k <= 30; k++ {
		w := ratio.New(1<<max(k, 0), 1<<max(-k, 0))
		if x := w.Float(); x >= min(1, equal)/4 && x <= 4*max(1, equal) {
			weights = append(weights, w)
		}
	}
	return weights
}

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
	_, limited := ctx.Deadline()
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
			if missed = lambda; !limited || ctx.Err() != nil {
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
