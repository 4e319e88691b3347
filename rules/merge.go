package rules

import "slices"

// merge keeps c extended by x, unless its captured set is there already: then
// the simpler of the two conjunctions remains, of antecedents and of those that are
// only to be extended. It returns the conjunction if
// its set is new. Two conjunctions of one level are merged in any order.
func (m *miner) merge(c *conjunction, x extension) *conjunction {
	literals := append(slices.Clip(c.literals), x.literal)
	for _, k := range m.byHash[x.hash] {
		if k.weight != x.weight || !m.sameSet(k.literals, literals) {
			continue
		}
		if compare(m.literalsOf(literals), m.literalsOf(k.literals)) < 0 {
			k.literals = literals
		}
		return nil
	}
	kept := &conjunction{literals: literals, weight: x.weight, rank: x.rank, hash: x.hash}
	m.byHash[x.hash] = append(m.byHash[x.hash], kept)
	return kept
}

// sameSet reports whether two conjunctions capture the same samples.
func (m *miner) sameSet(a, b []int) bool {
	return m.read(a, m.buffers[0]).Equal(m.read(b, m.buffers[1]))
}
