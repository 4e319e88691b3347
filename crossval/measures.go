package crossval

import "parcorels/model/evaluate"

// Measured are the measures of predictions on test parts. The samples count one
// each. Probabilities are those of the training part, smoothed by Laplace's rule
// so that log loss is finite.
// Majority is the accuracy of always predicting the most frequent class.
type Measured struct {
	Accuracy, Majority, Balanced, Precision, Recall, F1, AUC, LogLoss, Brier Estimate
}

// measured returns the mean of each measure over the folds in which it is
// defined.
func measured(fits []*Fit) (m Measured) {
	for to, of := range map[*Estimate]func(*evaluate.Measures) evaluate.Rate{
		&m.Accuracy:  func(x *evaluate.Measures) evaluate.Rate { return x.Accuracy },
		&m.Majority:  func(x *evaluate.Measures) evaluate.Rate { return x.Majority },
		&m.Balanced:  func(x *evaluate.Measures) evaluate.Rate { return x.Balanced },
		&m.Precision: func(x *evaluate.Measures) evaluate.Rate { return x.Precision },
		&m.Recall:    func(x *evaluate.Measures) evaluate.Rate { return x.Recall },
		&m.F1:        func(x *evaluate.Measures) evaluate.Rate { return x.F1 },
		&m.AUC:       func(x *evaluate.Measures) evaluate.Rate { return x.AUC },
		&m.LogLoss:   func(x *evaluate.Measures) evaluate.Rate { return x.LogLoss },
		&m.Brier:     func(x *evaluate.Measures) evaluate.Rate { return x.Brier },
	} {
		*to = estimate(fits, func(f *Fit) float64 { return float64(of(&f.Measures)) })
	}
	return m
}
