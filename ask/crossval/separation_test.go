package crossval

import (
	"context"
	"fmt"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// noisy returns a table on which the separation bound pays.
func noisy() (tb table) {
	in := testgen.Noisy(1)
	tb.labels = in.Labels
	for i := range in.Labels {
		var row []bool
		for j := 0; j < len(in.Columns); j += 2 {
			row = append(row, in.Columns[j][i])
		}
		tb.features = append(tb.features, row)
	}
	return tb
}

// TestWithoutTheSeparationBound: a cross-validation gives the same lists, counts and figures and
// picks the same λ without the separation bound, only later.
func TestWithoutTheSeparationBound(t *testing.T) {
	d := noisy().data(t)
	var texts [2]string
	var work [2]int64
	for k, without := range []problem.Prunings{0, problem.Separation} {
		o := options(ratio.New(1, 90), ratio.New(1, 25))
		o.Folds, o.Workers, o.Family = 3, 2, Models{family.Options{Ablation: family.Ablation{Without: without}}}
		r, err := Run(context.Background(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, fits := range r.Fits {
			for _, f := range fits {
				texts[k] += fmt.Sprintln(f.Fold, f.Lambda, f.Antecedents, f.Lines(), f.Model.Certificate(), f.Train, f.Test,
					f.Measures)
				work[k] += f.Work
			}
		}
		for _, rule := range []Pick{Best, OneStandardError} {
			l, ok := r.Pick(rule)
			texts[k] += fmt.Sprintln(rule, l, ok, r.AtEdge(l))
		}
		for _, s := range r.Summaries() {
			s.Seconds = Estimate{}
			texts[k] += fmt.Sprintf("%+v\n", s)
		}
	}
	t.Logf("%d prefixes with the bound, %d without", work[0], work[1])
	if texts[0] != texts[1] {
		t.Errorf("with the bound\n%swithout\n%s", texts[0], texts[1])
	}
	if 10*work[0] > 9*work[1] {
		t.Errorf("%d prefixes with the bound, %d without: this shows nothing", work[0], work[1])
	}
}
