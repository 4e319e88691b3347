package answer

import (
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/ratio"
	"parcorels/rules"
	verifylist "parcorels/verify/rulelist"
	"slices"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// handMade is an explanation of four rows, each a point, with two sets.
func handMade() *Verified {
	set := &rules.Set{Data: &dataset.Dataset{N: 100, Classes: []string{"no", "yes"}}}
	for _, name := range []string{"wet", "warm", "windy"} {
		set.Antecedents = append(set.Antecedents, rules.Antecedent{Name: name})
	}
	x := &verifylist.Explanation{
		Error: 100, Rule: 100, Base: 3, Claimed: 500, Least: 450, Smaller: 400,
		LeftOut: []verifylist.RuleOf{{Antecedent: 2, Class: 0}},
		Points: []verifylist.Point{
			{Sample: 0, Class: 1, Weight: [2]int64{2, 42}, Load: 170}, {Sample: 2, Class: 1, Weight: [2]int64{0, 30}, Load: 80},
			{Sample: 1, Class: 0, Weight: [2]int64{20, 1}, Load: 90}, {Sample: 70, Class: 0, Weight: [2]int64{5, 0}, Load: 80},
		},
		Sets: []verifylist.ExplainSet{{Points: []int{0, 2}, Weight: 90}, {Points: []int{0, 1, 3}, Weight: 80}},
		Sum:  170, Above: 20,
		Rules: []verifylist.RuleLoad{{RuleOf: verifylist.RuleOf{Antecedent: 0, Class: 1}, Load: 120},
			{RuleOf: verifylist.RuleOf{Antecedent: 1, Class: 0}, Load: 80}},
	}
	return &Verified{Set: set, Verification: family.Verification{List: verifylist.Result{Lambda: ratio.New(1, 100), Objective: 500,
		Scale: 10000, Explanation: x}}}
}

func TestCertificateText(t *testing.T) {
	text := handMade().Certificate()
	_, tables, _ := strings.Cut(text, "\nPOINTS")
	const want = ` (first rows) and what it costs to get them wrong: 4, 9,400 in all
4,000: 1
3,000: 3
1,900: 2
500: 71
SETS (class 1 + class 0) and their weights: 2, 170 in all
90: 1 + 2
80: 1 3 + 71
RULES with loads above what a rule costs, by: 1, 20 in all
20: if wet then yes
POINTS with loads above their costs, by: 0, 0 in all
THE BOUND
             170  all weights
             −20  less what loads are above costs
             300  what is wrong in any case
             450  every list costs as much: objective 0.0450000000
             500  the list above: objective 0.0500000000
             400  the most that a smaller objective could cost
`
	if !strings.HasPrefix(tables, want) {
		t.Errorf("%s\nwant\n%s", tables, want)
	}
	if !strings.Contains(text, "4. 1 of 6 rules have no load") {
		t.Error(text)
	}
}

// TestCertificateOfClassWeights names what a wrong row of each class costs.
func TestCertificateOfClassWeights(t *testing.T) {
	v := handMade()
	d := v.Set.Data
	d.N, d.ClassOf = 100, dataset.ClassesOf(bitset.New(100).Set(0).Set(2))
	d.Weights, d.WeightUnit = slices.Repeat([]int64{2}, 100), ratio.New(1, 1)
	d.Weights[0], d.Weights[2] = 7, 7
	if text := strings.ReplaceAll(v.Certificate(), "\n", " "); !strings.Contains(text,
		"By the class weights, a row of class 1 that a list gets wrong costs 700, one of class 0 200.") {
		t.Error(text)
	}
}

// TestNoCertificate has a proof whose bounds do not suffice.
func TestNoCertificate(t *testing.T) {
	v := handMade()
	v.List.Explanation.Least, v.List.Prefixes, v.List.Records = 400, 12, 17
	if got := v.Certificate(); strings.TrimSpace(strings.ReplaceAll(got, "\n",
		" ")) != "No certificate by hand: one bound shows 0.0400000000 at least. The proof needs its 17 records and 12 prefixes as well." {
		t.Error(got)
	}
}
