// Package fair finds the best rule list within limits: on differences between two groups, or on an operating point. It also
// finds good trees within an operating point, with a bound. Begin with [Ask].
package fair

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"parcorels/ask/goodmodels"
	"parcorels/ask/goodmodels/graph"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rules/rates"
)

// Options say what to search for, and how.
type Options struct {
	family.Options
	Group  rates.Group
	Limits []Limit // one or two
}

// Limit bounds a measure, from 0 to 1: at most, but Recall and Precision at least.
type Limit struct {
	Measure rates.Measure
	Most    ratio.Ratio
}

// Answer is the best rule list within the limits.
type Answer struct {
	*family.Model
	Proved  bool            // no rule list within the limits has a smaller objective
	Weighed bool            // by weights of the classes alone, which may prove no more
	Bound   float64         // none has one below this
	Rates   []evaluate.Rate // of each limit: the measure; of groups, the rate of the group less that of the others

	Best      *family.Model // the best list without limits
	BestRates []evaluate.Rate
}

// Ask finds the best rule list of which rates of a group of samples and of the others differ by
// at most the limits, one or two. See Fairest of package ask/goodmodels/graph. A proof is written only if
// the list is proved to be the best.
func Ask(ctx context.Context, p *family.Problem, o Options) (*Answer, error) {
	group, limits := o.Group, o.Limits
	// no graph proves it: the best that is found, with a bound
	bounded := p.Kind() == model.Tree || o.MinRows > 1 || len(o.Increasing)+len(o.Decreasing) > 0
	point := !slices.ContainsFunc(limits, func(l Limit) bool { return l.Measure.OfGroups() })
	switch {
	case p.Kind() != model.RuleList && p.Kind() != model.Tree:
		return nil, optionerr.Errorf("Family", "limits are for rule lists and trees, not for a %s", p.Kind())
	case p.EveryThreshold():
		return nil, optionerr.Errorf("Cuts", "option Cuts all does not go with limits: leave it out, and numbers are cut")
	case p.Kind() == model.Tree && !point:
		return nil, optionerr.Errorf("Limits", "a tree may have limits of an operating point alone")
	case bounded && o.Proof != nil:
		return nil, optionerr.Errorf("Proof", "option Proof does not go with limits on trees, nor with least rows and directions: leave "+
			"it out, the bound is told")
	case len(limits) < 1 || len(limits) > 2:
		return nil, optionerr.Errorf("Limits", "%d limits, expected one or two", len(limits))
	}
	start := time.Now()
	if p.Set.Data.ClassCount() != 2 {
		return nil, rates.ErrRates(p.Set.Data.ClassCount())
	}
	free := o.Options
	free.Time /= 2 // the rest is for the search within the limits
	asked := "limits such as option Recall"
	if limits[0].Measure.OfGroups() {
		asked = "limits such as option Parity"
	}
	r, err := goodmodels.NewFrame(ctx, p, free, true, point, asked, group.Name)
	if err != nil {
		return nil, err
	}
	inside := make([]graph.Limit, len(limits))
	sums, points := make([]rates.Sum, len(limits)), p.Set.PointOf()
	for i, l := range limits {
		if sums[i], err = l.Measure.Within(p.Set, group.Inside, l.Most); err != nil {
			return nil, err
		}
		sums[i].Value = rates.ByGroup(points, r.Points.Count, sums[i].Value)
		inside[i] = graph.Limit{Value: sums[i].Value, Least: sums[i].Least, Most: sums[i].Most,
			Told: []int64{int64(slices.Index(rates.Limited, l.Measure)), l.Most.Num, l.Most.Den}}
	}
	left := func() time.Duration { return max(o.Time-time.Since(start), min(o.Time, 1)) } // 0 without a limit
	c := r.Best.Certificate()
	bound := ratio.Floor(ratio.Product(c.Bound.Rat(), ratio.Int(r.Scale))).Int64()
	w := &weighing{p: p, o: o.Options, r: r, limits: inside, found: []*family.Model{r.Best}}
	each := left() / time.Duration(2*len(limits))
	for k := 0; k < len(limits) && point; k++ {
		if w.sum, w.limit = &sums[k], &inside[k]; o.Time > 0 {
			w.end = time.Now().Add(each)
		}
		if err = w.search(ctx); err != nil {
			return nil, err
		}
	}
	bound, r.Limits.Time = max(bound, w.bound), left()
	f := &Answer{Best: r.Best, Bound: r.Objective(bound), Weighed: bounded}
	var best graph.Model
	if bounded {
		best, err = w.bestFound()
		f.Proved = best.Objective <= bound
	} else {
		var known []graph.Model
		for _, m := range w.found {
			known = append(known, graph.Model{Preorder: preorder(m.Antecedents(), m.Cases())})
		}
		var found *graph.Fair
		if found, err = graph.Fairest(ctx, r.Input, inside, r.Limits, known, bound); err == nil {
			best, f.Proved, f.Bound = found.Model, found.Optimal(), r.Objective(found.Bound)
		}
	}
	if errors.Is(err, graph.ErrOutside) {
		err = optionerr.Errorf("Limits", "no %s was found that is within the limits: ask for less", p.Kind())
	}
	if err == nil {
		f.Model, err = r.ModelOf(best, bound)
	}
	if err != nil {
		return nil, err
	}
	f.Search.Proved = f.Proved
	for i, l := range limits {
		f.Rates = append(f.Rates, rate(r, f.Model, l.Measure, &sums[i]))
		f.BestRates = append(f.BestRates, rate(r, r.Best, l.Measure, &sums[i]))
	}
	return f, nil
}

