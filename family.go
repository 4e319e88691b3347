package parcorels

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"parcorels/bayes"
	bayessearch "parcorels/bayes/search"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rulelist"
	listsearch "parcorels/rulelist/search"
	"parcorels/rules"
	"parcorels/ruleset"
	setsearch "parcorels/ruleset/search"
	"parcorels/tree"
	"parcorels/tree/price"
	treesearch "parcorels/tree/search"
)

// Family is all that a front end has to know of a kind of model. Begin with [Families].
type Family struct {
	Name string       // as people type it: "list", "tree", "set" or "bayes"
	Kind model.Family // as models say it: "rule list"
	Unit string       // of the work of a search, with what is done to it: "prefix", "expanded"
	Done string

	// Price is the name of the option that cross-validation chooses: the price of a rule,
	// leaf or literal. Grid are the values that it tries if none are given; nil leaves the
	// choice to the caller. Range returns the values that it may try, for so many samples;
	// it is empty where the prior is not chosen.
	Price string
	Grid  []string
	Range func(samples int) (least, most float64)

	// Sooner lists what would end a search sooner. It names options by their fields.
	Sooner func(o Options, set *rules.Set) []string

	Multiclass bool // it tells more than two classes apart

	shares bool // the price is a share of all samples
	fit    func(ctx context.Context, p *Problem, s *resolved) (*Model, error)
	decode func(*model.File) (model.Model, error)
	// reaches asks whether a model has an objective of at most target, in units of Den·N for
	// λ = Num/Den; nil where only the best model can be asked for.
	reaches func(ctx context.Context, p *Problem, s *resolved, target int64) (answer, error)
}

// Noun is the last word of the kind: "list", "tree" or "set".
func (f *Family) Noun() string {
	words := strings.Fields(string(f.Kind))
	return words[len(words)-1]
}

// Asks reports whether it can be asked cheaply whether there is a model as good as some other,
// as [Problem.Chance] does.
func (f *Family) Asks() bool { return f.reaches != nil }

// Families returns all families, the default first. Nobody may change them.
func Families() []*Family { return families }

var families []*Family

func init() { // the table of options lists the families
	shareRange := func(samples int) (least, most float64) { return 1 / (2 * float64(samples)), .75 }
	families = []*Family{
		{
			Name: "list", Kind: model.RuleList, Unit: "prefix", Done: "expanded", Price: "lambda", shares: true, Multiclass: true,
			Range: shareRange, Sooner: soonerList, fit: fitList, decode: decoder(rulelist.Codec.FromFile), reaches: reachesList,
		},
		{
			Name: "tree", Kind: model.Tree, Unit: "set", Done: "counted", Price: "lambda", shares: true, Multiclass: true,
			Range: shareRange, Sooner: soonerTree, fit: fitTree, decode: decoder(tree.Codec.FromFile), reaches: reachesTree,
		},
		{
			Name: "set", Kind: model.RuleSet, Unit: "rule", Done: "looked at", Price: "lambda", Grid: []string{"16", "4", "1"},
			Range:  func(samples int) (least, most float64) { return .1, float64(samples) / 4 },
			Sooner: soonerSet, fit: fitSet, decode: decoder(ruleset.Codec.FromFile),
		},
		{
			Name: "bayes", Kind: model.BayesianRuleList, Unit: "prefix", Done: "expanded", Price: "length", Grid: []string{"10"},
			Range:  func(int) (least, most float64) { return 1, 0 },
			Sooner: soonerBayes, fit: fitBayes, decode: decoder(bayes.Codec.FromFile),
		},
	}
}

// decoder returns a decoder of one family as one of any.
func decoder[M model.Model](decode func(*model.File) (M, error)) func(*model.File) (model.Model, error) {
	return func(f *model.File) (model.Model, error) { return decode(f) }
}

// FamilyOf returns the family of a kind, nil for none.
func FamilyOf(kind model.Family) *Family {
	for _, f := range families {
		if f.Kind == kind {
			return f
		}
	}
	return nil
}

// listOptions returns the options of the search for a rule list.
func (s *resolved) listOptions() listsearch.Options {
	return listsearch.Options{
		Lambda: s.price, MaxRules: s.MaxRules, Workers: s.Workers, Policy: s.Ablation.Policy, Symmetry: s.Ablation.Symmetry, Without: s.Ablation.Without,
		Time: s.Time, Nodes: s.Nodes, Memory: s.Memory, ProgressEvery: s.ProgressEvery, Proof: s.proof, Known: s.knownLists(),
		Optimal: s.optimalList(), Weights: s.weights, KeepWeights: s.keepWeights,
	}
}

