package rulelist

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/blocks"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/model/explain"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/rules"
)

// TestTexts runs the texts of testdata. A rule is "antecedent → label", the default "→ label".
//
//	load FROM → TO    what is said of the file of bicycle, in which TO stands for FROM: all of it, its start, or what is behind its end
//	text {…}          rules with the samples of each class, as people read them
//	list {…}          rules on a table, as people read them
//	predict {…}       rules on a table, and rows behind an empty line: predictions, and warnings
//	explain {…}       likewise: why
//
// The table is that of helper_test.go, unless one stands before the rules with an empty line behind it.
func TestTexts(t *testing.T) {
	commands := map[string]func(t *testing.T, command, input string) string{
		"load": loadText, "text": textOf, "list": listText, "predict": predictText, "explain": explainText,
	}
	blocks.Replay(t, "testdata/*.txt", func(t *testing.T, command, input string) string {
		return commands[strings.Fields(command)[0]](t, command, input)
	})
}

func loadText(t *testing.T, command, _ string) string {
	good := string(encoded(t, bicycle(t, dataset.Options{})))
	from, to, _ := strings.Cut(strings.TrimPrefix(command, "load "), " →")
	to = strings.TrimPrefix(to, " ")
	bad := strings.ReplaceAll(to, `\n`, "\n")
	switch {
	case from == "start":
		bad = good[:300]
	case from == "end":
		bad = good + to
	case from != "all":
		if from = strings.ReplaceAll(from, `\n`, "\n"); !strings.Contains(good, from) {
			t.Fatalf("%q is not in the file", from)
		}
		bad = strings.Replace(good, from, bad, 1)
	}
	if m, err := given.Model(Codec, strings.NewReader(bad), "m.json"); err != nil {
		return err.Error()
	} else if m == nil {
		t.Error("neither a model nor an error")
	}
	return "accepted"
}

// counted is a frame with lines whose counts are made up.
type counted struct {
	Width   int
	Classes []string
	Weight  int64 // twice as many units as samples
	Values  []string
}

func textOf(t *testing.T, command, input string) string {
	c := counted{Classes: []string{"no", "yes"}}
	blocks.Options(t, command, &c)
	m := &Model{Frame: model.Frame{Data: model.Data{Samples: 6489, Weight: 6489, WeightUnit: ratio.New(1, 1)}, Classes: c.Classes}}
	if c.Weight > 0 {
		m.Data.Weighted, m.Data.Weight, m.Data.WeightUnit = true, c.Weight, ratio.New(3, 2)
	}
	for line := range strings.SplitSeq(input, "\n") {
		names, rest, _ := strings.Cut(line, "→ ")
		var l Line
		var n [2]int64
		if _, err := fmt.Sscan(rest, &l.Class, &n[0], &n[1]); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		l.Counts = model.Counts{Samples: n[:], Weights: n[:]}
		for name := range strings.SplitSeq(strings.TrimSpace(names), " and ") {
			if plain, err := strconv.Unquote(name); err == nil {
				name = plain
			}
			if l.Literals = append(l.Literals, model.Literal{Name: name}); strings.HasSuffix(name, " values") {
				l.Literals[len(l.Literals)-1].Test = dataset.Test{Kind: dataset.Among, Values: c.Values}
			}
		}
		m.Rules = append(m.Rules, l)
	}
	last := len(m.Rules) - 1
	m.Rules, m.Default = m.Rules[:last], Line{Class: m.Rules[last].Class, Counts: m.Rules[last].Counts}
	return m.Text(c.Width)
}

// learned is how a list is learned, and how it predicts.
type learned struct {
	Read    dataset.Options
	Mine    rules.Options
	Predict struct {
		Strict, Laplace bool
	}
	model *Model
	rest  string // of the input
}

func learn(t *testing.T, command, input string) (l learned) {
	blocks.Options(t, command, &l)
	text, list := table, strings.SplitN(input, "\n\n", 3)
	if !strings.Contains(list[0], "→") {
		text, list = list[0]+"\n", list[1:]
	}
	s := read(t, text, l.Read, l.Mine)
	var all []Rule
	def := false
	for line := range strings.SplitSeq(list[0], "\n") {
		name, label, _ := strings.Cut(line, "→ ")
		is := s.Data.Classes[1] == label
		if name == "" {
			def = is
		} else {
			all = append(all, pick(t, s, strings.TrimSpace(name), is))
		}
	}
	l.model, l.rest = modelOf(t, s, l.Read, all, def), strings.Join(list[1:], "\n\n")
	return l
}

func listText(t *testing.T, command, input string) string {
	m := learn(t, command, input).model
	return fmt.Sprintf("%s%d errors of weight %d, objective %d/%d", m, m.Errors(), m.ErrorWeight(), m.Objective.Num, m.Objective.Den)
}

func predictText(t *testing.T, command, input string) string {
	l := learn(t, command, input)
	rows := must.Get(dataset.NewRows(strings.NewReader(l.rest), "new.csv", dataset.Options{NoHeader: l.Read.NoHeader}))(t)
	p, err := predict.Bind(l.model, rows.Header(), predict.Options{Strict: l.Predict.Strict, Laplace: l.Predict.Laplace})
	if err != nil {
		return "error: " + err.Error()
	}
	var b bytes.Buffer
	sum, err := p.Stream("new.csv", rows, csv.NewWriter(&b))
	if err != nil {
		return "error: " + err.Error()
	}
	for _, w := range sum.Warnings() {
		fmt.Fprintln(&b, "warning:", w)
	}
	for _, c := range sum.Unfamiliar {
		fmt.Fprintf(&b, "unfamiliar: %d cells of %s, the first %q in line %d\n", c.Cells, c.Column, c.Example, c.Line)
	}
	if sum.Evaluation != nil {
		fmt.Fprintln(&b, "predicted by class:", sum.Evaluation.Confusion())
	}
	return b.String()
}

func explainText(t *testing.T, command, input string) string {
	l := learn(t, command, input)
	rows := strings.Split(l.rest, "\n")
	p := must.Get(predict.Bind(l.model, strings.Split(rows[0], ","), predict.Options{}))(t)
	var b strings.Builder
	for _, row := range rows[1:] {
		x := must.Get(explain.Row(p, strings.Split(row, ",")))(t)
		fmt.Fprintf(&b, "%s: case %d", row, x.Case)
		for _, f := range slices.Concat(x.Failed) {
			fmt.Fprintf(&b, "; not %s, which is %q", f.Literal.Name, f.Cell)
		}
		fmt.Fprintf(&b, "; %d conditions hold\n", len(x.Holds))
	}
	return b.String()
}
