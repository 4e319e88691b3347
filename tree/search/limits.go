package search

import (
	"slices"
	"time"

	"parcorels/parallel"
)

// watch says what the monitor reports while workers search.
func (s *search) watch() parallel.Watch {
	if s.o.Progress == nil {
		return parallel.Watch{}
	}
	look := func() {
		p := s.progress()
		if s.o.Trees {
			p.Tree, p.Exact = s.view()
		}
		s.o.Progress(p)
	}
	return parallel.Watch{OnProgress: look, ProgressEvery: s.o.ProgressEvery}
}

func (s *search) progress() Progress {
	upper := s.upper.Load()
	lower := min(s.lower.Load(), upper)
	p := Progress{Sets: s.cache.entries()}
	p.Elapsed, p.Nodes, p.Bytes = time.Since(s.start), s.counted(), s.memory.Used()
	p.Length = int(s.Prices.Leaves(upper))
	p.Value, p.Bound = s.Share(s.Objective(upper)), s.Share(s.Objective(lower))
	if p.Value > 0 {
		p.Gap = max(0, (p.Value-p.Bound)/p.Value)
	}
	return p
}

// Showing the best tree while workers search.
//
// The cache may be read at any time, so a look at a search reads the best
// tree off it with counts of its own, as the result of a stopped search is read.
// The cache may have lost what the workers' best value was made of; the tree is
// then one of a larger value, and is shown only if it is still better than those
// before.

// mostView is how long a look may take: the looker also ends the search in time.
const mostView = 200 * time.Millisecond

// view returns the best tree and its objective if it is better than those that it
// has returned, and nil otherwise. It is called from one goroutine.
func (s *search) view() (Tree, int64) {
	upper := s.upper.Load()
	if upper >= s.viewed.upper {
		return nil, 0
	}
	s.viewed.upper = upper
	if s.viewed.by == nil {
		s.viewed.by = s.newLooker()
	}
	end := time.Now().Add(mostView)
	inTime := func() bool { return s.run.Running() && time.Now().Before(end) }
	var tree Tree
	value := s.viewed.by.best(0, &tree, inTime)
	if !inTime() || value >= s.viewed.value {
		return nil, 0
	}
	s.viewed.value = value
	return s.named(tree), s.Objective(value)
}

// named returns the tree with features of the instance.
func (s *search) named(tree Tree) Tree {
	tree = slices.Clone(tree)
	for i, x := range tree {
		if x >= 0 {
			tree[i] = s.features[x]
		}
	}
	return tree
}

// The pace at the root.
//
// Where one side of a split is exact, the other must reach all of the target before
// the split is done, and it is raised to that at once: in steps it would cost the
// same, and sets be counted again for each. At the root this may take hours
// on a table of many weak features, while the bound of all trees stands still at
// that of the next split. So at the root the side is raised in steps, as other
// sides are, as long as that costs little: while most counts are of sets that the
// cache did not know. A worker looks at this after so many counts, and leaves a side
// that it is raising at once for the other splits of the root.

// paceEvery is the number of counts of a worker between two looks, and paceNew of
// paceOf counts are of new sets while the root is raised in steps. Tests make
// it smaller.
var paceEvery int64 = 30_000

const paceNew, paceOf = 3, 4

// keepPace looks whether the root is to be raised in steps from now on. When that
// begins, the worker returns from frame d to the root.
func (w *worker) keepPace(d int) {
	counted, sets := w.search.counted(), w.cache.entries()
	steps := (sets-w.pace.sets)*paceOf > (counted-w.pace.counted)*paceNew
	if steps && !w.pace.steps && d > 0 {
		w.unwind = min(w.unwind, 1)
	}
	w.pace = pace{steps, w.counted.Load() + paceEvery, counted, sets}
}
