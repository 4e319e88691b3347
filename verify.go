package parcorels

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parcorels/bayes"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rules"
	"parcorels/tree"
	"parcorels/tree/numeric"
	"parcorels/verify"
	verifybayes "parcorels/verify/bayes"
	verifynumeric "parcorels/verify/numeric"
	verifygood "parcorels/verify/rashomon"
	verifylist "parcorels/verify/rulelist"
	verifytree "parcorels/verify/tree"
)

// VerifyOptions say how a proof is checked.
type VerifyOptions struct {
	Workers  int               // goroutines; 0: all that GOMAXPROCS allows
	Progress func(VerifyEvent) // called from one goroutine, now and then and at the end; nil: never
	Software string            // the name of the program, for the model; "": this package

	// Explain asks for an explanation of a proof about a rule list, as verify/rulelist does.
	Explain func(smaller int64) *verifylist.Weights

	// Group finds the samples of the group that a proof about limits on differences names.
	Group func(name string) (Group, error)
}

// VerifyEvent is a look at a check.
type VerifyEvent struct {
	Elapsed time.Duration
	Records int64 // of the proof that were read
	Checked int64 // prefixes or sets that were checked
	Of      int64 // prefixes to check at most; 0 while that is not known, and for other families
	Final   bool
}

// Verification is what a checked proof shows: a model, and that none is better.
type Verification struct {
	Model  model.Model
	Price  ratio.Ratio       // λ, or the expected number of rules
	Claim  string            // what is verified: "optimal among all trees on these 15 conditions"
	Effort string            // what was checked: "12 records"
	List   verifylist.Result // of a rule list: what was counted, and the explanation
	Counts VerifyCounts
}

// VerifyCounts is what a check went through.
type VerifyCounts struct {
	Records     int64 `json:"records"`     // in the proof
	Prefixes    int64 `json:"prefixes"`    // checked extension by extension
	Extensions  int64 `json:"extensions"`  // of those prefixes
	Dominations int64 `json:"dominations"` // checked
}

// Verify checks a proof against the samples, which were read with r. An error that wraps
// verify.ErrRefused says which step does not hold.
func Verify(ctx context.Context, proof verify.Proof, set *rules.Set, r Reading, o VerifyOptions) (*Verification, error) {
	if o.Software == "" {
		o.Software = software
	}
	switch p := proof.(type) {
	case *verifylist.Proof:
		return verifyList(ctx, p, set, r, o)
	case *verifytree.Proof:
		return verifyTree(ctx, p, set, r, o)
	case *verifynumeric.Proof:
		return verifyThresholds(ctx, p, set, r, o)
	case *verifybayes.Proof:
		return verifyBayes(ctx, p, set, r, o)
	case *verifygood.Proof:
		return verifyGood(ctx, p, set, r, o)
	case *verifygood.TreesProof:
		return verifyGoodTrees(ctx, p, set, r, o)
	}
	return nil, fmt.Errorf("%w: it is about a model of an unknown family", verify.ErrFormat)
}

// ProofFamily returns the kind of the models that a proof is about.
func ProofFamily(proof verify.Proof) model.Family {
	switch proof.(type) {
	case *verifytree.Proof, *verifynumeric.Proof, *verifygood.TreesProof:
		return model.Tree
	case *verifybayes.Proof:
		return model.BayesianRuleList
	}
	return model.RuleList
}

func verifyList(ctx context.Context, proof *verifylist.Proof, set *rules.Set, read Reading, o VerifyOptions) (*Verification, error) {
	options := verifylist.Options{Workers: o.Workers, Explain: o.Explain}
	if o.Progress != nil {
		options.Progress = func(p verifylist.Progress) {
			o.Progress(VerifyEvent{p.Elapsed, p.Records, p.Prefixes, p.Expanded, p.Final})
		}
	}
	var first *beginning
	if _, _, told, err := ParseProofSettings(proof.About().Settings); err == nil { // else another program wrote it
		if first, err = newBeginning(set, told.First); err != nil {
			return nil, err
		}
	}
	checked := set
	if first != nil {
		checked = first.rest
	}
	r, err := proof.Check(ctx, checked, options)
	if err != nil {
		return nil, err
	}
	if first != nil {
		if r, err = first.verified(r); err != nil {
			return nil, err
		}
		set = first.set
	}
	effort := wording.Count(r.Records, "record")
	v := &Verification{
		Price: r.Lambda, Claim: "optimal among all rule lists" + atMost(r.MaxRules) + first.text() + " on these " + conditions(checked), List: r,
		Effort: effort + fmt.Sprintf(" and %s with %s", wording.Count(r.Prefixes, "prefix"), wording.Count(r.Extensions, "extension")),
		Counts: VerifyCounts{r.Records, r.Prefixes, r.Extensions, r.Dominations},
	}
	v.Model, err = rulelist.New(set, r.Rules, r.Default, rulelist.Meta{
		Software: o.Software, Status: status.Optimal, Lambda: r.Lambda, MaxRules: r.MaxRules, Objective: r.Objective, LowerBound: r.Objective, Options: read,
	})
	return v, err
}

