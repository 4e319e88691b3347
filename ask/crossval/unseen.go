package crossval

import (
	"context"
	"math"
	"math/big"
	"strconv"
	"time"

	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/model"
	"parcorels/ratio"
)

// Unseen is how models of one kind do on rows that they were not learned from: on a quarter of the rows, or of few rows on
// ten parts in turn.
type Unseen struct {
	Kept *model.KeptBack `json:"kept_back,omitempty"` // nil where rows are few
	// Accuracy is, over ten parts of few rows, the mean share of rows that are predicted right, with its standard error. Length
	// is the mean number of rules or leaves, and Unproven how many of the models are not proved optimal.
	Accuracy float64 `json:"accuracy,omitempty"`
	Error    float64 `json:"error,omitempty"`
	Length   float64 `json:"length,omitempty"`
	Unproven int     `json:"unproven,omitempty"`
	Lambda   string  `json:"lambda,omitempty"`

	Model model.Model `json:"-"` // was learned without the quarter; nil where rows are few
	Rows  []int64     `json:"-"` // of the file, that were kept back, from 1
}

// fewRows is the number of rows below which ten parts take the place of a quarter: of a quarter of fewer rows the
// figure would have an error of more than three per cent.
const fewRows = 1000

// OnUnseen judges models like those of a problem, at its price and within the limits of the options. The data keep their columns
// (dataset.Options.KeepColumns).
func OnUnseen(ctx context.Context, p *family.Problem, d *family.Data, cv Options) (*Unseen, error) {
	price, err := p.Price(cv.Options)
	if err != nil {
		return nil, err
	}
	cv.Lambdas, cv.Folds, cv.Seed = []ratio.Ratio{price}, 10, 1
	few := d.N < fewRows
	if few {
		cv.Time /= time.Duration(cv.Folds)
	} else {
		cv.Holdout = .25
	}
	report, err := Run(ctx, d.Dataset, cv)
	if err != nil {
		return nil, err
	}
	if few {
		s := report.Summaries()[0]
		a := s.Measured.Accuracy
		return &Unseen{Accuracy: float64(a.Mean), Error: a.Error, Length: float64(s.Length.Mean),
			Unproven: s.Unproven, Lambda: price.String()}, nil
	}
	fit := report.Fits[0][0]
	if fit == nil {
		return nil, ctx.Err()
	}
	t := fit.Measures
	u := &Unseen{Model: fit.Model}
	u.Kept = &model.KeptBack{Rows: t.Rows, Accuracy: float64(t.Accuracy), Majority: float64(t.Majority), Frequent: t.Frequent, Refit: true}
	for i, row := range d.FileRows() {
		if report.Folds[0].Test(uint(i)) {
			u.Rows = append(u.Rows, int64(row))
		}
	}
	return u, nil
}

// OfPath judges each model of a path on rows that it has not seen: it learns on ten folds with
// a λ inside the interval of each vertex. The options are those of the path; the fits share
// what is left of Options.Time since the start. Done is called after each fit, as Options.Done is; nil: nothing is. A cancelled
// ctx keeps the fits that are done.
func OfPath(ctx context.Context, d *family.Data, p *askpath.Answer, o family.Options, start time.Time, done func(*Fit, int)) (
	*Report, error) {
	cv := Options{Options: o, Folds: 10, Seed: 1, Done: done}
	cv.Time, cv.Nodes = 0, 0
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
