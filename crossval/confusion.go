package crossval

import (
	"parcorels/dataset"

	"github.com/bits-and-blooms/bitset"
)

// Confusion[a][p] is the weight of the samples of class a for which class p
// was predicted, in the integer units of the data; 1 a sample of unweighted
// data.
type Confusion [2][2]int64

// add counts samples for which class p is predicted.
func (c *Confusion) add(d *dataset.Dataset, samples *bitset.BitSet, p int) {
	if d.Weights == nil {
		ones := samples.IntersectionCardinality(d.Labels)
		c[1][p] += int64(ones)
		c[0][p] += int64(samples.Count() - ones)
		return
	}
	for i, ok := samples.NextSet(0); ok; i, ok = samples.NextSet(i + 1) {
		c[class(d.Labels.Test(i))][p] += d.Weights[i]
	}
}

// Errors returns the weight of what was predicted wrongly.
func (c Confusion) Errors() int64 { return c[0][1] + c[1][0] }

// Total returns the weight of all samples.
func (c Confusion) Total() int64 { return c[0][0] + c[0][1] + c[1][0] + c[1][1] }

// Accuracy returns the share of the weight that was predicted rightly; NaN of
// no samples.
func (c Confusion) Accuracy() float64 {
	return float64(c[0][0]+c[1][1]) / float64(c.Total())
}

// TPR returns the true positive rate, the share of class 1 that was predicted
// to be so; NaN if there is none.
func (c Confusion) TPR() float64 { return float64(c[1][1]) / float64(c[1][0]+c[1][1]) }

// FPR returns the false positive rate, the share of class 0 that was predicted
// to be of class 1; NaN if there is none.
func (c Confusion) FPR() float64 { return float64(c[0][1]) / float64(c[0][0]+c[0][1]) }

// BalancedError returns the mean of the shares of the two classes that were
// predicted wrongly: the errors, if both classes weighed the same.
func (c Confusion) BalancedError() float64 { return (1 - c.TPR() + c.FPR()) / 2 }
