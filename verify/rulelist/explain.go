package rulelist

import (
	"cmp"
	"slices"

	"parcorels/ratio"
)

// Explanation is what a person needs to check that no list has a smaller objective
// than the verified one: sets of points with weights, a bound of the empty prefix
// (separation.go) that suffices by itself. Which of equally good lists comes first is left
// to the proof.
//
// All amounts are integers. A sample that a list gets wrong costs Error, a rule costs
// Rule, whatever the list.
type Explanation struct {
	Error   int64 // what an error of weight one costs: λ's denominator, times a power of two
	Rule    int64 // what a rule costs: λ's numerator times N, times the same power
	Base    int64 // weight that every list gets wrong: of equal samples, the lighter class
	Claimed int64 // what the verified list costs
	Least   int64 // what every list costs at least: Base·Error and Sum less Above
	Smaller int64 // the most that a list with a smaller objective could cost

	Points  []Point      // that sets hold: by class, the dearest first
	Sets    []ExplainSet // none if the proof has no bound
	Sum     int64        // of their weights
	Rules   []RuleLoad   // that are pure on some of the sets, the largest load first
	LeftOut []RuleOf     // rules that no smallest list has, as they gain too little
	Above   int64        // by how much loads exceed what their rules and points cost, in all
}

// Holds reports whether the bound shows that no list has a smaller objective.
func (e *Explanation) Holds() bool { return e.Least > e.Smaller }

// Point stands for all samples that satisfy the same antecedents.
type Point struct {
	Sample int      // the first of them that is of the heavier class, from 0
	Class  int      // the heavier one, 0 or 1
	Weight [2]int64 // of the samples, by class
	Load   int64    // the weights of the sets that hold it
}

// Cost is the weight of errors that a list makes beyond Base if it gets the point wrong.
func (p *Point) Cost() int64 { return p.Weight[p.Class] - p.Weight[1-p.Class] }

// RuleOf is an antecedent with the class that a rule predicts.
type RuleOf struct {
	Antecedent int
	Class      int
}

// RuleLoad is a rule and the weight of all sets on which it is pure.
type RuleLoad struct {
	RuleOf
	Load int64
}

// ExplainSet is some points, by their index, with a weight.
type ExplainSet struct {
	Points []int
	Weight int64
}

// Weights are a bound of the empty prefix: sets of groups, by the numbers of
// docs/proof-format.md, with weights in 2^-Scale of an objective.
type Weights struct {
	Scale int
	Sets  [][]uint32 // ascending
	Each  []int64    // weight of each set
}

// explainer makes an explanation. Objectives are den·errors + num·N·rules, hence multiples of
// the greatest common divisor of den and num·N. So it suffices that every list costs more
// than the claimed objective less this unit.
type explainer struct {
	*evaluator
	f    *frame
	unit int64
}

// explained is a bound's weights, with their scale.
type explained struct {
	scale int
	link  []weighed
}

// explain returns the explanation with the fewest sets: of the bounds of the empty prefix
// in the proof, and of one that the caller proposes. It takes the proof for checked.
func (p *problem) explain(t *tree, hint func(int64) *Weights) *Explanation {
	unit := ratio.GCD(p.unit, p.price)
	all := []explained{{}}
	for _, b := range slices.Concat(t.bounds, t.weighed[root]) {
		for _, link := range b.links {
			all = append(all, explained{b.scale, link})
		}
	}
	if w := hint(p.objective - unit); w != nil {
		if l, ok := p.accept(t, w); ok {
			all = append(all, l)
		}
	}
	if p.satisfies == nil {
		p.transpose()
	}
	x := explainer{evaluator: newEvaluator(p, t), f: newFrame(p), unit: unit}
	best, link := x.bound(all[0], 0), all[0]
	for _, l := range all[1:] {
		e := x.bound(l, l.scale)
		if e.Holds() && (!best.Holds() || len(e.Sets) < len(best.Sets)) || !best.Holds() && e.Least/e.Error > best.Least/best.Error {
			best, link = e, l
		}
	}
	for scale := 0; best.Holds() && scale < link.scale; scale++ { // weights of few digits
		if e := x.bound(link, scale); e.Holds() {
			best = e
			break
		}
	}
	return x.complete(best)
}

