package family

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rulelist/problem"
	"parcorels/rules"
	"parcorels/verify"
)

// The largest F1, by Dinkelbach's method. Let FN and FP be the weights of class 1 and 0 that are predicted wrongly, M what is predicted 1,
// and W1 and W0 the weights of the classes. With a price of a rule or leaf in units of weight, A = FN + FP + price·size, and
// B = W1 + M = 2·W1 − FN + FP, the model of least A/B is sought; F1 is 1 − (FN + FP)/B. For a number s/t below 1
//
//	t·A − s·B = (t + s)·FN + (t − s)·FP + t·price·size − 2·s·W1,
//
// so that its least value h is that of an ordinary search with weights of the classes. Every model has A/B at least
// s/t + h/(t·B), where B is at most 2·W1 + W0. If A/B is below s/t, F1 = 2·TP/B is above f = 1 − s/t, for the weight TP of class 1
// that is predicted 1. As M is at least TP, that is 2·TP > f·(W1 + TP), and so B ≥ W1 + TP > 2·W1/(2 − f) = 2·W1/(1 + s/t).
// If s/t is A/B of a model, h is at most 0. If h is 0, no model has
// a smaller A/B. If not, the model found has one, and is the next to be tried. The last search is the proof.

// f1 is a search for the largest F1, or the check of a proof.
type f1 struct {
	total [2]int64 // weights of the classes
	price int64
	bound *big.Rat // no model has a smaller A/B
}

// newF1 rounds the price up to whole units of weight.
func (p *Problem) newF1(lambda ratio.Ratio) *f1 {
	d := p.Set.Data
	return &f1{
		bound: new(big.Rat), total: d.ClassTotals(),
		price: ratio.Ceil(ratio.Product(lambda.Rat(), ratio.Int(d.TotalWeight()))).Int64(), // at most all weight
	}
}

// weights returns the class weights for a number s/t, and λ.
func (f *f1) weights(at *big.Rat) (text string, lambda *big.Rat) {
	s, t := at.Num(), at.Denom()
	text = fmt.Sprintf("%v,%v", new(big.Int).Sub(t, s), new(big.Int).Add(t, s))
	return text, ratio.Over(ratio.Int(f.price), f.weigh(ratio.Minus(one, at), ratio.Sum(one, at)))
}

// weigh is what all samples weigh where those of the classes weigh so much.
func (f *f1) weigh(w0, w1 *big.Rat) *big.Rat {
	return ratio.Sum(ratio.Product(w0, ratio.Int(f.total[0])), ratio.Product(w1, ratio.Int(f.total[1])))
}

var one = ratio.Int(1)

// take takes in what is known of models by a search for the number at, and returns A/B and 1 − F1 of its model.
func (f *f1) take(m model.Model, at *big.Rat) (value, errors *big.Rat) {
	c := m.Certificate()
	all, errs := model.Totals(m.Cases())
	weighed, wrong := all.Weights, errs.Weights
	in := func(class int, n int64) *big.Rat { // as it was before it was weighed by class
		return ratio.Product(big.NewRat(n, weighed[class]), ratio.Int(f.total[class]))
	}
	fp, fn, ones := in(0, wrong[0]), in(1, wrong[1]), ratio.Int(2*f.total[1])
	b := ratio.Sum(ratio.Minus(ones, fn), fp)
	errors = ratio.Over(ratio.Sum(fn, fp), b)
	value = ratio.Over(ratio.Sum(fn, fp, ratio.Product(ratio.Int(int64(c.Size)), ratio.Int(f.price))), b)

	// the bound is a share of all weight, and one row of class 1 weighs t + s
	more := ratio.Sum(one, at)
	least := ratio.Product(c.Bound.Rat(), in(1, weighed[0]+weighed[1]), more)
	least.Sub(least, ratio.Product(at, ones))
	most := ratio.Int(2*f.total[1] + f.total[0])
	if least.Sign() < 0 {
		most = ratio.Over(ones, more)
	}
	if least = ratio.Sum(at, ratio.Over(least, most)); least.Cmp(f.bound) > 0 {
		f.bound = least
	}
	return value, errors
}

