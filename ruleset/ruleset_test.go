package ruleset_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/model/given"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/ruleset"
	"parcorels/ruleset/search"
)

// monk is MONK's first problem, whose class is "head and body have the same shape,
// or the jacket is red": four rules, which overlap.
func monk(t *testing.T, o dataset.Options) (*rules.Set, *ruleset.Model) {
	t.Helper()
	d, err := dataset.Read("../examples/monk1.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1, Negations: true})
	if err != nil {
		t.Fatal(err)
	}
	points, err := instance.PointsFromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := search.Fit(context.Background(), set, points, search.Options{Prices: prices(2)}, "test", o)
	if err != nil {
		t.Fatal(err)
	}
	return set, m
}

// prices makes an overlap cheaper than a literal that would avoid it.
func prices(literal int64) search.Prices {
	p := search.DefaultPrices()
	p.Beta2, p.Literal = ratio.New(1, 20), ratio.New(literal, 2)
	return p
}

func TestMonk(t *testing.T) {
	_, m := monk(t, dataset.Options{})
	want := `if   jacket_color = red        then yes   (108 of 432 samples, 100.0% right)
or   head_shape = octagon
    and body_shape = octagon   then yes   ( 48 of 432 samples, 100.0% right)
or   head_shape = round
    and body_shape = round     then yes   ( 48 of 432 samples, 100.0% right)
or   head_shape = square
    and body_shape = square    then yes   ( 48 of 432 samples, 100.0% right)
else                                no    (216 of 432 samples, 100.0% right)
the rules overlap: where any holds, 1.17 hold on average
`
	if got := m.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// 216 positives, 36 of them covered twice, 7 literals.
	if m.Value.Value != 207.2 {
		t.Errorf("value %v", m.Value.Value)
	}
	if len(m.Rules) != 4 {
		t.Errorf("%d rules", len(m.Rules))
	}
}

// TestWeights: weights of 2.5 and a literal of 2.5 change nothing but the unit.
func TestWeights(t *testing.T) {
	b, err := os.ReadFile("../examples/monk1.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	for i := range lines {
		lines[i] = map[bool]string{true: "w,", false: "2.5,"}[i == 0] + lines[i]
		if i == 7 {
			lines[i] = strings.Replace(lines[i], "2.5,", "5,", 1)
		}
	}
	path := filepath.Join(t.TempDir(), "weighted.csv")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := dataset.Options{Weight: "w"}
	d, err := dataset.Read(path, o)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: 1, Negations: true})
	if err != nil {
		t.Fatal(err)
	}
	points, err := instance.PointsFromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := search.Fit(context.Background(), set, points, search.Options{Prices: prices(5)}, "test", o)
	if err != nil {
		t.Fatal(err)
	}
	// One sample of 432 weighs twice as much as the others.
	if got := m.Value.Value; got < 2.5*207.2 || got > 2.5*208.2 {
		t.Errorf("value %v, expected 2.5 times 207.2 and up to a sample more", got)
	}
}

// TestFile: a model survives its file byte for byte, and every field that is
// changed in it is found out.
func TestFile(t *testing.T) {
	_, m := monk(t, dataset.Options{})
	var file, again bytes.Buffer
	if err := m.Encode(&file); err != nil {
		t.Fatal(err)
	}
	back, err := given.Model(ruleset.Codec, bytes.NewReader(file.Bytes()), "m.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Encode(&again); err != nil || !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Error("the file is another one after reading and writing it", err)
	}
	for _, c := range []struct{ old, new string }{
		{`"beta1": "1"`, `"beta1": "2"`},
		{`"size": 2`, `"size": 3`},
		{`"status": "finished"`, `"status": "unknown"`},
		{`"max_rules": 16`, `"max_rules": 3`},
		{`"predict": 0`, `"predict": 1`},
		{`parcorels rule set`, `parcorels rule list`},
	} {
		text := strings.Replace(file.String(), c.old, c.new, 1)
		if text == file.String() {
			t.Errorf("the file has no %s:\n%s", c.old, text)
		} else if _, err := given.Model(ruleset.Codec, strings.NewReader(text), "m.json"); err == nil {
			t.Errorf("a file with %s was accepted", c.new)
		}
	}
}

// TestPredict: the model says of every row what the rules say.
func TestPredict(t *testing.T) {
	_, m := monk(t, dataset.Options{})
	for _, c := range []struct {
		head, body, jacket, want string
	}{{"round", "square", "red", "yes"}, {"round", "round", "blue", "yes"}, {"round", "square", "blue", "no"},
		{"", "square", "blue", "no"}} {
		p, err := predict.Predict(m, map[string]string{"head_shape": c.head, "body_shape": c.body, "jacket_color": c.jacket},
			predict.Options{})
		if err != nil || p.Label != c.want {
			t.Errorf("%+v: %v, %v", c, p, err)
		}
	}
}
