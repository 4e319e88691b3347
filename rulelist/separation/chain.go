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
// The root has a chain, and so has each prefix behind it: what is fixed there, and
// what the bound of a prefix says of its children, follows from the last link.

// Link is a bound of the root, or of a prefix.
type Link struct {
	Shift uint // all weights are multiples of 1<<Shift
	Sets  []LinkSet
}

// LinkSet is a set of points, ascending, with its weight.
type LinkSet struct {
	Points []int32
	Y      int64
}

// Chain keeps links from now on, of the root and of the nodes that are made of it.
// It must be called before Solve.
func (r *Root) Chain() { r.chained = true }

// Links returns the chain: of a Node, that of the prefix at hand. It is good until
// the next one begins.
func (r *relaxation) Links() []Link { return r.links }

// fix fixes the rules that the last weights exclude. A chain gets a link for
// those that are many, and for whatever is left at the end.
func (r *relaxation) fix(c *Context, room int64, last bool) int {
	switch {
	case r.whole:
		return 0
	case !r.chained:
		return r.P.Fix(&r.Bound, c, room)
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
	r.link(weights, shift)
	return r.P.Fix(&r.Bound, c, room)
}

// link makes a link of weights. What it says of sets stays as it is: a pool only
// grows.
func (r *relaxation) link(weights []Weight, shift uint) {
	l := Link{Shift: shift, Sets: make([]LinkSet, len(weights))}
	for i, w := range weights {
		l.Sets[i] = LinkSet{r.Pool.Set(w.Set), w.Y}
	}
	r.links = append(r.links, l)
}

// settledBits is the precision of the weights of a prefix in a chain, in bits of the
// price of a rule: with some hundred sets, rounding costs a hundredth of a rule.
const settledBits = 18

// settledShift is the shift of these weights.
func (p *Problem) settledShift() uint { return uint(max(0, bits.Len64(uint64(p.rule))-settledBits)) }

// Settle ends the chain of the prefix at hand with the bound that it has, and fixes
// the rules that it excludes. Without a chain there is nothing to do.
func (n *Node) Settle(room int64) {
	if !n.chained {
		return
	}
	shift := n.shift
	if !n.improved {
		n.link(n.Weights, n.ascent.shift)
		return
	}
	n.Value = n.P.Evaluate(&n.Bound, &n.Context, n.Pool, n.Weights)
	if n.Value > room {
		n.Weights, shift = n.coarse(room)
	} else {
		n.P.Fix(&n.Bound, &n.Context, room)
	}
	n.link(n.Weights, shift)
}

// coarse returns the weights of a bound that exceeds room with fewer bits, if so
// it still does. Rounding loses less than 1<<shift for each weight; most lose far
// less.
func (n *Node) coarse(room int64) ([]Weight, uint) {
	shift := uint(bits.Len64(uint64(n.Value-room) / uint64(len(n.Weights)+1)))
	for _, more := range []uint{4, 2} {
		if shift+more <= n.shift {
			break
		}
		w := rounded(n.Weights, shift+more)
		if v := n.P.Evaluate(&n.Bound, &n.Context, n.Pool, w); v > room {
			n.Value = v
			return w, shift + more
		}
	}
	return n.Weights, n.shift
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
func (r *relaxation) excluded(b *Bound, c *Context, room int64) (n int) {
	for q, live := range c.Live {
		for i, m := range live {
			for ; m != 0; m &= m - 1 {
				if r.P.Excludes(b, 2*(i*64+bits.TrailingZeros64(m))+q, room) {
					n++
				}
			}
		}
	}
	return n
}

// ScaleBits is the binary logarithm of Scale.
func (p *Problem) ScaleBits() int { return bits.TrailingZeros64(uint64(p.Scale)) }

// Number returns the place of a point among all: those of label 1 first, each
// label by falling cost, and then by the first sample.
func (p *Problem) Number(e int32) int {
	if p.label(e) == 1 {
		return int(e)
	}
	return p.ones + int(e) - p.words1*64
}
