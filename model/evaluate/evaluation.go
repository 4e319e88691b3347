package evaluate

import "math"

// Evaluation compares predictions with the labels that a table gives. A model
// says the same of all rows that one case decides, so counts by case and class
// are all that any measure needs. Rows count one each unless there are Weights.
type Evaluation struct {
	Classes       []string    // text of each class, as Frame.Label
	Predicted     []int       // class that each case predicts
	Probabilities [][]float64 // of each class, by case
	Counts        [][]int64   // Counts[i][a]: rows of class a that case i decided
	Weights       [][]float64 // what those rows weigh; nil: one each
}

// Add counts a row of a class that a case decided. The weight counts where there
// are Weights.
func (e *Evaluation) Add(i, actual int, weight float64) {
	e.Counts[i][actual]++
	if e.Weights != nil {
		e.Weights[i][actual] += weight
	}
}

// CaseWeights returns what the rows weigh, by case and class. Sums of counts are exact.
func (e *Evaluation) CaseWeights() [][]float64 {
	if e.Weights != nil {
		return e.Weights
	}
	w := make([][]float64, len(e.Counts))
	for i, counts := range e.Counts {
		for _, n := range counts {
			w[i] = append(w[i], float64(n))
		}
	}
	return w
}

// Rows returns how many rows had a label.
func (e *Evaluation) Rows() (n int64) {
	for _, c := range e.Counts {
		n += Sum(c)
	}
	return n
}

// Confusion returns what the rows weigh by their class, then by the class predicted.
func (e *Evaluation) Confusion() [][]float64 {
	c, rows := make([][]float64, len(e.Classes)), e.CaseWeights()
	for a := range c {
		c[a] = make([]float64, len(e.Classes))
		for i := range rows {
			c[a][e.Predicted[i]] += rows[i][a]
		}
	}
	return c
}

// share returns part of whole, NaN of nothing.
func share[N int64 | float64](part, whole N) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}

// Sum adds numbers up.
func Sum[N int64 | float64](values []N) (total N) {
	for _, v := range values {
		total += v
	}
	return total
}
