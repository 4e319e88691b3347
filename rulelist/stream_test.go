package rulelist

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/model/predict"
	"parcorels/rules"
)

// streamCSV predicts for a table given as text and returns what was written.
func streamCSV(t testing.TB, m *Model, text string) (string, *predict.Summary, error) {
	t.Helper()
	rows, err := dataset.NewRows(strings.NewReader(text), "new.csv", dataset.Options{NoHeader: m.Reading.NoHeader})
	if err != nil {
		t.Fatal(err)
	}
	p, err := predict.Bind(m, rows.Header(), strict)
	if err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	sum, err := p.Stream("new.csv", rows, csv.NewWriter(&b))
	return b.String(), sum, err
}

func TestStreamGolden(t *testing.T) {
	m := bicycle(t, dataset.Options{})
	got, sum, err := streamCSV(t, m, `prediction;hilly;weather;bicycle
a,b;1;"sun";yes
;0; sun ;
"=x";true;rain;no
;no;hail;yes
;no;fog;no
`)
	if err != nil {
		t.Fatal(err)
	}
	const want = `prediction,hilly,weather,bicycle,prediction_2,prediction_rule_2,prediction_probability_2,P(yes)_2
"a,b",1,sun,yes,no,1: weather = sun and hilly,0.500000,0.500000
,0,sun ,,yes,2: weather = sun,0.833333,0.833333
=x,true,rain,no,no,else,0.750000,0.250000
,no,hail,yes,no,else,0.750000,0.250000
,no,fog,no,no,else,0.750000,0.250000
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if sum.Rows != 5 || fmt.Sprint(sum.Evaluation.Confusion()) != "[[2 0] [2 0]]" {
		t.Errorf("summary %+v, evaluation %+v", sum, sum.Evaluation)
	}
	warnings := []string{
		`2 of 5 rows have cells on which conditions do not hold: column "weather" has 2 of a value that was rare or absent in training (first "hail" in line 5)`,
		"1 of 5 rows have no label and are not evaluated",
	}
	if !slices.Equal(sum.Warnings(), warnings) {
		t.Errorf("warnings %q", sum.Warnings())
	}
}

func TestStreamWithoutTarget(t *testing.T) {
	got, sum, err := streamCSV(t, bicycle(t, dataset.Options{}), "hilly,weather\nno,sun\n")
	const want = "hilly,weather,prediction,prediction_rule,prediction_probability,P(yes)\nno,sun,yes,2: weather = sun,0.833333,0.833333\n"
	if err != nil || got != want || sum.Evaluation != nil || sum.Warnings() != nil {
		t.Errorf("got %q, %+v, %v", got, sum, err)
	}
}

// TestStreamRefuses has cells that cannot be of the column they stand in,
// whether or not the rule that looks there fires.
func TestStreamRefuses(t *testing.T) {
	s := read(t, table, dataset.Options{}, rules.Options{})
	numeric := modelOf(t, s, dataset.Options{}, []Rule{pick(t, s, "weather = sun", true), pick(t, s, "age missing", false)}, false)
	for _, c := range []struct {
		model      *Model
		text, want string
	}{
		{bicycle(t, dataset.Options{}), "weather,age\n", `the table lacks column "hilly", which the model needs`},
		{bicycle(t, dataset.Options{}), "a\n", `the table lacks columns "weather", "hilly", which the model needs`},
		{bicycle(t, dataset.Options{}), "weather,hilly\nsun,no\nrain,perhaps\n",
			`new.csv:3: column "hilly": "perhaps" is not a truth value such as 0, 1, yes, no`},
		{bicycle(t, dataset.Options{}), "weather,hilly\n?,no\n", `new.csv:2: column "weather": "?" is a missing value, which this column had none of in training`},
		{bicycle(t, dataset.Options{}), "weather,hilly,bicycle\nsun,no,maybe\n",
			`new.csv:2: column "bicycle": label "maybe" is not one that the model knows: "no" and "yes"`},
		{numeric, "weather,age\nsun,old\x1b\n", `new.csv:2: column "age": "old\x1b" is not a number`},
	} {
		if _, sum, err := streamCSV(t, c.model, c.text); err == nil || sum != nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestDropMissing learns without the rows that lack something: such a row of a
// new table has no prediction if the rules look at what it lacks.
func TestDropMissing(t *testing.T) {
	o := dataset.Options{DropMissing: true, Cuts: map[string][]float64{"age": {39}}}
	s := read(t, table, o, rules.Options{MaxCard: 1})
	m := modelOf(t, s, o, []Rule{pick(t, s, "age > 38", false)}, true)
	got, sum, err := streamCSV(t, m, "age,weather,bicycle\n50,?,no\nn/a,sun,no\n20,sun,no\n")
	const want = `age,weather,bicycle,prediction,prediction_rule,prediction_probability,P(yes)
50,?,no,no,1: age > 38,0.571429,0.428571
n/a,sun,no,,,,
20,sun,no,yes,else,0.571429,0.571429
`
	if err != nil || got != want {
		t.Errorf("got\n%swant\n%s(%v)", got, want, err)
	}
	if w := sum.Warnings(); sum.Skipped != 1 || sum.Evaluation.Rows() != 2 || len(w) != 1 ||
		w[0] != "1 of 3 rows have a missing value where the rules look, and no prediction: the model was learned without such rows" {
		t.Errorf("summary %+v, warnings %q", sum, w)
	}
}

// TestUnfamiliarNumbers: numbers are compared by value, not by text.
func TestUnfamiliarNumbers(t *testing.T) {
	s := read(t, "x,y\n1,a\n1,a\n2,b\n3,b\n?,b\n", dataset.Options{}, rules.Options{})
	m := modelOf(t, s, dataset.Options{}, []Rule{pick(t, s, "x = 1", false)}, true)
	_, sum, err := streamCSV(t, m, "x\n1.0\n 2\n4\n3e0\n?\n5\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []predict.Cells{{Column: "x", Cells: 2, Example: "4", Line: 4}}
	if !slices.Equal(sum.Unfamiliar, want) {
		t.Errorf("got %+v", sum.Unfamiliar)
	}
}

func TestOneVsRest(t *testing.T) {
	o := dataset.Options{Positive: "red"}
	s := read(t, "x,color\na,red\na,red\nb,green\nb,blue\n", o, rules.Options{})
	m := modelOf(t, s, o, []Rule{pick(t, s, "x = a", true)}, false)
	got, sum, err := streamCSV(t, m, "x,color\na,red\nb,yellow\na,blue\nb,NA\n")
	if err != nil || !strings.Contains(got, "b,yellow,not red,else,0.750000,0.250000\n") {
		t.Errorf("got %s, %v", got, err)
	}
	if fmt.Sprint(sum.Evaluation.Confusion()) != "[[1 1] [0 1]]" || sum.Unlabelled != 1 {
		t.Errorf("summary %+v, %+v", sum, sum.Evaluation)
	}
}

// TestOneClass: the empty list on data of one class is a model like any other.
func TestOneClass(t *testing.T) {
	s := read(t, "x,y\na,no\nb,no\n", dataset.Options{}, rules.Options{})
	m := modelOf(t, s, dataset.Options{}, nil, s.Data.Classes[1] == "no")
	if got, want := m.String(), "predict no for everyone   (2 samples, 100.0% right)\n"; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
	p, err := predict.Predict(m, nil, strict)
	if err != nil || p.Label != "no" || p.Case != 0 || p.Probability() != 3./4 {
		t.Errorf("predicts %+v, %v", p, err)
	}
}

func TestNoHeader(t *testing.T) {
	o := dataset.Options{NoHeader: true}
	s := read(t, "a,0,no\na,1,no\nb,0,yes\nb,1,yes\n", o, rules.Options{})
	m := modelOf(t, s, o, []Rule{pick(t, s, "c1 = b", true)}, false)
	for text, want := range map[string]string{
		"b,1\n":       "c1,c2,prediction,prediction_rule,prediction_probability,P(yes)\nb,1,yes,1: c1 = b,0.750000,0.750000\n",
		"b,1,no\n":    "c1,c2,c3,prediction,prediction_rule,prediction_probability,P(yes)\nb,1,no,yes,1: c1 = b,0.750000,0.750000\n",
		"b\n":         "",
		"b,1,no,no\n": "",
	} {
		got, _, err := streamCSV(t, m, text)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
}

func TestPredictRow(t *testing.T) {
	m := bicycle(t, dataset.Options{})
	p, err := predict.Predict(m, map[string]string{"weather": "sun", "hilly": "no", "more": ""}, strict)
	if err != nil || p.Class != 1 || p.Label != "yes" || p.Case != 1 || !slices.Equal(p.Probabilities, []float64{1. / 6, 5. / 6}) {
		t.Errorf("predicts %+v, %v", p, err)
	}
	if _, err = predict.Predict(m, map[string]string{"weather": "sun"}, strict); err == nil ||
		err.Error() != `the table lacks column "hilly", which the model needs` {
		t.Errorf("without a column: %v", err)
	}
	if _, err = predict.Bind(m, []string{"hilly", "weather", "hilly"}, strict); err == nil ||
		err.Error() != `the table has more than one column "hilly"` {
		t.Errorf("with a column twice: %v", err)
	}
	bound, err := predict.Bind(m, []string{"hilly", "weather"}, strict)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = bound.Predict([]string{"no"}); err == nil || err.Error() != "the row has 1 cells, expected 2 as in the header" {
		t.Errorf("with a short row: %v", err)
	}
}

func TestPredictAllocatesNothing(t *testing.T) {
	o := dataset.Options{}
	s := read(t, table, o, rules.Options{})
	m := modelOf(t, s, o, []Rule{pick(t, s, "weather = rain and age missing", false), pick(t, s, "weather = sun", true)}, false)
	p, err := predict.Bind(m, s.Data.Columns, strict)
	if err != nil {
		t.Fatal(err)
	}
	row := []string{"rain", "yes", "55", "no"}
	if n := testing.AllocsPerRun(100, func() { _, err = p.Predict(row) }); n != 0 || err != nil {
		t.Errorf("%v allocations a row, %v", n, err)
	}
}
