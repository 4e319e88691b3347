package model_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/examples"
	"parcorels/family"
	"parcorels/internal/testing/blocks"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/tree"
)

// TestFiles runs the blocks of testdata, which are about the model that was learned last.
//
//	fit       a table, or the name of an example, and the options of reading and learning as JSON: the text of the model, with width=N
//	          on a narrow page; with times=N the rows come so often
//	tamper    changes "from => to" of its file: what is said of each
//	predict   rows "column=cell,…": what is predicted
//	cases     what people read of each case
//
// Each model survives its file byte for byte.
func TestFiles(t *testing.T) {
	var file string
	var m *family.Model
	blocks.Replay(t, "testdata/*.txt", func(t *testing.T, command, input string) string {
		var o struct {
			family.Reading
			family.Options
		}
		var told []string
		switch words := blocks.Options(t, command, &o); words[0] {
		case "fit":
			text := input
			if table, err := examples.Table(input); err == nil {
				text = string(table)
			}
			width, times := model.DefaultWidth, 1
			for _, word := range words[1:] {
				_, _ = fmt.Sscanf(word, "width=%d", &width)
				_, _ = fmt.Sscanf(word, "times=%d", &times)
			}
			head, rows, _ := strings.Cut(text+"\n", "\n")
			m, file = fitted(t, head+"\n"+strings.Repeat(rows, times), o.Reading, o.Options)
			c := m.Certificate()
			return fmt.Sprintf("%sobjective %.6g, %v, parts %d", m.Text(width), c.Objective.Value, c.Status, c.Size)
		case "tamper":
			for change := range strings.SplitSeq(input, "\n") {
				from, to, _ := strings.Cut(change, " => ")
				bad := strings.Replace(file, from, to, 1)
				if bad == file {
					t.Errorf("the file has no %s:\n%s", from, file)
				}
				_, err := family.Decode(strings.NewReader(bad), "m.json")
				told = append(told, fmt.Sprint(err))
			}
		case "cases":
			for _, c := range m.Cases() {
				told = append(told, c.Text)
			}
		case "predict":
			for line := range strings.SplitSeq(input, "\n") {
				row := map[string]string{}
				for cell := range strings.SplitSeq(line, ",") {
					column, text, _ := strings.Cut(cell, "=")
					row[column] = text
				}
				p, err := m.Predict(row)
				told = append(told, fmt.Sprintf("%s %.4g %v", p.Label, p.Probabilities, err))
			}
		}
		return strings.Join(told, "\n")
	})
}

// fitted learns a model, writes it to its file and reads that again. The model must say of the rows of the table what was learned.
func fitted(t *testing.T, text string, r family.Reading, o family.Options) (*family.Model, string) {
	t.Helper()
	d := must.Get(family.ReadFrom(strings.NewReader(text), "folder/t.csv", r))(t)
	m := must.Get(family.Fit(t.Context(), d, o))(t)
	var file, again bytes.Buffer
	must.Do(t, m.Encode(&file))
	back := must.Get(family.Decode(bytes.NewReader(file.Bytes()), "m.json"))(t)
	if err := back.Encode(&again); err != nil || file.String() != again.String() {
		t.Errorf("the file is another one after reading and writing it: %v", err)
	}
	checkRows(t, back, d.Dataset, text, r, o.MaxCard == 1)
	return m, file.String()
}

// checkRows predicts the rows that a model was learned from. The errors are those that it counts. The path of a leaf says what is so
// of the rows that it decides, and of no others where each split is one condition.
func checkRows(t *testing.T, m *family.Model, d *dataset.Dataset, text string, r family.Reading, single bool) {
	t.Helper()
	rows := must.Get(dataset.NewRows(strings.NewReader(text), "t.csv", r))(t)
	p := must.Get(predict.Bind(m.Model, rows.Header(), predict.Options{}))(t)
	cases, wrong := m.Cases(), int64(0)
	for sample := range d.N {
		cells := must.Get(rows.Next())(t)
		said := must.Get(p.Predict(cells))(t)
		if said.Class != d.Class(sample) {
			wrong += d.Weight(sample)
		}
		for i, c := range cases {
			if c.Path == nil || i != said.Case && !single {
				continue
			}
			fails := func(l model.Literal) bool {
				holds, err := l.Test.Holds(cells[slices.Index(rows.Header(), l.Column)])
				return err != nil || holds == l.Negated
			}
			if reached := !slices.ContainsFunc(c.Path, fails); reached != (i == said.Case) {
				t.Errorf("%q: leaf %d decides, %q is reached: %v\n%s", cells, said.Case, c.Text, reached, m)
			}
		}
	}
	if want := model.ErrorWeight(cases); wrong != want {
		t.Errorf("errors weigh %d, the model says %d\n%s\n%s", wrong, want, text, m)
	}
}

// TestRandomTables learns models of each family of tables with columns of all kinds, and draws the trees.
func TestRandomTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	shapes := []string{"round", "square", "oct agon", "?", `"a;b"`, "größe"}
	for i := range 120 {
		text := "shape;smiles;age;count;w;label\n"
		for row := range 5 + rng.IntN(56) {
			label := rng.IntN(3)
			if row < 3 {
				label = row
			}
			age := fmt.Sprint(18+rng.IntN(40), ".", rng.IntN(10))
			if rng.IntN(12) == 0 {
				age = "NA"
			}
			text += fmt.Sprintf("%s;%s;%s;%d;%d.5;%s\n", shapes[rng.IntN(len(shapes))], []string{"Yes", "no"}[rng.IntN(2)], age,
				rng.IntN(4), rng.IntN(9), []string{"good", "bad", "ugly"}[label])
		}
		r := family.Reading{Multiclass: true, Weight: "w"}
		o := family.Options{Family: []model.Family{model.Tree, model.Tree, model.RuleList, model.RuleSet}[i%4],
			MaxCard: 1 + rng.IntN(2), Time: 10 * time.Second}
		if i%4%2 == 1 {
			r.Multiclass, r.Positive = false, "good"
		}
		switch o.Family {
		case model.Tree:
			o.Lambda, o.Depth = fmt.Sprintf("1/%d", 20+rng.IntN(20)), 2+rng.IntN(2)
		case model.RuleList:
			o.Lambda = "1/20"
		case model.RuleSet:
			o.MaxCard = 1
		}
		m, _ := fitted(t, text, r, o)
		if grown, ok := m.Model.(*tree.Model); ok {
			var drawing struct {
				Boxes []struct{} `xml:"g>rect"`
			}
			svg := grown.SVG(tree.Drawing{})
			if err := xml.Unmarshal([]byte(svg), &drawing); err != nil || len(drawing.Boxes) != len(grown.Nodes) {
				t.Errorf("%d boxes for %d nodes, %v\n%s", len(drawing.Boxes), len(grown.Nodes), err, svg)
			}
		}
	}
}
