// Package search finds the Bayesian rule list of largest posterior (Yang, Rudin and
// Seltzer, Scalable Bayesian Rule Lists, ICML 2017), and proves that where it can. Begin
// with [Fit], or with [Solve] for points without a data set; package bayes is the model.
//
// Markov chains look for good lists on all cores (chain.go, polish.go), as in the paper.
// Then a branch and bound over prefixes proves that none is better (exact.go, worker.go).
// It runs on the workers of package parallel. At a limit it ends with an upper bound on the
// posterior (bound.go, future.go). The posterior is a sum of integers (posterior.go,
// logs.go), so that all comparisons are exact.
//
// The result depends on data, options and seed alone, not on the number of workers, unless
// a time limit ends the search early.
package search

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"parcorels/bayes"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/loop"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rules"
)

// Options say how to search. The zero value of each field but Prior means its
// default.
type Options struct {
	Restriction
	Prior      Prior
	PerSample  int64         // units of weight that are a sample; 0: 1
	MaxRules   int           // the most rules of a list; 0: no limit
	Chains     int           // Markov chains; 0: 10
	Iterations int           // steps of each; 0: 30,000
	Seed       uint64        // of the chains
	Workers    int           // goroutines; 0: all that GOMAXPROCS allows
	Time       time.Duration // stop so long after Solve was called; 0: no limit
	Nodes      int64         // stop after this many expanded prefixes; 0: no limit
	Memory     int64         // bytes for prefixes, queues and map together, beyond which the search is slower; 0: no limit

	Proof         *Proof         // nil: no proof is written
	Progress      func(Progress) // called after each chain, about every ProgressEvery and at the end, never twice at a time; nil: never
	ProgressEvery time.Duration  // 0: one second
}

// The defaults are those of the reference implementation.
const DefaultChains = 10
const DefaultIterations = 30_000

// Progress is a look at a running search.
type Progress struct {
	parallel.Progress       // Value is the log posterior; Bound is +Inf while chains run
	List              []int // antecedents of the best list, which nobody may change
	Chains            int   // that have ended
}

// Unit is the number of integer units of F in a nat.
const Unit = int64(1) << fracBits

// nats converts F to nats.
func nats(f int64) float64 { return float64(f) / float64(Unit) }

// Result is the best list found and what is proven about it.
type Result struct {
	Status    status.Status
	Rules     []int // antecedents in order
	Posterior int64 // F, the logarithm of the posterior up to a constant, in units
	Bound     int64 // no list has a larger F

	ChainBest []int64 // F of the best list of each chain
	Agree     int     // chains that found a list of this F
	Expanded  int64
	Points    int
	Workers   int
	Seconds   struct{ Chains, Exact float64 }

	ProofErr                 error // what went wrong with the proof, if one was asked for and the list is proved
	ProofBytes, ProofRecords int64
}

func (o Options) withDefaults() (Options, error) {
	o.Chains, o.Iterations = cmp.Or(o.Chains, DefaultChains), cmp.Or(o.Iterations, DefaultIterations)
	o.PerSample = cmp.Or(o.PerSample, 1)
	o.Workers, o.ProgressEvery = cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), cmp.Or(max(o.ProgressEvery, 0), time.Second)
	return o, o.validate()
}

// maxChains bounds the Markov chains of one search.
const maxChains = 1 << 16

// validate reports the first option that is out of range.
func (o Options) validate() error {
	switch {
	case o.MaxRules < 0:
		return optionerr.Bad("MaxRules", o.MaxRules, "a number from 1 on (0: no limit)")
	case o.Chains < 1 || o.Chains > maxChains:
		return optionerr.Bad("Chains", o.Chains, "a number from 1 to %d", maxChains)
	case o.Iterations < 1:
		return optionerr.Bad("Iterations", o.Iterations, "a number from 1 on")
	case o.Proof != nil && o.Proof.To == nil:
		return optionerr.Errorf("Proof", "option Proof has nowhere to write to")
	}
	return optionerr.Limits{Workers: o.Workers, Time: o.Time, Nodes: o.Nodes, Memory: o.Memory}.Check(parallel.MaxWorkers)
}

// Solve finds the list of largest posterior over the antecedents of points of two
// classes; cards gives the number of conditions of each antecedent. It returns early,
// with the best list found so far and a sound bound, when ctx is cancelled or a limit
// is reached. The only error is a *optionerr.Error.
func Solve(ctx context.Context, pts *instance.Points, cards []int, o Options) (*Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	p, err := newPosterior(pts, cards, o.Prior, o.MaxRules, o.PerSample)
	if err != nil {
		return nil, err
	}
	if err := p.restrict(pts, o.Prior, o.Restriction); err != nil {
		return nil, err
	}
	start, limited := time.Now(), ctx
	if o.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.Time)
		defer cancel()
	}
	r := &Result{Points: pts.Count, Workers: o.Workers}
	best := p.sample(limited, start, o, r)
	r.Seconds.Chains = time.Since(start).Seconds()
	e := newExact(p, newBounder(p, pts), best)
	e.start = start
	r.Status = e.solve(ctx, start, o)
	r.Seconds.Exact = time.Since(start).Seconds() - r.Seconds.Chains
	found := e.incumbent.Load()
	r.Rules, r.Posterior, r.Bound, r.Expanded = found.rules, found.value, e.bound(), e.expanded.Value()
	if r.Status == status.Optimal {
		r.Bound = r.Posterior
		if o.Proof != nil {
			r.ProofErr = e.prove(ctx, start, o, r)
		}
	}
	for _, f := range r.ChainBest {
		if f == r.Posterior {
			r.Agree++
		}
	}
	e.tell(o, true)
	return r, nil
}

