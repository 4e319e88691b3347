package search

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/tree/price"
)

// At most K leaves (Options.MaxLeaves).
//
// The tree sought is the smallest of those with at most K leaves, in the same order. λ may be 0.
// All searches are without the limit, for a price λ' ≥ λ of a leaf:
//
//   - If the smallest tree M of all for λ' has K leaves, it is the one. For let T of l ≤ K leaves
//     have an objective no larger than M's. Its value for λ' is that and (λ' − λ)·l, so no larger
//     than M's, and equal only if l = K and the objectives are equal. So T is optimal for λ', too.
//   - If it has fewer, and λ' = λ, it is the one as well: no tree of any size is better.
//   - Otherwise K lies between two trees that are optimal for some price, of fewer and of more
//     leaves. Where their lines cross, one search tells whether another such tree is between
//     (package choice). If none is, the errors of K leaves lie above the chord, most often by
//     little. So the value of the tree sought exceeds the optimum of that price by little.
//     limit_profile.go goes through all trees up to such a value.

// Corner is a tree that is optimal for some price of a leaf, without a limit.
type Corner struct {
	Leaves int
	Errors int64 // weight
}

// size is what a tree gets wrong beyond what no tree avoids, and its leaves.
type size struct{ errors, leaves int64 }

// limit is what the searches for a tree of at most so many leaves share.
type limit struct {
	o     Options // that were asked for
	most  int64
	total int64
	start time.Time

	shorter, longer Corner // the nearest on both sides of the limit; a longer one may not be known
	last            bool   // the search at hand is for the price that was asked for

	atLeast []int64 // by leaves: no tree of so many, each with points, gets less wrong
	best    size
	tree    Tree
	shown   size // of tree, which is the best but where a search was stopped

	profiler *profiler // of the last search, if it took profiles
	fewer    []*Result // of smaller limits, the largest first

	counted, leaves, value, bound atomic.Int64 // for those who look at the search
}

// descent is what the price is divided by until there are as many leaves as the limit.
const descent = 4

// solveLimited finds the smallest tree of at most o.MaxLeaves leaves.
func solveLimited(ctx context.Context, in *instance.Points, o Options) (*Result, error) {
	l := &limit{o: o, total: in.Total, start: time.Now()}
	s, err := newSearch(in, Options{Lambda: o.Lambda, Depth: o.Depth, Workers: 1, Memory: o.Memory})
	if err != nil {
		return nil, err
	}
	worst, class := s.splits.LeafCost(s.splits.All())
	l.most = int64(max(1, min(o.MaxLeaves, s.points)))
	l.best, l.tree = size{worst, 1}, Tree{Leaf(class)}
	l.shown = l.best
	l.atLeast = make([]int64, l.most+1)
	l.shorter = Corner{1, worst + s.base}
	for _, c := range o.Corners {
		if n := int64(c.Leaves); n <= l.most && c.Leaves > l.shorter.Leaves {
			l.shorter = c
		} else if n > l.most && (l.longer.Leaves == 0 || c.Leaves < l.longer.Leaves) {
			l.longer = c
		}
	}
	lambda := ratio.New(max(worst, 1), in.Total) // for which a leaf is best
	if l.most > 1 {
		lambda = ratio.New(lambda.Num, 2*lambda.Den)
	}
	for {
		if l.longer.Leaves > 0 {
			lambda = ratio.New(l.shorter.Errors-l.longer.Errors, int64(l.longer.Leaves-l.shorter.Leaves)*in.Total)
		}
		if lambda.Float()*float64(in.Total)*float64(s.points) < 1 || !o.Lambda.Less(lambda) {
			lambda = o.Lambda // for so small a price all that can be saved is
		}
		next, err := l.search(in, lambda)
		if scale := new(price.ErrScale); errors.As(err, &scale) && l.longer.Leaves == 0 && lambda != o.Lambda {
			lambda = o.Lambda
			next, err = l.search(in, lambda)
		}
		if err != nil {
			return nil, err
		}
		s = next
		s.run.Do(ctx, s.watch(), func(i int) { s.workers[i].work() })
		l.counted.Add(s.counted())
		status := s.run.End()
		if status != parallel.Finished { // Optimal, or a limit
			l.learn(s, s.lower.Load())
			return l.result(s, status), nil
		}
		lambda = ratio.New(lambda.Num, descent*lambda.Den)
	}
}

// search makes the search for one price.
func (l *limit) search(in *instance.Points, lambda ratio.Ratio) (*search, error) {
	o := l.o
	o.Lambda, o.Trees, l.last = lambda, false, lambda == l.o.Lambda
	if o.Time > 0 {
		o.Time = max(o.Time-time.Since(l.start), 1)
	}
	if o.Nodes > 0 {
		o.Nodes = max(o.Nodes-l.counted.Load(), 1)
	}
	if l.o.Progress != nil {
		o.Progress = func(p Progress) { l.o.Progress(l.look(p)) }
	}
	s, err := newSearch(in, o)
	if err != nil {
		return nil, err
	}
	if all, ok := price.Product(s.Price, l.most+1); !ok || all >= price.Far/2 {
		return nil, &price.ErrScale{Total: in.Total, Num: lambda.Num, Den: lambda.Den}
	}
	s.limit = l
	l.tell(s.base)
	return s, nil
}