// added is the sum of the values of the points that a model predicts to be of class 1.
func added(f *goodmodels.Frame, m *family.Model, value []int64) (sum int64) {
	for p, v := range value {
		sum += v * int64(f.PredictsAt(m, p))
	}
	return sum
}

// rate returns the measure of a model.
func rate(f *goodmodels.Frame, m *family.Model, measure rates.Measure, s *rates.Sum) evaluate.Rate {
	if measure.OfGroups() {
		return evaluate.Rate(float64(added(f, m, s.Value)) / float64(s.Scale))
	}
	all, wrong := model.Totals(m.Cases())
	ones, found, alarms := evaluate.Rate(all.Weights[1]), evaluate.Rate(all.Weights[1]-wrong.Weights[1]), evaluate.Rate(wrong.Weights[0])
	switch measure {
	case rates.Recall:
		return found / ones
	case rates.Precision:
		return found / (alarms + found)
	}
	return (alarms + found) / (evaluate.Rate(all.Weights[0]) + ones)
}

// Folds returns what learns the best rule lists within limits on an operating point in a cross-validation. The model is optimal where
// it is proved to be so among the lists within the limits.
func Folds(limits []Limit) func(context.Context, *family.Problem, family.Options) (*family.Model, error) {
	return func(ctx context.Context, p *family.Problem, o family.Options) (*family.Model, error) {
		a, err := Ask(ctx, p, Options{Options: o, Limits: limits})
		if err != nil {
			return nil, err
		}
		if list, is := a.Model.Model.(*rulelist.Model); is && a.Proved {
			list.Status = status.Optimal
		}
		return a.Model, nil
	}
}

// The multiplier of an operating point. Let D be the sum of a limit: a sample of class 1 that is predicted 1 adds α by its weight, one
// of class 0 adds β. With a multiplier s/t, and FN and FP the weights of class 1 and class 0 that are predicted wrongly,
//
//	t·(errors + price·rules) + s·D = (t − s·α)·FN + (t + s·β)·FP + t·price·rules + s·α·W1,
//
// as D = α·(W1 − FN) + β·FP. So the least of it is an ordinary search with weights of the classes: the fast one, with all of its
// bounds. If no list is below B there, no list with D ≤ δ has an objective below (B + s·α·W1 − s·δ)/t (Lagrangian duality). The
// lists that are found on the way are the incumbents, and the multiplier of the largest bound is that of the graph. A bound of one of two
// limits is one of both.

