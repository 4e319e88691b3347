package crossval

import (
	"cmp"
	"fmt"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/ratio"
	"runtime"
	"strings"
	"time"
)

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
	workers := min(cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), fits)
	return all * time.Duration(workers) / time.Duration(fits)
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