// atMost says how many rules the lists that a claim is about have, if there is a limit.
func atMost(most int) string {
	if most == 0 {
		return ""
	}
	return " of at most " + wording.Count(int64(most), "rule")
}

func verifyTree(ctx context.Context, proof *verifytree.Proof, set *rules.Set, read Reading, o VerifyOptions) (*Verification, error) {
	options, start := verifytree.Options{Workers: o.Workers}, time.Now()
	if o.Progress != nil {
		options.Progress = func(p verifytree.Progress) {
			o.Progress(VerifyEvent{time.Since(start), p.Records, p.Checked, 0, p.Final})
		}
	}
	r, err := proof.Check(ctx, set, options)
	if err != nil {
		return nil, err
	}
	v := &Verification{
		Price: r.Lambda, Claim: "optimal among all trees" + treeLimits(r.Depth) + " on these " + conditions(set),
		Effort: wording.Count(r.Records, "record"), Counts: VerifyCounts{Records: r.Records},
	}
	v.Model, err = tree.New(set, r.Tree, tree.Meta{
		Software: o.Software, Status: status.Optimal, Lambda: r.Lambda, MaxDepth: r.Depth,
		Objective: r.Objective, LowerBound: r.Objective, Options: read,
	})
	return v, err
}

// treeLimits says how deep the trees that a claim is about are, if there is a limit.
func treeLimits(depth int) string {
	if depth == 0 {
		return ""
	}
	return fmt.Sprintf(" of depth %d at most", depth)
}

// verifyThresholds checks a proof about a tree over all thresholds.
func verifyThresholds(ctx context.Context, proof *verifynumeric.Proof, set *rules.Set, read Reading, o VerifyOptions) (*Verification, error) {
	r, err := proof.Check(ctx, set, o.Workers)
	if err != nil {
		return nil, err
	}
	t, err := newThresholds(set)
	if err != nil {
		return nil, err
	}
	of := wording.Count(int64(t.count), "threshold")
	if n := len(set.Antecedents); n > 0 {
		of = conditions(set) + " and " + of
	}
	v := &Verification{
		Price: r.Lambda, Claim: fmt.Sprintf("optimal among all trees of depth %d at most on these %s", r.Depth, of),
		Effort: wording.Count(r.Records, "record"), Counts: VerifyCounts{Records: r.Records},
	}
	nodes := make(numeric.Tree, len(r.Tree))
	for i, n := range r.Tree {
		nodes[i] = numeric.Node(n)
	}
	m, err := t.model(nodes, tree.Meta{
		Software: o.Software, Status: status.Optimal, Lambda: r.Lambda, MaxDepth: r.Depth, Objective: r.Objective, LowerBound: r.Objective, Options: read,
	})
	if err != nil {
		return nil, err
	}
	v.Model = m.Model
	return v, nil
}

