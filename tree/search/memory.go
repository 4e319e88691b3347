package search

import "sync/atomic"

// memory counts the bytes of the cache against a limit.
type memory struct {
	limit      int64 // 0: none
	used, peak atomic.Int64
}

// reserve takes bytes if the limit allows.
func (m *memory) reserve(bytes int64) bool {
	now := m.used.Add(bytes)
	if m.limit > 0 && now > m.limit {
		m.used.Add(-bytes)
		return false
	}
	m.raise(now)
	return true
}

// take takes bytes whatever the limit.
func (m *memory) take(bytes int64) { m.raise(m.used.Add(bytes)) }

func (m *memory) release(bytes int64) { m.used.Add(-bytes) }

func (m *memory) raise(now int64) {
	for p := m.peak.Load(); now > p; p = m.peak.Load() {
		if m.peak.CompareAndSwap(p, now) {
			return
		}
	}
}
