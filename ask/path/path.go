package path

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
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