// knownLists are rule lists to begin with, by the antecedents of their rules.
func (s *resolved) knownLists() (lists [][]int) {
	for _, when := range s.known {
		lists = append(lists, listOf(when))
	}
	return lists
}

// optimalList is the first of them if that is optimal for a larger λ, else nil.
func (s *resolved) optimalList() []int {
	if !s.falling || len(s.First) > 0 {
		return nil
	}
	return listOf(s.known[0])
}

// listOf returns the antecedents of a list's rules.
func listOf(when [][]int) []int {
	list := []int{}
	for _, rule := range when[:len(when)-1] { // the last is the default
		list = append(list, rule[0])
	}
	return list
}

// fitList learns a rule list.
func fitList(ctx context.Context, p *Problem, s *resolved) (*Model, error) {
	o := s.listOptions()
	if s.Checkpoint != nil {
		c := *s.Checkpoint
		c.Digest, o.Checkpoint = p.searched().Digest(), &c
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
			e := Event{Progress: look.Progress, Family: s.Family, Source: sources[look.Source], LogRemain: look.LogRemain, QueuedByLength: look.QueuedByLength}
			if p.first != nil {
				p.first.event(&e, asked.Lambda)
			}
			if s.Models && look.Rules != nil {
				e.Best = func() (string, error) {
					r := p.first.whole(listsearch.Result{Status: status.Interrupted, Rules: look.Rules, Default: look.Default, Objective: look.Exact}, &o, &asked)
					return text(asModel(&r))
				}
			}
			s.Progress(e)
		}
	}
	solve := listsearch.Solve
	if s.Solve != nil {
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
		CheckpointErr: r.CheckpointErr, Resumed: r.Stats.Resumed,
	}}
	out.weights = r.Weights
	for i, rule := range r.Rules {
		out.when[i] = []int{rule.Antecedent}
	}
	return out, nil
}

// sources are the names of what finds rule lists.
var sources = map[byte]string{'F': "first", 'S': "search", 'R': "resumed"}

// text returns a model as people read it.
func text[M model.Model](m M, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return m.Text(model.DefaultWidth), nil
}

// treeOptions returns the options of the search for a tree.
func (s *resolved) treeOptions() treesearch.Options {
	return treesearch.Options{
		Lambda: s.price, Depth: s.Depth, Workers: s.Workers, Nodes: s.Nodes, Memory: s.Memory, Time: s.Time,
		ProgressEvery: s.ProgressEvery, Trees: s.Models, Proof: s.proof,
	}
}

// treeMeta is what the model of a tree says beside its nodes.
func (s *resolved) treeMeta(p *Problem, end status.Status, objective, bound int64) tree.Meta {
	return tree.Meta{
		Software: s.Software, Status: end, Lambda: s.price, MaxDepth: s.Depth,
		Objective: objective, LowerBound: bound, Options: p.reading,
	}
}

// fitTree learns a decision tree.
func fitTree(ctx context.Context, p *Problem, s *resolved) (*Model, error) {
	if p.numbers != nil {
		return p.numbers.fit(ctx, p, s)
	}
	o := s.treeOptions()
	asModel := func(r *treesearch.Result) (*tree.Model, error) {
		return tree.New(p.Set, r.Tree, s.treeMeta(p, r.Status, r.Objective, r.LowerBound))
	}
	if s.Progress != nil {
		o.Progress = func(look treesearch.Progress) {
			e := Event{Progress: look.Progress, Family: s.Family}
			e.Open = look.Sets
			if look.Tree != nil {
				e.Best = func() (string, error) {
					return text(asModel(&treesearch.Result{Status: status.Interrupted, Tree: look.Tree, Objective: look.Exact}))
				}
			}
			s.Progress(e)
		}
	}
	r, err := treesearch.Solve(ctx, p.points, o)
	var scale *price.ErrScale
	if errors.As(err, &scale) {
		err = errScale(s)
	}
	if err != nil {
		return nil, err
	}
	m, err := asModel(r)
	if err != nil {
		return nil, err
	}
	return &Model{
		Model: m, stats: report.TreeStats(p.points, r), when: leaves(r.Tree),
		Search: Search{Proved: r.Status == status.Optimal && r.ProofErr == nil, ProofErr: r.ProofErr},
	}, nil
}

