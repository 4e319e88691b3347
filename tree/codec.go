package tree

import (
	"io"
	"os"

	"parcorels/internal/atomicfile"
	"parcorels/model"
)

// Version is the value of "version" in the model files that this package
// writes, and the only one that it reads.
const Version = 1

// document is a model file.
type document struct {
	model.Envelope
	Model
}

// Encode writes the model as an indented JSON object. The same model always
// gives the same bytes.
func (m *Model) Encode(w io.Writer) error {
	return model.Encode(w, document{model.Envelope{Format: model.Tree.Format(), Version: Version}, *m})
}

// Save writes the model to the file path, in the form that Load reads.
//
// The file appears whole or not at all: it is written beside its final place,
// flushed to the disk and then renamed, so that after an error or a crash path
// holds what it held before. A symbolic link stays one, its target is
// replaced; a device or a pipe is written to directly.
func (m *Model) Save(path string) error { return atomicfile.Write(path, m.Encode) }

// Load reads a model that Save wrote. What it accepts is complete, has no
// field that it does not know, and agrees with itself in every count; anything
// else is one error that names the file and what is wrong in it.
func Load(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Decode(f, path)
}

// Decode reads a model as Load does; name stands for the file in errors.
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
	if err := f.Into(model.Tree, Version, &d, d.Model.check); err != nil {
		return nil, err
	}
	return &d.Model, nil
}
