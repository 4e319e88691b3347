package family_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/rulelist"
)

// TestDirections raises the numbers of increasing columns in every row, and lowers those of decreasing ones: class 1 stays
// class 1. All rules decide as many rows as was asked for, and the proof says the same.
func TestDirections(t *testing.T) {
	t.Parallel()
	rules := 0
	for seed := range uint64(cases.Count(300)) {
		rng := rand.New(rand.NewPCG(seed, 62))
		var b strings.Builder
		b.WriteString("a,b,c,y\n")
		for range 20 + rng.IntN(40) {
			x := [3]int{rng.IntN(6), rng.IntN(6), rng.IntN(6)}
			fmt.Fprintf(&b, "%d,%d,%d,%d\n", x[0], x[1], x[2], min(1, max(0, x[0]-x[1]+x[2]+rng.IntN(3)-3)))
		}
		b.WriteString("0,0,0,0\n5,5,5,1\n")
		data := must.Get(family.ReadFrom(strings.NewReader(b.String()), "t.csv", family.Reading{}))(t)
		o := family.Options{Lambda: "0.01", MaxCard: 1 + rng.IntN(2), MinSupport: "0", Negations: rng.IntN(2) == 0,
			MinRows:    1 + rng.IntN(8),
			Increasing: []string{"a"}, Decreasing: []string{"b"}}
		var file bytes.Buffer
		o.Proof = &family.Proof{To: &file}
		m, err := family.Fit(t.Context(), data, o)
		if err != nil {
			continue // a column without thresholds
		}
		if m.Certificate().Status != status.Optimal {
			t.Fatalf("seed %d: %v", seed, m.Certificate().Status)
		}
		list := m.Model.(*rulelist.Model)
		for _, line := range list.Rules {
			if rules++; line.Captured() < int64(o.MinRows) {
				t.Fatalf("seed %d: a rule for %d samples of at least %d\n%s", seed, line.Captured(), o.MinRows, m.Text(80))
			}
		}
		for i := range 6 * 6 * 6 {
			a, b, c := i/36, i/6%6, i%6
			if says(t, list, a, b, c) == 1 && says(t, list, min(a+1, 5), max(b-1, 0), c) == 0 {
				t.Fatalf("seed %d: not in the directions at %d %d %d\n%s", seed, a, b, c, m.Text(80))
			}
		}
		if v := verified(t, file.Bytes(), data, o); v.Model.Text(80) != m.Text(80) ||
			!strings.Contains(v.Claim, "increasing in a; decreasing in b") {
			t.Fatalf("seed %d: %s\n%s", seed, v.Claim, v.Model.Text(80))
		}
	}
	if rules < cases.Some(300) {
		t.Errorf("%d rules in all", rules)
	}
}

func says(t *testing.T, m model.Model, a, b, c int) int {
	t.Helper()
	p := must.Get(predict.Predict(m, map[string]string{"a": fmt.Sprint(a), "b": fmt.Sprint(b), "c": fmt.Sprint(c)}, predict.Options{}))(t)
	return p.Class
}

// TestDirectionWithoutCuts: numbers that the labels do not cut, as shuffled ones may not, keep their direction.
func TestDirectionWithoutCuts(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b,y\n")
	for i := range 90 {
		fmt.Fprintf(&b, "%d.5,%c,%d\n", i, 'p'+i%2, i/2%2)
	}
	data := must.Get(family.ReadFrom(strings.NewReader(b.String()), "t.csv", family.Reading{}))(t)
	for column, bad := range map[string]bool{"a": false, "b": true, "c": true, "y": true} {
		o := family.Options{Increasing: []string{column}}
		if set, err := family.Mine(t.Context(), data, o); err != nil || len(set.Antecedents) > 2 {
			t.Fatalf("%v, %v", set.Antecedents, err)
		}
		if _, err := family.Fit(t.Context(), data, o); (err != nil) != bad {
			t.Errorf("increasing in %s: %v", column, err)
		}
	}
}
