package report

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// TestNew fits a table with weights and compares the result with the counts.
func TestNew(t *testing.T) {
	const table = "x,y,w\na,1,0.5\na,1,1.5\na,0,1\nb,0,2\nb,0,1\n"
	d := must.Get(dataset.ReadFrom(strings.NewReader(table), "t.csv", dataset.Options{Target: "y", Weight: "w"}))(t)
	set := must.Get(rules.Mine(t.Context(), d, rules.Options{}))(t)
	in := must.Get(instance.FromSet(set))(t)
	lambda := ratio.New(1, 100)
	found := must.Get(search.Solve(context.Background(), in, search.Options{Lambda: lambda, Workers: 1}))(t)
	m := must.Get(found.Model(set, &search.Options{Lambda: lambda}, "", dataset.Options{}))(t)
	r := New(m, "folder/t.csv", []string{"a note"})
	if r.Model != model.RuleList || r.Status != parallel.Optimal || r.Errors != 1 || r.Weight != 6 || r.Samples != 5 || r.Length != 1 ||
		r.Lambda != .01 ||
		r.Objective != r.LowerBound || r.Default == nil || len(r.Rules) != 1 || r.Data.File != "folder/t.csv" || len(r.Data.Notes) != 1 {
		t.Errorf("result %+v", r)
	}
	if w := r.Rules[0].CapturedWeight; w == nil || *w+*r.Default.CapturedWeight != 6 || r.Rules[0].Captured+r.Default.Captured != 5 {
		t.Errorf("rules %+v, default %+v", r.Rules, r.Default)
	}
	text := must.Get(json.Marshal(r))(t)
	var back Result
	must.Do(t, json.Unmarshal(text, &back))
	if again, _ := json.Marshal(back); string(again) != string(text) {
		t.Errorf("%s\nreads back as\n%s", text, again)
	}
}

// TestBelow: a bound is rounded down only.
func TestBelow(t *testing.T) {
	for num := int64(-30); num <= 30; num++ {
		for den := int64(1); den <= 30; den++ {
			v := new(big.Rat).SetFloat64(Below(num, den))
			x := big.NewRat(num, den)
			if slack := new(big.Rat).Sub(x, v); slack.Sign() < 0 || slack.Cmp(big.NewRat(1, 1e14)) > 0 {
				t.Errorf("%d/%d becomes %v", num, den, v)
			}
		}
	}
}
