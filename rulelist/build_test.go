package rulelist

import (
	"strconv"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/ratio"
	"parcorels/rules"
)

func TestNewCounts(t *testing.T) {
	m := bicycle(t, dataset.Options{})
	for i, want := range [][2]int64{{1, 1}, {0, 4}, {5, 1}} {
		l := m.Lines()[i]
		if l.Samples != want || l.Weights != want {
			t.Errorf("line %d captured %v of weight %v, expected %v", i, l.Samples, l.Weights, want)
		}
	}
	if m.Errors() != 2 || m.ErrorWeight() != 2 || m.Objective.Num != 224 || m.Objective.Den != 1200 {
		t.Errorf("%d errors of weight %d, objective %+v", m.Errors(), m.ErrorWeight(), m.Objective)
	}
	// Samples of rule 1: one yes, one no; of rule 2: four yes.
	for i, want := range []float64{2. / 4, 5. / 6, 6. / 8} {
		if got := m.Probability(i); got != want {
			t.Errorf("probability of line %d is %v, expected %v", i, got, want)
		}
	}
}

// TestProbabilityOfWeights has weights 1, 1, 1 and 5: 8 in all for 4 samples,
// so each counts half its weight.
func TestProbabilityOfWeights(t *testing.T) {
	o := dataset.Options{Target: "y", Weight: "w"}
	s := read(t, "x,y,w\na,1,0.2\na,0,0.2\nb,0,0.2\nb,1,1\n", o, rules.Options{})
	m := model(t, s, o, []Rule{pick(t, s, "x = b", true)}, false)
	if got, want := m.Probability(0), (5./2+1)/(6./2+2); got != want {
		t.Errorf("probability %v, expected %v", got, want)
	}
	if got, want := m.Probability(1), (1./2+1)/(2./2+2); got != want {
		t.Errorf("probability of the default %v, expected %v", got, want)
	}
}

func TestNewRefuses(t *testing.T) {
	s := read(t, table, dataset.Options{}, rules.Options{})
	sunny := pick(t, s, "weather = sun", true)
	meta := Meta{Status: status.Optimal, Lambda: ratio.New(1, 100), Objective: 212, LowerBound: 212}
	if _, err := New(s, []Rule{sunny}, false, meta); err != nil {
		t.Fatal(err)
	}
	size := strconv.Itoa(len(s.Antecedents))
	const unfit = "the rule list does not fit the data: "
	for _, c := range []struct {
		change func(*Meta, *Rule)
		want   string
	}{
		{func(_ *Meta, r *Rule) { r.Antecedent = -1 }, "rule 1 has antecedent -1, the set has " + size},
		{func(_ *Meta, r *Rule) { r.Antecedent = len(s.Antecedents) }, "rule 1 has antecedent " + size + ", the set has " + size},
		{func(_ *Meta, r *Rule) { r.Predict = false }, unfit + "objective is 212/1200 = 0.17666666666666667, but the counts give 612/1200"},
		{func(m *Meta, _ *Rule) { m.Objective-- }, unfit + "objective is 211/1200 = 0.17583333333333334, but the counts give 212/1200"},
		{func(m *Meta, _ *Rule) { m.LowerBound-- }, unfit + "status is optimal, but the lower bound 0.17583333333333334 is not the objective 0.17666666666666667"},
		{func(m *Meta, _ *Rule) { m.LowerBound++ }, unfit + "lower_bound is 213/1200 = 0.1775, expected a part of 1200 between 0 and the objective's 212"},
		{func(m *Meta, _ *Rule) { m.Lambda = ratio.Ratio{} }, unfit + "lambda is 0/0, expected a number between 0 and 1, both excluded"},
		{func(m *Meta, _ *Rule) { m.Status = status.Unknown }, unfit + `status is "unknown", expected one of optimal, time-limit, node-limit, memory-limit, interrupted`},
	} {
		m, r := meta, sunny
		c.change(&m, &r)
		if _, err := New(s, []Rule{r}, false, m); err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}
