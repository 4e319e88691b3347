package tree

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/model"
	"parcorels/model/given"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/tree/search"
)

// fitted is the tree of a table given as text.
func fitted(t testing.TB, text string, o dataset.Options, lambda ratio.Ratio, depth, card int) (*rules.Set, *search.Result, *Model) {
	t.Helper()
	d, err := dataset.ReadFrom(strings.NewReader(text), "folder/table.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{MaxCard: card, MinSupport: ratio.New(0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	points, err := instance.PointsFromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	r, err := search.Solve(context.Background(), points, search.Options{Lambda: lambda, Depth: depth, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(set, r.Tree, Meta{
		Software: "parcorels test", Status: r.Status, Lambda: lambda, MaxDepth: depth,
		Objective: r.Objective, LowerBound: r.LowerBound, Options: o,
	})
	if err != nil {
		t.Fatal(err)
	}
	return set, r, m
}

// randomTable is a table with columns of all kinds, of 5 to 60 rows.
func randomTable(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("shape;smiles;age;count;w;label\n")
	shapes := []string{"round", "square", "oct agon", "?", `"a;b"`, "größe"}
	for range 5 + r.IntN(56) {
		age := fmt.Sprint(18+r.IntN(40), ".", r.IntN(10))
		if r.IntN(12) == 0 {
			age = "NA"
		}
		fmt.Fprintf(&b, "%s;%s;%s;%d;%d.5;%s\n", shapes[r.IntN(len(shapes))],
			[]string{"Yes", "no"}[r.IntN(2)], age, r.IntN(4), r.IntN(9), []string{"good", "bad", "ugly"}[r.IntN(3)])
	}
	return b.String()
}

// TestPredictsItsTraining: predictions for the training rows are what the
// captured sets say, and give the errors of the search.
func TestPredictsItsTraining(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range 60 {
		text := randomTable(rng)
		o := dataset.Options{Multiclass: i%2 == 0, Weight: "w"}
		if !o.Multiclass {
			o.Positive = "good"
		}
		card := 1 + rng.IntN(2)
		set, _, m := fitted(t, text, o, ratio.New(1, 20+rng.Int64N(20)), 4-card-rng.IntN(2), card)
		table, err := dataset.NewRows(strings.NewReader(text), "table.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := predict.Bind(m, table.Header(), predict.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var wrong int64
		for sample := 0; ; sample++ {
			cells, err := table.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			said, err := p.Predict(cells)
			if err != nil {
				t.Fatal(err)
			}
			if said.Class != set.Data.Class(sample) {
				wrong += set.Data.Weights[sample]
			}
		}
		if want := model.ErrorWeight(m.Cases()); wrong != want {
			t.Fatalf("table %d: errors weigh %d, the model says %d\n%s\n%s", i, wrong, want, text, m)
		}
		checkFiles(t, m)
	}
}

// checkFiles writes the model in every form and reads what can be read.
func checkFiles(t *testing.T, m *Model) {
	t.Helper()
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil {
		t.Fatal(err)
	}
	back, err := given.Model(Codec, bytes.NewReader(b.Bytes()), "model.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	if back.String() != m.String() || back.SVG(Drawing{}) != m.SVG(Drawing{}) {
		t.Error("the model read is another than the one written")
	}
	d := xml.NewDecoder(strings.NewReader(m.SVG(Drawing{})))
	texts := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("SVG: %v\n%s", err, m.SVG(Drawing{}))
		}
		if s, ok := token.(xml.StartElement); ok && s.Name.Local == "rect" {
			texts++
		}
	}
	if texts != len(m.Nodes)+1 {
		t.Errorf("SVG has %d boxes for %d nodes", texts-1, len(m.Nodes))
	}
}

func TestNewRefuses(t *testing.T) {
	set, r, m := fitted(t, "a,b,y\n1,0,1\n0,1,0\n1,1,0\n0,0,0\n", dataset.Options{}, ratio.New(1, 100), 0, 1)
	good := Meta{Software: "s", Status: r.Status, Lambda: m.Lambda, Objective: r.Objective, LowerBound: r.LowerBound}
	for _, tree := range [][]int{nil, {0}, {0, -1}, {-1, -1}, {99, -1, -2}, {-3}, {-1}} {
		if _, err := New(set, tree, good); err == nil {
			t.Errorf("%v makes a model", tree)
		}
	}
	if _, err := New(set, r.Tree, good); err != nil {
		t.Error(err)
	}
}
