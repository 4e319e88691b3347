package model

// Probabilities returns, for each case of a model, the probability of each class
// in a row that the case decides, as Predict gives them.
func Probabilities(m Model, o Options) [][]float64 {
	cases := m.Cases()
	all := shares(cases, len(m.About().Classes))
	p := make([][]float64, len(cases))
	for i, c := range cases {
		p[i] = c.probabilities(o.Laplace, all)
	}
	return p
}
