package rulelist

import (
	"io"

	"parcorels/model"
)

// Version is the value of "version" in the model files that this package writes,
// and the only one that it reads.
const Version = 1

var codec = model.Codec[Model]{Family: model.RuleList, Version: Version, Check: (*Model).check}

// Encode writes the model as an indented JSON object. The same model always gives
// the same bytes.
func (m *Model) Encode(w io.Writer) error { return codec.Encode(w, m) }

// Decode reads a model that Encode wrote; name stands for the file in errors.
func Decode(r io.Reader, name string) (*Model, error) { return codec.Decode(r, name) }

// FromFile is Decode of a file whose format is known.
func FromFile(f *model.File) (*Model, error) { return codec.FromFile(f) }
