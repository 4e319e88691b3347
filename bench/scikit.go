package bench

import (
	"bytes"
	"context"
	_ "embed" // the program
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
)

// learned is the Beside of a cross-validation that has methods of scikit-learn on the
// same folds and features. It needs python3 with that package.
const learned = "scikit-learn"

// scikitProgram is told of a fold by a line of JSON, behind which the features follow.
//
//go:embed scikit.py
var scikitProgram string

// foldHeader goes before the features of a fold, which are columns of bits in words of
// 64, and two columns more: the labels, and which samples are of the test part.
type foldHeader struct {
	Samples int `json:"samples"`
	Columns int `json:"columns"`
	Words   int `json:"words"`
}

// scikit returns what scikit-learn's methods measure on folds.
func scikit(ctx context.Context, d *dataset.Dataset, folds []*bitset.BitSet) (list []Measure, err error) {
	python := exec.CommandContext(ctx, "python3", "-c", scikitProgram)
	in, err := python.StdinPipe()
	if err != nil {
		return nil, err
	}
	var answer, complaint bytes.Buffer
	python.Stdout, python.Stderr = &answer, &complaint
	if err := python.Start(); err != nil {
		return nil, fmt.Errorf("scikit-learn beside needs python3: %w", err)
	}
	for f := range folds {
		if err = writeFold(in, d, folds[f]); err != nil {
			break // the program says why when it is waited for
		}
	}
	_ = in.Close()
	if failed := python.Wait(); failed != nil || err != nil {
		return nil, fmt.Errorf("scikit-learn beside: %v %w: %s", failed, err, bytes.TrimSpace(complaint.Bytes()))
	}
	return list, json.Unmarshal(answer.Bytes(), &list)
}

// writeFold writes the features as the training part of a fold has them cut, of all
// samples.
func writeFold(w io.Writer, d *dataset.Dataset, test *bitset.BitSet) error {
	cut := d.Recut(test.Complement(), nil)
	header, err := json.Marshal(foldHeader{d.N, len(cut.Features), (d.N + 63) / 64})
	if err != nil {
		return err
	}
	if _, err := w.Write(append(header, '\n')); err != nil {
		return err
	}
	for _, f := range cut.Features {
		if err := binary.Write(w, binary.LittleEndian, f.Bits.Words()[:(d.N+63)/64]); err != nil {
			return err
		}
	}
	if err := binary.Write(w, binary.LittleEndian, d.Labels.Words()[:(d.N+63)/64]); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, test.Words()[:(d.N+63)/64])
}
