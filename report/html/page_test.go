package html

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parcorels/bayes"
	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rules"
	"parcorels/ruleset"
)

const hostile = `<script>alert("1")</script>&`

// written returns the page of a small model, evaluated on its own table, whose
// names and labels are hostile.
func written(t *testing.T) string {
	t.Helper()
	table := "a\"<b>,y\n" + strings.Repeat("\"x "+strings.ReplaceAll(hostile, `"`, `""`)+"\",<i>no\n", 3) + strings.Repeat("z,yes\n",
		2) + "z,<i>no\n"
	table = strings.Replace(table, `a"<b>`, `"a""<b>"`, 1)
	d := must.Get(dataset.ReadFrom(strings.NewReader(table), "</title>.csv", dataset.Options{}))(t)
	set := must.Get(rules.Mine(t.Context(), d, rules.Options{}))(t)
	m := must.Get(rulelist.New(set, []rulelist.Rule{{Antecedent: 0, Class: 0}}, 1, model.Meta{
		Software: "test", Status: status.Optimal, Lambda: ratio.New(1, 10), Objective: 16, LowerBound: 16,
	}))(t)
	m.About().Options = []model.Option{{Name: "lambda", Value: "0.1"}}
	p := New(m)
	rows := must.Get(dataset.NewRows(strings.NewReader(table), "t.csv", dataset.Options{}))(t)
	must.Get(p.Judge("t.csv", rows, predict.Options{By: rows.Header()[0]}, false))(t)
	p.Unseen = &[2]float64{.8, .01}
	var b bytes.Buffer
	must.Do(t, p.Write(&b))
	return b.String()
}

var update = flag.Bool("update", false, "write the expected text of the page anew")

// TestPage reads the page as a browser would: every element is closed, nothing of the
// data is markup, and the text of each element is that of testdata/page.txt, which
// -update writes.
func TestPage(t *testing.T) {
	text := written(t)
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.Entity = true, xml.HTMLEntity
	var outline strings.Builder
	var open []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		switch x := token.(type) {
		case xml.StartElement:
			open = append(open, x.Name.Local)
			for _, a := range x.Attr {
				if a.Name.Local == "id" || a.Name.Local == "aria-label" {
					fmt.Fprintf(&outline, "%s%s %s=%s\n", strings.Repeat(" ", len(open)-1), x.Name.Local, a.Name.Local, a.Value)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if said := strings.Join(strings.Fields(string(x)), " "); said != "" && !slices.Contains(open, "style") {
				fmt.Fprintf(&outline, "%s%s: %s\n", strings.Repeat(" ", len(open)-1), open[len(open)-1], said)
			}
		}
	}
	if *update {
		must.Do(t, os.WriteFile("testdata/page.txt", []byte(outline.String()), 0o644))
	}
	want, err := os.ReadFile("testdata/page.txt")
	if err != nil || string(want) != outline.String() {
		t.Errorf("error %v, the page says\n%s", err, outline.String())
	}
}

// TestNothingLeavesThePage: no address but those of the page itself.
func TestNothingLeavesThePage(t *testing.T) {
	text := written(t)
	for _, m := range regexp.MustCompile(`\s(?:src|href)="([^"]*)"|url\(([^)]*)`).FindAllStringSubmatch(text, -1) {
		if m[1] != "data:," {
			t.Errorf("the page asks for %q", m[0])
		}
	}
	if strings.Contains(text, "http://") || strings.Contains(text, "https://") || strings.Contains(text, "@import") {
		t.Error("the page names an address")
	}
	// Every chart says in words what it shows.
	if svg, named := strings.Count(text, "<svg"), strings.Count(text, `role="img" aria-label="`); svg == 0 || svg != named {
		t.Errorf("%d of %d charts have a name", named, svg)
	}
}

// TestPagesOfFamilies: rule sets tell their metrics, Bayesian rule lists their
// probabilities, both by their own names for the objective.
func TestPagesOfFamilies(t *testing.T) {
	table := "x,y\na,yes\na,yes\nb,no\nb,no\nb,yes\n"
	d := must.Get(dataset.ReadFrom(strings.NewReader(table), "t.csv", dataset.Options{}))(t)
	set := must.Get(rules.Mine(t.Context(), d, rules.Options{MaxCard: 1}))(t)
	zero := ratio.New(0, 1)
	one := must.Get(ruleset.New(set, [][]int{{0}}, dataset.Options{}, ruleset.Model{
		Origin: model.Origin{Software: "test", Status: status.Finished}, MaxRules: 2,
		Prices: ruleset.Prices{Beta0: zero, Beta1: zero, Beta2: zero, Lambda: zero},
		Value:  model.NewFraction(0, 1), UpperBound: model.NewFraction(1, 1),
	}))(t)
	other := must.Get(bayes.New(set, []int{0}, dataset.Options{}, bayes.Model{
		Origin: model.Origin{Software: "test", Status: status.TimeLimit}, Posterior: model.NewFraction(-2*bayes.Unit, bayes.Unit),
		Bound:  model.NewFraction(-bayes.Unit, bayes.Unit),
		Chains: bayes.Chains{Count: 1, Iterations: 1},
		Prior:  bayes.Prior{Length: ratio.New(3, 1), Width: ratio.New(1, 1), Alpha: [2]ratio.Ratio{ratio.New(1, 1), ratio.New(1, 1)}},
	}))(t)
	for m, want := range map[model.Model][]string{
		one:   {"where at least one rule holds", "<dt>value</dt>", "What is proved"},
		other: {"<dt>log posterior</dt>", "P(yes) = ", "95% interval ", "What is proved"},
	} {
		var b bytes.Buffer
		must.Do(t, New(m).Write(&b))
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s: no %q in the page", m.Family(), w)
			}
		}
	}
}

