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
	counts := make([]int, d.ClassCount())
	for i := range d.N {
		counts[d.Class(i)]++
	}
	var few []string
	for c, n := range counts {
		if n < o.Folds {
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
func (o Options) TimeOfFit(workers int) time.Duration {
	fits := max(1, len(o.Lambdas))
	if o.Holdout == 0 {
		fits *= o.Folds
	}
	workers = min(cmp.Or(workers, runtime.GOMAXPROCS(0)), fits)
	return max(allFits*time.Duration(workers)/time.Duration(fits), time.Second)
}

// allFits is the limit of all fits of a cross-validation together, where nobody gives one.
const allFits = 10 * time.Minute

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
