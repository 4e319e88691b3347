package search

import (
	"encoding/binary"

	"parcorels/bitvec"
	"parcorels/internal/blockfile"
	"parcorels/tree/price"
)

// The proof about trees of at most so many leaves has records of two kinds. One is that of proofs
// without a limit, for the price of the last search. The other claims that all trees of so many
// leaves on a set, each with points, get at least so much wrong (proof.go and
// docs/proof-format.md). They are needed for the limit where it lies between two trees that are
// optimal for some price: there the profiles say what is true.

// limitProver writes the records of such a proof.
type limitProver struct {
	prover
	*profiler
	sized map[leafKey]int64 // the largest bound that is written
}

// proveLimited writes the whole proof that the best tree of the limit is the best by objective and
// leaves.
func (w *worker) proveLimited(l *limit) error {
	s := w.search
	out := blockfile.NewProofWriter(w.o.Proof.Writer())
	out.Header(w.o.Proof, proofMagic, proofVersion, l.o.Lambda.Num, l.o.Lambda.Den, int64(w.in.Antecedents), w.in.Total,
		int64(w.Digits), int64(w.o.Depth), int64(l.o.MaxLeaves), w.o.Lambda.Num, w.o.Lambda.Den)
	if l.profiler == nil {
		l.profiler = &profiler{worker: w, most: l.most, profiles: map[bitvec.Key]profile{}}
	}
	p := &limitProver{prover{worker: w, out: out, written: map[bitvec.Key]written{}, limited: true}, l.profiler, map[leafKey]int64{}}
	ok := out.Err() == nil && p.prover.record(0, 0, 0, s.upper.Load())
	for n := int64(1); ok && n <= l.most; n++ {
		if need := l.least(n); s.errorsOf(s.upper.Load(), n) < need {
			ok = p.record(0, 0, 0, n, need)
		}
	}
	var err error
	s.proof.bytes, s.proof.records, err = out.End(ok, func() []byte { return p.claim(l.tree, w.Unit*l.best.errors+w.Price*l.best.leaves) })
	return err
}

// least returns the fewest errors with which a tree of n leaves does not come before the best.
func (l *limit) least(n int64) int64 {
	den, left := l.o.Lambda.Den, l.objective(l.best)-l.objective(size{0, n})
	switch {
	case left < 0:
		return 0
	case n < l.best.leaves:
		return left/den + 1
	}
	return (left + den - 1) / den
}

// record writes what shows that trees of n leaves on the set of frame d get at least so much
// wrong. The set is a side of that of the parent record. It returns false when the search was
// stopped.
func (p *limitProver) record(d int, parent uint64, side int, n, errors int64) bool {
	w, fr := p.prover.worker, &p.prover.frames[d]
	at := leafKey{fr.key, int(n)}
	if p.sized[at] >= errors {
		return true
	}
	if !w.count(d) {
		return false
	}
	number := p.appendSized(d, parent, side, n, errors)
	p.sized[at] = errors
	if n == 1 || fr.levels == 0 {
		return true
	}
	value := w.Unit*(errors-1) + w.Price*n // of n leaves with too few errors
	for _, h := range p.halves(fr, value) {
		counted := h.split
		within, ok := p.open(d, &h, value)
		switch {
		case !ok:
			return false
		case !within:
			ok = p.cover(d, number, []split{counted}, value+1)
		default:
			ok = p.shares(d, number, &h, n, errors, value)
		}
		if !ok {
			return false
		}
	}
	return true
}

// shares writes what shows that a split of frame d gets at least so much wrong, however it shares
// out n leaves. Its sides are exact.
func (p *limitProver) shares(d int, number uint64, h *halves, n, errors, value int64) bool {
	rooms := [2]int64{value - h.with.lower, value - h.without.lower}
	var found [2][]int64
	for i := range 2 {
		errors, ok := p.half(d, h, i == 1, rooms[i])
		if !ok {
			return false
		}
		found[i] = errors
	}
	for a := int64(1); a < n; a++ {
		leaves := [2]int64{n - a, a}
		var known [2]int64
		for i := range 2 {
			known[i] = p.counted(d, h, i, leaves[i])
		}
		for i := 1; i >= 0 && known[0]+known[1] < errors; i-- {
			least := p.prover.errorsOf(rooms[i]+1, leaves[i])
			if f := found[i]; leaves[i] < int64(len(f)) {
				least = min(f[leaves[i]], least)
			}
			if least = min(least, errors-known[1-i]); least <= known[i] {
				continue
			}
			if !p.sideRecord(d, number, h, i, leaves[i], least) {
				return false
			}
			known[i] = least
		}
		if known[0]+known[1] < errors {
			return false // profiles contradict each other: a defect
		}
	}
	return true
}

// sideRecord writes what shows that trees of so many leaves on a side get so much wrong.
func (p *limitProver) sideRecord(d int, number uint64, h *halves, i int, leaves, errors int64) bool {
	code, value := 2*p.prover.features[h.feature]+i, h.without.lower
	if i == 1 {
		value = h.with.lower
	}
	p.side(d, h, i == 1)
	if p.prover.errorsOf(value, leaves) >= errors {
		return p.prover.record(d+1, number, code, value)
	}
	return p.record(d+1, number, code, leaves, errors)
}

// counted returns what the counts say of trees of so many leaves on a side of a split of frame d.
func (p *limitProver) counted(d int, h *halves, i int, leaves int64) int64 {
	switch levels := p.prover.frames[d].levels - 1; {
	case leaves == 1:
		return h.one[i]
	case levels < 31 && leaves > 1<<levels:
		return price.Far
	case leaves == 2:
		return h.two[i]
	case leaves == 3:
		return h.cut[i]
	}
	return 0
}

// appendSized adds a record on trees of so many leaves on the set of frame d.
func (p *limitProver) appendSized(d int, parent uint64, side int, leaves, errors int64) uint64 {
	out, number := p.out, p.out.Records
	if d == 0 {
		out.Buffer = append(out.Buffer, 0) // of all samples
	} else {
		out.Buffer = binary.AppendUvarint(out.Buffer, number-parent)
		out.Buffer = binary.AppendUvarint(out.Buffer, uint64(side))
	}
	out.Buffer = binary.AppendUvarint(out.Buffer, uint64(leaves))
	out.Buffer = binary.AppendUvarint(out.Buffer, uint64(errors))
	out.Recorded()
	return number
}
