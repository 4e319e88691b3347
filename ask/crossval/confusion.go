package crossval

import (
	"math"

	"parcorels/model/evaluate"
)

// Confusion[a][p] is the weight of the samples of class a for which class p was
// predicted. It is in the integer units of the data, 1 a sample of unweighted data.
type Confusion [][]int64

func newConfusion(classes int) Confusion {
	c := make(Confusion, classes)
	for a := range c {
		c[a] = make([]int64, classes)
	}
	return c
}

// of returns the weight of the samples of class a.
func (c Confusion) of(a int) int64 { return evaluate.Sum(c[a]) }

// Errors returns the weight of what was predicted wrongly.
func (c Confusion) Errors() int64 {
	n := c.Total()
	for a := range c {
		n -= c[a][a]
	}
	return n
}

// Total returns the weight of all samples.
func (c Confusion) Total() (n int64) {
	for a := range c {
		n += c.of(a)
	}
	return n
}

// Accuracy returns the share of the weight that was predicted rightly; NaN of
// no samples.
func (c Confusion) Accuracy() float64 {
	return float64(c.Total()-c.Errors()) / float64(c.Total())
}

// TPR returns the true positive rate, the share of class 1 that was predicted to be
// so. It is NaN if there is none, and of more than two classes.
func (c Confusion) TPR() float64 { return c.rate(1) }

// FPR returns the false positive rate, the share of class 0 that was predicted to be
// of class 1. It is NaN if there is none, and of more than two classes.
func (c Confusion) FPR() float64 { return c.rate(0) }

// rate returns the share of class a, of two, that was predicted to be of class 1.
func (c Confusion) rate(a int) float64 {
	if len(c) != 2 {
		return math.NaN()
	}
	return float64(c[a][1]) / float64(c.of(a))
}