// TestWeights: rows that weigh whole numbers evaluate as if they stood there so
// many times.
func TestWeights(t *testing.T) {
	m := small(t)
	weighted := evaluatedOn(t, m, "x,y,w\na,yes,3\na,no,1\nb,no,2\nb,yes,1\n", "w")
	copied := evaluatedOn(t, m, "x,y,w\na,yes,1\na,yes,1\na,yes,1\na,no,1\nb,no,1\nb,no,1\nb,yes,1\n", "")
	for i := range copied.Charts {
		if !reflect.DeepEqual(weighted.Charts[i].Line(false), copied.Charts[i].Line(false)) {
			t.Errorf("%s: %v of weights, %v of copies", copied.Charts[i].Name, weighted.Charts[i].Line(false), copied.Charts[i].Line(false))
		}
		for k, d := range copied.Charts[i].Dots() {
			if w := weighted.Charts[i].Dots()[k]; w.X != d.X || w.Y != d.Y || w.R != d.R {
				t.Errorf("%s: %v of weights, %v of copies", copied.Charts[i].Name, w, d)
			}
		}
	}
	if !reflect.DeepEqual(weighted.Measures.Confusion, copied.Measures.Confusion) ||
		weighted.Calibration[0].Observed != copied.Calibration[0].Observed {
		t.Errorf("%v and %v of weights, %v and %v of copies", weighted.Measures.Confusion, weighted.Calibration, copied.Measures.Confusion,
			copied.Calibration)
	}
	if w, c := weighted.Measures, copied.Measures; *w.Weight != 7 || weighted.Rows != 4 || c.Weight != nil {
		t.Errorf("%d rows weigh %v, those without %v", weighted.Rows, *w.Weight, c.Weight)
	}
}

// small is a list of one rule.
func small(t *testing.T) model.Model {
	t.Helper()
	d := must.Get(dataset.ReadFrom(strings.NewReader("x,y\na,yes\na,yes\nb,no\nb,no\nb,yes\n"), "t.csv", dataset.Options{}))(t)
	set := must.Get(rules.Mine(t.Context(), d, rules.Options{MaxCard: 1}))(t)
	m := must.Get(rulelist.New(set, []rulelist.Rule{{Antecedent: 0, Class: 1}}, 0, model.Meta{
		Software: "test", Status: status.Optimal, Lambda: ratio.New(1, 10), Objective: 15, LowerBound: 15,
	}))(t)
	return m
}

// evaluatedOn evaluates a model on a table whose rows weigh what a column says.
func evaluatedOn(t *testing.T, m model.Model, table, weight string) *evaluation {
	t.Helper()
	rows := must.Get(dataset.NewRows(strings.NewReader(table), "t.csv", dataset.Options{}))(t)
	bound := must.Get(predict.Bind(m, rows.Header(), predict.Options{Weight: weight}))(t)
	s := must.Get(bound.Stream("t.csv", rows, nil))(t)
	p := New(m)
	p.Evaluate("t.csv", "", weight, false, s)
	return p.Evaluation
}

// TestKeptBack: the page begins with the rows that were kept back, and gives no command
// where the model is of an unknown part of the table.
func TestKeptBack(t *testing.T) {
	m := small(t)
	m.About().Options = []model.Option{{Name: "lambda", Value: "0.1"}}
	m.About().KeptBack = &model.KeptBack{Rows: 4, Accuracy: .75, Majority: .5, Frequent: "no"}
	for refit, want := range map[bool]string{
		false: "75.0% of 4 rows kept back are predicted right. Always predicting no is right for 50.0%. The model has 1 rule. It is " +
			"right for 80.0% of the 5 rows that it was learned from.",
		true: "75.0% of 4 rows kept back are predicted right. Always predicting no is right for 50.0%. That is a model of the other " +
			"rows. This one is learned from all: it has 1 rule, and is right for 80.0% of the 5 rows that it was learned from.",
	} {
		m.About().KeptBack.Refit = refit
		var b bytes.Buffer
		must.Do(t, New(m).Write(&b))
		if !strings.Contains(b.String(), want) || strings.Contains(b.String(), "--proof") != refit {
			t.Errorf("refit %v: no %s in\n%s", refit, want, b.String())
		}
	}
}

// TestWished: a model that is the best within limits does not claim more.
func TestWished(t *testing.T) {
	p := &Page{Frame: &model.Frame{Options: []model.Option{{Name: "depth", Value: "2"}, {Name: "max-rules", Value: "3"},
		{Name: "lambda", Value: "0.01"}}}}
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, "wished", p); err != nil || b.String() != " of depth at most 2 of at most 3 rules" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
