package crossval

import (
	"context"
	"fmt"
	"sync"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// Fit is a rule list learned from the training part of a fold.
type Fit struct {
	Fold        int // counted from 0
	Lambda      ratio.Ratio
	Antecedents int // mined from the training part
	Points      int // distinct points of the training part
	List        List
	Result      search.Result  // of the search: its objective and bound are those of the training part, as balanced
	Train, Test Confusion      // unbalanced
	Measures    model.Measures // of the test part
}

// part is the training part of a fold. It is made when its first fit asks for
// it, and let go of after the last one.
type part struct {
	data        *dataset.Dataset
	fold        int
	train, test *bitset.BitSet
	options     Options

	once     sync.Once
	set      *rules.Set
	cut      *dataset.Dataset // data with the features of the training part
	instance *instance.Instance
	err      error

	mutex sync.Mutex
	left  int // fits to come
}

func newPart(d *dataset.Dataset, folds []*bitset.BitSet, fold int, o Options) *part {
	return &part{data: d, fold: fold, test: folds[fold], train: folds[fold].Complement(), options: o, left: len(o.Lambdas)}
}

// make mines and reduces.
func (p *part) make() {
	if p.set, p.cut, p.err = training(p.data, p.train, p.fold, p.options); p.err != nil {
		return
	}
	p.instance, p.err = instance.FromSet(p.set)
	// The search has its own layout of them.
	for a := range p.set.Antecedents {
		p.set.Antecedents[a].Captured = nil
	}
}

// fit makes one fit; nil if ctx was cancelled first.
func (p *part) fit(ctx context.Context, lambda ratio.Ratio, workers int) (*Fit, error) {
	defer p.release()
	if ctx.Err() != nil {
		return nil, nil
	}
	if p.once.Do(p.make); p.err != nil {
		return nil, p.err
	}
	r, err := search.Solve(ctx, p.instance, p.search(lambda, workers))
	if err != nil || r.Status == parallel.Interrupted {
		return nil, err
	}
	f := &Fit{
		Fold: p.fold, Lambda: lambda, Antecedents: len(p.set.Antecedents), Points: p.instance.Points,
		List: newList(p.set, r), Result: r,
	}
	f.Train, f.Test = f.List.Evaluate(p.cut, p.train), f.List.Evaluate(p.cut, p.test)
	f.Measures = f.List.measure(p.cut, p.train, p.test)
	return f, f.check(p.set.Data)
}

// search returns the options of a search that has some of all workers, and the
// same part of the memory.
func (p *part) search(lambda ratio.Ratio, workers int) search.Options {
	o := p.options.Search
	if o.Memory > 0 {
		o.Memory = max(1, o.Memory/int64(o.Workers)*int64(workers))
	}
	o.Lambda, o.Workers, o.Progress = lambda, workers, nil
	return o
}

// check holds what the search claims against the samples themselves.
func (f *Fit) check(d *dataset.Dataset) error {
	all := bitset.New(uint(d.N)).FlipRange(0, uint(d.N))
	c := f.List.Evaluate(d, all)
	objective := f.Lambda.Den*c.Errors() + f.Lambda.Num*c.Total()*int64(len(f.List.Rules))
	if objective != f.Result.Objective || f.Lambda.Den*c.Total() != f.Result.Scale {
		return fmt.Errorf("the search claims objective %d/%d for a list of fold %d that has %d/%d",
			f.Result.Objective, f.Result.Scale, f.Fold+1, objective, f.Lambda.Den*c.Total())
	}
	return nil
}

// release counts a fit off.
func (p *part) release() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.left--; p.left == 0 {
		p.set, p.cut, p.instance = nil, nil, nil
	}
}
