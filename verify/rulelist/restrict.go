package rulelist

import (
	"math"
	"math/bits"

	"parcorels/verify/framing"
)

// may says which rules the lists have that a proof is about: each decides at least some number of samples where it stands,
// and predicts a label that rules of its antecedent may predict.
//
// A list that breaks this need not be larger than the claimed one, nor need any that begins with it. So an extension by a
// rule that decides too few samples is covered. The arguments of package comments give a smaller list that may
// be, if they do as follows:
//
//   - useless: without a rule those behind it decide more samples.
//   - commuting: the former first rule decides fewer behind the other. The rest that it captures is counted.
//   - dominated: behind a shorter prefix that is the same without a rule, all decide as much or more. Any other prefix
//     must leave all samples that the dominated one leaves, and its own rules must decide enough.
type may struct {
	rows   int     // samples; 0: any number
	labels []uint8 // by antecedent, bit q for each label q; nil: any
}

func (m *may) read(p *framing.Parser) {
	m.rows = p.Below("least rows", math.MaxInt32)
	if n := p.Varint(); n > 0 && p.Err == nil {
		for range min(n, mostRules) {
			m.labels = append(m.labels, uint8(p.Below("labels of an antecedent", 4)))
		}
	}
}

// label returns the label that loses least among those that rules of an antecedent may predict, and what it loses.
func (p *problem) label(a int, sum []int64) (label int, loses int64) {
	if p.may.labels != nil && p.may.labels[a]%3 != 0 {
		label = int(p.may.labels[a] - 1)
		return label, sum[label]
	}
	return p.best(sum)
}

// ruleMay reports whether there may be a rule of an antecedent that decides what it captures of some samples, without those
// that others take.
func (p *problem) ruleMay(rows []uint64, a int, others ...int) bool {
	if p.may.labels != nil && p.may.labels[a] == 0 {
		return false
	}
	n := 0
	for i, x := range rows {
		x &= p.samples.Captured[a][i]
		for _, other := range others {
			x &^= p.samples.Captured[other][i]
		}
		n += bits.OnesCount64(x)
	}
	return rows == nil || n >= p.may.rows
}

// mayPredict reports whether there may be such a rule that predicts a label.
func (p *problem) mayPredict(rows []uint64, a, label int) bool {
	return p.ruleMay(rows, a) && (p.may.labels == nil || p.may.labels[a]>>label&1 == 1)
}

// keepsRows reports whether a leaves all samples that at leaves behind s.
func (p *problem) keepsRows(a, at *prefixState, s int) bool {
	for i, x := range at.rows {
		if x&^p.samples.Captured[s][i]&^a.rows[i] != 0 {
			return false
		}
	}
	return true
}
