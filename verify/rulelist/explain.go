package rulelist

import (
	"cmp"
	"encoding/binary"
	"math/big"
	"slices"
)

// An explanation shows less than a proof, by the same bound (separation.go): that no
// list has a smaller objective. Which of equally good lists comes first is left to
// the proof, so that shorter lists need no advantage here.
//
// Objectives are den·errors + num·N·rules, hence multiples of the greatest common
// divisor of den and num·N. So it suffices that every list costs more than the claimed
// objective less this unit. A rule is excluded if no list that has it costs as little.
//
// Each bound of the empty prefix is taken alone first, with all rules but those that
// gain no more than their price; beside those of the proof one that the caller
// proposes. If some suffice, the one with the fewest sets is
// the explanation. Otherwise the bounds of the proof follow one another, each without the rules that
// those before it exclude, and a bound is dropped if the others do without it.
// In the end weights are rounded down to as few bits as will do.

// explainer makes an explanation.
type explainer struct {
	*evaluator
	f    *frame
	unit int64 // objectives are multiples of it
}

// explained is a bound's weights, with their scale.
type explained struct {
	scale int
	link  []weighed
}

// explain returns what bounds of the empty prefix show: those of the proof, and the one
// that a caller may have. It takes the proof for checked.
func (p *problem) explain(t *tree, hint func(int64) *Weights) *Explanation {
	unit := gcd(p.unit, p.price)
	var all []explained
	for _, b := range slices.Concat(t.bounds, t.weighed[root]) {
		for _, link := range b.links {
			all = append(all, explained{b.scale, link})
		}
	}
	own := len(all)
	if w := hint(p.objective - unit); w != nil {
		if l, ok := p.accept(t, w); ok {
			all = append(all, l)
		}
	}
	if p.satisfies == nil {
		p.transpose()
	}
	x := explainer{evaluator: newEvaluator(p, t), f: newFrame(p), unit: unit}
	chain, scale := x.shortest(all, own)
	for k := range scale {
		if e := x.steps(chain, k); e.Holds() {
			return x.complete(e)
		}
	}
	return x.complete(x.steps(chain, scale))
}

// accept adds the sets of a hint to those of a tree.
func (p *problem) accept(t *tree, w *Weights) (l explained, ok bool) {
	fresh := sets{first: []int{0}}
	for _, set := range w.Sets {
		fresh.members = append(fresh.members, set...)
		fresh.first = append(fresh.first, len(fresh.members))
	}
	if w.Scale < 0 || w.Scale > mostScale || !p.fits(&bound{scale: w.Scale}) || len(w.Each) != len(w.Sets) || p.number(&fresh) != nil {
		return l, false
	}
	if len(t.sets.first) == 0 {
		t.sets.first = []int{0}
	}
	l.scale = w.Scale
	for k, y := range w.Each {
		t.sets.members = append(t.sets.members, fresh.at(uint32(k))...)
		t.sets.first = append(t.sets.first, len(t.sets.members))
		if y > 0 {
			l.link = append(l.link, weighed{uint32(t.sets.len() - 1), y})
		}
	}
	return l, true
}

// shortest returns the links that an explanation takes, and their scale. The first
// ones, own in number, are those of the proof.
func (x *explainer) shortest(all []explained, own int) ([]explained, int) {
	scale := 0
	for _, l := range all {
		scale = max(scale, l.scale)
	}
	var alone []explained
	for i, l := range all {
		if alone != nil && len(alone[0].link) <= len(l.link) {
			continue
		}
		if one := all[i : i+1]; x.steps(one, scale).Holds() {
			alone = one
		}
	}
	if alone != nil {
		return alone, scale
	}
	all = all[:own]
	if !x.steps(all, scale).Holds() {
		return all, scale
	}
	for i := 0; i < len(all); {
		if less := slices.Delete(slices.Clone(all), i, i+1); x.steps(less, scale).Holds() {
			all = less
		} else {
			i++
		}
	}
	return all, scale
}

