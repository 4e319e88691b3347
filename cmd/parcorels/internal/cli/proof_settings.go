package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parcorels/dataset"
)

// A proof carries how the data were read, so that verify can read them alike
// without being told: the options of fit that decide it, by name and as they
// were typed or by default, and the hash of the data. They come back through
// the same table of options, which makes sure of them.

// proofSettings is the JSON object in the header of a proof.
type proofSettings struct {
	Software string        `json:"software"`
	File     string        `json:"file"`   // of the data, without folders
	Hash     string        `json:"hash"`   // of the data, see dataset.Dataset
	Format   string        `json:"format"` // of the data: "csv" or "out"
	Options  []typedOption `json:"options"`
	// Cuts are where reading chose to cut columns of numbers.
	Cuts map[string][]float64 `json:"cuts,omitempty"`
}

// typedOption is an option and its value, "true" of a switch.
type typedOption struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// proofOptions are the options that decide which samples and antecedents there
// are. Where the labels of an .out file are is not among them.
func proofOptions(s *settings) []option {
	all := slices.Concat(tableGroup(s).options, miningGroup(s).options)
	return slices.DeleteFunc(all, func(o option) bool { return o.name == "labels" })
}

// proofSettings returns what a proof on these data is to carry.
func (s *settings) proofSettings(path string, d *dataset.Dataset) ([]byte, error) {
	p := proofSettings{Software: "parcorels " + version(), File: filepath.Base(path), Hash: d.Hash, Format: d.Format, Options: []typedOption{}, Cuts: d.ChosenCuts(s.data)}
	for _, o := range proofOptions(s) {
		if o.tables && d.Format == "out" {
			continue
		}
		n := len(p.Options)
		for _, t := range s.typed {
			if t.Name == o.name {
				p.Options = append(p.Options, t)
			}
		}
		if n == len(p.Options) && o.def != "" {
			p.Options = append(p.Options, typedOption{o.name, o.def})
		}
	}
	return json.Marshal(p)
}

// errForeignProof reports a proof that another program wrote.
var errForeignProof = errors.New("it does not say how the data were read, as a proof of parcorels fit does")

// parseProofSettings reads what proofSettings returned, and applies the options
// to s.
func (s *settings) parseProofSettings(b []byte) (*proofSettings, error) {
	p := &proofSettings{}
	if err := json.Unmarshal(b, p); err != nil || !strings.HasPrefix(p.Hash, "sha256") {
		return nil, errForeignProof
	}
	options := proofOptions(s)
	for _, t := range p.Options {
		i := slices.IndexFunc(options, func(o option) bool { return o.name == t.Name })
		if i < 0 {
			return nil, fmt.Errorf("it says that the data were read with an option %q, which is not known here", t.Name)
		}
		v := value{option: options[i], settings: s}
		if err := v.Set(t.Value); err != nil {
			return nil, fmt.Errorf("it says how the data were read: %w", err)
		}
	}
	s.data.Chosen = p.Cuts
	return p, nil
}
