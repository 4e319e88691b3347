package goodmodels_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/ask/goodmodels/graph"
	"parcorels/dataset"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/rules/rates"
	"parcorels/verify/framing"
	"parcorels/verify/goodmodels"
)

// fair is a problem within limits, and its proof.
type fair struct {
	good
	limits []graph.Limit
	best   *graph.Fair
}

// weightOf is the weight of a sample.
func weightOf(set *rules.Set, i int) int64 {
	if set.Data.Weights == nil {
		return 1
	}
	return set.Data.Weights[i]
}

// limited makes limits on differences of rates as package parcorels does, by another way: sample by
// sample, and points by their antecedents. It returns none where a rate is not defined.
func limited(set *rules.Set, inside []bool, measures []rates.Measure, most ratio.Ratio) (list []graph.Limit) {
	d := set.Data
	for _, m := range measures {
		counts := func(i int) bool {
			return m == rates.SelectionRate || (m == rates.TPR) == (d.Class(i) == 1)
		}
		var totals [2]int64
		side := map[bool]int{false: 0, true: 1}
		for i := range d.N {
			if counts(i) {
				totals[side[inside[i]]] += weightOf(set, i)
			}
		}
		if m.OfGroups() && totals[0]*totals[1] == 0 {
			return nil
		}
		known := map[string]int{}
		var value []int64
		for i := range d.N {
			key := ""
			for _, a := range set.Antecedents {
				key += map[bool]string{false: "0", true: "1"}[a.Captured().Test(uint(i))]
			}
			p, ok := known[key]
			if !ok {
				p = len(known)
				known[key] = p
				value = append(value, 0)
			}
			w := weightOf(set, i)
			switch {
			case m == rates.Selected:
				value[p] += w * most.Den
			case m == rates.Recall && d.Class(i) == 1:
				value[p] -= w * most.Den
			case m == rates.Precision && d.Class(i) == 1:
				value[p] -= w * (most.Den - most.Num)
			case m == rates.Precision:
				value[p] += w * most.Num
			case m.OfGroups() && counts(i):
				if inside[i] {
					value[p] += weightOf(set, i) * totals[0]
				} else {
					value[p] -= weightOf(set, i) * totals[1]
				}
			}
		}
		l := graph.Limit{Value: value, Told: []int64{int64(slices.Index(rates.Limited, m)), most.Num, most.Den}}
		var classes [2]int64
		for i := range d.N {
			classes[d.Class(i)] += weightOf(set, i)
		}
		switch l.Most = totals[0] * totals[1] * most.Num / most.Den; m { // those of all samples in units of 1/Den
		case rates.Recall:
			l.Least, l.Most = -1<<50, -classes[1]*most.Num
		case rates.Precision:
			l.Least, l.Most = -1<<50, 0
		case rates.Selected:
			l.Least, l.Most = 0, (classes[0]+classes[1])*most.Num
		default:
			l.Least = -l.Most
		}
		list = append(list, l)
	}
	return list
}

// randomFair draws a table, a group and limits, and finds the best list with its proof.
func randomFair(t testing.TB, seed uint64, most int) *fair {
	t.Helper()
	for r := rand.New(rand.NewPCG(seed, 24)); ; {
		f := &fair{good: good{set: randomSet(t, r, most, 2, 1+r.IntN(2)), lambda: ratio.New(1+r.Int64N(5), 20+r.Int64N(80))}}
		for range f.set.Data.N {
			f.inside = append(f.inside, r.IntN(2) == 0)
		}
		if a := f.set.Antecedents; len(a) > 0 && r.IntN(2) == 0 { // a group that a rule looks at
			for i := range f.inside {
				f.inside[i] = a[0].Captured().Test(uint(i))
			}
		}
		measures := [][]rates.Measure{{rates.SelectionRate}, {rates.TPR},
			{rates.TPR, rates.FPR}, {rates.Recall}, {rates.Precision},
			{rates.Selected}}[r.IntN(6)]
		most := ratio.New(r.Int64N(12), 40)
		if measures[0] == rates.Recall || measures[0] == rates.Precision {
			most = ratio.New(10+r.Int64N(30), 40)
		}
		if f.limits = limited(f.set, f.inside, measures, most); f.limits == nil {
			continue
		}
		f.prove(t)
		return f
	}
}

func (f *fair) prove(t testing.TB) {
	t.Helper()
	var b bytes.Buffer
	var err error
	if f.best, err = graph.Fairest(t.Context(), f.problem(t), f.limits, f.options(&b), nil, 0); err != nil || !f.best.Optimal() {
		t.Fatalf("%v, %v", f.best, err)
	}
	f.proof = b.Bytes()
}

