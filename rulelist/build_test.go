package rulelist

import (
	"strconv"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
)

func TestNewRefuses(t *testing.T) {
	s := read(t, table, dataset.Options{}, rules.Options{})
	sunny := pick(t, s, "weather = sun", true)
	type meta = model.Meta
	good := meta{Status: status.Optimal, Lambda: ratio.New(1, 100), Objective: 212, LowerBound: 212}
	must.Get(New(s, []Rule{sunny}, 0, good))(t)
	size := strconv.Itoa(len(s.Antecedents))
	const unfit = "the rule list does not fit the data: "
	for _, c := range []struct {
		change func(*meta, *Rule)
		want   string
	}{
		{func(_ *meta, r *Rule) { r.Antecedent = -1 }, "rule 1 has antecedent -1, the set has " + size},
		{func(_ *meta, r *Rule) { r.Antecedent = len(s.Antecedents) }, "rule 1 has antecedent " + size + ", the set has " + size},
		{func(_ *meta, r *Rule) { r.Class = 0 }, unfit + "objective is 212/1200 = 0.17666666666666667, but the counts give 612/1200"},
		{func(m *meta, _ *Rule) { m.Objective-- }, unfit + "objective is 211/1200 = 0.17583333333333334, but the counts give 212/1200"},
		{func(m *meta, _ *Rule) { m.LowerBound-- }, unfit + "status is optimal, but the lower bound 0.17583333333333334 is not the " +
			"objective 0.17666666666666667"},
		{func(m *meta, _ *Rule) { m.LowerBound++ }, unfit + "lower_bound is 213/1200 = 0.1775, expected a part of 1200 between 0 and " +
			"the objective's 212"},
		{func(m *meta, _ *Rule) { m.Lambda = ratio.Ratio{} }, unfit + "lambda is 0/0, expected a number between 0 and 1, both excluded"},
		{func(m *meta, _ *Rule) { m.Status = status.Unknown }, unfit +
			`status is "unknown", expected one of optimal, time-limit, node-limit, memory-limit, interrupted, stalled, finished`},
	} {
		m, r := good, sunny
		c.change(&m, &r)
		if _, err := New(s, []Rule{r}, 0, m); err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}
