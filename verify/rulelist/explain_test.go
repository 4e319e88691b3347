package rulelist_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/search"
	"parcorels/rulelist/separation"
	"parcorels/rules"
	"parcorels/verify/framing"
	verifylist "parcorels/verify/rulelist"
)

// hint returns weights of an LP by which the empty prefix suffices, if it finds some.
func hint(t *testing.T, in testgen.Instance, set *rules.Set) func(int64) *verifylist.Weights {
	return func(smaller int64) *verifylist.Weights {
		points := testgen.Reduced(t, set)
		if points.Points == 0 {
			return nil
		}
		p := separation.New(points.Columns, points.Table, separation.Prices{Error: in.Lambda.Den,
			Rule: in.Lambda.Num * points.Total}, points.Total)
		w := &verifylist.Weights{Scale: p.ScaleBits()}
		for _, s := range p.Certificate(p.Value(smaller-in.Lambda.Den*points.Base, 0)+p.Scale/8, separation.Effort{Work: 1 << 24}) {
			var groups []uint32
			for _, e := range s.Points {
				groups = append(groups, uint32(p.Number(e)))
			}
			w.Sets, w.Each = append(w.Sets, groups), append(w.Each, s.Y)
		}
		return w
	}
}

func explain(t *testing.T, in testgen.Instance, set *rules.Set, file []byte, f func(int64) *verifylist.Weights) verifylist.Result {
	t.Helper()
	o := verifylist.Options{Options: framing.Options{Workers: 1}, Explain: f}
	r, err := checkFrom(context.Background(), bytes.NewReader(file), set, o)
	if err != nil {
		t.Fatalf("%v\n%v", err, in)
	}
	return r
}

// TestExplanationsAddUp computes explanations again as a person with a spreadsheet would,
// from what they say, the columns and the labels.
func TestExplanationsAddUp(t *testing.T) {
	alone := 0
	none := func(int64) *verifylist.Weights { return nil }
	for seed := range seeds(60) {
		in := []func(uint64) testgen.Instance{testgen.Small, testgen.Ties, testgen.Noisy}[seed%3](seed)
		set := in.Set()
		file, _ := solved(t, set, search.Options{Lambda: in.Lambda, Workers: 1})
		for _, f := range []func(int64) *verifylist.Weights{none, hint(t, in, set)} {
			r := explain(t, in, set, file, f)
			e := r.Explanation
			if e.Claimed != r.Objective*(e.Error/in.Lambda.Den) || e.Least > e.Claimed {
				t.Fatalf("seed %d: claimed %d, least %d, objective %d\n%v", seed, e.Claimed, e.Least, r.Objective, in)
			}
			if err := spreadsheet(in, e); err != nil {
				t.Fatalf("seed %d: %v\n%v", seed, err, in)
			}
			if e.Holds() {
				alone++
			}
		}
	}
	if alone < int(seeds(60)/4) {
		t.Errorf("%d explanations hold", alone)
	}
}

// worth is the cost of the points of a class that an antecedent captures, and that of the points that it does not capture.
func worth(in *grouping, a, class int) (gain, beside int64) {
	for k, w := range in.all() {
		first := slices.Index(in.groupOf, k)
		switch {
		case first < 0:
		case in.Columns[a][first]:
			gain += max(0, w[class]-w[1-class])
		default:
			beside += max(w[0]-w[1], w[1]-w[0])
		}
	}
	return gain, beside
}

