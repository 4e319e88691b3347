package family

import (
	"context"
	"parcorels/bayes"
	bayessearch "parcorels/bayes/search"
	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
	verifybayes "parcorels/verify/bayes"
	"time"
)

// bayesianLists is the record of Bayesian rule lists.
func bayesianLists() *Family {
	return &Family{
		Name: "bayes", Kind: model.BayesianRuleList, Unit: "prefix", Done: "expanded", Price: "length", Grid: []string{"10"},
		byInformation: true, digits: dataset.Counted, reduce: reducePoints,
		fit: fitBayes, decode: decoder(bayes.Codec.FromFile),
	}
}

// fitBayes learns a Bayesian rule list.
func fitBayes(ctx context.Context, p *Problem, s *resolved) (*Model, error) {
	width, _ := ratio.Parse(s.Width) // were checked
	zero, one, _ := parseAlpha(s.Alpha)
	rows, err := p.rowsOfPoints(s.MinRows)
	if err != nil {
		return nil, err
	}
	o := bayessearch.Options{
		Restriction: bayessearch.Restriction{MinRows: s.MinRows, RowsOf: rows, Falling: s.Falling},
		Prior:       bayessearch.Prior{Length: s.price, Width: width, Alpha0: zero, Alpha1: one},
		MaxRules:    s.MaxRules, Chains: s.Chains, Iterations: s.Iterations, Seed: s.Seed,
		Workers: s.Workers, Time: s.Time, Nodes: s.Nodes, Memory: s.Memory, Proof: s.proof,
	}
	if s.Progress != nil {
		tell, best := s.throttled(), -unknown
		o.Progress = func(look bayessearch.Progress) {
			e := Event{Progress: look.Progress, Family: s.Family, Step: look.Chains, Steps: s.Chains}
			if s.Models && look.Value > best {
				best = look.Value
				name := func(a int) string { return wording.Printable(p.Set.Antecedents[a].Name) }
				e.Best = func() (Shown, error) { return textOnly(linesOf(look.List, "else if ", name) + "else\n"), nil }
			}
			tell(e)
		}
	}
	m, r, err := bayessearch.Fit(ctx, p.Set, p.points, o, s.Software, p.reading)
	if err != nil {
		return nil, err
	}
	seconds := func(s float64) float64 { return report.Seconds(time.Duration(s * float64(time.Second))) }
	out := &Model{Model: m, when: make([][]int, len(r.Rules)+1), stats: report.Stats{
		Antecedents: len(p.Set.Antecedents), Points: r.Points, Expanded: r.Expanded,
		SecondsSearch: seconds(r.Seconds.Chains + r.Seconds.Exact), SecondsFirst: seconds(r.Seconds.Chains),
		Workers: r.Workers, ProofBytes: r.ProofBytes, ProofRecords: r.ProofRecords,
	}, Search: Search{Proved: r.Status == status.Optimal && r.ProofErr == nil, ProofErr: r.ProofErr}}
	for i, a := range r.Rules {
		out.when[i] = []int{a}
	}
	return out, nil
}

func verifyBayes(ctx context.Context, proof *verifybayes.Proof, set *rules.Set, read Reading, o VerifyOptions) (*Verification, error) {
	r, err := proof.Check(ctx, set, o.Options)
	if err != nil {
		return nil, err
	}
	told := Options{Family: model.BayesianRuleList, MinRows: r.MinRows, Falling: r.Falling}
	v := &Verification{Price: r.Lambda, Claim: "of largest posterior among all rule lists" + atMost(r.MaxRules) + told.RestrictionText() +
		" on these " + conditions(set), Effort: wording.Count(r.Records, "expanded prefix"), Counts: VerifyCounts{Records: r.Records}}
	posterior := model.NewFraction(r.Posterior, bayes.Unit)
	v.Model, err = bayes.New(set, r.List, read, bayes.Model{
		Origin: model.Origin{Software: o.Software, Status: status.Optimal}, Posterior: posterior, Bound: posterior,
		Prior:  bayes.Prior{Length: r.Lambda, Width: r.Width, Alpha: [2]ratio.Ratio{r.Alpha0, r.Alpha1}, MaxRules: r.MaxRules},
		Chains: bayes.Chains{Count: 1, Iterations: 1}, // a proof tells of none, a model has one
	})
	return v, err
}
