package rulelist

import "encoding/binary"

// prefixState is a prefix, counted: its cost and what it leaves.
type prefixState struct {
	prefix []uint16
	cost   int64
	left   []uint64
	costs  gains // of what it leaves

	smaller bool // than the claimed list, as a complete one
}

// start is the state of the empty prefix.
func (p *problem) start() prefixState {
	return prefixState{cost: p.unit * p.base, left: p.all, costs: p.costs}
}

// append makes the prefix longer by a rule, that captures costs g.
func (l *prefixState) append(p *problem, antecedent uint16, g gains) {
	l.cost += p.unit*g.errors() + p.price
	l.costs[0] -= g[0]
	l.costs[1] -= g[1]
	remove(l.left, l.left, p.captured[antecedent])
	l.prefix = append(l.prefix, antecedent)
}

// stateCache has the states of prefixes that were asked for lately. A few prefixes
// dominate most of those that are dominated. Of two generations, the elder is
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
	l := c.problem.start()
	l.left = append([]uint64(nil), l.left...)
	for _, a := range prefix {
		l.append(c.problem, a, c.problem.countAnd(l.left, c.problem.captured[a]))
	}
	l.smaller = c.problem.isSmaller(l.cost+c.problem.unit*l.costs.errors(), prefix)
	return &l
}
