package family

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"parcorels/internal/option"
	"parcorels/model"
	"parcorels/verify"
	verifybayes "parcorels/verify/bayes"
	verifygood "parcorels/verify/goodmodels"
	verifynumeric "parcorels/verify/numeric"
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
