package search

import (
	"bytes"
	"io"
	"math/rand/v2"

	"parcorels/rulelist/problem"
)

// from returns a reader of a checkpoint, nil for none.
func from(b []byte) io.Reader {
	if b == nil {
		return nil
	}
	return bytes.NewReader(b)
}

// early are the prunings that leave most small instances without a search.
const early = problem.Incumbent | problem.LookAhead

// wide are those to leave out for a long one.
const wide = early | problem.Similar | problem.Redundant

// straits draws circumstances.
func straits(rng *rand.Rand) (x Straits) {
	if rng.IntN(2) == 0 {
		x = Straits{Starved: true, Nodes: rng.IntN(1 + rng.IntN(40)), Chunks: 1 + rng.IntN(4)}
	}
	if rng.IntN(3) == 0 {
		x.CutAt = 1 + rng.Int64N(1+rng.Int64N(50))
	}
	return x
}
