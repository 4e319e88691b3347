package parallel

import (
	"runtime"
	"sync/atomic"

	"parcorels/internal/invariants"
)

// Budget bounds the memory that the structures of a search take together. When
// it is spent a search goes on without inserting: slower, never wrong. Set Limit
// before the workers start.
//
// Memory that is dropped is there until the garbage collector has run, so it
// counts until then. A search that is refused memory allocates nothing and could
// wait for the collector for ever; so a refusal runs it, if there is garbage
// worth it.
type Budget struct {
	Limit      int64 // bytes; 0: none
	used       atomic.Int64
	peak       atomic.Int64 // of used less garbage
	garbage    atomic.Int64 // of used, what is dropped and not collected
	collecting atomic.Bool
}

// Reserve takes bytes if the limit allows. It never takes too much to give it
// back, which could refuse others what they may have; and a refusal, of which
// there is one per child once the budget is spent, writes nothing.
func (b *Budget) Reserve(bytes int64) bool {
	now := b.used.Load() + bytes
	for b.Limit == 0 || now <= b.Limit {
		if b.used.CompareAndSwap(now-bytes, now) {
			b.raise(now - b.garbage.Load())
			return true
		}
		now = b.used.Load() + bytes
	}
	// One worker runs the collector, the others go on; the next call finds what it freed.
	if b.garbage.Load() > b.Limit/garbageShare && b.collecting.CompareAndSwap(false, true) {
		runtime.GC()
		b.collecting.Store(false)
	}
	return false
}

// garbageShare is the part of the limit from which on garbage is worth a call of
// the collector, which costs a millisecond or less: what the engine keeps has
// few pointers.
const garbageShare = 64

// Drop gives back the bytes of an object that nobody will find any more, once the
// collector has freed it.
func Drop[T any](b *Budget, object *T, bytes int64) {
	b.garbage.Add(bytes)
	runtime.AddCleanup(object, func(bytes int64) {
		b.Release(bytes)
		b.garbage.Add(-bytes)
	}, bytes)
}

// Take takes bytes whatever the limit.
func (b *Budget) Take(bytes int64) { b.raise(b.used.Add(bytes) - b.garbage.Load()) }

// raise lifts the peak to now.
func (b *Budget) raise(now int64) {
	for p := b.peak.Load(); now > p; p = b.peak.Load() {
		if b.peak.CompareAndSwap(p, now) {
			return
		}
	}
}

// Release gives bytes back.
func (b *Budget) Release(bytes int64) {
	if left := b.used.Add(-bytes); invariants.On && left < 0 {
		panic("parallel: more memory was released than taken")
	}
}

// Used returns the bytes that are taken now.
func (b *Budget) Used() int64 { return b.used.Load() }

// Peak returns the most bytes that were in use at one time. Dropped memory is not.
func (b *Budget) Peak() int64 { return b.peak.Load() }