// weighing looks for the multiplier of each limit alone.
type weighing struct {
	p      *family.Problem
	o      family.Options
	r      *goodmodels.Frame
	limits []graph.Limit

	sum   *rates.Sum   // that of the limit that is looked at
	limit *graph.Limit // which is one of all
	end   time.Time    // of the time allowed; zero: none

	found []*family.Model // all lists or trees
	bound int64           // no list within the limit has a smaller objective, in units of the frame
}

// fine is how many steps of a multiplier an error of a sample has, for a sum of which a sample adds one.
const fine = 64

// weighings is how many searches with weights are made at most.
const weighings = 16

// search finds the multiplier by bisection: with a larger one D is smaller.
func (w *weighing) search(ctx context.Context) error {
	if w.keeps(w.r.Best) {
		return nil // the best of all lists is within the limit
	}
	size := max(w.sum.Class[0], w.sum.Class[1], -w.sum.Class[0], -w.sum.Class[1])
	if w.p.Set.Data.TotalWeight() > mostTotal/size || w.r.Lambda.Den > mostTotal {
		return nil // a weight of a class is up to 2^17 times as large
	}
	t := fine * size
	low, high, within := int64(0), int64(fine/8), false
	for range weighings {
		s := high
		if within {
			s = (low + high) / 2
		}
		if s == low || t-s*w.sum.Class[1] <= 0 || s > mostWeight*fine {
			return nil
		}
		kept, err := w.at(ctx, s, t)
		var digits *optionerr.Error
		switch {
		case errors.As(err, &digits): // λ with these weights has too many: the graph finds a multiplier by itself
			return nil
		case err != nil || ctx.Err() != nil:
			return err
		case kept:
			high, within = s, true
		case within:
			low = s
		default:
			low, high = s, 4*s // a search too many costs more than a step of the bisection
			if end := (t - 1) / max(w.sum.Class[1], 1); w.sum.Class[1] > 0 {
				high = min(high, end)
			}
		}
		if within && high-low <= max(1, high/16) {
			return nil
		}
	}
	return nil
}

// mostTotal keeps all products of weights, multipliers and λ within 2^58, so that no bound is one of an overflow. With heavier
// samples the graph looks for the multiplier by itself.
const mostTotal = 1 << 40

// mostWeight bounds how many errors of one class are worth one of the other.
const mostWeight = 1 << 10

// keeps reports whether a list is within the limit.
func (w *weighing) keeps(m *family.Model) bool {
	d := added(w.r, m, w.sum.Value)
	return w.limit.Least <= d && d <= w.limit.Most
}

// at searches with the multiplier s/t, and reports whether the list found is within the limit.
func (w *weighing) at(ctx context.Context, s, t int64) (kept bool, err error) {
	d := w.p.Set.Data
	class := [2]int64{t + s*w.sum.Class[0], t - s*w.sum.Class[1]}
	before := d.ClassTotals()
	all, lambda := class[0]*before[0]+class[1]*before[1], w.r.Lambda
	price, ok := ratio.FromRat(ratio.Product(lambda.Rat(), big.NewRat(t*(before[0]+before[1]), all)))
	if !ok {
		return false, optionerr.Errorf("Lambda", "λ with weights of classes has too many digits")
	}
	if price.Num >= price.Den {
		return true, nil // no rule is worth its price: one class for all
	}
	o := w.o.WithPrice(price)
	if o.Proof, o.Time = nil, longestWeighing; !w.end.IsZero() {
		o.Time = min(o.Time, max(time.Until(w.end)/6, w.o.Time/100, 1)) // searches that end at once find no rule
	}
	p, err := w.p.Reweighed(fmt.Sprintf("%d,%d", class[0], class[1]), o)
	if err != nil {
		return false, err
	}
	m, err := p.Fit(ctx, o)
	if err != nil {
		return false, err
	}
	c := m.Certificate()
	errors := ratio.Sum(ratio.Product(c.Bound.Rat(), ratio.Int(all)), ratio.Int(s*(w.sum.Class[1]*before[1]-w.limit.Most)))
	bound := ratio.Ceil(ratio.Product(errors, big.NewRat(lambda.Den, t)))
	if bound.IsInt64() && bound.Int64() > w.bound {
		w.bound, w.limit.Price = bound.Int64(), ratio.New(s*lambda.Den, t) // errors count Den in the frame
	}
	w.found = append(w.found, m)
	return w.keeps(m), nil
}

