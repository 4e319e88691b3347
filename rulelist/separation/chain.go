package separation

import (
	"math/bits"
	"slices"
)

// The chain of bounds, for proofs. Each link is a bound with all rules live that the
// links before it have not fixed, and fixes the rules that it excludes. So a
// checker that follows the chain has the same rules left, and needs neither LP nor
// pool. A link keeps as few bits of its weights as it needs: rounding them down
// to multiples of a power of two drops the small ones.
//
// The root has a chain. A prefix behind it has one link, which also says what is
// known of its children.

// Link is a bound of the root, or of a prefix.
type Link struct {
	Shift uint // all weights are multiples of 1<<Shift
	Sets  []LinkSet
}

// LinkSet is a set of points, ascending, with its weight.
type LinkSet struct {
	Points []Point
	Y      int64
}

// Chain keeps links from now on. It must be called before Solve.
func (r *Root) Chain() { r.chained = true }

// Links returns the chain.
func (r *Root) Links() []Link { return r.links }

// fix fixes the rules that the last weights exclude. A chain gets a link for
// those that are many, and for whatever is left at the end.
func (r *Root) fix(c *Context, room int64, last bool) int {
	switch {
	case r.whole:
		return 0
	case !r.chained:
		return r.fixBy(c, room, r.tried, 0)
	}
	n := r.excluded(&r.Bound, c, room)
	if n == 0 || n*8 < c.Rules() && !last {
		return 0
	}
	weights := slices.Clone(r.tried)
	shift := uint(bits.Len64(uint64(r.P.rule)))
	for ; shift > 0; shift-- {
		if r.P.Evaluate(&r.Bound, c, r.Pool, rounded(weights, shift)) > 0 && r.excluded(&r.Bound, c, room) >= n-n/32 {
			break
		}
	}
	weights = rounded(weights, shift)
	r.P.Evaluate(&r.Bound, c, r.Pool, weights)
	return r.fixBy(c, room, weights, shift)
}

// fixBy fixes the rules that the bound at hand excludes, which is of these weights.
func (r *Root) fixBy(c *Context, room int64, weights []Weight, shift uint) int {
	n := r.P.Fix(&r.Bound, c, room)
	if n > 0 && r.chained {
		r.links = append(r.links, r.Pool.link(weights, shift))
	}
	return n
}

// link makes a link of weights. Its words about sets stay as they are: a pool only
// grows.
func (l *Pool) link(weights []Weight, shift uint) Link {
	link := Link{Shift: shift, Sets: make([]LinkSet, len(weights))}
	for i, w := range weights {
		link.Sets[i] = LinkSet{l.Set(w.Set), w.Y}
	}
	return link
}

// rounded returns weights as multiples of a power of two.
func rounded(weights []Weight, shift uint) []Weight {
	out := make([]Weight, 0, len(weights))
	for _, w := range weights {
		if y := w.Y >> shift << shift; y > 0 {
			out = append(out, Weight{w.Set, y})
		}
	}
	return out
}

// excluded counts the live rules that a bound excludes.
func (r *Root) excluded(b *Bound, c *Context, room int64) (n int) {
	for rule := range c.rules() {
		if r.P.Excludes(b, rule, room) {
			n++
		}
	}
	return n
}

// ScaleBits is the binary logarithm of Scale.
func (p *Problem) ScaleBits() int { return bits.TrailingZeros64(uint64(p.Scale)) }

// Number returns the place of a point among all: those of the last label first, each
// label by falling cost, and then by the first sample.
func (p *Problem) Number(e Point) int { return int(p.costs.Before[e/64]) + int(e%64) }
