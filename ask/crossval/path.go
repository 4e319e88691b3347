package crossval

import (
	"context"
	"math"
	"math/big"
	"strconv"
	"time"

	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/ratio"
)

// OfPath judges each model of a path on rows that it has not seen: it learns on ten folds with
// a λ inside the interval of each vertex. The options are those of the path; the fits share
// what is left of Options.Time since the start. Done is called after each fit, as Options.Done is; nil: nothing is. A cancelled
// ctx keeps the fits that are done.
func OfPath(ctx context.Context, d *family.Data, p *askpath.Answer, o family.Options, start time.Time, done func(*Fit, int)) (
	_ *Report, err error) {
	cv := Options{Family: Models{Options: o}, Folds: 10, Seed: 1, Done: done}
	cv.Limits = Limits{Workers: o.Workers, Memory: o.Memory}
	if cv.Mining, err = o.Mining(); err != nil {
		return nil, err
	}
	for _, v := range p.Vertices {
		cv.Lambdas = append(cv.Lambdas, Inside(v.From, v.To))
	}
	if o.Time > 0 {
		cv.Time = max(cv.share(o.Time-time.Since(start)), leastFit)
	}
	return Run(ctx, d.Dataset, cv)
}

// leastFit is how long the fit of a fold may take whatever the limit of time is.
const leastFit = 10 * time.Millisecond

// Inside returns the λ of the fewest digits near the middle of an interval of a path; of the first
// interval, which has no end (nil), near twice its beginning. For an interval too narrow for a
// decimal it is the beginning.
func Inside(from, to *big.Rat) ratio.Ratio {
	low, _ := from.Float64()
	middle := min(2*low, (1+low)/2)
	if to != nil {
		high, _ := to.Float64()
		middle = (low + high) / 2
	}
	for digits := max(1, int(-math.Floor(math.Log10(middle)))); digits <= 11; digits++ {
		l, err := ratio.Parse(strconv.FormatFloat(middle, 'f', digits, 64))
		if x := big.NewRat(l.Num, max(l.Den, 1)); err == nil && l.Within() && x.Cmp(from) >= 0 && (to == nil || x.Cmp(to) <= 0) {
			return l
		}
	}
	return ratio.Ratio{Num: from.Num().Int64(), Den: from.Denom().Int64()}
}
