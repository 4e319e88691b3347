package bayes

import (
	"io"

	"parcorels/model"
)

// Version is the value of "version" in the model files that this package writes,
// and the only one that it reads.
const Version = 1

// document is a model file.
type document struct {
	model.Envelope
	Model
}

// Encode writes the model as an indented JSON object. The same model always gives
// the same bytes.
func (m *Model) Encode(w io.Writer) error {
	return model.Encode(w, document{model.Envelope{Format: model.BayesianRuleList.Format(), Version: Version}, *m})
}

// Decode reads a model that Encode wrote; name stands for the file in errors.
func Decode(r io.Reader, name string) (*Model, error) {
	f, err := model.ReadFile(r, name)
	if err != nil {
		return nil, err
	}
	return FromFile(f)
}

// FromFile is Decode of a file whose format is known.
func FromFile(f *model.File) (*Model, error) {
	var d document
	if err := f.Into(model.BayesianRuleList, Version, &d, d.Model.check); err != nil {
		return nil, err
	}
	return &d.Model, nil
}