// learn derives a bound on the errors of trees of so many leaves from one on all values.
func (l *limit) learn(s *search, lower int64) {
	for n := int64(1); n <= l.most; n++ {
		l.atLeast[n] = max(l.atLeast[n], s.errorsOf(lower, n))
	}
	l.tell(s.base)
}

// errorsOf returns the fewest errors, beyond those that no tree avoids, of a tree of so many
// leaves that has at least a value.
func (s *search) errorsOf(value, leaves int64) int64 {
	return max(0, (value-s.Price*leaves+s.Unit-1)/s.Unit)
}

// objective is that of the price that was asked for, less what no tree avoids.
func (l *limit) objective(a size) int64 {
	return l.o.Lambda.Den*a.errors + l.o.Lambda.Num*l.total*a.leaves
}

// take remembers a tree size that is better by objective, then leaves, and reports whether it is.
func (l *limit) take(a size) bool {
	x, y := l.objective(a), l.objective(l.best)
	if x > y || x == y && a.leaves >= l.best.leaves {
		return false
	}
	l.best = a
	return true
}

// bounded returns what is proved of all objectives.
func (l *limit) bounded() int64 {
	least := l.objective(l.best)
	for n := int64(1); n <= l.most; n++ {
		least = min(least, l.objective(size{l.atLeast[n], n}))
	}
	return least
}

// end sees what the search for one price has shown. It is for the last worker, and returns the
// end of the run: Finished if another price is to be tried.
func (l *limit) end(w *worker) (why parallel.Status, ok bool) {
	s, value := w.search, w.search.upper.Load()
	at := Corner{int(s.Leaves(value)), s.errors(value)}
	l.learn(s, value)
	if int64(at.Leaves) > l.most {
		l.longer = at
		return parallel.Finished, true
	}
	if l.longer.Leaves > 0 && at.Leaves <= l.shorter.Leaves && int64(at.Leaves) < l.most { // nothing is between
		return parallel.Optimal, w.solveProfiles(value) && l.prove(w)
	}
	l.shorter = at
	if size := (size{at.Errors - s.base, int64(at.Leaves)}); l.take(size) || size == l.best {
		var tree Tree
		if !w.extract(0, value, &tree) {
			return 0, false
		}
		l.tree, l.shown = tree, size
	}
	l.tell(s.base)
	if int64(at.Leaves) < l.most && !l.last {
		return parallel.Finished, true
	}
	return parallel.Optimal, l.prove(w)
}

// prove writes the proof, if one is asked for. It returns false when the search was stopped.
func (l *limit) prove(w *worker) bool {
	if w.o.Proof != nil {
		w.search.proofErr = w.proveLimited(l)
	}
	return w.run.Running()
}

// tell makes the best tree and the bound known to those who look at the search.
func (l *limit) tell(base int64) {
	l.leaves.Store(l.best.leaves)
	l.value.Store(l.objective(l.best) + l.o.Lambda.Den*base)
	l.bound.Store(l.bounded() + l.o.Lambda.Den*base)
}

// look makes a look at the search for one price one at all of them.
func (l *limit) look(p Progress) Progress {
	scale := float64(l.o.Lambda.Den) * float64(l.total)
	p.Elapsed, p.Nodes, p.Length = time.Since(l.start), p.Nodes+l.counted.Load(), int(l.leaves.Load())
	p.Value, p.Bound, p.Gap = float64(l.value.Load())/scale, float64(l.bound.Load())/scale, 0
	if p.Value > 0 {
		p.Gap = max(0, (p.Value-p.Bound)/p.Value)
	}
	return p
}

// result is the best tree, and what is proved of it.
func (l *limit) result(s *search, status parallel.Status) *Result {
	base := l.o.Lambda.Den * s.base
	bound := l.bounded()
	if l.best = l.shown; status == parallel.Optimal {
		bound = l.objective(l.best)
	}
	r := &Result{
		Status: status, Tree: s.named(l.tree), Leaves: int(l.best.leaves), Errors: l.best.errors + s.base, ProofErr: s.proofErr,
		Objective: l.objective(l.best) + base, LowerBound: bound + base, Scale: l.o.Lambda.Den * l.total, Stats: s.stats(),
	}
	slices.Reverse(l.fewer)
	r.Fewer = l.fewer
	r.Stats.Counted, r.Stats.Search = l.counted.Load(), time.Since(l.start)
	if l.o.Progress != nil {
		l.tell(s.base)
		l.counted.Add(-s.counted())
		p := l.look(s.progress())
		p.Final = true
		l.o.Progress(p)
	}
	return r
}
