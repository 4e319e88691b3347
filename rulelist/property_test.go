package rulelist

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
	"parcorels/model/predict"
	"parcorels/rules"
)

// TestTrainingTable learns random lists on random tables and predicts on the
// very text they came from: each line must capture what New counted, each
// label be as wrong as New said, before and after a trip through a file.
func TestTrainingTable(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := randomTable(r)
		o := dataset.Options{Target: "label", Bins: 2 + r.IntN(4), DropMissing: r.IntN(3) == 0}
		switch r.IntN(3) {
		case 0:
			o.ClassWeights = "balanced"
		case 1:
			o.ClassWeights = "0.3,7"
		}
		d, err := dataset.ReadFrom(strings.NewReader(text), "table.csv", o)
		if err != nil {
			continue // all rows dropped
		}
		s := must.Get(rules.Mine(t.Context(), d, rules.Options{Negations: r.IntN(2) == 0}))(t)
		m := modelOf(t, s, o, randomList(r, s), r.IntN(2) == 0)
		b := encoded(t, m)
		loaded, err := given.Model(Codec, bytes.NewReader(b), "m.json")
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, b)
		}
		if again := encoded(t, loaded); !bytes.Equal(again, b) {
			t.Fatalf("seed %d: the file changes from\n%sto\n%s", seed, b, again)
		}
		for _, m := range []*Model{m, loaded} {
			reproduces(t, seed, m, text, o)
		}
	}
}

func reproduces(t *testing.T, seed uint64, m *Model, text string, o dataset.Options) {
	t.Helper()
	sum := streamText(t, m, text, o)
	if got := sum.Rows - sum.Skipped; got < m.Data.Samples {
		t.Fatalf("seed %d: %d rows predicted of %d samples", seed, got, m.Data.Samples)
	}
	if m.Data.Dropped > 0 {
		return // a dropped row may have all that the rules look at
	}
	for i, l := range m.Lines() {
		if got := sum.Evaluation.Counts[i]; !slices.Equal(got, l.Samples) {
			t.Fatalf("seed %d: line %d decides %v, the model says %v\n%s%s", seed, i, got, l.Samples, m, text)
		}
	}
}

// streamText predicts for a table given as text.
func streamText(t testing.TB, m *Model, text string, o dataset.Options) *predict.Summary {
	t.Helper()
	rows := must.Get(dataset.NewRows(strings.NewReader(text), "table.csv", o))(t)
	p := must.Get(predict.Bind(m, rows.Header(), strict))(t)
	sum := must.Get(p.Stream("table.csv", rows, nil))(t)
	return sum
}
