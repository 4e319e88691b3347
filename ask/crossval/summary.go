package crossval

import (
	"math"
	"parcorels/internal/status"
	"parcorels/model/evaluate"
	"parcorels/ratio"
	"slices"
)

// Summary is what the fits for one λ have in common.
type Summary struct {
	Lambda    ratio.Ratio `json:"-"`
	Done      int         `json:"folds_done"`     // fits that were made; the others were interrupted
	Unproven  int         `json:"folds_unproven"` // of which are not proved optimal
	Limited   int         `json:"folds_limited"`  // of which a limit ended the search
	Objective Estimate    `json:"objective"`
	Length    Estimate    `json:"length"`         // rules, the default not counted, or leaves
	Seconds   Estimate    `json:"search_seconds"` // of the search
	Train     Rates       `json:"train"`
	Test      Rates       `json:"test"`
	Measured  Measured    `json:"measures"`       // of the test parts, samples one each
	Error     Estimate    `json:"error"`          // 1 − accuracy on the test parts, which Pick compares
	Found     []Found     `json:"lists"`          // the models, those of most folds first
	Cost      *Cost       `json:"cost,omitempty"` // of decisions in the test parts; nil without costs
}

// Cost is what decisions cost more, on average of the rows of a test part, than the best one of each row.
type Cost struct {
	Model Estimate   `json:"model"`
	Each  []Estimate `json:"each"` // by class: to decide so for everyone
}

// Rates are shares of one.
type Rates struct {
	Accuracy Estimate `json:"accuracy"`
	TPR      Estimate `json:"tpr"`
	FPR      Estimate `json:"fpr"`
}

// Found is what a model says, with the folds that led to it, counted from 1.
type Found struct {
	Folds []int  `json:"folds"`
	Lines []Line `json:"rules"` // or leaves
}

// Line is one case of a model: what it asks for, "" of a default, and the class
// predicted. Lines of different folds are compared by it: their features may be
// numbered differently, and their counts differ.
type Line struct {
	Text    string `json:"antecedent,omitempty"`
	Predict string `json:"predict"`
	Class   int    `json:"class"`
}

// Estimate is a mean over the folds in which a value is defined, with its standard
// deviation; NaN where there is none.
type Estimate struct {
	Mean      evaluate.Rate `json:"mean"`
	Deviation float64       `json:"standard_deviation"` // of a sample, 0 of fewer than two values
	Error     float64       `json:"standard_error"`     // the deviation to be expected of the mean
	Values    int           `json:"folds"`
}

// estimate returns the mean and the deviation of what value makes of fits.
func estimate(fits []*Fit, value func(*Fit) float64) Estimate {
	values := make([]float64, len(fits))
	for i, f := range fits {
		values[i] = value(f)
	}
	return EstimateOf(values)
}

// EstimateOf returns the mean and the deviation of the values that are numbers. The
// conversions keep a compiler from fusing operations, which would round differently on
// different processors.
func EstimateOf(values []float64) Estimate {
	var defined []float64
	sum, squares := 0.0, 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			defined, sum = append(defined, v), sum+v
		}
	}
	n := float64(len(defined))
	mean := sum / max(n, 1)
	if n == 0 && len(values) > 0 {
		mean = math.NaN()
	}
	for _, v := range defined {
		d := v - mean
		squares += float64(d * d)
	}
	deviation := math.Sqrt(squares / max(n-1, 1))
	return Estimate{evaluate.Rate(mean), deviation, deviation / math.Sqrt(max(n, 1)), len(defined)}
}

// Summaries returns a summary for every λ, in the order of Options.Lambdas.
func (r *Report) Summaries() []Summary {
	list := make([]Summary, len(r.Fits))
	for l, fits := range r.Fits {
		list[l] = summary(slices.DeleteFunc(slices.Clone(fits), func(f *Fit) bool { return f == nil }))
		list[l].Lambda = r.Options.Lambdas[l]
	}
	return list
}

func summary(fits []*Fit) Summary {
	s := Summary{
		Done:      len(fits),
		Objective: estimate(fits, func(f *Fit) float64 { return f.Model.Certificate().Objective.Value }),
		Length:    estimate(fits, func(f *Fit) float64 { return float64(f.Model.Certificate().Size) }),
		Seconds:   estimate(fits, func(f *Fit) float64 { return f.Search.Seconds() }),
		Train:     rates(fits, func(f *Fit) *evaluate.Measures { return &f.Train }),
		Test:      rates(fits, func(f *Fit) *evaluate.Measures { return &f.Test }),
		Measured:  measured(fits),
		Error:     estimate(fits, func(f *Fit) float64 { wrong, all := f.Test.Errors(); return wrong / all }),
		Found:     found(fits),
	}
	if len(fits) > 0 && fits[0].regret != nil {
		s.Cost = &Cost{Model: estimate(fits, func(f *Fit) float64 { return f.regret.Model })}
		for class := range fits[0].regret.Each {
			s.Cost.Each = append(s.Cost.Each, estimate(fits, func(f *Fit) float64 { return f.regret.Each[class] }))
		}
	}
	for _, f := range fits {
		switch f.Model.Certificate().Status {
		case status.Optimal:
		case status.Finished:
			s.Unproven++
		default:
			s.Unproven++
			s.Limited++
		}
	}
	return s
}

