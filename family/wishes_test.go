package family_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/rulelist"
	"parcorels/verify"
)

// wishTable draws a small table of flags, of some of them with weights.
func wishTable(t *testing.T, rng *rand.Rand) *family.Data {
	t.Helper()
	var b strings.Builder
	b.WriteString("a,b,c,d,w,y\n")
	for range 6 + rng.IntN(30) {
		for range 4 {
			fmt.Fprintf(&b, "%c,", 'p'+rune(rng.IntN(2+rng.IntN(2))))
		}
		fmt.Fprintf(&b, "%d,%d\n", 1+rng.IntN(3), rng.IntN(2))
	}
	b.WriteString("p,p,p,p,1,0\nq,q,q,q,1,1\n")
	r := family.Reading{}
	if rng.IntN(2) == 0 {
		r.Weight = "w"
	} else {
		r.Ignore = []string{"w"}
	}
	d := must.Get(family.ReadFrom(strings.NewReader(b.String()), "t.csv", r))(t)
	return d
}

// TestWishes holds the best list with wishes against all lists of at most three rules that begin so and
// have no forbidden condition, and has its proof checked.
func TestWishes(t *testing.T) {
	t.Parallel()
	done := 0
	defer func() {
		if done < cases.Count(1500)*3/4 {
			t.Errorf("only %d cases had a list", done)
		}
	}()
	for seed := range uint64(cases.Count(1500)) {
		rng := rand.New(rand.NewPCG(seed, 61))
		data := wishTable(t, rng)
		o := family.Options{Lambda: []string{"0.01", "1/20", "3/100", "0"}[rng.IntN(4)], MaxRules: 3, MaxCard: 1, MinSupport: "0",
			Workers: 1 + rng.IntN(2)}
		free := must.Get(family.NewProblem(context.Background(), data, o))(t)
		pick := func() string { return free.Set.Antecedents[rng.IntN(len(free.Set.Antecedents))].Name }
		for range rng.IntN(3) {
			rule := pick()
			if rng.IntN(2) == 0 {
				rule += fmt.Sprintf(" then %d", rng.IntN(2))
			}
			if !slices.Contains(o.First, rule) {
				o.First = append(o.First, rule)
			}
		}
		for range rng.IntN(2) {
			o.Forbid = append(o.Forbid, pick())
		}
		p, err := family.NewProblem(context.Background(), data, o)
		if err != nil {
			continue // the rules capture all samples
		}
		var file bytes.Buffer
		o.Proof = &family.Proof{To: &file}
		m, err := p.Fit(context.Background(), o)
		if err != nil {
			continue // what is left weighs less than a rule costs
		}
		want := bestOfWishes(p, o)
		list := m.Model.(*rulelist.Model)
		if got := m.Certificate(); got.Status != status.Optimal || got.Objective.Num != want {
			t.Fatalf("seed %d, first %v, forbid %v: objective %d/%d, the best is %d\n%s", seed, o.First, o.Forbid, got.Objective.Num,
				got.Objective.Den, want, m.Text(80))
		}
		for i := range list.Rules[min(len(o.First), len(list.Rules)):] {
			if slices.Contains(o.Forbid, list.Rules[i+len(o.First)].Antecedent) {
				t.Fatalf("seed %d: a forbidden condition in\n%s", seed, m.Text(80))
			}
		}
		done++
		v := verified(t, file.Bytes(), data, o)
		if v.Model.Text(80) != m.Text(80) {
			t.Fatalf("seed %d: verified\n%s\nfound\n%s", seed, v.Model.Text(80), m.Text(80))
		}
	}
}

// verified checks a proof on data that are mined as the options in it say.
func verified(t *testing.T, file []byte, data *family.Data, o family.Options) *family.Verification {
	t.Helper()
	proof := must.Get(verify.Open(bytes.NewReader(file)))(t)
	_, _, told, err := family.ReadProof(proof)
	if err != nil || !slices.Equal(told.First, o.First) {
		t.Fatalf("the proof says %v, first %v: %v", told.First, o.First, err)
	}
	set := must.Get(family.Mine(context.Background(), data, told))(t)
	v := must.Get(family.Verify(context.Background(), proof, set, family.Reading{}, family.VerifyOptions{}))(t)
	return v
}

// bestOfWishes tries all lists: the given rules, and then rules of every antecedent with every label.
// It returns the least objective, in units of 1/(den·weight) as certificates have it.
func bestOfWishes(p *family.Problem, o family.Options) int64 {
	d := p.Set.Data
	price, _ := p.Price(o)
	weight := func(i int) int64 {
		if d.Weights == nil {
			return 1
		}
		return d.Weights[i]
	}
	n := len(p.Set.Antecedents)
	var first []int
	var labels []int
	for _, text := range o.First {
		name, label := text, -1
		if at := strings.Index(text, " then "); at > 0 {
			name, label = text[:at], int(text[at+6]-'0')
		}
		for a := range n {
			if p.Set.Antecedents[a].Name == name {
				first, labels = append(first, a), append(labels, label)
			}
		}
	}
	usable := func(a int) bool { return !slices.Contains(o.Forbid, p.Set.Antecedents[a].Name) }
	best := int64(1) << 62
	var visit func(list, labels []int)
	visit = func(list, labels []int) {
		errors := make([][2]int64, len(list)+1)
		for i := range d.N {
			at := 0
			for at < len(list) && !p.Set.Antecedents[list[at]].Captured().Test(uint(i)) {
				at++
			}
			errors[at][1-d.Class(i)] += weight(i)
		}
		var sum int64
		for k, e := range errors {
			if k < len(labels) && labels[k] >= 0 {
				sum += e[labels[k]]
			} else {
				sum += min(e[0], e[1])
			}
		}
		best = min(best, price.Den*sum+price.Num*d.TotalWeight()*int64(len(list)))
		if len(list) == o.MaxRules {
			return
		}
		for a := range n {
			if usable(a) {
				visit(append(slices.Clip(list), a), labels)
			}
		}
	}
	visit(first, labels)
	return best
}
