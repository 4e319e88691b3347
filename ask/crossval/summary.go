package crossval

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"github.com/bits-and-blooms/bitset"

	askpath "parcorels/ask/path"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/ratio"
	"parcorels/rules"
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

// Best takes the λ of the smallest mean test error, the largest such λ.
const Best Pick = "best"

// OneStandardError takes the largest λ whose mean test error is within one
// standard error of the smallest mean. Its lists are the shortest (Breiman,
// Friedman, Olshen and Stone, Classification and Regression Trees, 1984, section
// 3.4.3).
const OneStandardError Pick = "one-se"

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

// judge says what a model predicts for samples that it was not learned from. It
// asks for features of data that are cut as the training part was, so that no cell
// is read again.
type judge struct {
	data  *dataset.Dataset // all samples, with the features of the model
	train *bitset.BitSet
	cases []model.Case
	when  [][]rules.Literal // of each case
}

func newJudge(m *family.Model, h *Held) *judge {
	j := &judge{data: h.cut.WithCuts(m.Cuts()), train: h.Train, cases: m.Cases()}
	set := h.Set.WithCuts(m.Cuts())
	for _, antecedents := range m.Antecedents() {
		var literals []rules.Literal
		for _, a := range antecedents {
			literals = append(literals, set.Antecedents[a].Literals...)
		}
		j.when = append(j.when, literals)
	}
	return j
}

// decided returns the samples of rows that each case decides.
func (j *judge) decided(rows *bitset.BitSet) (decided []*bitset.BitSet) {
	left := rows.Clone()
	for _, when := range j.when {
		captured := left.Clone()
		for _, literal := range when {
			if bits := j.data.Features[literal.Feature].Bits; literal.Negated {
				captured.InPlaceDifference(bits)
			} else {
				captured.InPlaceIntersection(bits)
			}
		}
		left.InPlaceDifference(captured)
		decided = append(decided, captured)
	}
	return decided
}

// regret returns what predictions for samples of rows cost; nil without costs.
func regret(d *dataset.Dataset, rows *bitset.BitSet, of evaluate.Measures) *evaluate.Regret {
	if d.Costs == nil {
		return nil
	}
	unit := 1 / d.WeightUnit.Float() // what a wrong decision costs more than a right one, by unit of weight
	if d.Costs.Error != nil {
		each, _ := d.Costs.Error.Float64()
		unit *= each
	}
	least := int64(0) // that the best decision of each sample gets wrong
	for i := range rows.EachSet() {
		for c, w := range d.WeightsAt(int(i)) {
			if c != d.Class(int(i)) {
				least += w
			}
		}
	}
	wrong, all := of.Errors()
	more := func(errors float64) float64 { return unit * (errors - float64(least)) / float64(rows.Count()) }
	r := &evaluate.Regret{Model: more(wrong)}
	for _, row := range of.Confusion {
		r.Each = append(r.Each, more(all-evaluate.Sum(row)))
	}
	return r
}

// check holds what the model claims to have captured against the samples
// themselves.
func (j *judge) check() error {
	for i, counts := range j.evaluation(j.train, false).Counts {
		if claimed := j.cases[i].Samples; !slices.Equal(claimed, counts) {
			return fmt.Errorf("case %d of the model claims %v samples of each class, and has %v", i+1, claimed, counts)
		}
	}
	return nil
}

// evaluation evaluates the model on the samples of rows, by their weight or one each, with the probabilities of its training part,
// smoothed by the family's prior or by Laplace's rule.
func (j *judge) evaluation(rows *bitset.BitSet, byWeight bool) *evaluate.Evaluation {
	e := &evaluate.Evaluation{Classes: j.data.LabelTexts()}
	for i, samples := range j.decided(rows) {
		counts, weights := make([]int64, j.data.ClassCount()), make([]float64, j.data.ClassCount())
		for k := range samples.EachSet() {
			counts[j.data.Class(int(k))] += j.data.RowsAt(int(k))
			for class, w := range j.data.WeightsAt(int(k)) {
				weights[class] += float64(w)
			}
		}
		c := j.cases[i]
		e.Counts, e.Predicted = append(e.Counts, counts), append(e.Predicted, c.Class)
		e.Probabilities = append(e.Probabilities, c.Probabilities(true))
		if byWeight {
			e.Weights = append(e.Weights, weights)
		}
	}
	return e
}

// Together evaluates all rows, each as the fold judges it that leaves it out, with λ number l.
func (r *Report) Together(l int) *evaluate.Evaluation {
	all := &evaluate.Evaluation{}
	for _, f := range r.Fits[l] {
		if f == nil {
			continue
		}
		e := f.judged
		all.Classes = e.Classes
		all.Predicted = append(all.Predicted, e.Predicted...)
		all.Probabilities = append(all.Probabilities, e.Probabilities...)
		all.Counts = append(all.Counts, e.Counts...)
	}
	return all
}

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
