package bench

import (
	"bytes"
	"context"
	_ "embed" // the program
	"encoding/json"
	"fmt"
	"os/exec"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
)

// scikitProgram is told of folds by lines of JSON, and says what methods of scikit-learn measure on them.
//
//go:embed scikit.py
var scikitProgram string

// fold is the features as the training part of a fold has them cut, of all samples, the labels, and which samples
// are of the test part: bits in words of 64.
type fold struct {
	Samples int        `json:"samples"`
	Columns [][]uint64 `json:"columns"`
	Labels  []uint64   `json:"labels"`
	Test    []uint64   `json:"test"`
}

// scikit adds what scikit-learn's methods measure on the same folds and features.
func (o *Outcome) scikit(ctx context.Context, d *dataset.Dataset, folds []*bitset.BitSet) error {
	python := exec.CommandContext(ctx, "python3", "-c", scikitProgram)
	var answer, complaint bytes.Buffer
	python.Stdout, python.Stderr = &answer, &complaint
	in, err := python.StdinPipe()
	if err != nil {
		return err
	}
	if err := python.Start(); err != nil {
		return fmt.Errorf("scikit-learn beside needs python3: %w", err)
	}
	lines := json.NewEncoder(in)
	for _, test := range folds {
		words := func(b *bitset.BitSet) []uint64 { return b.Words()[:(d.N+63)/64] }
		f := fold{Samples: d.N, Labels: words(d.Labels), Test: words(test)}
		for _, feature := range d.Recut(test.Complement(), nil).Features {
			f.Columns = append(f.Columns, words(feature.Bits))
		}
		if err = lines.Encode(f); err != nil {
			break // the program says why when it is waited for
		}
	}
	_ = in.Close()
	if failed := python.Wait(); failed != nil || err != nil {
		return fmt.Errorf("scikit-learn beside: %v %w: %s", failed, err, bytes.TrimSpace(complaint.Bytes()))
	}
	return json.Unmarshal(answer.Bytes(), &o.Measures)
}
