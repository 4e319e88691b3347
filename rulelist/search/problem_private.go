package search

// The columns of the problem are read by every worker for every prefix, and
// written by none. Still each worker has a copy where that is small: what several
// processors hold at once comes back slower when it has left a cache, on machines
// whose last cache keeps only what the others drop; and where memory belongs to
// sockets, a worker's own is near. Two workers on cars take 3% less processor time
// a prefix with copies. Larger columns would not stay in a worker's cache.

// privateBytes is the most that the columns of a problem may take to be copied:
// half of a common second-level cache.
const privateBytes = 1 << 20

// private returns the problem as one of several workers reads it, with columns of
// its own if they are small.
func (p *problem) private(workers int) *problem {
	if p.privateSize(workers) == 0 {
		return p
	}
	q := *p
	q.matrix = p.matrix.Clone()
	q.columns = make([][]uint64, len(p.columns))
	for i, c := range p.columns {
		q.columns[i] = append([]uint64(nil), c...)
	}
	return &q
}

// privateSize is what the copy for each of some workers takes, 0 if there is none.
func (p *problem) privateSize(workers int) int64 {
	bytes := p.matrix.Bytes() + int64(len(p.columns)*(p.words*8+24))
	if workers == 1 || bytes > privateBytes {
		return 0
	}
	return bytes
}
