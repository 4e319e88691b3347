package crossval

import (
	"cmp"
	"runtime"
	"time"

	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rules"
)

// Options say what is cross-validated. Lambdas must be given, the zero value
// of every other field is its default.
type Options struct {
	Family  Family        // what is learned; nil: rule lists with default options
	Lambdas []ratio.Ratio // as the family takes them, no two the same
	Folds   int           // from 2 to the number of samples; 0: 10
	// Groups, if not nil, has a number for each sample: samples of one number
	// are never in training and test part at the same time. Classes are then
	// balanced among folds as well as the groups allow.
	Groups []int
	// Holdout, if positive, is the share of samples of a single test part, which
	// takes the place of the folds.
	Holdout float64
	Seed    uint64        // of the folds: equal seeds give equal folds on every machine
	Mining  rules.Options // antecedents, unless the data is an .out file

	Limits // workers and memory are shared by the fits that run at the same time

	// Done is called after every fit, with the number of fits done so far,
	// never twice at the same time; nil: not at all.
	Done func(f *Fit, done int)
}

// withDefaults fills the zero fields in and checks all.
func (o Options) withDefaults() (Options, error) {
	o.Folds, o.Workers = cmp.Or(o.Folds, 10), cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	if !(o.Holdout >= 0 && o.Holdout < 1) { // nor NaN
		return o, optionerr.Errorf("Holdout", "a test part of %v of the samples, expected a share between 0 and 1", o.Holdout)
	}
	if o.Family == nil {
		o.Family = Models{}
	}
	if err := o.Limits.Check(parallel.MaxWorkers); err != nil {
		return o, err
	}
	if len(o.Lambdas) == 0 {
		return o, optionerr.Errorf("Lambdas", "a cross-validation needs a λ")
	}
	seen := map[ratio.Ratio]bool{}
	for _, l := range o.Lambdas {
		if seen[l] {
			return o, optionerr.Errorf("Lambdas", "λ = %s is given twice", l)
		}
		seen[l] = true
		if err := o.Family.Validate(l, o.Limits); err != nil {
			return o, err
		}
	}
	return o, nil
}

// Fit is a model learned from the training part of a fold. Objective and bound in
// its certificate are those of the training part.
type Fit struct {
	Fold        int // counted from 0
	Lambda      ratio.Ratio
	Antecedents int // mined from the training part
	Model       model.Model
	Search      time.Duration
	Work        int64             // prefixes expanded, sets counted or rules looked at
	Train, Test evaluate.Measures // by weight
	Measures    evaluate.Measures // of the test part, samples one each
	regret      *evaluate.Regret  // in the test part; nil without costs
	judged      *evaluate.Evaluation
}
