package family

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"parcorels/internal/option"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
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

// ProofSettings say in the header of a proof how the data were read, so that who verifies it
// can read them alike without being told.
type ProofSettings struct {
	Software string         `json:"software"`
	File     string         `json:"file"`   // of the data, without folders
	Hash     string         `json:"hash"`   // of the data, see dataset.Dataset
	Format   string         `json:"format"` // of the data: "csv" or "out"
	Options  []model.Option `json:"options"`
	// Cuts are where reading chose to cut columns of numbers.
	Cuts map[string][]float64 `json:"cuts,omitempty"`
	// Groups are the blocks of texts of columns, in order, that reading chose to put together.
	Groups map[string][][]string `json:"groups,omitempty"`
	// LeftOut are columns that reading left out, as they seem to number the rows or are ids.
	LeftOut []string `json:"left_out,omitempty"`
	// Group is the group of samples of a proof about limits on differences.
	Group string `json:"group,omitempty"`
	// Reweighed are weights of classes that weights are multiplied by once the antecedents are made, as option Maximise does.
	Reweighed string `json:"reweighed,omitempty"`
}

// ErrForeignProof reports a proof that another program wrote.
var ErrForeignProof = errors.New("it does not say how the data were read, as a proof of parcorels fit does")

// proofSettings returns what a proof on these data is to carry: the options that decide which
// samples and antecedents there are. Where the labels of an .out file are is not among them.
func (p *Problem) proofSettings(s *resolved, group string) ([]byte, error) {
	d := p.Set.Data
	settings := ProofSettings{Software: s.Software, File: filepath.Base(p.file), Hash: d.Hash, Format: d.Format, Options: []model.Option{},
		Cuts: d.ChosenCuts, Groups: d.ChosenGroups, LeftOut: d.LeftOut, Group: group, Reweighed: p.weighed}
	for _, row := range OptionTable(&p.reading, &s.Options) {
		chooses := row.Name == "bins" // of which nothing is left with all cuts
		if !decidesData(row) || row.Tables && d.Format == "out" || chooses && p.reading.AllCuts {
			continue
		}
		texts := row.Texts()
		if texts == nil && row.Default != "" {
			texts = []string{row.Default}
		}
		for _, text := range texts {
			settings.Options = append(settings.Options, model.Option{Name: row.Name, Value: text})
		}
	}
	return json.Marshal(settings)
}

// ProofSettings is what a proof about models of the problem within these options carries. Group is that of limits on
// differences; "" for none.
func (p *Problem) ProofSettings(o Options, group string) ([]byte, error) {
	s, err := p.resolve(o)
	if err != nil {
		return nil, err
	}
	return p.proofSettings(s, group)
}

// ParseProofSettings reads the settings of a proof, and returns the options to read the data
// and to mine antecedents with.
func ParseProofSettings(b []byte) (*ProofSettings, Reading, Options, error) {
	var r Reading
	var o Options
	p := &ProofSettings{}
	if err := json.Unmarshal(b, p); err != nil || !strings.HasPrefix(p.Hash, "sha256") {
		return nil, r, o, ErrForeignProof
	}
	table := OptionTable(&r, &o)
	for _, given := range p.Options {
		row := option.Find(table, given.Name)
		switch {
		case row == nil || !decidesData(row):
			return nil, r, o, fmt.Errorf("it says that the data were read with an option %q, which is not known here", given.Name)
		case !row.Many && row.Texts() != nil:
			return nil, r, o, fmt.Errorf("it says how the data were read: option %s is given twice", row.Field)
		}
		if err := row.Set(given.Value); err != nil {
			return nil, r, o, fmt.Errorf("it says how the data were read: option %s is %q: expected %s", row.Field, given.Value, row.Expect)
		}
	}
	r.Chosen, r.ChosenGroups, r.LeftOut = map[string][]float64{}, map[string][][]string{}, append([]string{}, p.LeftOut...)
	maps.Copy(r.Chosen, p.Cuts)
	maps.Copy(r.ChosenGroups, p.Groups)
	return p, r, o, nil
}

// ReadProof is ParseProofSettings of an open proof, with the family that it is about and its classes.
func ReadProof(proof verify.Proof) (*ProofSettings, Reading, Options, error) {
	p, r, o, err := ParseProofSettings(proof.About().Settings)
	o.Family = ProofFamily(proof)
	r.Multiclass, r.Digits = Of(o.Family).Multiclass && r.Positive == "", Of(o.Family).digitsOf(&r)
	return p, r, o, err
}

// decidesData reports whether an option decides which samples and antecedents there are.
func decidesData(row *option.Option) bool {
	return (row.Group == ReadingGroup || row.Group == MiningGroup || row.Group == WishGroup) && row.Name != "labels"
}

// ProofFamily returns the kind of the models that a proof is about.
func ProofFamily(proof verify.Proof) model.Family {
	switch p := proof.(type) {
	case *verifytree.Proof, *verifynumeric.Proof:
		return model.Tree
	case *verifygood.Proof:
		if p.Trees() {
			return model.Tree
		}
	case *verifybayes.Proof:
		return model.BayesianRuleList
	}
	return model.RuleList
}

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