func verifyBayes(ctx context.Context, proof *verifybayes.Proof, set *rules.Set, read Reading, o VerifyOptions) (*Verification, error) {
	options, start := verifybayes.Options{Workers: o.Workers}, time.Now()
	if o.Progress != nil {
		options.Progress = func(p verifybayes.Progress) {
			o.Progress(VerifyEvent{time.Since(start), p.Records, p.Records, 0, p.Final})
		}
	}
	r, err := proof.Check(ctx, set, options)
	if err != nil {
		return nil, err
	}
	v := &Verification{Price: r.Lambda, Claim: "of largest posterior among all rule lists" + atMost(r.MaxRules) + " on these " + conditions(set), Effort: wording.Count(r.Records, "expanded prefix"), Counts: VerifyCounts{Records: r.Records}}
	v.Model, err = bayes.New(set, r.List, bayes.Meta{
		Software: o.Software, Status: status.Optimal, Options: read, Posterior: r.Posterior, Bound: r.Posterior,
		Prior:  bayes.Prior{Length: r.Lambda, Width: r.Width, Alpha: [2]ratio.Ratio{r.Alpha0, r.Alpha1}, MaxRules: r.MaxRules},
		Chains: bayes.Chains{Count: 1, Iterations: 1}, // a proof tells of none, a model has one
	})
	return v, err
}

// verifyGood checks a proof about all good rule lists, or about the best within limits on
// differences. The model is one of the best.
func verifyGood(ctx context.Context, proof *verifygood.Proof, set *rules.Set, read Reading, o VerifyOptions) (*Verification, error) {
	var group Group
	limits := proof.Limits()
	if len(limits) > 0 {
		settings, _, _, err := ParseProofSettings(proof.About().Settings)
		if err != nil {
			return nil, err
		}
		if o.Group == nil {
			return nil, optionerr.Errorf("Group", "the proof is about a group, %q: option Group finds its samples", settings.Group)
		}
		if group, err = o.Group(settings.Group); err != nil {
			return nil, err
		}
	}
	r, err := proof.Check(ctx, set, group.Inside)
	if err != nil {
		return nil, err
	}
	lambda := proof.About().Lambda
	v := &Verification{Price: lambda, Effort: wording.Count(r.Records, "record"), Counts: VerifyCounts{Records: r.Records}}
	meta := rulelist.Meta{Software: o.Software, Status: status.Optimal, Lambda: lambda, Objective: r.Objective, LowerBound: r.Objective, Options: read}
	if len(limits) == 0 {
		v.Claim = fmt.Sprintf("%v rule lists on these %s, and no others, have an objective of at most %.7f; one of the best", r.Lists, conditions(set), float64(r.Threshold)/(float64(lambda.Den)*float64(set.Data.TotalWeight())))
	} else {
		v.Claim = fmt.Sprintf("optimal among all rule lists on these %s with %s and the others", conditions(set), limitsText(limits, group.Name))
		meta.Status, meta.LowerBound = status.Finished, 0 // without the limits another may be better
	}
	list := make([]rulelist.Rule, len(r.Rules))
	for i, x := range r.Rules {
		list[i] = rulelist.Rule{Antecedent: x.Antecedent, Class: x.Label}
	}
	v.Model, err = rulelist.New(set, list, r.Default, meta)
	return v, err
}

// verifyGoodTrees checks a proof about all good trees. The model is one of the best.
func verifyGoodTrees(ctx context.Context, proof *verifygood.TreesProof, set *rules.Set, read Reading, o VerifyOptions) (*Verification, error) {
	r, err := proof.Check(ctx, set)
	if err != nil {
		return nil, err
	}
	lambda := proof.About().Lambda
	v := &Verification{
		Price: lambda, Effort: wording.Count(r.Records, "record"), Counts: VerifyCounts{Records: r.Records},
		Claim: fmt.Sprintf("%v trees%s on these %s, and no others, have an objective of at most %.7f; one of the best", r.Trees, treeLimits(r.Depth), conditions(set), float64(r.Threshold)/(float64(lambda.Den)*float64(set.Data.TotalWeight()))),
	}
	v.Model, err = tree.New(set, r.Tree, tree.Meta{
		Software: o.Software, Status: status.Optimal, Lambda: lambda, MaxDepth: r.Depth, Objective: r.Objective, LowerBound: r.Objective, Options: read,
	})
	return v, err
}

// limitsText says what the differences between a group and the others are limited to.
func limitsText(limits []verifygood.Limit, group string) string {
	var parts []string
	for _, l := range limits {
		parts = append(parts, fmt.Sprintf("a difference in %s of at most %s", Measures[l.Measure], l.Most))
	}
	return strings.Join(parts, " and ") + " between " + group
}

// conditions says how many antecedents a claim is about.
func conditions(set *rules.Set) string {
	return wording.Count(int64(len(set.Antecedents)), "condition")
}
