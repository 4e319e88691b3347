package numeric

import (
	"cmp"
	"math"
	"slices"
	"time"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// Depth by depth.
//
// Trees of two levels are searched first, then of one level more, as long as the limit on the
// depth allows: each needs a small part of the time of the next, and its best tree bounds that.
// Without a limit the search ends where a deeper tree cannot be better: one of depth d has
// d + 1 leaves at least.

// first readies the search for its first stage.
func (s *search) first() {
	s.busy.Store(int64(s.o.Workers))
	var class int
	s.value, class = s.leafValue(&s.root)
	s.tree, s.told = Tree{leafOf(class)}, price.Far
	if len(s.table.class) == 0 || s.table.Columns == 0 {
		s.settled = true
		return
	}
	s.workers[0] = s.newWorker(0)
	if s.o.Depth != 1 {
		s.whole = s.workers[0].two.makeRoot()
	}
	s.next(min(2, cmp.Or(s.o.Depth, 2)))
}

// next begins a stage. The caller has the mutex, or is alone.
func (s *search) next(levels int) {
	st := &stage{levels: levels}
	st.shared.wake.L = &st.shared
	if levels > 2 {
		st.shared.open = slices.Repeat([]int64{price.Far}, s.o.Workers)
		st.shared.looked = make([][]end, s.table.Columns)
		st.node.shared = &st.shared
		s.beginNode(&st.node, &s.root, levels, s.value, nil)
		for i := range st.node.heap { // no tree of a level less is better than the best one so far
			v := &st.node.heap[i]
			v.a.right, v.b.left = s.value, s.value
		}
	}
	st.two.value.Store(s.value)
	s.stage = st
}

// all solves one stage after the other. The worker that ends last chooses among equal trees.
func (w *worker) all() {
	for st := w.settle(nil); st != nil && w.run.Running(); st = w.settle(st) {
		switch {
		case st.levels > 2:
			w.work(&st.node)
		case st.levels == 2:
			w.workTwo(st)
		default:
			best := w.stump(&w.root)
			w.better(best.value, best.tree)
		}
	}
	if w.busy.Add(-1) > 0 || !w.run.Running() {
		return
	}
	var looked func(int) []end
	levels := 0
	if last := w.stage; last != nil {
		if levels = last.levels; levels > 2 {
			looked = last.shared.sorted
		}
	}
	if t, ok := w.extract(nil, &w.root, levels, w.value, looked); ok {
		w.mutex.Lock() // of the monitor, which looks
		w.tree = t
		w.mutex.Unlock()
		if w.o.Proof != nil {
			if levels != w.o.Depth { // the search saw that deeper trees are no better
				looked = nil
			}
			w.proofErr = w.prove(t, w.o.Depth, looked)
		}
		w.run.Halt(parallel.Optimal)
	}
}

// settle ends a stage, unless another worker has, and returns the next one; of nil, the first.
func (w *worker) settle(st *stage) *stage {
	if !w.run.Running() {
		return nil
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if !w.settled && w.stage == st {
		w.endTwo()
		w.steps = append(w.steps, Step{st.levels, w.tree.Leaves(), w.Objective(w.value), time.Since(w.start)})
		deeper := int64(st.levels + 2) // leaves at least
		w.settled = w.o.Depth == st.levels || deeper > w.value/w.Price || st.levels+1 >= len(w.table.class)
		if !w.settled {
			w.next(st.levels + 1)
		}
	}
	if w.settled {
		return nil
	}
	return w.stage
}

// workTwo solves the root with two levels, a column after the other.
func (w *worker) workTwo(st *stage) {
	if st.two.value.Load() <= 2*w.Price || !w.two.beginRoot() {
		return
	}
	w.two.countSet()
	w.two.common = &st.two
	defer func() { w.two.common = nil }()
	st.shared.Lock()
	for w.run.Running() && st.columns < len(w.two.inOrder) {
		lane := w.two.inOrder[st.columns]
		st.columns++
		st.busy++
		st.shared.Unlock()
		w.two.budget = st.two.value.Load()
		w.two.sweep(lane, nil)
		st.shared.Lock()
		st.busy--
	}
	st.shared.wake.Broadcast()
	for st.busy > 0 {
		st.shared.wake.Wait()
	}
	st.shared.Unlock()
}

// endTwo takes the best tree of two levels, once no worker can find a better one. Some may still look, in vain. The
// caller has the mutex, or is alone.
func (w *worker) endTwo() {
	b := &w.stage.two
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if value := b.value.Load(); w.stage.levels == 2 && value < w.value {
		w.value, w.tree = value, w.treeOfTwo(&w.root, b.column, b.place)
	}
}

// better takes a tree if its value is smaller than that of the best.
func (s *search) better(value int64, tree Tree) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if value < s.value {
		s.value, s.tree = value, tree
	}
}

// bound returns a lower bound of the values of all trees.
func (s *search) bound() int64 {
	s.mutex.Lock()
	st, value, settled := s.stage, s.value, s.settled
	s.mutex.Unlock()
	if settled {
		return value
	}
	low := 2 * s.Price
	if st.levels > 2 {
		st.node.lock()
		low = st.node.upper
		if len(st.node.heap) > 0 {
			low = min(low, st.node.heap[0].bound)
		}
		low = min(low, slices.Min(st.shared.open))
		st.node.unlock()
	}
	if st.levels != s.o.Depth {
		low = min(low, int64(st.levels+2)*s.Price)
	}
	return min(low, value)
}

// result returns the tree that was proved, or the best one so far.
func (s *search) result() *Result {
	r := &Result{
		Status: s.run.End(), Tree: s.tree, Steps: s.steps, ProofErr: s.proofErr,
		Objective: s.Objective(s.value), LowerBound: s.Objective(s.bound()),
		Errors: s.Errors(s.value),
	}
	r.Stats = Stats{
		Sets: s.sets.Load(), Items: s.table.Items(), Workers: s.o.Workers, Search: time.Since(s.start), Kernel: bitvec.Kernel(),
		ProofBytes: s.proofBytes, ProofRecords: s.proofRecords,
	}
	return r
}

// watch says what the monitor reports while workers search.
func (s *search) watch() parallel.Watch {
	if s.o.Progress == nil {
		return parallel.Watch{}
	}
	return parallel.Watch{OnProgress: func() { s.o.Progress(s.progress()) }, ProgressEvery: s.o.ProgressEvery}
}

func (s *search) progress() Progress {
	bound := s.bound()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var p Progress
	value := s.value
	if s.stage != nil {
		value = min(value, s.stage.two.value.Load())
	}
	p.Elapsed, p.Nodes, p.Length = time.Since(s.start), s.sets.Load(), int(s.Leaves(value))
	p.Value, p.Bound = s.Share(s.Objective(value)), s.Share(s.Objective(min(bound, value)))
	if p.Value > 0 {
		p.Gap = math.Max(0, (p.Value-p.Bound)/p.Value)
	}
	if s.stage != nil {
		p.Depth = s.stage.levels
	}
	if s.o.Trees && s.value < s.told {
		s.told = s.value
		p.Tree, p.Exact = slices.Clone(s.tree), s.Objective(s.value)
	}
	return p
}
