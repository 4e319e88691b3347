// Package crossval says how well models predict samples that they were not learned from,
// and which λ to take: stratified k-fold cross-validation, as in the experiments of the
// CORELS paper (Angelino, Larus-Stone, Alabi, Seltzer and Rudin, JMLR 2018, sections 6.2
// and 6.6). Begin with [Run]. One loop serves all families: [Options] say which models are learned.
//
// # What a fold sees
//
// The samples are dealt into folds, class by class (folds.go). For every fold and every λ a
// model is learned from the other folds, its training part. It is proved optimal unless a
// limit comes first. Then it is tested on the fold, its test part.
//
// The antecedents are mined anew from each training part, with the support
// limits and the search for duplicates on its samples alone; those of an .out
// file are taken as they are. Numbers are cut anew as well, of a table that was read with
// dataset.Options.KeepColumns. So the labels of a test part, and what its
// samples satisfy, have no influence on the model that is tested there. One
// thing is done once, on all samples and without their labels: package dataset
// decides the type of each column and which texts are too rare.
//
// # Measures
//
// The objective of a fit is that of its training part. Accuracy, true positive
// rate (TPR) and false positive rate (FPR) use the weights of the data in both
// parts. So the two parts can be compared. Every mean is over folds, each counting the
// same; every standard deviation is that of a sample, with folds − 1 below the line.
//
// # Work
//
// A training part is mined and reduced once for all λ. The folds that are left out at the same
// time share the workers. The number of workers changes no result, unless a limit ends a search early.
package crossval

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/bits-and-blooms/bitset"
	"golang.org/x/sync/errgroup"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rules"
)

// Report is what a cross-validation has found.
type Report struct {
	Options Options // with defaults filled in
	Folds   []*bitset.BitSet
	// Fits[l][f] is the fit for λ number l with fold f left out, nil if it was
	// interrupted.
	Fits [][]*Fit
}

// Run cross-validates models of a family on d. If ctx is cancelled it returns the fits
// that were done by then, and no error; see Report.Complete. The errors are
// those of the options, of mining and of the search.
func Run(ctx context.Context, d *dataset.Dataset, o Options) (*Report, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	folds, err := split(d, o)
	if err != nil {
		return nil, err
	}
	o.Folds = len(folds)
	return run(ctx, d, folds, o)
}

// run is Run on given folds. Those that are left out at the same time share workers and memory.
func run(ctx context.Context, d *dataset.Dataset, folds []*bitset.BitSet, o Options) (*Report, error) {
	r := &Report{Options: o, Folds: folds, Fits: make([][]*Fit, len(o.Lambdas))}
	for l := range r.Fits {
		r.Fits[l] = make([]*Fit, len(folds))
	}
	side := o.sideBySide()
	each := o
	if each.Workers, each.Progress = (o.Workers+side-1)/side, nil; o.Memory > 0 {
		each.Memory = max(1, o.Memory/int64(side))
	}
	group, inside := errgroup.WithContext(ctx)
	group.SetLimit(side)
	var mutex sync.Mutex
	done := 0
	for f, test := range folds {
		group.Go(func() error {
			return each.fold(inside, d, test, func(l int, fit *Fit) {
				mutex.Lock()
				defer mutex.Unlock()
				fit.Fold, r.Fits[l][f] = f, fit
				if done++; o.Done != nil {
					o.Done(fit, done)
				}
			})
		})
	}
	return r, group.Wait()
}

// fold makes the fits of a fold until ctx is cancelled: those of the smallest λ first, whose search takes longest.
func (o Options) fold(ctx context.Context, d *dataset.Dataset, test *bitset.BitSet, done func(l int, f *Fit)) error {
	order := make([]int, len(o.Lambdas))
	for l := range order {
		order[l] = l
	}
	sort.Slice(order, func(i, j int) bool { return o.Lambdas[order[i]].Less(o.Lambdas[order[j]]) })
	if ctx.Err() != nil {
		return nil
	}
	h, err := keepBack(ctx, d, test, o.Options)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	p, err := family.ProblemOf(h.Set, family.Reading{}, o.Options)
	if err != nil {
		return err
	}
	for _, l := range order {
		fit, err := h.fit(ctx, p, o, o.Lambdas[l])
		if fit == nil || err != nil {
			return err
		}
		done(l, fit)
	}
	return nil
}