// accept adds the sets of a hint to those of a tree.
func (p *problem) accept(t *tree, w *Weights) (l explained, ok bool) {
	if w.Scale < 0 || w.Scale > mostScale || !p.fits(&bound{scale: w.Scale}) || len(w.Each) != len(w.Sets) || p.checkSets(w.Sets) != nil {
		return l, false
	}
	l.scale = w.Scale
	for k, y := range w.Each {
		if y > 0 {
			l.link = append(l.link, weighed{uint32(len(t.sets) + k), y})
		}
	}
	t.sets = append(t.sets, w.Sets...)
	return l, true
}

// bound computes a bound with its weights rounded to a scale. Points are groups as yet.
func (x *explainer) bound(l explained, scale int) *Explanation {
	p := x.problem
	x.f.begin(p)
	x.f.usable = nil
	x.f.weigh(p)
	e := &Explanation{
		Error: p.unit << scale, Rule: p.price << scale, Base: p.base,
		Claimed: p.objective << scale, Smaller: (p.objective - x.unit) << scale,
	}
	link := rescaled(l, scale)
	e.Sum = x.load(x.f, link)
	for _, w := range link {
		set := ExplainSet{Weight: w.weight}
		for _, g := range x.sets[w.set] {
			set.Points = append(set.Points, int(g))
		}
		e.Sets = append(e.Sets, set)
	}
	above := func(x int64) {
		if e.Above <= e.Sum { // else the bound says nothing, and the sum of all might overflow
			e.Above += max(0, x)
		}
	}
	for _, g := range x.loaded {
		above(x.group[g] - e.Error*x.own[g])
	}
	for q, usable := range x.f.usable {
		for a, load := range x.rules[q] {
			if usable[a>>6]>>(a&63)&1 == 0 {
				e.LeftOut = append(e.LeftOut, RuleOf{a, q})
			} else if above(load - e.Rule); load > 0 {
				e.Rules = append(e.Rules, RuleLoad{RuleOf{a, q}, load})
			}
		}
	}
	slices.SortStableFunc(e.Rules, func(a, b RuleLoad) int { return cmp.Compare(b.Load, a.Load) })
	e.Least = e.Base*e.Error + max(0, e.Sum-e.Above)
	return e
}

// rescaled returns weights on another scale, rounded down. Any weights make a bound; none
// are so large that their sum overflows.
func rescaled(l explained, scale int) (link []weighed) {
	up, down := max(0, scale-l.scale), max(0, l.scale-scale)
	most := int64(mostSum) / int64(len(l.link)+1) >> up
	for _, w := range l.link {
		if y := min(w.weight, most) << up >> down; y > 0 {
			link = append(link, weighed{w.set, y})
		}
	}
	return link
}

// complete replaces groups by points, of which it keeps those that sets hold.
func (x *explainer) complete(e *Explanation) *Explanation {
	loads, groups := map[int]int64{}, []int{}
	for _, set := range e.Sets {
		for _, g := range set.Points {
			if _, ok := loads[g]; !ok {
				groups = append(groups, g)
			}
			loads[g] += set.Weight
		}
	}
	points := x.points(groups)
	slices.SortFunc(groups, func(a, b int) int {
		u, v := points[a], points[b]
		return cmp.Or(cmp.Compare(v.Class, u.Class), cmp.Compare(v.Cost(), u.Cost()), cmp.Compare(u.Sample, v.Sample))
	})
	number := map[int]int{}
	for i, g := range groups {
		number[g] = i
		points[g].Load = loads[g]
		e.Points = append(e.Points, *points[g])
	}
	for _, set := range e.Sets {
		for j, g := range set.Points {
			set.Points[j] = number[g]
		}
		slices.Sort(set.Points)
	}
	return e
}

// points finds the samples of groups.
func (x *explainer) points(groups []int) map[int]*Point {
	points := map[int]*Point{}
	for _, g := range groups {
		points[g] = &Point{Sample: -1, Class: x.labels[g]}
	}
	for i, g := range x.of {
		if p := points[int(g)]; p != nil {
			label := x.samples.Class(i)
			if p.Weight[label] += x.samples.Weight(i); p.Sample < 0 && label == p.Class {
				p.Sample = i
			}
		}
	}
	return points
}
