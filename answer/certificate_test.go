package answer

import (
	"fmt"
	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/ratio"
	"parcorels/rules"
	verifylist "parcorels/verify/rulelist"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bits-and-blooms/bitset"
)

// handMade is an explanation of four rows, each a point, with two sets.
func handMade() *Verified {
	set := &rules.Set{Data: &dataset.Dataset{N: 100, Classes: [2]string{"no", "yes"}}}
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
	return &Verified{Set: set, List: verifylist.Result{Lambda: ratio.New(1, 100), Objective: 500, Scale: 10000, Explanation: x}}
}

func TestCertificateText(t *testing.T) {
	text := handMade().Certificate()
	_, tables, _ := strings.Cut(text, "\nPOINTS")
	const want = ` (first rows) and what it costs to get them wrong: 4, 9,400 in all
4,000: 1; 3,000: 3; 1,900: 2; 500: 71
SETS (class 1 + class 0) and their weights: 2, 170 in all
90: 1+2; 80: 1,3+71
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
	onePage(t, text)
	if !strings.Contains(text, "4. 1 of 6 rules have no load") || strings.Contains(text, "--explain-csv") {
		t.Error(text)
	}
}

// onePage checks the size of a certificate.
func onePage(t *testing.T, text string) {
	t.Helper()
	if lines := strings.Count(strings.Trim(text, "\n"), "\n") + 1; lines > pageLines {
		t.Errorf("%d lines", lines)
	}
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > Width+1 {
			t.Errorf("a line has %d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
}

// TestCertificateOfManySets has more of everything than a page has room for: what is left
// out is counted, and what lines say adds up.
func TestCertificateOfManySets(t *testing.T) {
	v := handMade()
	x := v.List.Explanation
	x.Points, x.Sets, x.Rules, x.Sum, x.Above = nil, nil, nil, 0, 0
	v.Set.Data.N = 7000
	for i := range 900 {
		x.Points = append(x.Points, verifylist.Point{Sample: 7 * i, Class: i % 2, Weight: [2]int64{int64(1 - i%2), int64(i % 2)},
			Load: int64(i)})
	}
	for i := range 700 {
		set := verifylist.ExplainSet{Weight: int64(1 + i/3), Points: []int{i, i + 1}}
		if i%50 == 0 {
			set.Points = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511, 512, 513}
		}
		x.Sets = append(x.Sets, set)
		x.Sum += set.Weight
	}
	for i := range 30 {
		x.Rules = append(x.Rules, verifylist.RuleLoad{RuleOf: verifylist.RuleOf{Antecedent: i % 3}, Load: int64(200 - i)})
	}
	v.Set.Antecedents[0].Name = strings.Repeat("long name ", 20)
	text := v.Certificate()
	onePage(t, text)
	if !strings.Contains(text, "by hand\nThis page has no place for all sets and points: to check it, take the table that\n") {
		t.Error(text)
	}
	_, sets, _ := strings.Cut(text, "\nSETS (")
	heading, sets, _ := strings.Cut(sets, "\n")
	if want := fmt.Sprintf(": 700, %s in all", wording.Thousands(x.Sum)); !strings.HasSuffix(heading, want) {
		t.Errorf("%s, want %s", heading, want)
	}
	sets, _, _ = strings.Cut(sets, "\nRULES")
	lines := strings.Split(sets, "\n")
	var sum int64
	for _, line := range lines[:len(lines)-1] {
		for amount := range strings.SplitSeq(line, "; ") {
			amount, names, _ := strings.Cut(amount, ": ")
			sum += amountOf(t, amount) * int64(1+strings.Count(names, " "))
		}
	}
	rest, _, _ := strings.Cut(strings.TrimPrefix(lines[len(lines)-1], more), " ")
	if sum += amountOf(t, rest); sum != x.Sum {
		t.Errorf("lines add up to %d, all weights are %d: %s", sum, x.Sum, text)
	}
}

// TestCertificateOfClassWeights names what a wrong row of each class costs.
func TestCertificateOfClassWeights(t *testing.T) {
	v := handMade()
	d := v.Set.Data
	d.N, d.Labels, d.Weights, d.WeightUnit = 100, bitset.New(100).Set(0).Set(2), slices.Repeat([]int64{2}, 100), ratio.New(1, 1)
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

// amountOf reads an integer with commas.
func amountOf(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