// told says what is known of a model.
func (f *f1) told(value, errors *big.Rat) *F1 {
	less := func(x *big.Rat) float64 { v, _ := ratio.Minus(one, x).Float64(); return v }
	return &F1{Value: less(errors), Price: f.price, Score: less(value), Bound: less(f.bound)}
}

// checkF1 finds what keeps a problem from it.
func (p *Problem) checkF1(s *resolved) error {
	switch d := p.Set.Data; {
	case d.ClassCount() != 2:
		return optionerr.Errorf("Maximise", "F1 is of two classes, there are %d: choose one by option Positive", d.ClassCount())
	case p.reading.ClassWeights+p.reading.CostMatrix != "":
		return optionerr.Errorf("Maximise", "option Maximise weighs the classes itself: leave option ClassWeights, or option CostMatrix, "+
			"out")
	case s.Checkpoint != nil:
		return optionerr.Errorf("Maximise", "option Maximise is several searches, which option Checkpoint cannot save")
	}
	return nil
}

// reweighed returns a set with weights of the classes.
func reweighed(set *rules.Set, classWeights string) (*rules.Set, error) {
	data, rounded, err := set.Data.ClassWeighted(classWeights)
	if err == nil && rounded {
		err = optionerr.Errorf("ClassWeights", "weights of classes of %s have too many digits for these samples", classWeights)
	}
	with := *set
	with.Data = data
	return &with, err
}

// Reweighed returns the problem with weights of the classes, by which no antecedents are mined.
func (p *Problem) Reweighed(classWeights string, o Options) (*Problem, error) {
	set, err := reweighed(p.Set, classWeights)
	if err != nil {
		return nil, err
	}
	return ProblemOf(set, p.reading, o)
}

// fitReweighed searches with weights of the classes, by which no antecedents are mined.
func (p *Problem) fitReweighed(ctx context.Context, s *resolved, f *f1, at *big.Rat) (*Model, error) {
	text, lambda := f.weights(at)
	o := *s
	q, err := p.Reweighed(text, s.Options)
	if err != nil {
		return nil, err
	}
	var ok bool
	if o.price, ok = ratio.FromRat(lambda); !ok {
		return nil, problem.ErrOverflow
	}
	if o.price.Num > 0 && !o.price.Within() && p.kind == model.RuleList && o.Proof == nil {
		o.price = ratio.New(999, 1000) // no list errs by so much: the empty one is the best, as for a larger price
	}
	if !o.price.Within() && o.price.Num > 0 {
		return nil, optionerr.Errorf("Maximise", "option Lambda is %s: no rule can be worth that much of F1", s.price)
	}
	q.weighed = text
	return q.fit(ctx, &o)
}

