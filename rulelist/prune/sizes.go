package prune

import "parcorels/rulelist/problem"

// Sizes of what the workers bring along.

// WorkerBytes is the size of a worker's own buffers, those of one frame and of
// the dominators above all.
func WorkerBytes(p *problem.Problem) int64 {
	columns := int64(p.Padded())*4*8 + 2*p.CountBytes(p.Padded())
	return setBytes(p, listLen(p, hotLen)+listLen(p, recentLen)) + columns + int64(p.Words)*8*12
}

// setBytes is the size of n dominators; none are kept without their pruning.
func setBytes(p *problem.Problem, n int) int64 {
	if !p.Uses(problem.Similar) {
		return 0
	}
	return int64(n) * (int64(p.Words)*8 + 3*8 + tieDepth*2)
}
