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

// Link is a bound of the root.
type Link struct {
	Shift uint // all weights are multiples of 1<<Shift
	Sets  []LinkSet
}

// LinkSet is a set of points, ascending, with its weight.
type LinkSet struct {
	Points []int32
	Y      int64
}

// Chain keeps links from now on. It must be called before Solve.
func (r *Root) Chain() { r.chained = true }

// Links returns the chain.
func (r *Root) Links() []Link { return r.links }

// fix fixes the rules that the last weights exclude. A chain gets a link for
// those that are many, and for whatever is left at the end.
func (r *Root) fix(room int64, last bool) int {
	if !r.chained {
		return r.P.Fix(&r.Bound, r.Context, room)
	}
	n := r.excluded(&r.Bound, room)
	if n == 0 || n*8 < r.Live() && !last {
		return 0
	}
	weights := slices.Clone(r.tried)
	shift := uint(bits.Len64(uint64(r.P.rule)))
	for ; shift > 0; shift-- {
		if r.P.Evaluate(&r.Bound, r.Context, r.Pool, rounded(weights, shift)) > 0 && r.excluded(&r.Bound, room) >= n-n/32 {
			break
		}
	}
	weights = rounded(weights, shift)
	r.P.Evaluate(&r.Bound, r.Context, r.Pool, weights)
	l := Link{Shift: shift}
	for _, w := range weights {
		if w.Y > 0 {
			l.Sets = append(l.Sets, LinkSet{slices.Clone(r.Pool.Set(w.Set)), w.Y})
		}
	}
	r.links = append(r.links, l)
	return r.P.Fix(&r.Bound, r.Context, room)
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
func (r *Root) excluded(b *Bound, room int64) (n int) {
	for q, live := range r.Context.Live {
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
	n := 0
	if p.label(e) == 0 {
		for _, w := range p.all[:p.words1] {
			n += bits.OnesCount64(w)
		}
		e -= int32(p.words1 * 64)
	}
	return n + int(e)
}
