package search

import (
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/trie"
)

// entry is an open prefix with its place in the queue.
type entry = parallel.Entry[trie.ID]

// outboxLen is how many children are held back before they are pushed, and outboxFirst for how many
// there is room at first.
const (
	outboxLen   = 256
	outboxFirst = 32
)

// outbox holds the children of the present expansion that are on their way to the
// queue, as pushing many at once takes the shard's lock once.
type outbox struct {
	p       *problem.Problem
	queue   *parallel.Worker[trie.ID]
	ranker  *ranker
	made    []child
	entries []entry // theirs
}

func newOutbox(s *search, worker int) outbox {
	return outbox{
		p: s.p, queue: s.queue.Worker(worker), ranker: &s.ranker,
		made: make([]child, 0, outboxFirst), entries: make([]entry, 0, outboxFirst),
	}
}

// put takes a child of f that has a node.
func (o *outbox) put(f *frame, c *child) {
	if len(o.made) == outboxLen {
		o.flush(f)
	}
	o.made = append(o.made, *c)
	bound := c.cost + o.p.Price
	if o.ranker.policy == LowerBound {
		bound = max(bound, c.rank)
	}
	bucket := o.ranker.bucket(bound, c.objective, f.depth+1, c.left1+c.left0)
	o.entries = append(o.entries, entry{Node: c.id, Bucket: bucket, Bound: c.bound})
}

// flush pushes the children; those that the queue has no memory for go to the
// frame's list.
func (o *outbox) flush(f *frame) {
	n := o.queue.Push(f.depth+1, o.entries)
	f.children = append(f.children, o.made[n:]...)
	o.made, o.entries = o.made[:0], o.entries[:0]
}