// steps computes bounds one after the other, with weights rounded to a scale. Points
// are groups as yet.
func (x *explainer) steps(chain []explained, scale int) *Explanation {
	p := x.problem
	x.f.begin(p)
	x.f.usable = [2][]uint64{}
	x.f.weigh(p)
	e := &Explanation{
		Error: p.unit << scale, Rule: p.price << scale, Base: p.base, Least: p.base * p.unit << scale,
		Claimed: p.objective << scale, Smaller: (p.objective - x.unit) << scale,
	}
	for q, usable := range x.f.usable {
		for a := range p.captured {
			if usable[a>>6]>>(a&63)&1 == 0 {
				e.LeftOut = append(e.LeftOut, RuleOf{a, q})
			}
		}
	}
	for i, l := range chain {
		s := x.step(e, l, scale)
		if e.Least = max(e.Least, e.Base*e.Error+s.Value); i < len(chain)-1 {
			x.exclude(e, &s)
		}
		e.Steps = append(e.Steps, s)
	}
	return e
}

// step computes a bound.
func (x *explainer) step(e *Explanation, l explained, scale int) (s ExplainStep) {
	link := rescaled(l, scale)
	s.Sum = x.load(x.f, link)
	for _, w := range link {
		set := ExplainSet{Weight: w.weight}
		for _, g := range x.sets.at(w.set) {
			set.Points = append(set.Points, int(g))
		}
		s.Sets = append(s.Sets, set)
	}
	above := func(x int64) {
		if s.Above <= s.Sum { // else the step says nothing, and the sum of all might overflow
			s.Above += max(0, x)
		}
	}
	for _, g := range x.loaded {
		above(x.group[g] - e.Error*x.share[g])
	}
	s.Points = slices.Clone(x.group)
	for q, loads := range x.rules {
		for a, load := range loads {
			if above(load - e.Rule); load > 0 {
				s.Rules = append(s.Rules, RuleLoad{RuleOf{a, q}, load})
			}
		}
	}
	slices.SortStableFunc(s.Rules, func(a, b RuleLoad) int { return cmp.Compare(b.Load, a.Load) })
	s.Value = s.Sum - s.Above
	return s
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

// exclude takes out the rules that no list with a smaller objective has.
func (x *explainer) exclude(e *Explanation, s *ExplainStep) {
	if s.Value <= 0 {
		return
	}
	for q, usable := range x.f.usable {
		for a, load := range x.rules[q] {
			if usable[a>>6]>>(a&63)&1 == 1 && e.Base*e.Error+s.Value+max(0, e.Rule-load) > e.Smaller {
				usable[a>>6] &^= 1 << (a & 63)
				s.Excluded = append(s.Excluded, RuleOf{a, q})
			}
		}
	}
}

// complete replaces groups by points, of which it keeps those that sets hold.
func (x *explainer) complete(e *Explanation) *Explanation {
	number := map[int]int{}
	var groups []int
	for _, s := range e.Steps {
		for _, set := range s.Sets {
			for _, g := range set.Points {
				if _, ok := number[g]; !ok {
					number[g] = 0
					groups = append(groups, g)
				}
			}
		}
	}
	points := x.points(groups)
	slices.SortFunc(groups, func(a, b int) int {
		u, v := points[a], points[b]
		return cmp.Or(cmp.Compare(v.Class, u.Class), cmp.Compare(v.Cost(), u.Cost()), cmp.Compare(u.Sample, v.Sample))
	})
	for i, g := range groups {
		number[g] = i
		e.Points = append(e.Points, *points[g])
	}
	for i := range e.Steps {
		s := &e.Steps[i]
		loads := make([]int64, len(groups))
		for j, g := range groups {
			loads[j] = s.Points[g]
		}
		s.Points = loads
		for _, set := range s.Sets {
			for j, g := range set.Points {
				set.Points[j] = number[g]
			}
			slices.Sort(set.Points)
		}
	}
	return e
}

// points finds the samples of groups.
func (x *explainer) points(groups []int) map[int]*Point {
	key := func(list []uint16) string {
		var b []byte
		for _, a := range list {
			b = binary.LittleEndian.AppendUint16(b, a)
		}
		return string(b)
	}
	points, of := map[int]*Point{}, map[string]*Point{}
	for _, g := range groups {
		points[g] = &Point{Sample: -1, Class: int(x.heavy[g])}
		of[key(x.at(g))] = points[g]
	}
	l := x.samples.lists()
	for i := range x.samples.n {
		if p := of[key(l.at(i))]; p != nil {
			label := x.samples.label(i)
			if p.Weight[label] += x.samples.weight(i); p.Sample < 0 && label == p.Class {
				p.Sample = i
			}
		}
	}
	return points
}

func gcd(a, b int64) int64 {
	return new(big.Int).GCD(nil, nil, big.NewInt(a), big.NewInt(b)).Int64()
}
