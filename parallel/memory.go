package parallel

import (
	"sync/atomic"
	"unsafe"
)

// budget is the memory that nodes, queues and map take together. When it is
// spent, a worker that cannot insert a prefix searches below it depth-first,
// without inserting (dive.go): slower, never wrong.
type budget struct {
	limit int64 // 0: none
	used  atomic.Int64
	peak  atomic.Int64
}

// reserve takes bytes if the limit allows. It never takes too much to give it
// back, which could refuse others what they may have; and a refusal, of which
// there is one per child once the budget is spent, writes nothing.
func (b *budget) reserve(bytes int64) bool {
	now := b.used.Load() + bytes
	for b.limit == 0 || now <= b.limit {
		if b.used.CompareAndSwap(now-bytes, now) {
			b.raise(now)
			return true
		}
		now = b.used.Load() + bytes
	}
	return false
}

// take takes bytes whatever the limit, to be released.
func (b *budget) take(bytes int64) { b.raise(b.used.Add(bytes)) }

// raise lifts the peak to now.
func (b *budget) raise(now int64) {
	for p := b.peak.Load(); now > p; p = b.peak.Load() {
		if b.peak.CompareAndSwap(p, now) {
			return
		}
	}
}

// release gives bytes back.
func (b *budget) release(bytes int64) { b.used.Add(-bytes) }

// Sizes of what a worker brings along.
const (
	shardBytes    = int64(unsafe.Sizeof(shard{})) + slabBytes
	countersBytes = int64(unsafe.Sizeof(counters{}))
)

// workerBytes is the size of a worker's own buffers, those of one frame and of
// the dominators above all.
func (p *problem) workerBytes() int64 {
	columns := int64(p.padded()) * (2*8 + 4*8 + 2*8)
	return p.setBytes(p.listLen(hotLen)+spareBlocks*recentBlock) + columns + int64(p.words)*8*12
}

// ringBytes is the size of the shared ring of dominators.
func (p *problem) ringBytes() int64 { return p.setBytes(p.ringLen() * recentBlock) }

// setBytes is the size of n dominators; none are kept without their pruning.
func (p *problem) setBytes(n int) int64 {
	if p.without.has(Similar) {
		return 0
	}
	return int64(n) * (int64(p.words)*8 + 3*8 + tieDepth*2)
}
