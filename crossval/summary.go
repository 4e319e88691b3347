package crossval

import (
	"math"
	"slices"

	"parcorels/parallel"
	"parcorels/ratio"
)

// Summary is what the fits for one λ have in common.
type Summary struct {
	Lambda    ratio.Ratio
	Done      int // fits that were made; the others were interrupted
	Unproven  int // of which a limit ended the search before optimality was proved
	Objective Estimate
	Length    Estimate // rules, the default not counted
	Seconds   Estimate // of the search
	Train     Rates
	Test      Rates
	Measured  Measured // of the test parts, samples one each
	// Error is what Pick compares: of the test parts, BalancedError if the
	// training parts were balanced, otherwise 1 − accuracy.
	Error Estimate
	Found []Found // the lists, those of most folds first
}

// Rates are shares of one.
type Rates struct{ Accuracy, TPR, FPR Estimate }

// Found is a list with the folds that led to it, counted from 0.
type Found struct {
	List  List
	Folds []int
}

// Estimate is a mean over folds with its standard deviation.
type Estimate struct {
	Mean      float64
	Deviation float64 // of a sample, 0 of fewer than two values
	Values    int
}

// StandardError returns the deviation to be expected of the mean.
func (e Estimate) StandardError() float64 {
	return e.Deviation / math.Sqrt(float64(max(e.Values, 1)))
}

// estimate returns the mean and the deviation of what value makes of fits. The
// conversions keep a compiler from fusing operations, which would round
// differently on different processors.
func estimate(fits []*Fit, value func(*Fit) float64) Estimate {
	n := float64(len(fits))
	var sum, squares float64
	for _, f := range fits {
		sum += value(f)
	}
	e := Estimate{Mean: sum / max(n, 1), Values: len(fits)}
	for _, f := range fits {
		d := value(f) - e.Mean
		squares += float64(d * d)
	}
	e.Deviation = math.Sqrt(squares / max(n-1, 1))
	return e
}

// Summaries returns a summary for every λ, in the order of Options.Lambdas.
func (r *Report) Summaries() []Summary {
	list := make([]Summary, len(r.Fits))
	for l, fits := range r.Fits {
		list[l] = r.summary(slices.DeleteFunc(slices.Clone(fits), func(f *Fit) bool { return f == nil }))
		list[l].Lambda = r.Options.Lambdas[l]
	}
	return list
}

func (r *Report) summary(fits []*Fit) Summary {
	s := Summary{
		Done:      len(fits),
		Objective: estimate(fits, func(f *Fit) float64 { return f.Result.ObjectiveValue() }),
		Length:    estimate(fits, func(f *Fit) float64 { return float64(len(f.List.Rules)) }),
		Seconds:   estimate(fits, func(f *Fit) float64 { return f.Result.Stats.Search.Seconds() }),
		Train:     rates(fits, func(f *Fit) Confusion { return f.Train }),
		Test:      rates(fits, func(f *Fit) Confusion { return f.Test }),
		Measured:  measured(fits),
		Error:     estimate(fits, r.testError),
		Found:     found(fits),
	}
	for _, f := range fits {
		if f.Result.Status != parallel.Optimal {
			s.Unproven++
		}
	}
	return s
}

// testError is the error of one fit that Summary.Error averages.
func (r *Report) testError(f *Fit) float64 {
	if r.Options.Balance == Unbalanced {
		return float64(f.Test.Errors()) / float64(f.Test.Total())
	}
	return f.Test.BalancedError()
}

func rates(fits []*Fit, part func(*Fit) Confusion) Rates {
	return Rates{
		Accuracy: estimate(fits, func(f *Fit) float64 { return part(f).Accuracy() }),
		TPR:      estimate(fits, func(f *Fit) float64 { return part(f).TPR() }),
		FPR:      estimate(fits, func(f *Fit) float64 { return part(f).FPR() }),
	}
}

// found groups fits by their lists.
func found(fits []*Fit) []Found {
	var list []Found
	for _, f := range fits {
		i := slices.IndexFunc(list, func(g Found) bool { return g.List.Equal(f.List) })
		if i < 0 {
			i = len(list)
			list = append(list, Found{List: f.List})
		}
		list[i].Folds = append(list[i].Folds, f.Fold)
	}
	slices.SortStableFunc(list, func(a, b Found) int { return len(b.Folds) - len(a.Folds) })
	return list
}
