package search

import (
	"cmp"
	"encoding/binary"
	"slices"

	"parcorels/automorphism"
)

// Automorphisms in a proof. A checker makes sure that each is one, and then sees
// for itself which prefixes it maps to smaller ones (prune_orbits.go). Of the hundreds
// that an instance can have a few drop all that there is to drop, so each goes
// into the proof when it first drops something. A search that resumes from a
// checkpoint finds them again, and writes those that it uses again.

// automorphism adds the record of an automorphism: the antecedents that it moves, and
// where to.
func (l *proofRecorder) automorphism(g automorphism.Permutation) {
	antecedents := l.s.p.antecedents
	var moves [][2]antecedent
	for col, to := range g {
		if int(to) != col {
			moves = append(moves, [2]antecedent{antecedents[col], antecedents[to]})
		}
	}
	slices.SortFunc(moves, func(a, b [2]antecedent) int { return cmp.Compare(a[0], b[0]) })
	l.reserve(2 * len(moves))
	l.done = binary.AppendUvarint(append(l.done, recordAutomorphism), uint64(len(moves)))
	for _, m := range moves {
		l.done = binary.AppendUvarint(l.done, uint64(m[0]))
		l.done = binary.AppendUvarint(l.done, uint64(m[1]))
	}
	l.records++
}