// spreadsheet computes an explanation again.
func spreadsheet(in testgen.Instance, e *verifylist.Explanation) error {
	s := grouped(in)
	weights := s.all()
	var base int64
	for _, w := range weights {
		base += min(w[0], w[1])
	}
	if base != e.Base || e.Rule*in.Lambda.Den != e.Error*in.Lambda.Num*in.Total() {
		return fmt.Errorf("base %d, want %d; a rule costs %d, an error %d", e.Base, base, e.Rule, e.Error)
	}
	for _, p := range e.Points {
		w := weights[s.groupOf[p.Sample]]
		if p.Weight != w || in.Labels[p.Sample] != (p.Class == 1) || p.Cost() <= 0 {
			return fmt.Errorf("point %+v weighs %v", p, w)
		}
	}
	for _, r := range e.LeftOut {
		if gain, beside := worth(&s, r.Antecedent, r.Class); gain*e.Error > e.Rule && beside*e.Error > e.Rule {
			return fmt.Errorf("rule %+v is worth its price", r)
		}
	}
	var sum, above int64
	points := make([]int64, len(e.Points))
	for _, set := range e.Sets {
		var of [2]int
		sum += set.Weight
		for _, k := range set.Points {
			of[e.Points[k].Class]++
			points[k] += set.Weight
		}
		if of[0] == 0 || of[1] == 0 || set.Weight <= 0 {
			return fmt.Errorf("set %+v", set)
		}
	}
	for k, load := range points {
		if e.Points[k].Load != load {
			return fmt.Errorf("load of point %d is %d, want %d", k, e.Points[k].Load, load)
		}
		above += max(0, load-e.Points[k].Cost()*e.Error)
	}
	loads := map[verifylist.RuleOf]int64{}
	for a, column := range s.Columns {
		for class := range 2 {
			r := verifylist.RuleOf{Antecedent: a, Class: class}
			if slices.Contains(e.LeftOut, r) {
				continue
			}
			for _, set := range e.Sets {
				pure := func(k int) bool { return !column[e.Points[k].Sample] || e.Points[k].Class == class }
				touches := slices.ContainsFunc(set.Points, func(k int) bool { return column[e.Points[k].Sample] })
				if touches && !slices.ContainsFunc(set.Points, func(k int) bool { return !pure(k) }) {
					loads[r] += set.Weight
				}
			}
			above += max(0, loads[r]-e.Rule)
		}
	}
	if sum != e.Sum || above != e.Above || e.Least != e.Base*e.Error+max(0, sum-above) {
		return fmt.Errorf("%d − %d, least %d; want %d − %d", e.Sum, e.Above, e.Least, sum, above)
	}
	for _, r := range e.Rules {
		if loads[r.RuleOf] != r.Load {
			return fmt.Errorf("%+v, want %d", r, loads[r.RuleOf])
		}
	}
	return nil
}

// TestHintsAreNotTrusted has weights that anything may be wrong with: no bound is above
// the smallest objective, and what a person computes is what is told.
func TestHintsAreNotTrusted(t *testing.T) {
	accepted := 0
	for seed := range seeds(60) {
		in := []func(uint64) testgen.Instance{testgen.Small, testgen.Noisy}[seed%2](seed)
		set := in.Set()
		rng := rand.New(rand.NewPCG(seed, 5))
		w := &verifylist.Weights{Scale: rng.IntN(24) - 1}
		for range 1 + rng.IntN(8) {
			members := rng.Perm(8)[:1+rng.IntN(3)]
			slices.Sort(members)
			var groups []uint32
			for _, g := range members {
				groups = append(groups, uint32(g))
			}
			w.Sets, w.Each = append(w.Sets, groups), append(w.Each, int64(rng.Uint64()>>rng.IntN(64)))
		}
		file, _ := solved(t, set, search.Options{Lambda: in.Lambda, Workers: 1})
		r := explain(t, in, set, file, func(int64) *verifylist.Weights { return w })
		e := r.Explanation
		if err := spreadsheet(in, e); err != nil && e.Sum > e.Above {
			t.Fatalf("seed %d: %v\n%v", seed, err, in)
		}
		if e.Least > e.Claimed {
			t.Fatalf("seed %d: the bound %d exceeds %d\n%v", seed, e.Least, e.Claimed, in)
		}
		if e.Holds() {
			accepted++
		}
	}
	if accepted < int(seeds(60)/10) {
		t.Errorf("%d explanations hold", accepted)
	}
}
