package cli

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/answer"
	"parcorels/internal/wording"
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
			{Sample: 0, Class: 1, Weight: [2]int64{2, 42}, Load: 170}, {Sample: 2, Class: 1, Weight: [2]int64{0, 30}, Load: 80},
			{Sample: 1, Class: 0, Weight: [2]int64{20, 1}, Load: 90}, {Sample: 70, Class: 0, Weight: [2]int64{5, 0}, Load: 80},
		},
		Sets: []verifylist.ExplainSet{{Points: []int{0, 2}, Weight: 90}, {Points: []int{0, 1, 3}, Weight: 80}},
		Sum:  170, Above: 20,
		Rules: []verifylist.RuleLoad{{RuleOf: verifylist.RuleOf{Antecedent: 0, Class: 1}, Load: 120}, {RuleOf: verifylist.RuleOf{Antecedent: 1, Class: 0}, Load: 80}},
	}
	return &verified{set: set, list: verifylist.Result{Lambda: ratio.New(1, 100), Objective: 500, Scale: 10000, Explanation: x}}
}

func TestCertificateText(t *testing.T) {
	text := handMade().certificate()
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
		if utf8.RuneCountInString(line) > answer.Width+1 {
			t.Errorf("a line has %d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
}

// TestCertificateOfManySets has more of everything than a page has room for: what is left
// out is counted, and what lines say adds up.
func TestCertificateOfManySets(t *testing.T) {
	v := handMade()
	x := v.list.Explanation
	x.Points, x.Sets, x.Rules, x.Sum, x.Above = nil, nil, nil, 0, 0
	v.set.Data.N = 7000
	for i := range 900 {
		x.Points = append(x.Points, verifylist.Point{Sample: 7 * i, Class: i % 2, Weight: [2]int64{int64(1 - i%2), int64(i % 2)}, Load: int64(i)})
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
	v.set.Antecedents[0].Name = strings.Repeat("long name ", 20)
	text := v.certificate()
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
	d := v.set.Data
	d.N, d.Labels, d.Weights, d.WeightUnit = 100, bitset.New(100).Set(0).Set(2), slices.Repeat([]int64{2}, 100), ratio.New(1, 1)
	d.Weights[0], d.Weights[2] = 7, 7
	if text := strings.ReplaceAll(v.certificate(), "\n", " "); !strings.Contains(text, "By the class weights, a row of class 1 that a list gets wrong costs 700, one of class 0 200.") {
		t.Error(text)
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

// TestExplainCSV adds up the table as a spreadsheet would.
func TestExplainCSV(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "monk1.csv")
	for _, args := range []string{"fit monk1.csv --lambda 0.01 --proof list.proof", "verify list.proof monk1.csv --explain-csv c.csv"} {
		if status, _, stderr := run(words(args)...); status != exitDone {
			t.Fatalf("%s: status %d: %s", args, status, stderr)
		}
	}
	file, err := os.ReadFile("c.csv")
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	if status, stdout, stderr := run(words("verify list.proof monk1.csv --explain-csv -")...); status != exitDone || stdout != text {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	cell := func(row []string, column string) int64 {
		if text := row[slices.Index(csvHeader, column)]; text != "" {
			return amountOf(t, text)
		}
		return 0
	}
	load, above, kinds := map[int64]int64{}, int64(0), map[string]int{}
	var bound, wrong, every, better int64
	for _, row := range rows[1:] {
		kinds[row[0]]++
		switch row[0] {
		case "member":
			load[cell(row, "row")] += cell(row, "weight")
		case "set":
			bound += cell(row, "weight")
		case "rule":
			above += max(0, cell(row, "load")-cell(row, "costs"))
		case "wrong in any case":
			wrong = cell(row, "costs")
		case "every list":
			every = cell(row, "costs")
		case "a better list":
			better = cell(row, "costs")
		}
	}
	for _, row := range rows[1:] {
		if row[0] == "point" {
			if l := load[cell(row, "row")]; l != cell(row, "load") {
				t.Errorf("row %d has a load of %d, said to be %d", cell(row, "row"), l, cell(row, "load"))
			}
			above += max(0, load[cell(row, "row")]-cell(row, "costs"))
		}
	}
	if bound-above+wrong != every || every <= better || kinds["set"] == 0 || kinds["left-out"] == 0 || kinds["rule"] == 0 {
		t.Errorf("%d − %d + %d, not %d; %v", bound, above, wrong, every, kinds)
	}
}

// TestVerifyExplain has a proof that a single bound explains, and ones that have no
// explanation.
func TestVerifyExplain(t *testing.T) {
	proveBikes(t)
	write(t, map[string]string{"d.csv": "a,b,y\n1,0,x\n0,1,y\n1,1,x\n0,0,y\n1,0,x\n0,1,y\n"})
	exampleTable(t, "monk1", "monk1.csv")
	for _, args := range []string{
		"fit monk1.csv --lambda 0.01 --proof list.proof",
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

// TestNoCertificate has a proof whose bounds do not suffice.
func TestNoCertificate(t *testing.T) {
	v := handMade()
	v.list.Explanation.Least, v.list.Prefixes, v.list.Records = 400, 12, 17
	if got := v.certificate(); strings.TrimSpace(strings.ReplaceAll(got, "\n", " ")) != "No certificate by hand: one bound shows 0.0400000000 at least. The proof needs its 17 records and 12 prefixes as well." {
		t.Error(got)
	}
}

// TestProofOfAnotherModel: verify says whether a model is the one that is proved, and what
// differs.
func TestProofOfAnotherModel(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "monk1.csv")
	for _, args := range []string{
		"fit monk1.csv --lambda 0.01 --proof list.proof -o list.json",
		"fit monk1.csv --lambda 0.01 --max-card 1 -o other.json", "fit monk1.csv --lambda 0.05 -o price.json", "fit monk1.csv --model tree --lambda 0.05 -o tree.json",
	} {
		if status, _, stderr := run(words(args)...); status != exitDone {
			t.Fatalf("%s: status %d: %s", args, status, stderr)
		}
	}
	for file, want := range map[string]string{
		"list.json": "", "other.json": "condition 2 is", "price.json": "their λ or objectives differ", "tree.json": "one is a rule list, the other a tree",
	} {
		status, stdout, stderr := run("verify", "list.proof", "monk1.csv", file)
		if want == "" && (status != exitDone || !strings.Contains(stdout, "(list.json is the same model, and names this proof)")) {
			t.Errorf("%s: status %d, %s%s", file, status, stdout, stderr)
		}
		if want != "" && (status != exitOutput || stdout != "" || !strings.Contains(stderr, want)) {
			t.Errorf("%s: status %d, %s%s", file, status, stdout, stderr)
		}
	}
}
