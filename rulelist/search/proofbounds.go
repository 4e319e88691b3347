package search

import (
	"encoding/binary"

	"parcorels/parallel"
	"parcorels/rulelist/separation"
)

// The separation bound in a proof (separation.go): a record for each bound of the
// root that fixed rules, in their order. A checker computes each bound by
// itself, and which rules it excludes, and then sees which extensions are made by
// one. What the LPs behind the root would drop has no record, so a search with
// a proof does without them.

// bounds adds the records of the root's bounds. It reports false if one is too
// long for a block; then none of them may be used.
func (w *proofWriter) bounds(s *search, x *separated) bool {
	var records [][]byte
	for _, l := range x.root.Links() {
		r := appendBound(nil, x.p, l)
		if len(r) > parallel.MaxBlock {
			return false
		}
		records = append(records, r)
	}
	for _, r := range records {
		w.addRecords(r, 1)
	}
	return true
}

func appendBound(b []byte, p *separation.Problem, l separation.Link) []byte {
	b = append(b, recordBound, byte(p.ScaleBits()), byte(l.Shift))
	b = binary.AppendUvarint(b, uint64(len(l.Sets)))
	for _, set := range l.Sets {
		b = binary.AppendUvarint(b, uint64(len(set.Points)))
		from := 0
		for _, e := range set.Points {
			n := p.Number(e)
			b = binary.AppendUvarint(b, uint64(n-from))
			from = n
		}
		b = binary.AppendUvarint(b, uint64(set.Y)>>l.Shift)
	}
	return b
}
