package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"parcorels/dataset"
	"parcorels/ratio"
	"parcorels/rules"
	verifylist "parcorels/verify/rulelist"
)

// handMade is an explanation of four rows, each a point, with two sets.
func handMade() *verified {
	set := &rules.Set{Data: &dataset.Dataset{N: 100, Classes: [2]string{"no", "yes"}}}
	for _, name := range []string{"wet", "warm", "windy"} {
		set.Antecedents = append(set.Antecedents, rules.Antecedent{Name: name})
	}
	x := &verifylist.Explanation{
		Error: 100, Rule: 100, Base: 3, Claimed: 500, Least: 450, Smaller: 400,
		LeftOut: []verifylist.RuleOf{{Antecedent: 2, Class: 0}},
		Points: []verifylist.Point{
			{Sample: 0, Class: 1, Weight: [2]int64{2, 42}}, {Sample: 2, Class: 1, Weight: [2]int64{0, 30}},
			{Sample: 1, Class: 0, Weight: [2]int64{20, 1}}, {Sample: 70, Class: 0, Weight: [2]int64{5, 0}},
		},
		Steps: []verifylist.ExplainStep{{
			Sets: []verifylist.ExplainSet{{Points: []int{0, 2}, Weight: 90}, {Points: []int{0, 1, 3}, Weight: 80}},
			Sum:  170, Above: 20, Value: 150, Points: []int64{170, 80, 90, 80},
			Rules: []verifylist.RuleLoad{{RuleOf: verifylist.RuleOf{Antecedent: 0, Class: 1}, Load: 120}, {RuleOf: verifylist.RuleOf{Antecedent: 1, Class: 0}, Load: 80}},
		}},
	}
	return &verified{set: set, result: verifylist.Result{Lambda: ratio.New(1, 100), Objective: 500, Scale: 10000, Explanation: x}}
}

func TestCertificateText(t *testing.T) {
	text := handMade().certificate()
	_, tables, _ := strings.Cut(text, "\nPOINTS")
	const want = `: 4; class 1 is yes, class 0 is no
       row  class   weight 1   weight 0      wrong costs             load
         1      1         42          2            4,000              170
         3      1         30          0            3,000               80
         2      0          1         20            1,900               90
        71      0          0          5              500               80

SETS: 2
   set           weight  rows of class 1 | rows of class 0
     1               90  1 | 2
     2               80  1 3 | 71

LOADS OF RULES: 2, each may have 100
             120! if wet then yes
              80  if warm then no
No load of a point is above what it costs.

             170  all weights
             −20  less what loads are above
             150  the bound beyond what is wrong in any case

THE BOUND
             150  the bound of the sets
             300  what is wrong in any case
             450  every list costs as much: objective 0.0450000000
             500  the list above: objective 0.0500000000
             400  the most that a smaller objective could cost
`
	if !strings.HasPrefix(tables, want) {
		t.Errorf("%s\nwant\n%s", tables, want)
	}
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > helpWidth+1 {
			t.Errorf("a line has %d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	if !strings.Contains(text, "Rules that do not pay have no load: 1 of all 6.") || strings.Contains(text, "steps") {
		t.Error(text)
	}
}

// TestVerifyExplain has a proof that a single bound explains, and ones that have no
// explanation.
func TestVerifyExplain(t *testing.T) {
	proveBikes(t)
	write(t, map[string]string{"d.csv": "a,b,y\n1,0,x\n0,1,y\n1,1,x\n0,0,y\n1,0,x\n0,1,y\n"})
	for _, args := range []string{
		"data monk1 -o monk1.csv", "fit monk1.csv --lambda 0.01 --proof list.proof",
		"fit d.csv --model tree --lambda 0.05 --proof tree.proof", "fit d.csv --model bayes --proof bayes.proof",
	} {
		if status, _, stderr := run(words(args)...); status != exitDone {
			t.Fatalf("%s: status %d: %s", args, status, stderr)
		}
	}
	status, stdout, stderr := run("verify", "list.proof", "monk1.csv", "--explain")
	for _, want := range []string{"VERIFIED", "WHY NO RULE LIST", "POINTS", "SETS", "THE BOUND", "objective 0.0400000000"} {
		if status != exitDone || !strings.Contains(stdout, want) {
			t.Errorf("status %d, %q is not there: %s%s", status, want, stdout, stderr)
		}
	}
	for _, model := range []string{"tree", "bayes"} {
		status, stdout, stderr := run("verify", model+".proof", "d.csv", "--explain")
		if status != exitInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "--explain is for proofs about rule lists") {
			t.Errorf("%s: status %d, %s%s", model, status, stdout, stderr)
		}
	}
	status, stdout, _ = run("verify", "bikes.proof", "bikes.csv", "--explain")
	if status != exitDone || !strings.Contains(stdout, "wrong costs") && !strings.Contains(stdout, "No certificate by hand") {
		t.Errorf("status %d, %s", status, stdout)
	}
}

// TestExplainAsJSON adds up what the JSON object says.
func TestExplainAsJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range []string{"data monk1 -o monk1.csv", "fit monk1.csv --lambda 0.01 --proof list.proof"} {
		if status, _, stderr := run(words(args)...); status != exitDone {
			t.Fatalf("%s: status %d: %s", args, status, stderr)
		}
	}
	_, stdout, stderr := run("verify", "list.proof", "monk1.csv", "--explain", "--json", "-")
	var o verdictObject
	if err := json.Unmarshal([]byte(stdout), &o); err != nil || o.Explanation == nil || !o.Explanation.Holds || len(o.Explanation.Steps) != 1 {
		t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	x := o.Explanation
	sum, load := int64(0), map[int]int64{}
	for _, set := range x.Steps[0].Sets {
		sum += set.Weight
		for _, row := range set.Rows {
			load[row] += set.Weight
		}
	}
	for _, r := range x.Steps[0].Rules {
		sum -= max(0, r.Load-x.Rule)
	}
	for i, p := range x.Points {
		if load[p.Row] != x.Steps[0].Points[i] {
			t.Errorf("row %d has a load of %d, said to be %d", p.Row, load[p.Row], x.Steps[0].Points[i])
		}
		sum -= max(0, load[p.Row]-p.Cost)
	}
	if sum+x.Base != x.Least || x.Least <= x.Smaller || x.Claimed*10000 != 400*432*x.Error {
		t.Errorf("the sum is %d and %d: %+v", sum, x.Base, x)
	}
}

// TestNoCertificate has a proof whose bounds do not suffice.
func TestNoCertificate(t *testing.T) {
	v := handMade()
	v.result.Explanation.Least, v.result.Prefixes, v.result.Records = 400, 12, 17
	if got := v.certificate(); strings.TrimSpace(strings.ReplaceAll(got, "\n", " ")) != "No certificate by hand: bounds of the empty prefix show 0.0400000000 at least. The proof needs its 17 records and 12 prefixes as well." {
		t.Error(got)
	}
}
