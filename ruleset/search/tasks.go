package search

import "slices"

// This file divides the search of a subproblem among workers.
//
// A task is a branch of the root, or the last children of a frame further down. The
// branches come first, those of the largest bounds before the others. One of them can
// hold most of the rules, so a worker that finds no task says so, and the next worker
// that comes to a child hands out all later children of the same frame, with a copy of it.
// Both go on as one worker would, with one incumbent. The best rule is unique in the
// order of rule.better and is never dropped, so who looked at which rules changes
// nothing of the answer.
//
// A branch is done when all of its tasks are: what was handed out counts before it can be
// taken. The end is found by the lock: no task waits and no worker is busy.

// sharedDepth is down to which depth children are handed out: further down, few rules
// are left below one.
const sharedDepth = 4

// divide makes the branches, which are in descending order of their bounds, tasks.
func (s *shared) divide(branches []*branch) {
	t := &s.tasks
	t.change.L = &t.mu
	for _, b := range slices.Backward(branches) {
		t.list = append(t.list, task{branch: b})
	}
}

// work does tasks until none is left and none can come, or the run has ended. A worker
// that waits does so for one that is busy, which comes back in either case.
func (w *walker) work(root *frame) {
	t := &w.tasks
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		for len(t.list) == 0 && t.busy > 0 && w.run.Running() {
			t.wanted.Add(1)
			t.change.Wait()
		}
		last := len(t.list) - 1
		if last < 0 || !w.run.Running() {
			t.change.Broadcast()
			return
		}
		taken := t.list[last]
		t.list = t.list[:last]
		t.busy++
		t.mu.Unlock()
		done := w.perform(root, taken)
		t.mu.Lock()
		t.busy--
		if done { // else it was cut short, and the branch stays open
			taken.branch.tasks--
		}
	}
}

// handOut makes the children of f from some on a task if a worker waits for one.
func (w *walker) handOut(f *frame, from, depth int) bool {
	t := &w.tasks
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wanted.Load() <= 0 {
		return false // another worker was faster
	}
	t.wanted.Add(-1)
	w.branchOf.tasks++
	copied := &frame{set: slices.Clone(f.set), loss: f.loss, candidates: slices.Clone(f.candidates)}
	t.list = append(t.list, task{branch: w.branchOf, frame: copied, from: from, depth: depth, chosen: slices.Clone(w.chosen)})
	t.change.Signal()
	return true
}

// isWanted reports whether children of a frame at depth should be handed out.
func (w *walker) isWanted(depth int) bool { return depth <= sharedDepth && w.tasks.wanted.Load() > 0 }

// perform does a task. It reports whether it finished.
func (w *walker) perform(root *frame, t task) bool {
	w.branchOf = t.branch
	if t.frame == nil {
		return w.branch(root, t.branch)
	}
	w.chosen = t.chosen
	w.frame(t.depth)
	w.frames[t.depth] = t.frame
	return w.descend(t.depth, t.from)
}