func rates(fits []*Fit, part func(*Fit) *evaluate.Measures) Rates {
	return Rates{
		Accuracy: estimate(fits, func(f *Fit) float64 { return float64(part(f).Accuracy) }),
		TPR:      estimate(fits, func(f *Fit) float64 { return float64(part(f).One().Recall) }),
		FPR:      estimate(fits, func(f *Fit) float64 { return float64(part(f).One().FPR) }),
	}
}

// found groups fits by what their models say.
func found(fits []*Fit) (list []Found) {
	for _, f := range fits {
		lines := f.Lines()
		i := slices.IndexFunc(list, func(g Found) bool { return slices.Equal(g.Lines, lines) })
		if i < 0 {
			i = len(list)
			list = append(list, Found{Lines: lines})
		}
		list[i].Folds = append(list[i].Folds, f.Fold+1)
	}
	slices.SortStableFunc(list, func(a, b Found) int { return len(b.Folds) - len(a.Folds) })
	return list
}

// Measured are the measures of predictions on test parts. The samples count one
// each. Probabilities are those of the training part, smoothed by Laplace's rule
// so that log loss is finite.
// Majority is the accuracy of always predicting the class that is most frequent in all folds.
type Measured struct {
	Accuracy         Estimate `json:"accuracy"`
	Majority         Estimate `json:"majority"`
	Balanced         Estimate `json:"balanced_accuracy"`
	Precision        Estimate `json:"precision"`
	Recall           Estimate `json:"recall"`
	F1               Estimate `json:"f1"`
	AUC              Estimate `json:"auc"`
	AveragePrecision Estimate `json:"average_precision"`
	Lift             Estimate `json:"lift"`
	LogLoss          Estimate `json:"log_loss"`
	Brier            Estimate `json:"brier"`
}

// measured returns the mean of each measure over the folds in which it is
// defined.
func measured(fits []*Fit) (m Measured) {
	var rows []int64 // of each class, in all folds
	for _, f := range fits {
		for c, k := range f.Measures.PerClass {
			if c == len(rows) {
				rows = append(rows, 0)
			}
			rows[c] += k.Rows
		}
	}
	for i, to := range []*Estimate{&m.Accuracy, &m.Majority, &m.Balanced, &m.Precision, &m.Recall, &m.F1, &m.AUC, &m.AveragePrecision,
		&m.Lift, &m.LogLoss, &m.Brier} {
		*to = estimate(fits, func(f *Fit) float64 {
			x := &f.Measures
			majority := x.Accuracy // of no rows
			if x.Rows > 0 {
				majority = evaluate.Rate(x.PerClass[slices.Index(rows, slices.Max(rows))].Rows) / evaluate.Rate(x.Rows)
			}
			return float64([]evaluate.Rate{x.Accuracy, majority, x.Balanced, x.Precision, x.Recall, x.F1, x.AUC, x.AveragePrecision,
				x.Lift, x.LogLoss, x.Brier}[i])
		})
	}
	return m
}

// Pick is a rule for choosing λ.
type Pick string

// The rules.
const (
	// Best takes the λ of the smallest mean test error, the largest such λ.
	Best Pick = "best"
	// OneStandardError takes the largest λ whose mean test error is within one
	// standard error of the smallest mean. Its lists are the shortest (Breiman,
	// Friedman, Olshen and Stone, Classification and Regression Trees, 1984, section
	// 3.4.3).
	OneStandardError Pick = "one-se"
)

// Pick returns the index in Options.Lambdas of the λ that rule picks; false if
// fits are missing. The errors compared are those of Summary.Error.
func (r *Report) Pick(rule Pick) (int, bool) {
	if !r.Complete() {
		return 0, false
	}
	summaries := r.Summaries()
	best := 0
	for l, s := range summaries {
		e, least := s.Error.Mean, summaries[best].Error.Mean
		if e < least || e == least && summaries[best].Lambda.Less(s.Lambda) {
			best = l
		}
	}
	if rule != OneStandardError {
		return best, true
	}
	limit := summaries[best].Error.Mean + evaluate.Rate(summaries[best].Error.Error)
	picked := best
	for l, s := range summaries {
		if s.Error.Mean <= limit && summaries[picked].Lambda.Less(s.Lambda) {
			picked = l
		}
	}
	return picked, true
}
