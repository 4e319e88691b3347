package problem

// The columns of the problem are read by every worker for every prefix, and
// written by none. Still each worker has a copy where that is small: what several
// processors hold at once comes back slower when it has left a cache, on machines
// whose last cache keeps only what the others drop; and where memory belongs to
// sockets, a worker's own is near. Two workers on cars take 3% less processor time
// a prefix with copies. Larger columns would not stay in a worker's cache.

// PrivateBytes is the most that the columns of a problem may take to be copied:
// half of a common second-level cache.
const PrivateBytes = 1 << 20

// Private returns the problem as one of several workers reads it, with columns of
// its own if they are small.
func (p *Problem) Private(workers int) *Problem {
	if p.PrivateSize(workers) == 0 {
		return p
	}
	q := *p
	q.Matrix = p.Matrix.Clone()
	q.Columns = make([][]uint64, len(p.Columns))
	for i, c := range p.Columns {
		q.Columns[i] = append([]uint64(nil), c...)
	}
	return &q
}

// PrivateSize is what the copy for each of some workers takes, 0 if there is none.
func (p *Problem) PrivateSize(workers int) int64 {
	bytes := p.Matrix.Bytes() + int64(len(p.Columns)*(p.Words*8+24))
	if workers == 1 || bytes > PrivateBytes {
		return 0
	}
	return bytes
}