// TestFairProofs checks proofs of random tables: what is proved is what was found, which package
// ask/goodmodels/graph compares with all lists.
func TestFairProofs(t *testing.T) {
	priced, two := 0, 0
	for seed := range uint64(max(40, cases.Short(500))) {
		f := randomFair(t, seed, 4)
		got, p, err := f.check(t, f.proof)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got.Objective != f.best.Objective || len(got.Rules) != len(f.best.Preorder)/2 {
			t.Fatalf("seed %d: %+v is proved, %+v was found", seed, got, f.best)
		}
		if len(p.Limits()) == 2 {
			two++
		}
		wide := []graph.Limit{{Value: f.limits[0].Value, Least: -1 << 58, Most: 1 << 58}}
		free := must.Get(graph.Fairest(t.Context(), f.problem(t), wide,
			graph.Options{Workers: 1}, nil, 0))(t)
		if free.Objective < got.Objective {
			priced++
		}
	}
	if priced == 0 || two == 0 {
		t.Errorf("the limits mattered %d times, there were two of them %d times", priced, two)
	}
}

// TestFairMutations changes proofs: one that is still accepted must be true.
func TestFairMutations(t *testing.T) {
	accepted, refused, other := 0, 0, 0
	for seed := range uint64(cases.Short(100)) {
		f := randomFair(t, seed, 3)
		r := rand.New(rand.NewPCG(seed, 25))
		for range 100 {
			mutant := prooftamper.Mutate(r, f.proof)
			if bytes.Equal(mutant, f.proof) {
				continue
			}
			got, p, err := f.check(t, mutant)
			switch {
			case errors.Is(err, framing.ErrRefused), errors.Is(err, framing.ErrFormat):
				refused++
				continue
			case err != nil:
				t.Fatalf("seed %d: %v", seed, err)
			}
			accepted++
			truth := *f
			truth.lambda, truth.limits = p.About().Lambda, nil
			for _, l := range p.Limits() {
				truth.limits = append(truth.limits, limited(f.set, f.inside, []rates.Measure{l.Measure}, l.Most)...)
			}
			if len(truth.limits) == 0 {
				continue // of all good lists, which TestMutations is about
			}
			if !bytes.Equal(told(truth.limits), told(f.limits)) {
				other++
			}
			if truth.prove(t); truth.best.Objective != got.Objective {
				t.Fatalf("seed %d: a list of objective %d is accepted for %v, %d is the best", seed, got.Objective, p.Limits(),
					truth.best.Objective)
			}
		}
	}
	t.Logf("%d accepted, %d of them about other limits, %d refused", accepted, other, refused)
	if refused == 0 {
		t.Errorf("%d accepted, %d refused", accepted, refused)
	}
}

func told(limits []graph.Limit) (b []byte) {
	for _, l := range limits {
		for _, x := range l.Told {
			b = append(b, byte(x))
		}
	}
	return b
}

// TestFairOmissions leaves an edge or a lemma out, and claims worse lists.
func TestFairOmissions(t *testing.T) {
	for seed := range uint64(cases.Short(100)) {
		f := randomFair(t, seed, 4)
		if _, _, err := f.check(t, f.without(nil)); !errors.Is(err, framing.ErrRefused) {
			t.Fatalf("seed %d: a proof without records is accepted: %v", seed, err)
		}
		if p, err := goodmodels.Open(bytes.NewReader(f.proof)); err != nil {
			t.Fatal(err)
		} else if _, err := p.Check(t.Context(), f.set, f.inside[1:]); p.Limits()[0].Measure.OfGroups() &&
			!errors.Is(err, framing.ErrRefused) {
			t.Fatalf("seed %d: a group of too few samples: %v", seed, err)
		}
	}
}

// TestFairObjectiveFits claims a list of 16 rules that cost almost 2^60 each. Its objective in a word would be
// negative.
func TestFairObjectiveFits(t *testing.T) {
	const length = 16
	var table strings.Builder
	for c := range length {
		fmt.Fprintf(&table, "c%d,", c)
	}
	table.WriteString("y\n")
	f := &fair{}
	for i := range length + 2 {
		for c := range length {
			fmt.Fprintf(&table, "%d,", max(0, 1-max(c-i, i-c)))
		}
		fmt.Fprintf(&table, "k%d\n", i%2*(1-i/length))
		f.inside = append(f.inside, i%2 == 0)
	}
	f.set = testgen.MinedText(t, table.String(), dataset.Options{}, rules.Options{MaxCard: 1, MinSupport: ratio.New(0, 1)})
	digest, weight := f.set.Digest(), f.set.Data.TotalWeight()
	den := (1<<60 - 1) / weight
	header := digest[:]
	for _, x := range []int64{den - 1, den, length, weight, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0} {
		header = binary.AppendUvarint(header, uint64(x))
	}
	claim := []byte{length}
	for a := range length {
		claim = append(claim, byte(2*a+a%2))
	}
	forged := prooftamper.File(append([]byte(goodmodels.Magic), 3, 0, 0, 0), []prooftamper.Block{
		{Kind: framing.Header, Payload: header}, {Kind: framing.Records, Payload: []byte{1, 0}}, // a state without edges
		{Kind: framing.Claim, Payload: append(claim, 0, 1, 1)}, // the default, blocks and records
	})
	if r, _, err := f.check(t, forged); !errors.Is(err, framing.ErrRefused) {
		t.Errorf("%+v, %v: expected a refusal", r, err)
	}
}
