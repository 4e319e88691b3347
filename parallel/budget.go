package parallel

import "sync/atomic"

// Budget bounds the memory that the structures of a search take together. When
// it is spent a search goes on without inserting: slower, never wrong. Set Limit
// before the workers start.
type Budget struct {
	Limit int64 // bytes; 0: none
	used  atomic.Int64
	peak  atomic.Int64
}

// Reserve takes bytes if the limit allows. It never takes too much to give it
// back, which could refuse others what they may have; and a refusal, of which
// there is one per child once the budget is spent, writes nothing.
func (b *Budget) Reserve(bytes int64) bool {
	now := b.used.Load() + bytes
	for b.Limit == 0 || now <= b.Limit {
		if b.used.CompareAndSwap(now-bytes, now) {
			b.raise(now)
			return true
		}
		now = b.used.Load() + bytes
	}
	return false
}

// Take takes bytes whatever the limit.
func (b *Budget) Take(bytes int64) { b.raise(b.used.Add(bytes)) }

// raise lifts the peak to now.
func (b *Budget) raise(now int64) {
	for p := b.peak.Load(); now > p; p = b.peak.Load() {
		if b.peak.CompareAndSwap(p, now) {
			return
		}
	}
}

// Release gives bytes back.
func (b *Budget) Release(bytes int64) { b.used.Add(-bytes) }

// Used returns the bytes that are taken now.
func (b *Budget) Used() int64 { return b.used.Load() }

// Peak returns the most bytes that were taken at one time.
func (b *Budget) Peak() int64 { return b.peak.Load() }
