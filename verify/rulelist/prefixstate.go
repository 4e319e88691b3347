package rulelist

import (
	"encoding/binary"
	"slices"
)

// prefixState is a prefix, counted: its cost and what it leaves.
type prefixState struct {
	prefix []uint16
	cost   int64
	left   []uint64
	sum    []int64  // of what it leaves
	rows   []uint64 // samples that it leaves; nil where their number does not matter
	few    bool     // it has a rule that may not be

	smaller bool // than the claimed list, as a complete one
}

// start is the state of the empty prefix.
func (p *problem) start() prefixState {
	return prefixState{cost: p.unit * p.base, left: slices.Clone(p.all), sum: slices.Clone(p.groups.sum), rows: p.everyRow()}
}

// append makes the prefix longer by a rule that captures a sum.
func (l *prefixState) append(p *problem, antecedent uint16, sum []int64) {
	l.few = l.few || !p.ruleMay(l.rows, int(antecedent))
	if l.rows != nil {
		remove(l.rows, l.rows, p.samples.Captured[antecedent])
	}
	_, loses := p.label(int(antecedent), sum)
	l.cost += p.unit*loses + p.price
	less(l.sum, l.sum, sum)
	remove(l.left, l.left, p.captured[antecedent])
	l.prefix = append(l.prefix, antecedent)
}

// stateCache has the states of prefixes that were asked for lately. A few prefixes
// dominate most of those that are dominated. The elder of two generations is
// given up when the younger is full.
type stateCache struct {
	problem    *problem
	most       int // in a generation
	young, old map[string]*prefixState
	key        []byte
}

// placesBytes bounds the memory of the sets in one generation, unless a few
// states take more.
const (
	placesBytes = 8 << 20
	fewPlaces   = 16
)

func newStateCache(p *problem) *stateCache {
	return &stateCache{
		problem: p, most: max(fewPlaces, placesBytes/(8*len(p.all)+200)),
		young: map[string]*prefixState{}, old: map[string]*prefixState{},
	}
}

// of returns the state of a prefix. It is not to be changed.
func (c *stateCache) of(prefix []uint16) *prefixState {
	c.key = c.key[:0]
	for _, a := range prefix {
		c.key = binary.LittleEndian.AppendUint16(c.key, a)
	}
	if l := c.young[string(c.key)]; l != nil {
		return l
	}
	l := c.old[string(c.key)]
	if l == nil {
		l = c.count(prefix)
	}
	if len(c.young) >= c.most {
		c.young, c.old = map[string]*prefixState{}, c.young
	}
	c.young[string(c.key)] = l
	return l
}

func (c *stateCache) count(prefix []uint16) *prefixState {
	l, p := c.problem.start(), c.problem
	sum := make([]int64, len(l.sum))
	for _, a := range prefix {
		l.append(p, a, p.countAnd(sum, l.left, p.captured[a]))
	}
	_, loses := p.best(l.sum)
	l.smaller = !l.few && p.isSmaller(l.cost+p.unit*loses, prefix)
	return &l
}
