package answer

import (
	"cmp"
	"parcorels/ask/fair"
	"parcorels/family"
	"parcorels/internal/interval"
	"parcorels/internal/status"
	"parcorels/model/evaluate"
	"parcorels/report"
	"parcorels/rules/rates"
	"strings"
	"time"
)

// Fair is what was found, for programs.
type Fair struct {
	Kind    string  `json:"-"`               // of the models
	Part    string  `json:"-"`               // of a model: rule or leaf
	Weighed bool    `json:"-"`               // by weights of the classes alone
	Group   string  `json:"group,omitempty"` // "" of an operating point
	Proved  bool    `json:"proved"`
	Bound   float64 `json:"bound"`
	FairModel
	Limits        []FairLimit `json:"limits"`
	Unconstrained FairFree    `json:"unconstrained"`
	KeptBack      []FairLimit `json:"kept_back,omitempty"` // the limits on rows that were kept back
	Rows          int64       `json:"kept_back_rows,omitempty"`
}

type FairLimit struct {
	Measure  rates.Measure      `json:"measure"`
	Most     float64            `json:"limit"`
	Rate     evaluate.Rate      `json:"rate"`               // of groups, the rate of the group less that of the others
	Interval *interval.Interval `json:"interval,omitempty"` // of 95%, of rows kept back
}

// FairModel is the model within the limits, or without.
type FairModel struct {
	Objective float64 `json:"objective"`
	Errors    float64 `json:"errors"` // weight of the samples that it gets wrong
	Rules     int     `json:"rules"`
	Text      string  `json:"text"`
}

type FairFree struct {
	FairModel
	Rates []evaluate.Rate `json:"rates"`
}

// NewFair returns what was found of models of a kind within limits on a group, "" of an operating point.
func NewFair(kind string, a *fair.Answer, limits []fair.Limit, group string) *Fair {
	of := func(m *family.Model) FairModel {
		c := m.Certificate()
		return FairModel{c.Objective.Value, report.Summarize(m).Errors, c.Size, m.Text(Width)}
	}
	x := &Fair{Kind: kind, Part: a.Certificate().Part, Weighed: a.Weighed, Group: group, Proved: a.Proved, Bound: a.Bound,
		FairModel: of(a.Model), Unconstrained: FairFree{of(a.Best), a.BestRates}}
	for i, l := range limits {
		x.Limits = append(x.Limits, FairLimit{Measure: l.Measure, Most: l.Most.Float(), Rate: a.Rates[i]})
	}
	return x
}

// Within says in the result of the model within the limits what is proved among those; otherwise how a search ended that proves all.
func Within(r *report.Result, a *fair.Answer, otherwise status.Status) {
	r.Status, r.LowerBound, r.Gap = otherwise, a.Bound, (r.Objective-a.Bound)/r.Objective
	switch {
	case a.Proved:
		r.Status, r.LowerBound, r.Gap = status.Optimal, r.Objective, 0
	case a.Weighed && otherwise != status.Interrupted:
		r.Status = status.Finished
	}
}

// Unseen adds how the limits of an operating point do on rows that were kept back.
func (x *Fair) Unseen(e *evaluate.Evaluation) {
	m, in := e.Measures(), cmp.Or(e.Intervals(), &evaluate.Intervals{})
	x.Rows = m.Rows
	for _, l := range x.Limits {
		k := FairLimit{Measure: l.Measure, Most: l.Most}
		switch l.Measure {
		case rates.Recall:
			k.Rate, k.Interval = m.Recall, in.Recall
		case rates.Precision:
			k.Rate, k.Interval = m.Precision, in.Precision
		case rates.Selected:
			k.Rate = m.PerClass[1].Selected
		}
		x.KeptBack = append(x.KeptBack, k)
	}
}

// Wishes says beside the best model of all what the wishes cost that a model keeps.
func Wishes(wished, best *family.Model) string {
	return render("wishes", map[string]any{"Wished": wished.Certificate(), "Best": best.Certificate(),
		"Price": report.Price(report.Summarize(wished), report.Summarize(best))})
}

// Caps reports that the limit is the most of its measure, as it is also of a difference between groups.
func (l FairLimit) Caps() bool { return l.Measure == rates.Selected }

// Holds reports whether a rate is within a limit of an operating point, as the precision of no predictions is.
func (l FairLimit) Holds() bool {
	if l.Caps() {
		return float64(l.Rate) <= l.Most
	}
	return !(float64(l.Rate) < l.Most)
}

// Describe says what was found, for people.
func (x *Fair) Describe(took time.Duration, stopped, bestOfAll bool) string {
	return render("fair", map[string]any{"Fair": x, "Took": took, "Stopped": stopped, "BestOfAll": bestOfAll,
		"Noun": strings.TrimPrefix(x.Kind, "rule ")})
}
