package crossval

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/optionerr"
	"parcorels/ratio"
)

// Options say what is cross-validated. Lambdas must be given, the zero value
// of every other field is its default.
type Options struct {
	// The models that are learned, but for their price. Limits are those of each fit, but workers and memory, which all fits that run
	// at the same time share.
	family.Options
	// Learn learns from one training part, with all options, and is called by several goroutines; nil: Problem.Fit.
	Learn   func(context.Context, *family.Problem, family.Options) (*family.Model, error)
	Lambdas []ratio.Ratio // as the family takes them, no two the same
	Folds   int           // from 2 to the number of samples; 0: 10
	// Groups, if not nil, has a number for each sample: samples of one number
	// are never in training and test part at the same time. Classes are then
	// balanced among folds as well as the groups allow.
	Groups []int
	// Holdout, if positive, is the share of samples of a single test part, which
	// takes the place of the folds.
	Holdout float64
	Seed    uint64 // of the folds: equal seeds give equal folds on every machine. That of chains is Options.Seed

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
	if len(o.Lambdas) == 0 {
		return o, optionerr.Errorf("Lambdas", "a cross-validation needs a λ")
	}
	seen := map[ratio.Ratio]bool{}
	for _, l := range o.Lambdas {
		if seen[l] {
			return o, optionerr.Errorf("Lambdas", "λ = %s is given twice", l)
		}
		seen[l] = true
		if err := o.WithPrice(l).Validate(family.Reading{}); err != nil {
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

// fit learns from a training part.
func (o Options) fit(ctx context.Context, p *family.Problem, price ratio.Ratio) (*family.Model, error) {
	if o.Learn != nil {
		return o.Learn(ctx, p, o.WithPrice(price))
	}
	return p.Fit(ctx, o.WithPrice(price))
}

// FewOfClass says which classes are missing from some folds.
func FewOfClass(d *dataset.Dataset, o Options) string {
	if o.Holdout > 0 {
		return ""
	}
	var few []string
	for c := range d.ClassCount() {
		if n := int(d.InClass(c).Count()); n < o.Folds {
			few = append(few, fmt.Sprintf("%q has %s", d.ClassName(c), wording.Count(int64(n), "sample")))
		}
	}
	if few == nil {
		return ""
	}
	return fmt.Sprintf("some of the %d folds are without a class, and what is measured of it is of the others: %s",
		o.Folds, strings.Join(few, ", "))
}

// TimeOfFit is the limit of each fit where nobody gives one: all fits together take 10 minutes, so that nobody waits
// for hours.
func (o Options) TimeOfFit() time.Duration { return max(o.share(10*time.Minute), time.Second) }

// share is the part of a limit of time of all fits together that each of them has.
func (o Options) share(all time.Duration) time.Duration {
	fits := max(1, len(o.Lambdas))
	if o.Holdout == 0 {
		fits *= o.Folds
	}
	return all * time.Duration(o.sideBySide()) / time.Duration(fits)
}

// sideBySide is how many folds are left out at the same time.
func (o Options) sideBySide() int {
	folds := o.Folds
	if o.Holdout > 0 {
		folds = 1
	}
	return min(cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), folds)
}

// DefaultLambdas returns those that cv tries where neither the user nor the family names any:
// the default of fit, twice that and half of it.
func DefaultLambdas(d *dataset.Dataset) []ratio.Ratio {
	l, _ := family.DefaultLambda(d)
	list := []ratio.Ratio{l, ratio.New(l.Num, 2*l.Den)}
	if twice := ratio.New(2*l.Num, l.Den); twice.Within() {
		list = append([]ratio.Ratio{twice}, list...)
	}
	return list
}