// fitF1 finds the model of largest F1, each rule or leaf of which counts as errors.
func (p *Problem) fitF1(ctx context.Context, s *resolved) (*Model, error) {
	if err := p.checkF1(s); err != nil {
		return nil, err
	}
	f, start := p.newF1(s.price), time.Now()
	if f.total[0] == 0 || f.total[1] == 0 {
		return nil, optionerr.Errorf("Maximise", "all samples are of one class: there is no F1")
	}
	ones := ratio.Int(f.total[0]) // of the smallest model that predicts 1 for all: it has no rule, or one leaf
	if p.kind == model.Tree {
		ones.Add(ones, ratio.Int(f.price))
	}
	first := ratio.Over(ones, ratio.Int(2*f.total[1]+f.total[0]))
	if first.Cmp(one) >= 0 {
		return nil, optionerr.Errorf("Maximise", "option Lambda is %s: no leaf can be worth that much of F1", s.price)
	}
	at := first
	steps, last, bits := *s, false, 0
	if steps.Known = nil; s.Progress != nil { // the looks of all searches as of one
		steps.Progress = func(e Event) {
			e.Elapsed, e.Final = time.Since(start), false
			s.Progress(e)
		}
	}
	var best *Model
	var least, wrong *big.Rat
	for {
		if steps.Time = s.Time; s.Time > 0 {
			if steps.Time = max(s.Time-time.Since(start), 1); !last {
				steps.Time = max(steps.Time/3, 1)
			}
		}
		if steps.Proof = nil; last {
			steps.Proof = s.Proof
		}
		m, err := p.fitReweighed(ctx, &steps, f, at)
		if tooLong(err) {
			if bits == 0 {
				bits = mostBits + fewerBits - big.NewInt(p.Set.Data.TotalWeight()).BitLen()
			}
			if bits -= fewerBits; bits >= leastBits { // a number that is smaller, of few digits
				at = shorter(at, bits)
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		value, errs := f.take(m, at)
		better := best == nil || value.Cmp(least) < 0
		if better || last && value.Cmp(least) == 0 {
			best, least, wrong = m, value, errs
		}
		end := m.Certificate().Status
		if last && (!better || s.Proof != nil) || end == status.Interrupted || !better && end == status.Optimal && s.Proof == nil {
			best.F1 = f.told(least, wrong)
			best.stats.SecondsSearch = report.Seconds(time.Since(start))
			return best, nil
		}
		last, at, steps.Known = !better, least, [][][]int{best.when} // again, where nothing is better: with all of the time
		if least.Cmp(first) > 0 {                                    // of a model that a limit has cut short
			at = first
		}
		if bits > 0 {
			at = shorter(at, bits)
		}
	}
}

// shorter rounds a number down to so many bits.
func shorter(x *big.Rat, bits int) *big.Rat {
	steps := ratio.Int(1 << bits)
	return ratio.Over(new(big.Rat).SetInt(ratio.Floor(ratio.Product(x, steps))), steps)
}

// A number of F1 has at most so many bits where those of a model are too many, so that products stay below 2^60, and fewer
// where these do not.
const (
	mostBits  = 29
	leastBits = 6
	fewerBits = 4
)

// tooLong reports that weights and λ have too many digits.
func tooLong(err error) bool {
	var o *optionerr.Error
	return errors.Is(err, problem.ErrOverflow) || errors.As(err, &o) && (o.Field == "Lambda" || o.Field == "ClassWeights")
}

// verifyF1 checks a proof about weights of classes, and what that says of F1.
func verifyF1(ctx context.Context, proof verify.Proof, classWeights string, set *rules.Set, r Reading, o VerifyOptions) (*Verification,
	error) {
	p := &Problem{Set: set, reading: r}
	first, second, _ := strings.Cut(classWeights, ",")
	w0, ok0 := new(big.Rat).SetString(first)
	w1, ok1 := new(big.Rat).SetString(second)
	if !ok0 || !ok1 || w0.Sign() <= 0 || w1.Cmp(w0) < 0 || p.checkF1(&resolved{}) != nil {
		return nil, fmt.Errorf("%w: it says that classes weigh %q", verify.ErrRefused, classWeights)
	}
	weighed, err := reweighed(set, classWeights)
	if err != nil {
		return nil, fmt.Errorf("%w: classes weigh %s: %w", verify.ErrRefused, classWeights, err)
	}
	v, err := verifyAny(ctx, proof, weighed, r, o)
	if err != nil {
		return nil, err
	}
	f := p.newF1(ratio.Ratio{Num: 0, Den: 1})
	sum := ratio.Sum(w0, w1)
	at := ratio.Over(ratio.Minus(w1, w0), sum)
	// λ of all that is weighed, for one error of which both classes together weigh 2
	price := ratio.Over(ratio.Product(f.weigh(w0, w1), ratio.Int(2), v.Price.Rat()), sum)
	if !price.IsInt() || !price.Num().IsInt64() {
		return nil, fmt.Errorf("%w: λ is no whole number of errors", verify.ErrRefused)
	}
	f.price = price.Num().Int64()
	v.F1 = f.told(f.take(v.Model, at))
	v.Claim += fmt.Sprintf(" where samples of the classes weigh %s: so %s", classWeights, v.F1.Text())
	return v, nil
}