func errScale(s *resolved) error {
	return optionerr.Errorf("Lambda", "the weights and option Lambda %s have too many digits to be added up exactly: scale the weights down or give fewer digits", s.price)
}

// leaves returns the antecedents that hold on the way to each leaf of a tree in
// preorder.
func leaves(preorder []int) (when [][]int) {
	var walk func(held []int)
	walk = func(held []int) {
		node := preorder[0]
		preorder = preorder[1:]
		if node < 0 {
			when = append(when, held)
			return
		}
		walk(append(held[:len(held):len(held)], node))
		walk(held)
	}
	walk(nil)
	return when
}

// fitSet learns a rule set.
func fitSet(ctx context.Context, p *Problem, s *resolved) (*Model, error) {
	prices := setsearch.DefaultPrices()
	prices.Literal = s.price
	o := setsearch.Options{Prices: prices, Rules: s.Rules, Literals: s.Literals, Workers: s.Workers, Time: s.Time}
	start := time.Now()
	if s.Progress != nil {
		t := newThrottle(s)
		best := 0.0
		o.Progress = func(look setsearch.Progress) {
			e := Event{Progress: look.Progress, Family: s.Family, Source: look.Phase, Step: look.Proved, Steps: look.Solved}
			e.Bound = unknown
			if s.Models && look.Value > best {
				best = look.Value
				e.Best = func() (string, error) { return ruleSetText(p.Set, look.Set), nil }
			}
			t.pass(e)
		}
	}
	m, r, err := setsearch.Fit(ctx, p.Set, p.points, o, s.Software, p.reading)
	if err != nil {
		return nil, err
	}
	out := &Model{Model: m, when: make([][]int, len(r.Rules)+1), stats: report.Stats{
		Antecedents: len(p.Set.Antecedents), Points: r.Points, Expanded: r.Nodes,
		SecondsSearch: report.Seconds(time.Since(start)), Workers: r.Workers,
	}}
	for i, rule := range r.Rules {
		out.when[i] = rule.Literals
	}
	return out, nil
}

// ruleSetText returns rules, each of some antecedents, as people read them.
func ruleSetText(set *rules.Set, list []setsearch.Rule) string {
	return linesOf(list, "or   ", func(r setsearch.Rule) string {
		var names []string
		for _, a := range r.Literals {
			names = append(names, wording.Printable(set.Antecedents[a].Name))
		}
		return strings.Join(names, " and ") + " then " + wording.Printable(set.Data.ClassName(1))
	})
}

// linesOf returns a line for each rule, of which all but the first begin with a word.
func linesOf[R any](list []R, word string, line func(R) string) (text string) {
	for i, r := range list {
		if i == 0 {
			text += hanging("if   " + line(r))
		} else {
			text += hanging(word + line(r))
		}
	}
	return text
}

// hanging is a line of at most 80 columns, and what is too long for it below.
func hanging(text string) string { return wording.Wrap(text, model.DefaultWidth, 4)[4:] }

// fitBayes learns a Bayesian rule list.
func fitBayes(ctx context.Context, p *Problem, s *resolved) (*Model, error) {
	width, _ := ratio.Parse(s.Width) // were checked
	zero, one, _ := parseAlpha(s.Alpha)
	o := bayessearch.Options{
		Prior:    bayessearch.Prior{Length: s.price, Width: width, Alpha0: zero, Alpha1: one},
		MaxRules: s.MaxRules, Chains: s.Chains, Iterations: s.Iterations, Seed: s.Seed,
		Workers: s.Workers, Time: s.Time, Nodes: s.Nodes, Memory: s.Memory, Proof: s.proof, Without: p.bounds,
	}
	if s.Progress != nil {
		t, best := newThrottle(s), -unknown
		o.Progress = func(look bayessearch.Progress) {
			e := Event{Progress: look.Progress, Family: s.Family, Step: look.Chains, Steps: s.Chains}
			if s.Models && look.Value > best {
				best = look.Value
				e.Best = func() (string, error) { return ruleListText(p.Set, look.List), nil }
			}
			t.pass(e)
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
	}, Search: Search{Proved: r.Status == status.Optimal && r.ProofErr == nil, ProofErr: r.ProofErr, RHat: r.RHat}}
	for i, a := range r.Rules {
		out.when[i] = []int{a}
	}
	return out, nil
}

