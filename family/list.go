package family

import (
	"context"
	"fmt"

	"github.com/bits-and-blooms/bitset"

	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/report"
	"parcorels/rulelist"
	"parcorels/rulelist/problem"
	listsearch "parcorels/rulelist/search"
	"parcorels/rules"
	"parcorels/verify"
	verifylist "parcorels/verify/rulelist"
	"slices"
	"sync"
	"time"
)

// ruleLists is the record of rule lists.
func ruleLists() *Family {
	return &Family{
		Name: "list", Kind: model.RuleList, Unit: "prefix", Done: "expanded", Price: "lambda", Shares: true, Multiclass: true,
		defaultPrice: DefaultLambda, limit: func(o *Options) int { return o.MaxRules },
		dear: "rules may cost nothing only where option MaxRules limits them", saves: true, reduce: reduceList,
		fit: fitList, decode: decoder(rulelist.Codec.FromFile), reaches: reachesList,
	}
}

// patientFrom is the longest limit of time before whose end a search for a rule list may stop, where neither the best list nor
// the bound has moved for long. A longer limit, or none, is a choice to go on.
const patientFrom = time.Minute

// listOptions returns the options of the search for a rule list.
func (s *resolved) listOptions(p *Problem) (listsearch.Options, error) {
	set := p.searched()
	labels, err := s.directed(set)
	may := problem.Restriction{MinRows: s.MinRows, Labels: labels,
		Captured: func(a int) *bitset.BitSet { return set.Antecedents[a].Captured() }}
	o := listsearch.Options{
		Lambda: s.price, MaxRules: s.MaxRules, Workers: s.Workers, Policy: s.Ablation.Policy, Symmetry: s.Ablation.Symmetry,
		Without: s.Ablation.Without,
		Time:    s.Time, Stalls: s.Time > 0 && s.Time <= patientFrom, Nodes: s.Nodes, Memory: s.Memory, ProgressEvery: s.ProgressEvery,
		Proof: s.proof, Weights: s.Start.Weights, KeepWeights: s.Keep, May: may,
	}
	for _, when := range s.Known {
		list := []int{}
		for _, rule := range when[:len(when)-1] { // the last is the default
			list = append(list, rule[0])
		}
		o.Known = append(o.Known, list)
	}
	if s.FromLarger && len(s.First) == 0 {
		o.Optimal = o.Known[0]
	}
	return o, err
}

// fitList learns a rule list.
func fitList(ctx context.Context, p *Problem, s *resolved) (*Model, error) {
	o, err := s.listOptions(p)
	if err == nil {
		err = p.first.keeps(&s.Options)
	}
	if err != nil {
		return nil, err
	}
	if s.Checkpoint != nil {
		c := *s.Checkpoint
		c.Digest, o.Checkpoint = sync.OnceValue(p.searched().Digest), &c
	}
	asked := o // what the model is to say
	if p.first != nil {
		if err := p.first.options(&o); err != nil {
			return nil, err
		}
	}
	asModel := func(r *listsearch.Result) (*rulelist.Model, error) {
		return r.Model(p.Set, &asked, s.Software, p.reading)
	}
	if s.Progress != nil {
		o.Progress = func(look listsearch.Progress) {
			e := Event{Progress: look.Progress, Family: s.Family, Source: sources[look.Source], LogRemain: look.LogRemain}
			if p.first != nil {
				p.first.event(&e, asked.Lambda)
			}
			if s.Models && look.Rules != nil {
				e.Best = func() (Shown, error) {
					r := p.first.whole(listsearch.Result{Status: status.Interrupted, Rules: look.Rules, Default: look.Default,
						Objective: look.Exact}, &o, &asked)
					return asModel(&r)
				}
			}
			s.Progress(e)
		}
	}
	solve := listsearch.Solve
	if s.Solve != nil {
		if !o.May.None() {
			return nil, optionerr.Errorf("MinRows", "options MinRows, Increasing and Decreasing are for a search on one machine")
		}
		solve = s.Solve
	}
	r, err := solve(ctx, p.instance, o)
	if err != nil {
		return nil, err
	}
	r = p.first.whole(r, &o, &asked)
	m, err := asModel(&r)
	if err != nil {
		return nil, err
	}
	out := &Model{Model: m, stats: report.SearchStats(p.instance, &r.Stats), when: make([][]int, len(r.Rules)+1), Search: Search{
		Proved: r.Status == status.Optimal && r.ProofErr == nil, ProofErr: r.ProofErr, ProofKept: r.ProofKept,
		CheckpointErr: r.CheckpointErr, Resumed: r.Stats.Resumed, Short: r.Short,
	}}
	out.weights = r.Weights
	for i, rule := range r.Rules {
		out.when[i] = []int{rule.Antecedent}
	}
	return out, nil
}

// sources are the names of what finds rule lists.
var sources = map[byte]string{'F': "first", 'S': "search", 'R': "resumed"}

func reachesList(ctx context.Context, p *Problem, s *resolved, target int64) (AsGood, error) {
	o, err := s.listOptions(p)
	if err != nil {
		return No, err
	}
	reached, known, err := listsearch.Reaches(ctx, p.instance, o, target)
	return answered(reached, known), err
}

func verifyList(ctx context.Context, proof *verifylist.Proof, set *rules.Set, read Reading, o VerifyOptions) (*Verification, error) {
	var first *beginning
	_, _, told, err := ParseProofSettings(proof.About().Settings)
	if foreign := err; foreign == nil { // else another program wrote it
		if first, err = newBeginning(set, told.First); err != nil {
			return nil, err
		}
	}
	checked := set
	if first != nil {
		checked = first.rest
	}
	labels, err := told.directed(checked)
	if err != nil {
		return nil, err
	}
	r, err := proof.Check(ctx, checked, verifylist.Options{Options: o.Options, Explain: o.Explain})
	if err != nil {
		return nil, err
	}
	if !slices.Equal(r.Labels, labels) {
		return nil, fmt.Errorf("%w: it is about rules of other labels than its directions of columns allow", verify.ErrRefused)
	}
	told.MinRows = r.MinRows
	if first != nil {
		if r, err = first.verified(r); err != nil {
			return nil, err
		}
		set = first.set
	}
	about, meta := "optimal among all rule lists"+atMost(r.MaxRules), o.meta(read, r.Lambda, r.MaxRules, r.Objective)
	if r.Counted > 0 {
		about, meta.Status, meta.LowerBound = "no smaller rule list"+atMost(r.Counted), status.Finished, 0
	}
	v := &Verification{
		Price: r.Lambda, Claim: about + first.text() + told.RestrictionText() + " on these " + conditions(checked),
		List: r,
		Effort: fmt.Sprintf("%s and %s with %s", wording.Count(r.Records, "record"), wording.Count(r.Prefixes, "prefix"),
			wording.Count(r.Extensions, "extension")),
		Counts: VerifyCounts{r.Records, r.Prefixes, r.Extensions, r.Dominations},
	}
	v.Model, err = rulelist.New(set, r.Rules, r.Default, meta)
	return v, err
}

func reduceList(p *Problem) (err error) {
	if p.first, err = newBeginning(p.Set, p.given); err != nil {
		return err
	}
	if p.first != nil {
		p.Set = p.first.set
	}
	if p.instance, err = instance.FromSet(p.searched()); err == nil {
		p.Points, p.Unavoidable, p.Weight = p.instance.Points, p.instance.Base, p.instance.Total
	}
	return err
}
