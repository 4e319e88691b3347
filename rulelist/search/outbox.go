package search

import (
	"math"

	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/trie"
)

// ranker turns a prefix into its bucket. Priorities only order the work: they
// are rounded, and in part computed in floating point, because no decision
// about a prefix depends on them.
type ranker struct {
	policy Policy
	root   int64   // lower bound of the root
	scale  float64 // buckets per unit of lower bound (or of objective)
	weight float64 // 1 / cost of all points
}

// buckets is the number of priorities of a queue.
const buckets = parallel.Buckets

// finest is the number of ranks within one level of the lower bound: among
// prefixes with the same bound the one that leaves less is expanded first,
// because it dominates the others (prune/dominance.go) more often than the reverse.
const finest = 32

func newRanker(p *problem.Problem, policy Policy, first *problem.Solution) ranker {
	r := ranker{policy: policy, root: p.RootCost() + p.Price}
	span, levels := float64(first.Objective-r.root), float64(buckets/finest)
	if policy == Objective {
		span, levels = float64(p.EmptyObjective()+p.Price-r.root), buckets
	}
	r.scale = (levels - 1) / max(span, 1)
	r.weight = 1 / float64(max(p.Sum, 1))
	return r
}

// bucket ranks a prefix by its policy; smaller is expanded earlier. left is
// the cost of the points that it leaves.
func (r *ranker) bucket(bound, objective int64, depth int, left int64) uint32 {
	var x float64
	switch r.policy {
	case LowerBound:
		level := math.Floor(float64(bound-r.root) * r.scale)
		x = level*finest + math.Floor(float64(left)*r.weight*(finest-1))
	case Objective:
		x = float64(objective-r.root) * r.scale
	case Curiosity:
		// Cost per captured weight, on a logarithmic scale of 64 buckets an octave.
		captured := 1 - float64(left)*r.weight
		x = buckets/2 + 64*math.Log2(float64(bound)/float64(r.root+1)/max(captured, 1e-9))
	case BreadthFirst:
		x = float64(depth)
	case DepthFirst:
		x = float64(buckets - 1 - depth)
	}
	return uint32(min(max(x, 0), buckets-1))
}

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

func newOutbox(p *problem.Problem, queue *parallel.Worker[trie.ID], r *ranker) outbox {
	return outbox{
		p: p, queue: queue, ranker: r,
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
	bucket := o.ranker.bucket(bound, c.Objective, f.Depth+1, c.Left)
	o.entries = append(o.entries, entry{Node: c.Id, Bucket: bucket, Bound: c.Bound})
}

// flush pushes the children; those that the queue has no memory for go to the
// frame's list.
func (o *outbox) flush(f *prune.Frame) {
	n := o.queue.Push(f.Depth+1, o.entries)
	f.Children = append(f.Children, o.made[n:]...)
	o.made, o.entries = o.made[:0], o.entries[:0]
}