// longestWeighing bounds a search with weights where the limit of time does not.
const longestWeighing = 5 * time.Second

// Trees within an operating point are those that searches with weights of the classes find. They come with the bound of the
// multipliers, which holds for trees as well. It is met only where a tree of the convex hull is best, and there is
// no proof file: all trees between bound and best are too many to be counted. So are lists with least rows or directions: the
// searches with weights keep these, and the bound is one of lists that do. The graph knows neither. The first rules of such a list, with
// any default, are such a list as well.

// bestFound returns the model of least objective within the limits of those that are known, and its objective.
func (w *weighing) bestFound() (best graph.Model, err error) {
	err = graph.ErrOutside
	for class := range 2 {
		w.better(&best, &err, []int{-1 - class}, func(int) int { return class })
	}
	for _, m := range w.found {
		nodes := preorder(m.Antecedents(), m.Cases())
		if w.p.Kind() == model.Tree {
			w.better(&best, &err, nodes, func(p int) int { return w.r.PredictsAt(m, p) })
			continue
		}
		for end := 0; end < len(nodes); end += 2 {
			for class := range 2 {
				first := append(slices.Clip(nodes[:end]), -1-class)
				w.better(&best, &err, first, func(p int) int { return w.r.Input.Predicts(first, p) })
			}
		}
	}
	return best, err
}

// better takes a model for the best one, of which there is an error where there is none, if it is within the limits and has a smaller
// objective.
func (w *weighing) better(best *graph.Model, none *error, nodes []int, predicts func(point int) int) {
	errors, sums := int64(0), make([]int64, len(w.limits))
	for p := range w.r.Points.Count {
		class := predicts(p)
		errors += w.r.Points.Weights[1-class][p]
		for k, l := range w.limits {
			sums[k] += l.Value[p] * int64(class)
		}
	}
	for k, l := range w.limits {
		if sums[k] < l.Least || sums[k] > l.Most {
			return
		}
	}
	size := int64(len(nodes)) / 2 // rules, or splits
	if w.p.Kind() == model.Tree {
		size++
	}
	objective := w.r.Lambda.Den*errors + w.r.Lambda.Num*w.r.Points.Total*size
	if *none != nil || objective < best.Objective || objective == best.Objective && len(nodes) < len(best.Preorder) {
		*best, *none = graph.Model{Preorder: nodes, Objective: objective}, nil
	}
}

// preorder returns a model by the antecedents that hold in each case. A tree has its leaves in preorder, and a list is one of which the
// first side of each split is a leaf.
func preorder(when [][]int, leaves []model.Case) []int {
	if len(leaves) == 1 {
		return []int{-1 - leaves[0].Class}
	}
	split, depth := when[0][0], 1 // the way to the first leaf has all splits, the root's first
	for depth < len(leaves) && len(when[depth]) > 0 && when[depth][0] == split {
		depth++
	}
	with := make([][]int, depth)
	for i := range with {
		with[i] = when[i][1:]
	}
	return append(append([]int{split}, preorder(with, leaves[:depth])...), preorder(when[depth:], leaves[depth:])...)
}
