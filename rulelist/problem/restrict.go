package problem

import (
	"crypto/sha256"
	"fmt"
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/optionerr"

	"github.com/bits-and-blooms/bitset"
)

// Restrictions on rules, beside their price.
//
// The list sought is the smallest of those whose rules all decide enough samples and predict a label that they may.
// Bounds are true of all lists, so of these as well. A pruning that exhibits a smaller list must exhibit one that may be:
//
//   - 2 support and 8 redundant leave a rule out. The rules behind it then capture more, with the labels that they have.
//   - 3 commuting: of neighbours that trade places the former first one captures less. The rest that it captures is counted.
//   - 4 symmetry: behind the same antecedents in another order every rule captures the same samples. Points
//     that cost nothing are not in sets of points, so with MinRows the map is keyed by antecedents.
//   - 5 similar support might leave a rule of the completion too few samples: it is left out with MinRows.
//   - Short lists and the heuristics know nothing of this: the former are left out, and what the latter find is
//     mended ([Problem.Mend]).
//
// Labels decide nothing else: every argument keeps the labels that rules have.

// Restriction says which rules a list may have.
type Restriction struct {
	MinRows  int                        // samples that each rule decides at least, whatever they weigh; 0: any number
	Captured func(a int) *bitset.BitSet // with MinRows, the samples for which an antecedent holds
	Labels   []uint8                    // by antecedent, bit q for each label q of two that its rules may predict; nil: any
}

// None reports whether every rule may be.
func (r *Restriction) None() bool { return r.MinRows <= 1 && r.Labels == nil }

// Digest is that of a problem whose lists are restricted so: d where every rule may be.
func (r *Restriction) Digest(d [sha256.Size]byte) [sha256.Size]byte {
	if r.None() {
		return d
	}
	return sha256.Sum256(fmt.Appendf(d[:], "%d %v", r.MinRows, r.Labels))
}

// barred reports whether rules of an antecedent may predict no label.
func (p *Problem) barred(a Antecedent) bool { return p.May.Labels != nil && p.May.Labels[a] == 0 }

// check returns what of a restriction cannot be, as an *optionerr.Error.
func (r *Restriction) check(in *instance.Instance) error {
	switch {
	case r.MinRows < 0 || r.MinRows > in.Samples:
		return optionerr.Bad("MinRows", r.MinRows, "a number from 0 to the %d samples", in.Samples)
	case r.MinRows > 1 && r.Captured == nil:
		return optionerr.Errorf("MinRows", "option MinRows needs the samples of each antecedent")
	case r.Labels != nil && (len(r.Labels) != in.Antecedents || in.Labels > 2):
		return optionerr.Errorf("Labels", "labels of %d antecedents among %d: expected one of each, and two classes", len(r.Labels),
			in.Antecedents)
	}
	return nil
}

// RowBytes is what the sets of samples take.
func (p *Problem) RowBytes() int64 { return int64(len(p.rowsOf)) * int64(p.In.Samples/8) }

// CountsRows reports whether rules must decide some number of samples.
func (p *Problem) CountsRows() bool { return p.May.MinRows > 1 }

// rows are the samples for which an antecedent holds.
func (p *Problem) rows(a Antecedent) []uint64 { return p.May.Captured(int(a)).Words() }

// Rows are the samples for which a column holds, with MinRows.
func (p *Problem) Rows(col Column) []uint64 { return p.rowsOf[col] }

// AllRows returns all samples.
func (p *Problem) AllRows() []uint64 {
	all := slices.Repeat([]uint64{^uint64(0)}, (p.In.Samples+63)/64)
	if rest := p.In.Samples % 64; rest > 0 {
		all[len(all)-1] = 1<<rest - 1
	}
	return all
}

// Enough reports whether a rule decides enough of the samples in a and b, but not in c, which may be nil.
func (p *Problem) Enough(a, b, c []uint64) bool {
	n := 0
	for i, x := range a {
		if x &= b[i]; c != nil {
			x &^= c[i]
		}
		if n += bits.OnesCount64(x); n >= p.May.MinRows {
			return true
		}
	}
	return n >= p.May.MinRows
}

// mayNot reports whether no rule of an antecedent may be, wherever it stands.
func (p *Problem) mayNot(a Antecedent) bool {
	if p.barred(a) {
		return true
	}
	if !p.CountsRows() {
		return false
	}
	rows := p.rows(a)
	return !p.Enough(rows, rows, nil)
}

// Mend leaves out the rules that may not be, from the first on, and returns the list that is left with its objective.
func (p *Problem) Mend(n *Solution) *Solution {
	if p.May.None() {
		return n
	}
	var rows []uint64
	if p.CountsRows() {
		rows = p.AllRows()
	}
	list := make([]Antecedent, 0, len(n.List))
	for _, a := range n.List {
		if p.barred(a) || rows != nil && !p.Enough(rows, p.rows(a), nil) {
			continue
		}
		if list = append(list, a); rows != nil {
			bitvec.AndNot(rows, rows, p.rows(a))
		}
	}
	m := p.Evaluate(list)
	if m.Source = n.Source; len(list) == len(n.List) {
		m.Step = n.Step
	}
	return m
}