// Complete reports whether every fit was done.
func (r *Report) Complete() bool {
	return !slices.ContainsFunc(r.Fits, func(fits []*Fit) bool { return slices.Contains(fits, nil) })
}

// Lines returns what the model asks for and predicts, case by case, without the
// counts of the fold. The rules of a set come by text: their order means nothing.
func (f *Fit) Lines() (lines []Line) {
	for _, c := range f.Model.Cases() {
		lines = append(lines, Line{c.Text, f.Model.About().Label(c.Class), c.Class})
	}
	if f.Model.Family() == model.RuleSet {
		slices.SortFunc(lines[:len(lines)-1], func(a, b Line) int { return strings.Compare(a.Text, b.Text) })
	}
	return lines
}

// Held is a table of which some samples are kept back from learning.
type Held struct {
	Set         *rules.Set // mined from the samples that are learned from
	Train, Test *bitset.BitSet

	cut *dataset.Dataset // all samples, with the features of the training part
}

// KeepBack keeps a share of the samples back, as Run does with Options.Holdout. Among the
// options, Holdout, Groups, Seed and those of mining count.
func KeepBack(ctx context.Context, d *dataset.Dataset, o Options) (*Held, error) {
	folds, err := split(d, o)
	if err != nil {
		return nil, err
	}
	return keepBack(ctx, d, folds[0], o.Options)
}

// keepBack mines antecedents from all samples but those of test.
func keepBack(ctx context.Context, d *dataset.Dataset, test *bitset.BitSet, o family.Options) (h *Held, err error) {
	h = &Held{Train: test.Complement(), Test: test, cut: d}
	part := d.Subset(h.Train)
	if d.Format != "out" {
		if h.cut = d.Recut(h.Train, part); h.cut != d {
			part.Features, part.Notes = h.cut.Subset(h.Train).Features, h.cut.Notes
		}
	}
	h.Set, err = family.Mine(ctx, &family.Data{Dataset: part}, o)
	return h, err
}

// Evaluate says how good a model of the training part is on it, and on the samples kept
// back. Rows count one each. Probabilities are those of the training part, smoothed.
func (h *Held) Evaluate(m *family.Model) (train, test *evaluate.Evaluation) {
	j := newJudge(m, h)
	return j.evaluation(h.Train, false), j.evaluation(h.Test, false)
}

// Regret says what the decisions of such a model cost in both parts; nil without costs.
func (h *Held) Regret(m *family.Model) (train, test *evaluate.Regret) {
	j := newJudge(m, h)
	return regret(h.cut, h.Train, j.evaluation(h.Train, true).Measures()), regret(h.cut, h.Test, j.evaluation(h.Test, true).Measures())
}

// fit learns from the training part of a fold, and is tested on the other; nil if ctx was cancelled first.
func (h *Held) fit(ctx context.Context, p *family.Problem, o Options, lambda ratio.Ratio) (*Fit, error) {
	start := time.Now()
	m, err := o.fit(ctx, p, lambda)
	if err != nil || m.Certificate().Status == status.Interrupted {
		return nil, err
	}
	f := &Fit{Lambda: lambda, Antecedents: len(h.Set.Antecedents), Model: m.Model, Search: time.Since(start), Work: m.Stats().Expanded}
	j := newJudge(m, h)
	if err := j.check(); err != nil {
		return nil, err
	}
	f.Train, f.Test = j.evaluation(h.Train, true).Measures(), j.evaluation(h.Test, true).Measures()
	f.judged = j.evaluation(h.Test, false)
	f.Measures, f.regret = f.judged.Measures(), regret(h.cut, h.Test, f.Test)
	return f, nil
}

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
