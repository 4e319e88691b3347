package search

import "sync"

// walkers are those that are not in use. Their memory goes from one subproblem to the next.
type walkers struct {
	most int // that search at a time
	free sync.Pool
}

// take returns a walker as it was put back, or a new one.
func (s *walkers) take() *walker {
	if w, ok := s.free.Get().(*walker); ok {
		return w
	}
	return new(walker)
}

func (s *walkers) put(w *walker) { s.free.Put(w) }
