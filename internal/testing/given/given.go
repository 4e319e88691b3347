// Package given makes what tests begin with: sets of antecedents of bit sets, and models of
// their files. Begin with [Set].
package given

import (
	"io"
	"strconv"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// Set returns antecedents of samples of two classes: antecedent a captures columns[a], and labels
// are the samples of class 1. Each set has a bit a sample. Without weights each sample weighs 1.
func Set(columns []*bitset.BitSet, labels *bitset.BitSet, weights []int64, samples int) *rules.Set {
	return ClassSet(columns, dataset.ClassesOf(labels), 2, weights, samples)
}

// ClassSet is Set for samples of k classes: sample i is of class classOf[i], from 0 to k − 1.
func ClassSet(columns []*bitset.BitSet, classOf []uint16, k int, weights []int64, samples int) *rules.Set {
	s := &rules.Set{Data: &dataset.Dataset{N: samples, ClassOf: classOf, Classes: make([]string, k), Weights: weights}}
	for a, c := range columns {
		s.Antecedents = append(s.Antecedents, rules.Antecedent{Name: "a" + strconv.Itoa(a), Parts: []*bitset.BitSet{c}})
	}
	return s
}

// Model reads a model of one family; name stands for the file in errors.
func Model[M any](c model.Codec[M], r io.Reader, name string) (*M, error) {
	f, err := model.ReadFile(r, name)
	if err != nil {
		return nil, err
	}
	return c.FromFile(f)
}
