package answer

import (
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// A search may be stopped when no better list is left but one that ties and
// comes first may be: then it does not say that a better one may exist.
func TestVerdictWithoutGap(t *testing.T) {
	for bound, want := range map[int64]string{
		1: "time limit reached: a better rule list may exist",
		2: "time limit reached: no rule list has a smaller objective, but one that ties",
	} {
		m := &rulelist.Model{Optimum: model.NewOptimum(ratio.New(1, 4), 2, 2, bound)}
		m.Status, m.Default.Counts = parallel.TimeLimit, model.Counts{Samples: []int64{1, 1}, Weights: []int64{1, 1}}
		f := Fit{
			Family: family.Families()[0], Options: family.Options{Lambda: "1/4"}, Model: &family.Model{Model: m},
			Problem: &family.Problem{Set: &rules.Set{Data: &dataset.Dataset{N: 2}}},
		}
		if got := f.Verdict(); !strings.Contains(got, want) {
			t.Errorf("bound %d, objective 2: %q, want %q", bound, got, want)
		}
	}
}

// Short lists that are proved to be no better come before the gap, and nothing is called optimal.
func TestVerdictOnShortLists(t *testing.T) {
	m := &rulelist.Model{Optimum: model.NewOptimum(ratio.New(1, 4), 8, 32, 20)}
	m.Status, m.Default.Counts = parallel.TimeLimit, model.Counts{Samples: []int64{4, 4}, Weights: []int64{4, 4}}
	f := Fit{
		Family: family.Families()[0], Options: family.Options{Lambda: "1/4"}, Model: &family.Model{Model: m},
		Problem: &family.Problem{Set: &rules.Set{Data: &dataset.Dataset{N: 8}, Antecedents: make([]rules.Antecedent, 1354)}},
	}
	f.Model.Search.Short = search.Short{Rules: 3, Time: 1200 * time.Millisecond}
	for most, want := range map[int]string{
		0: "not proved: lists of 4 rules and more; none has an objective below",
		4: "not proved: lists of 4 rules; none has",
		6: "not proved: lists of 4 to 6 rules; none has",
	} {
		f.Options.MaxRules = most
		got := f.Verdict()
		for _, want := range []string{"proved: no rule list of at most 3 rules is better (1,354 conditions, 1.20 s)\n", want,
			"3 of 8 samples at most)"} {
			if !strings.Contains(strings.ReplaceAll(got, "\n    ", " "), want) || strings.Contains(got, "optimal") {
				t.Errorf("at most %d rules: %q, want %q", most, got, want)
			}
		}
	}
}