// ruleListText returns a list of antecedents as people read it.
func ruleListText(set *rules.Set, list []int) string {
	return linesOf(list, "else if ", func(a int) string { return wording.Printable(set.Antecedents[a].Name) }) + "else\n"
}

// Sooner is the family's Sooner, of a search of this problem.
func (p *Problem) Sooner(o Options) []string {
	return FamilyOf(p.kind).Sooner(p.withDefaults(o), p.Set)
}

// soonerList lists what would end a search for a rule list sooner. With other options
// than those of its checkpoint it would be another search.
func soonerList(o Options, set *rules.Set) []string {
	if o.Checkpoint != nil && o.Checkpoint.From != nil {
		return nil
	}
	return append(largerPrice(o, model.RuleList), fewerConditions(set)...)
}

// largerPrice advises twice the λ, where that is one.
func largerPrice(o Options, kind model.Family) []string {
	s, err := o.resolve(Reading{})
	if err != nil {
		return nil // the search was refused
	}
	twice := ratio.New(2*s.price.Num, s.price.Den)
	switch {
	case s.family.shares && !twice.Within(): // also of 0
		return nil
	case kind == model.RuleSet && s.price.Within(): // a literal costs less than one sample
		twice = ratio.New(1, 1)
	}
	return []string{fmt.Sprintf("a larger option Lambda (%s instead of %s)", twice, s.price)}
}

// fewerConditions advises fewer conjunctions, or single features, where there are
// conjunctions.
func fewerConditions(set *rules.Set) []string {
	single := 0
	for _, a := range set.Antecedents {
		if len(a.Literals) == 1 {
			single++
		}
	}
	n := len(set.Antecedents)
	if single == n {
		return nil
	}
	var ways []string
	if !set.Informative {
		ways = append(ways, "option Informative")
	}
	return append(ways, fmt.Sprintf("option MaxCard 1 (%s instead of %s)", wording.Thousands(int64(single)), wording.Count(int64(n), "condition")))
}

func soonerTree(o Options, set *rules.Set) []string {
	ways := largerPrice(o, model.Tree)
	switch {
	case o.Depth == 0:
		ways = append(ways, "option Depth 4 (no limit now)")
	case o.Depth > 2:
		ways = append(ways, fmt.Sprintf("option Depth %d instead of %d", o.Depth-1, o.Depth))
	}
	return append(ways, fewerConditions(set)...)
}

func soonerSet(o Options, _ *rules.Set) []string {
	return largerPrice(o, model.RuleSet)
}

func soonerBayes(o Options, set *rules.Set) []string {
	ways := fewerConditions(set)
	if o.MinSupport == "" && set.Data.Format != "out" {
		ways = append(ways, fmt.Sprintf("a larger option MinSupport (0.05 instead of 0.01), for fewer than %s", wording.Count(int64(len(set.Antecedents)), "condition")))
	}
	return ways
}

// points are made of the antecedents as the family's search takes them.
func (p *Problem) reduce(kind model.Family) (err error) {
	if kind == model.RuleList {
		if p.instance, err = instance.FromSet(p.searched()); err == nil {
			p.Points, p.Unavoidable, p.Weight = p.instance.Points, p.instance.Base, p.instance.Total
		}
		return err
	}
	if len(p.Set.Data.Numbers) > 0 {
		if kind != model.Tree {
			return optionerr.Errorf("Cuts", "the table was read with option Cuts all, for trees, and not for a %s", kind)
		}
		if p.numbers, err = newThresholds(p.Set); err == nil {
			p.Points, p.Thresholds = p.numbers.table.Points, p.numbers.count
		}
		return err
	}
	if p.points, err = instance.BarePoints(p.Set); err != nil {
		return err
	}
	if p.Points = p.points.Count; kind == model.RuleSet {
		p.points = p.points.WithColumns()
	}
	return nil
}

// Separate makes every sample a point of its own in a problem of rule lists, to measure what
// the equivalent points bound is worth.
func (p *Problem) Separate() (err error) {
	p.instance, err = instance.FromSetSeparate(p.searched())
	return err
}

// WithoutBounds leaves bounds of the search for a Bayesian rule list out, named with commas between
// them, to measure what each is worth.
func (p *Problem) WithoutBounds(names string) (err error) {
	p.bounds, err = bayessearch.ParseBounds(names)
	return err
}
