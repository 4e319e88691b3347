package family

import (
	"context"
	"fmt"
	"strings"

	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/optionerr"
	"parcorels/rulelist"
	"parcorels/rules"
	"parcorels/rules/rates"
	"parcorels/tree"
	"parcorels/verify"
	verifybayes "parcorels/verify/bayes"
	verifygood "parcorels/verify/goodmodels"
	verifynumeric "parcorels/verify/numeric"
	verifylist "parcorels/verify/rulelist"
	verifytree "parcorels/verify/tree"
)

// Verify checks a proof against the samples, which were read with r. An error that wraps
// verify.ErrRefused says which step does not hold.
func Verify(ctx context.Context, proof verify.Proof, set *rules.Set, r Reading, o VerifyOptions) (*Verification, error) {
	if o.Software == "" {
		o.Software = Software
	}
	if told, _, _, err := ParseProofSettings(proof.About().Settings); err == nil && told.Reweighed != "" {
		return verifyF1(ctx, proof, told.Reweighed, set, r, o)
	}
	return verifyAny(ctx, proof, set, r, o)
}

// verifyAny checks a proof on samples of the weights that it is about.
func verifyAny(ctx context.Context, proof verify.Proof, set *rules.Set, r Reading, o VerifyOptions) (*Verification, error) {
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
	}
	return nil, fmt.Errorf("%w: it is about a model of an unknown family", verify.ErrFormat)
}

// verifyGood checks a proof about all good rule lists or trees, or about the best list within limits on
// differences. The model is one of the best.
func verifyGood(ctx context.Context, proof *verifygood.Proof, set *rules.Set, read Reading, o VerifyOptions) (*Verification, error) {
	var group rates.Group
	limits := proof.Limits()
	if len(limits) > 0 {
		settings, _, _, err := ParseProofSettings(proof.About().Settings)
		if err != nil {
			return nil, err
		}
		ofGroups := limits[0].Measure.OfGroups()
		if ofGroups && o.Group == nil {
			return nil, optionerr.Errorf("Group", "the proof is about a group, %q: option Group finds its samples", settings.Group)
		}
		if ofGroups {
			if group, err = o.Group(settings.Group); err != nil {
				return nil, err
			}
		}
	}
	r, err := proof.Check(ctx, set, group.Inside)
	if err != nil {
		return nil, err
	}
	lambda := proof.About().Lambda
	v := &Verification{Price: lambda, Effort: wording.Count(r.Records, "record"), Counts: VerifyCounts{Records: r.Records}}
	if len(limits) > 0 {
		v.Claim = fmt.Sprintf("optimal among all rule lists on these %s with %s", conditions(set), limitsText(limits, group.Name))
	} else {
		what := "rule lists"
		if r.Trees {
			what = "trees" + treeLimits(r.Depth)
		}
		v.Claim = fmt.Sprintf("%v %s on these %s, and no others, have an objective of at most %.7f; one of the best", r.Models, what,
			conditions(set), float64(r.Threshold)/(float64(lambda.Den)*float64(set.Data.TotalWeight())))
	}
	meta := o.meta(read, lambda, r.Depth, r.Objective)
	if r.Trees {
		v.Model, err = tree.New(set, r.Tree, meta)
		return v, err
	}
	if len(limits) > 0 {
		meta.Status, meta.LowerBound = status.Finished, 0 // without the limits another may be better
	}
	list := make([]rulelist.Rule, len(r.Rules))
	for i, x := range r.Rules {
		list[i] = rulelist.Rule{Antecedent: x.Antecedent, Class: x.Label}
	}
	v.Model, err = rulelist.New(set, list, r.Default, meta)
	return v, err
}

// limitsText says what is limited.
func limitsText(limits []verifygood.Limit, group string) string {
	var parts []string
	for _, l := range limits {
		switch m := l.Measure; {
		case m.OfGroups():
			parts = append(parts, fmt.Sprintf("a difference in %s of at most %s between %s and the others", m, l.Most, group))
		case m == rates.Selected:
			parts = append(parts, fmt.Sprintf("at most %s predicted to be of class 1", l.Most))
		default:
			parts = append(parts, fmt.Sprintf("a %s of at least %s", m, l.Most))
		}
	}
	return strings.Join(parts, " and ")
}
