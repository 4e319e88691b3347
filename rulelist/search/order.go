package search

import (
	"math"

	"parcorels/parallel"
	"parcorels/rulelist/problem"
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
	r.weight = 1 / float64(max(p.G1+p.G0, 1))
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
