package search

import (
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
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
	made    []prune.Child
	entries []entry // theirs
}

func newOutbox(s *search, worker int) outbox {
	return outbox{
		p: s.p, queue: s.queue.Worker(worker), ranker: &s.ranker,
		made: make([]prune.Child, 0, outboxFirst), entries: make([]entry, 0, outboxFirst),
	}
}

// put takes a child of f that has a node.
func (o *outbox) put(f *prune.Frame, c *prune.Child) {
	if len(o.made) == outboxLen {
		o.flush(f)
	}
	o.made = append(o.made, *c)
	bound := c.Cost + o.p.Price
	if o.ranker.policy == LowerBound {
		bound = max(bound, c.Rank)
	}
	bucket := o.ranker.bucket(bound, c.Objective, f.Depth+1, c.Left1+c.Left0)
	o.entries = append(o.entries, entry{Node: c.Id, Bucket: bucket, Bound: c.Bound})
}

// flush pushes the children; those that the queue has no memory for go to the
// frame's list.
func (o *outbox) flush(f *prune.Frame) {
	n := o.queue.Push(f.Depth+1, o.entries)
	f.Children = append(f.Children, o.made[n:]...)
	o.made, o.entries = o.made[:0], o.entries[:0]
}
