package record

import (
	"cmp"
	"encoding/binary"
	"slices"

	"parcorels/internal/blockfile"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/separation"
)

// The separation bound in a proof (prune/separation.go): a record for each bound of the
// root that fixed rules, in their order, and one for each prefix behind it whose bound
// the search makes use of. A checker computes each bound by itself, which rules it
// excludes, and what it says of the children; so what those lose needs no
// record.
//
// A prefix names each set once in a block, and by number after that: the sets
// that matter are few beside the prefixes. So a block can be read without any
// other, and who resumes a proof need not know the sets in it.

// Bounds adds the records of the root's bounds. It reports false if one is too
// long for a block; then none of them may be used.
func (w *Writer) Bounds(p *separation.Problem, links []separation.Link) bool {
	var records [][]byte
	for _, l := range links {
		r := appendBound(nil, p, l)
		if len(r) > blockfile.MaxBlock {
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
	b = appendScale(append(b, recordBound), p)
	b = append(b, byte(l.Shift))
	b = binary.AppendUvarint(b, uint64(len(l.Sets)))
	for _, set := range l.Sets {
		b = appendSet(b, p, set.Points)
		b = binary.AppendUvarint(b, uint64(set.Y)>>l.Shift)
	}
	return b
}

// appendScale appends the scale of a bound, and the surcharge where lists are limited.
func appendScale(b []byte, p *separation.Problem) []byte {
	if b = append(b, byte(p.ScaleBits())); p.Limited {
		b = binary.AppendUvarint(b, uint64(p.Surcharge))
	}
	return b
}

// appendSet appends the numbers of a set's points, which ascend with the points.
func appendSet(b []byte, p *separation.Problem, points []separation.Point) []byte {
	b = binary.AppendUvarint(b, uint64(len(points)))
	from := 0
	for _, e := range points {
		n := p.Number(e)
		b = binary.AppendUvarint(b, uint64(n-from))
		from = n
	}
	return b
}

// Bound adds the record of a prefix's bound, and reports whether it may be used: not
// if the record is too long.
func (l *Recorder) Bound(prefix []problem.Column, p *separation.Problem, links []separation.Link) bool {
	if l == nil {
		return true
	}
	most := len(prefix)
	for _, link := range links {
		most += recordBytes
		for _, set := range link.Sets {
			most += len(set.Points) + 8
		}
	}
	if 3*most+recordBytes > blockfile.MaxBlock {
		return false
	}
	l.reserve(most)
	b := l.appendPrefix(append(l.done, recordWeights), prefix)
	b = appendScale(b, p)
	b = binary.AppendUvarint(b, uint64(len(links)))
	for _, link := range links {
		b = l.appendLink(b, p, link)
	}
	l.done = b
	l.records++
	return true
}

// appendLink appends the sets that the block has, by number, and then the others.
func (l *Recorder) appendLink(b []byte, p *separation.Problem, link separation.Link) []byte {
	l.known, l.fresh = l.known[:0], l.fresh[:0]
	for i, set := range link.Sets {
		l.key = l.key[:0]
		for _, e := range set.Points {
			l.key = binary.LittleEndian.AppendUint32(l.key, uint32(e))
		}
		if n, ok := l.sets[string(l.key)]; ok {
			l.known = append(l.known, numbered{n, set.Y})
		} else {
			l.sets[string(l.key)] = len(l.sets)
			l.fresh = append(l.fresh, i)
		}
	}
	slices.SortFunc(l.known, func(a, b numbered) int { return cmp.Compare(a.set, b.set) })
	b = append(b, byte(link.Shift))
	b = binary.AppendUvarint(b, uint64(len(l.known)))
	from := 0
	for _, w := range l.known {
		b = binary.AppendUvarint(b, uint64(w.set-from))
		b = binary.AppendUvarint(b, uint64(w.y)>>link.Shift)
		from = w.set
	}
	b = binary.AppendUvarint(b, uint64(len(l.fresh)))
	for _, i := range l.fresh {
		b = appendSet(b, p, link.Sets[i].Points)
		b = binary.AppendUvarint(b, uint64(link.Sets[i].Y)>>link.Shift)
	}
	return b
}

// numbered is a set of the block, by its number, with a weight.
type numbered struct {
	set int
	y   int64
}
