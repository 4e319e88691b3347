package family_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/model"
)

// encoded fits a model of a kind and returns its file.
func encoded(t *testing.T, data *family.Data, kind model.Family, workers int) string {
	t.Helper()
	m, err := family.Fit(context.Background(), data, family.Options{Family: kind, Workers: workers, Chains: chains(kind),
		Iterations: 200 * chains(kind)})
	if err != nil {
		t.Error(err)
		return ""
	}
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil {
		t.Error(err)
	}
	return b.String()
}

// chains are few, as they take long under the race detector.
func chains(kind model.Family) int {
	if kind == model.BayesianRuleList {
		return 2
	}
	return 0
}

// TestFitsSideBySide: fits of all families in one process at the same time give the models
// that each gives alone.
func TestFitsSideBySide(t *testing.T) {
	t.Parallel()
	rows := [][]string{}
	for i := range 120 {
		a, b, c := i%3, i/3%4, i/12%2
		rows = append(rows, []string{fmt.Sprint("a", a), fmt.Sprint("b", b), fmt.Sprint("c", c),
			fmt.Sprint((a == 1) != (b == 2 && c == 0))})
	}
	data := must.Get(family.Table([]string{"a", "b", "c", "y"}, rows, family.Reading{}))(t)
	alone := map[model.Family]string{}
	for _, f := range family.Families() {
		alone[f.Kind] = encoded(t, data, f.Kind, 1)
	}
	var together sync.WaitGroup
	for _, f := range family.Families() {
		for workers := range 2 {
			together.Go(func() {
				if got := encoded(t, data, f.Kind, workers+1); got != alone[f.Kind] {
					t.Errorf("%s, %d workers:\n%s\nalone\n%s", f.Kind, workers+1, got, alone[f.Kind])
				}
			})
		}
	}
	together.Wait()
}

// TestFamiliesOfConditions: every family learns from a file of ready-made conditions, read as the
// family reads tables.
func TestFamiliesOfConditions(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"x.out": "{a:1} 0 0 1 1\n{a:2} 1 0 0 0\n", "x.label": "{y:0} 1 1 0 0\n{y:1} 0 0 1 1\n"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, f := range family.Families() {
		data, err := family.Read(filepath.Join(dir, "x.out"), f.Reading(family.Reading{}))
		if err != nil {
			t.Errorf("%s: %v", f.Kind, err)
			continue
		}
		encoded(t, data, f.Kind, 1)
	}
}

// TestProgressOfFamilies: every family tells of its search at least once, at the end, in one
// shape, with the best model on request.
func TestProgressOfFamilies(t *testing.T) {
	t.Parallel()
	data := must.Get(family.Read("../examples/monk1.csv", family.Reading{}))(t)
	for _, f := range family.Families() {
		var last family.Event
		best := ""
		m := must.Get(family.Fit(t.Context(), data, family.Options{
			Family: f.Kind, Models: true, Chains: chains(f.Kind), Iterations: 200 * chains(f.Kind), Time: 5e9, MaxCard: 1,
			Progress: func(e family.Event) {
				if last = e; e.Best != nil {
					m := must.Get(e.Best())(t)
					best = m.Text(80)
				}
			},
		}))(t)
		// a tree may be read off at the end
		if !last.Final || last.Family != f.Kind || last.Length != m.Certificate().Size || best == "" && f.Kind != model.Tree {
			t.Errorf("%s: last event %+v, best %q, %d", f.Name, last, best, m.Certificate().Size)
		}
	}
}

// TestOptionTable holds the rows against what is made of them.
func TestOptionTable(t *testing.T) {
	t.Parallel()
	var r family.Reading
	var o family.Options
	seen := map[string]bool{}
	for _, row := range family.OptionTable(&r, &o) {
		if seen[row.Name] || row.Field == "" || row.Help == "" || row.Type == "" || (row.Holder == "") != (row.Type == "switch") ||
			(row.Expect == "") != (row.Type == "switch") {
			t.Errorf("%+v", row)
		}
		seen[row.Name] = true
		if got := row.Texts(); got != nil {
			t.Errorf("%s is %q before it is given", row.Name, got)
		}
		defaults := []string{row.Default}
		for _, text := range row.Defaults {
			defaults = append(defaults, text)
		}
		for _, text := range defaults {
			if err := row.Set(text); text != "" && err != nil {
				t.Errorf("%s: the default %q: %v", row.Name, text, err)
			}
		}
		for _, name := range row.Among {
			if err := row.Set(name); err != nil {
				t.Errorf("%s: %q: %v", row.Name, name, err)
			}
		}
		if text, err := json.Marshal(row); err != nil || !bytes.Contains(text, []byte(row.Name)) {
			t.Errorf("%s: %s, %v", row.Name, text, err)
		}
	}
}
