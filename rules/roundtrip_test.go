package rules

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/must"
)

// TestWrittenIsReadBack mines a table, writes the antecedents and reads them
// again: the same sets, labels and classes come back.
func TestWrittenIsReadBack(t *testing.T) {
	for seed := range uint64(20) {
		d, err := dataset.ReadFrom(strings.NewReader(randomTable(seed)), "people.csv", dataset.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s, err := Mine(t.Context(), d, Options{Negations: seed%2 == 0})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again, err := Given(writeAndRead(t, s))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		compareSets(t, again, s)
	}
}

func randomTable(seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 5))
	var b strings.Builder
	b.WriteString("age,home town,is_smiling,shape,income,recid\n")
	towns := []string{"New York", `"Zürich, CH"`, `"{x}"`, "?", "a_b", "a b"}
	for range 40 + rng.IntN(100) {
		fmt.Fprintf(&b, "%d,%s,%d,%s,%.2f,%s\n", 18+rng.IntN(50), towns[rng.IntN(len(towns))], rng.IntN(2),
			[]string{"round", "square"}[rng.IntN(2)], rng.Float64()*100, []string{"no", "yes"}[rng.IntN(2)])
	}
	return b.String()
}

func writeAndRead(t *testing.T, s *Set) *dataset.Dataset {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mined.out")
	for name, write := range map[string]func(*os.File) error{
		path: func(f *os.File) error { return s.WriteOut(f) },
		strings.TrimSuffix(path, ".out") + ".label": func(f *os.File) error { return s.WriteLabel(f) },
	} {
		f := must.Get(os.Create(name))(t)
		must.Do(t, write(f))
		must.Do(t, f.Close())
	}
	d := must.Get(dataset.Read(path, dataset.Options{}))(t)
	return d
}

func compareSets(t *testing.T, got, want *Set) {
	t.Helper()
	if len(got.Antecedents) != len(want.Antecedents) {
		t.Fatalf("%d antecedents, want %d", len(got.Antecedents), len(want.Antecedents))
	}
	for i, a := range got.Antecedents {
		if !a.Captured().Equal(want.Antecedents[i].Captured()) {
			t.Errorf("%s captures something else than %q", a.Name, want.Antecedents[i].Name)
		}
		if strings.ContainsAny(a.Name, " \t") {
			t.Errorf("%q has spaces", a.Name)
		}
	}
	g, w := got.Data, want.Data
	if !slices.Equal(g.ClassOf, w.ClassOf) || !slices.Equal(g.Classes, w.Classes) || g.Target != strings.ReplaceAll(w.Target, " ", "_") {
		t.Errorf("labels of %q %q, want %q %q", g.Target, g.Classes, w.Target, w.Classes)
	}
}
