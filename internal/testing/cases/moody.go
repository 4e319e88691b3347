package cases

import (
	"bytes"
	"errors"
	"math/rand/v2"
)

// Moody is a writer that takes a part of what it is given, or nothing, while it is
// full.
type Moody struct {
	bytes.Buffer
	Rng  *rand.Rand
	Full bool
}

// ErrFull is the error of a writer that is full.
var ErrFull = errors.New("full")

// Write takes all of b, or some of it with ErrFull.
func (m *Moody) Write(b []byte) (int, error) {
	if !m.Full {
		return m.Buffer.Write(b)
	}
	n, _ := m.Buffer.Write(b[:m.Rng.IntN(len(b)+1)])
	return n, ErrFull
}
