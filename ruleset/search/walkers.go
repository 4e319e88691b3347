package search

import "sync"

// walkers are those that are not in use. Their memory goes from one subproblem to the next: unlike that of a sync.Pool, it is not lost
// when garbage is collected.
type walkers struct {
	most int // that search at a time
	mu   sync.Mutex
	free []*walker
}

// take returns a walker as it was put back, or a new one.
func (s *walkers) take() *walker {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free) - 1
	if n < 0 {
		return new(walker)
	}
	w := s.free[n]
	s.free = s.free[:n]
	return w
}

func (s *walkers) put(w *walker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, w)
}
