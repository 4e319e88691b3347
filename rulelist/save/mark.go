package save

import (
	"encoding/binary"
	"errors"

	"parcorels/verify/framing"
)

// What a checkpoint says of the separation bound (pruning 10): whether the root is bounded,
// and the accounts of ascents.
//
// A search that was resumed without them took seven times the expansions of one that ran
// straight (a table of 569 samples and 300 antecedents, λ = .007): ascents may cost what they
// have earned, and with accounts at zero they have earned nothing where most prefixes are.
// Nor did it bound the root where a trial (search/trial.go) had shown that to be worth it.
//
// The LP itself is solved again: its weights are many, and it takes a second or two.

// markNumbers is how many numbers the accounts of ascents have.
const markNumbers = 67

// Mark is how far a search was with the separation bound.
type Mark struct {
	Trial, TrialWork int64 // work left of a trial, and its work as a whole; 0: none
	Ahead            int64 // the estimated work of the search, 0 where the root is not bounded
	Share            int64
	Numbers          [markNumbers]int64 // of the accounts
}

// mostMarked bounds each number, so that no sum of them overflows. It is a year of work.
const mostMarked = 1 << 53

// all returns what is written.
func (m *Mark) all() []*int64 {
	fields := []*int64{&m.Trial, &m.TrialWork, &m.Ahead, &m.Share}
	for i := range m.Numbers {
		fields = append(fields, &m.Numbers[i])
	}
	return fields
}

// append appends the mark to what a checkpoint begins with.
func (m *Mark) append(b []byte) []byte {
	for _, n := range m.all() {
		b = binary.AppendUvarint(b, uint64(min(*n, mostMarked)))
	}
	return b
}

var errShare = errors.New("no share of a bound that there is")

// read reads it.
func (m *Mark) read(f *framing.Parser) {
	for _, n := range m.all() {
		*n = f.Below64("account", mostMarked+1)
	}
	if m.Ahead > 0 && m.Share == 0 {
		f.Fail(errShare)
	}
}

// Scale leaves a share of the accounts, and of the work ahead.
func (m *Mark) Scale(part, all int64) {
	f := float64(part) / float64(max(all, 1))
	m.Ahead = max(1, int64(float64(m.Ahead)*f)) * min(m.Ahead, 1)
	for i := range m.Numbers {
		m.Numbers[i] = int64(float64(m.Numbers[i]) * f)
	}
}
