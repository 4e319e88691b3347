package predict

import "parcorels/model"

// Probabilities returns, for each case of a model, the probability of each class
// in a row that the case decides, as Predict gives them. A case that decided no
// sample in training has the shares of all samples.
func Probabilities(m model.Model, o Options) [][]float64 {
	cases := m.Cases()
	all := model.Case{Counts: model.Counts{Samples: make([]int64, len(m.About().Classes))}}
	for _, c := range cases {
		for k, n := range c.Samples {
			all.Samples[k] += n
		}
	}
	p := make([][]float64, len(cases))
	for i, c := range cases {
		if p[i] = c.Probabilities(o.Laplace); p[i] == nil {
			p[i] = all.Probabilities(false)
		}
	}
	return p
}