// sample runs the chains, for half of the time if that is limited. Then it improves their
// lists, the best first, which counts if the time is up, and returns the best of all.
func (p *posterior) sample(ctx context.Context, start time.Time, o Options, r *Result) solution {
	chains := make([]*chain, o.Chains)
	half, cancel := ctx, context.CancelFunc(func() {})
	if deadline, limited := ctx.Deadline(); limited {
		half, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
	}
	defer cancel()
	each(o, func(i int) {
		chains[i] = newChain(p, o.Seed, i)
		chains[i].run(half, o.Iterations)
	})
	order := slices.Clone(chains)
	slices.SortStableFunc(order, compareChains)
	var ended []*chain
	var telling sync.Mutex
	each(o, func(i int) {
		order[i].search(ctx)
		if o.Progress != nil {
			telling.Lock()
			defer telling.Unlock()
			ended = append(ended, order[i])
			o.Progress(soFar(start, ended))
		}
	})
	for _, c := range chains {
		r.ChainBest = append(r.ChainBest, c.best.value)
	}
	return bestOf(chains)
}

// each calls f for each chain, on all workers.
func each(o Options, f func(i int)) {
	loop.ParallelWith(o.Workers, o.Chains, func() func(int) { return f })
}

// bestOf returns the best list of some chains.
func bestOf(chains []*chain) solution {
	return slices.MinFunc(chains, compareChains).best
}

func compareChains(a, b *chain) int { return a.best.compare(&b.best) }

// soFar is a look at the chains that have ended, while others run.
func soFar(start time.Time, ended []*chain) Progress {
	best := bestOf(ended)
	return Progress{
		Progress: parallel.Progress{Elapsed: time.Since(start), Length: len(best.rules), Value: nats(best.value), Bound: math.Inf(1),
			Gap: math.Inf(1)},
		List: slices.Clone(best.rules), Chains: len(ended),
	}
}

// Fit finds the list of largest posterior over the antecedents of set, as Solve does,
// and returns it as a model, with what was proven. The points are those of the set, as
// instance.PointsFromSet or PointsWithoutColumns make them. Software is the program that learns it; read are the options that
// the data were read with. The errors are those of Solve.
func Fit(ctx context.Context, set *rules.Set, pts *instance.Points, o Options, software string, read dataset.Options) (*bayes.Model,
	*Result, error) {
	var err error
	pts, o.PerSample, err = counted(set, pts)
	if err != nil {
		return nil, nil, err
	}
	o, err = o.withDefaults()
	if err != nil {
		return nil, nil, err
	}
	r, err := Solve(ctx, pts, bayes.Cardinalities(set), o)
	if err != nil {
		return nil, nil, err
	}
	m, err := bayes.New(set, r.Rules, read, bayes.Model{
		Origin: model.Origin{Software: software, Status: r.Status}, Posterior: model.NewFraction(r.Posterior, Unit),
		Bound: model.NewFraction(r.Bound, Unit),
		Prior: bayes.Prior{Length: o.Prior.Length, Width: o.Prior.Width, Alpha: [2]ratio.Ratio{o.Prior.Alpha0, o.Prior.Alpha1},
			MaxRules: o.MaxRules},
		Chains: bayes.Chains{Count: o.Chains, Iterations: o.Iterations, Seed: o.Seed, Agree: r.Agree},
	})
	return m, r, err
}

// counted returns points with weights in units of which so many are a sample: the likelihood asks how many samples there
// are, so weights are not divided by what they have in common.
func counted(set *rules.Set, pts *instance.Points) (_ *instance.Points, perSample int64, err error) {
	unit := set.Data.WeightUnit
	if set.Data.Weights == nil {
		return pts, 1, nil
	}
	if unit.Num > maxWeight || pts.Total > maxWeight/unit.Den {
		return nil, 0, optionerr.Errorf("Weight", "the weights have too many digits: they may have %d parts of a sample at most", maxWeight)
	}
	scaled := *pts
	scaled.Total *= unit.Den
	scaled.ClassTotals = times(pts.ClassTotals, unit.Den)
	scaled.Weights = [][]int64{times(pts.Weights[0], unit.Den), times(pts.Weights[1], unit.Den)}
	return &scaled, unit.Num, nil
}

func times(a []int64, n int64) []int64 {
	b := make([]int64, len(a))
	for i, x := range a {
		b[i] = n * x
	}
	return b
}
