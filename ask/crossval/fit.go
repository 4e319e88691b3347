package crossval

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"sync"
	"time"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/ratio"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// Lines returns what the model asks for and predicts, case by case, without the
// counts of the fold. The rules of a set come by text: their order means nothing.
func (f *Fit) Lines() (lines []Line) {
	for _, c := range f.Model.Cases() {
		lines = append(lines, Line{c.Text, f.Model.About().Label(c.Class), c.Class})
	}
	if f.Model.Family() == model.RuleSet {
		sort.Slice(lines[:len(lines)-1], func(i, j int) bool { return lines[i].Text < lines[j].Text })
	}
	return lines
}

// part is the training part of a fold. It is made when its first fit asks for
// it, and let go of after the last one.
type part struct {
	data        *dataset.Dataset
	fold        int
	train, test *bitset.BitSet
	options     Options

	once sync.Once
	set  *rules.Set
	cut  *dataset.Dataset // data with the features of the training part
	of   *family.Problem
	err  error

	mutex sync.Mutex
	left  int // fits to come
}

func newPart(d *dataset.Dataset, folds []*bitset.BitSet, fold int, o Options) *part {
	return &part{data: d, fold: fold, test: folds[fold], train: folds[fold].Complement(), options: o, left: len(o.Lambdas)}
}

// make mines and reduces.
func (p *part) make(ctx context.Context) {
	if p.set, p.cut, p.err = training(ctx, p.data, p.train, p.options); p.err == nil {
		p.of, p.err = p.options.Models.problem(p.set)
	}
}

// fit makes one fit; nil if ctx was cancelled first.
func (p *part) fit(ctx context.Context, lambda ratio.Ratio, workers int) (*Fit, error) {
	defer p.release()
	if ctx.Err() != nil {
		return nil, nil
	}
	p.once.Do(func() { p.make(ctx) })
	if ctx.Err() != nil {
		return nil, nil
	}
	if p.err != nil {
		return nil, p.err
	}
	limits, start := p.options.Limits, time.Now()
	if limits.Memory > 0 { // the same part as of the workers
		limits.Memory = max(1, limits.Memory/int64(limits.Workers)*int64(workers))
	}
	limits.Workers = workers
	m, err := p.options.Models.fit(ctx, p.of, lambda, limits)
	if err != nil || m.Certificate().Status == status.Interrupted {
		return nil, err
	}
	f := &Fit{
		Fold: p.fold, Lambda: lambda, Antecedents: len(p.set.Antecedents), Model: m.Model, Search: time.Since(start),
		Work: m.Stats().Expanded,
	}
	if err := p.check(m); err != nil {
		return nil, err
	}
	j := newJudge(m, p.set)
	f.Train, f.Test = j.byWeight(p.cut, p.train, p.train), j.byWeight(p.cut, p.train, p.test)
	f.regret = regret(p.cut, p.test, f.Test)
	f.judged = j.evaluation(p.cut, p.train, p.test)
	f.Measures = f.judged.Measures()
	return f, nil
}

// check holds what the model claims to have captured against the samples
// themselves.
func (p *part) check(m *family.Model) error {
	d := p.set.Data
	counts := newJudge(m, p.set).counts(d, bitset.New(uint(d.N)).FlipRange(0, uint(d.N)))
	for i, c := range m.Cases() {
		if !slices.Equal(c.Samples, counts[i]) {
			return fmt.Errorf("case %d of the %s of fold %d claims %v samples of each class, and has %v", i+1, m.Family(), p.fold+1,
				c.Samples, counts[i])
		}
	}
	return nil
}

// release counts a fit off.
func (p *part) release() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.left--; p.left == 0 {
		p.set, p.cut, p.of = nil, nil, nil
	}
}

// training returns what a fit of o learns from, if the samples of rows are to be learned from, and d with the
// features of that part.
func training(ctx context.Context, d *dataset.Dataset, rows *bitset.BitSet, o Options) (set *rules.Set, cut *dataset.Dataset, err error) {
	part := d.Subset(rows)
	if d.Format == "out" {
		set, err = rules.Given(part)
		return set, d, err
	}
	if cut = d.Recut(rows, part); cut != d {
		part.Features, part.Notes = cut.Subset(rows).Features, cut.Notes
	}
	set, err = rules.Mine(ctx, part, o.Mining)
	return set, cut, err
}

// Held is a table of which some samples are kept back from learning.
type Held struct {
	Set         *rules.Set // mined from the samples that are learned from
	Train, Test *bitset.BitSet

	cut *dataset.Dataset // all samples, with the features of the training part
}

// KeepBack keeps a share of the samples back, as Run does with Options.Holdout. Among the
// options, only Holdout, Groups, Seed and Mining count.
func KeepBack(ctx context.Context, d *dataset.Dataset, o Options) (*Held, error) {
	folds, err := split(d, o)
	if err != nil {
		return nil, err
	}
	h := &Held{Test: folds[0], Train: folds[0].Complement()}
	h.Set, h.cut, err = training(ctx, d, h.Train, o)
	return h, err
}

// Evaluate says how good a model of the training part is on it, and on the samples kept
// back. Samples count one each. Probabilities are those of the training part, smoothed.
func (h *Held) Evaluate(m *family.Model) (train, test *evaluate.Evaluation) {
	j := newJudge(m, h.Set)
	return j.evaluation(h.cut, h.Train, h.Train), j.evaluation(h.cut, h.Train, h.Test)
}

// Regret says what the decisions of such a model cost in both parts; nil without costs.
func (h *Held) Regret(m *family.Model) (train, test *evaluate.Regret) {
	j := newJudge(m, h.Set)
	of := func(rows *bitset.BitSet) *evaluate.Regret {
		return regret(h.cut, rows, j.byWeight(h.cut, h.Train, rows))
	}
	return of(h.Train), of(h.Test)
}
