package bitvec

import "math/bits"

// Cost returns the cost of class 1 and of class 0 in u.
func (p *Planes) Cost(u []uint64) (g1, g0 int64) { return p.cost(u, u, 0, u) }

// CostAnd does for a ∩ b what Cost does for a set, without making it.
func (p *Planes) CostAnd(a, b []uint64) (g1, g0 int64) { return p.cost(a, b, 0, a) }

// CostAndNot does so for a \ b.
func (p *Planes) CostAndNot(a, b []uint64) (g1, g0 int64) { return p.cost(a, b, ^uint64(0), a) }

// CostAnd3 does so for a ∩ b ∩ c.
func (p *Planes) CostAnd3(a, b, c []uint64) (g1, g0 int64) { return p.cost(a, b, 0, c) }

// cost returns the costs of a ∩ (b ⊕ flip) ∩ c, flip being the same for all
// words.
func (p *Planes) cost(a, b []uint64, flip uint64, c []uint64) (g1, g0 int64) {
	a, b, c = a[:p.words], b[:p.words], c[:p.words]
	if p.words < Lanes {
		return p.costFew(a, b, flip, c)
	}
	return p.costMany(a, b, flip, c)
}

// costFew is for sets of fewer than eight words, of which many have nothing in
// common.
func (p *Planes) costFew(a, b []uint64, flip uint64, c []uint64) (g1, g0 int64) {
	var u [Lanes]uint64
	var any uint64
	b, c = b[:len(a)], c[:len(a)]
	for w := range a {
		x := a[w] & (b[w] ^ flip) & c[w]
		u[w%Lanes] = x
		any |= x
	}
	if any == 0 {
		return 0, 0
	}
	l := &p.classes
	return costFewSteps(l.steps[:l.steps1], &u), costFewSteps(l.steps[l.steps1:], &u)
}

func costFewSteps(steps []step, u *[Lanes]uint64) (g int64) {
	for i := range steps {
		s := &steps[i]
		g += int64(uint64(bits.OnesCount64(u[s.off/8%Lanes]&s.mask)) * s.weight)
	}
	return g
}

func (p *Planes) costGeneric(a, b []uint64, flip uint64, c []uint64) (g1, g0 int64) {
	l := &p.classes
	return costSteps(l.steps[:l.steps1], a, b, flip, c), costSteps(l.steps[l.steps1:], a, b, flip, c)
}

func costSteps(steps []step, a, b []uint64, flip uint64, c []uint64) (g int64) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range steps {
		s := &steps[i]
		w := s.off / 8
		g += int64(uint64(bits.OnesCount64(a[w]&(b[w]^flip)&c[w]&s.mask)) * s.weight)
	}
	return g
}
