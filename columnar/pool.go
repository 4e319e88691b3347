package main

import (
	"math/bits"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// pool gives memory of pages and pieces out again. Made anew for each of them, it would take as
// long to clear as pages take to be decoded; a sync.Pool is emptied with each collection of garbage, which
// then comes the more often.
type pool struct {
	mu   sync.Mutex
	free [48][][]byte // by the bits of a size
}

var _ memory.Allocator = (*pool)(nil)

// Allocate implements memory.Allocator. What the memory holds is anything.
func (p *pool) Allocate(size int) []byte {
	if size <= 0 {
		return nil
	}
	class := bits.Len(uint(size - 1))
	p.mu.Lock()
	defer p.mu.Unlock()
	if free := p.free[class]; len(free) > 0 {
		p.free[class] = free[:len(free)-1]
		return free[len(free)-1][:size]
	}
	return make([]byte, size, 1<<class)
}

// Reallocate implements memory.Allocator.
func (p *pool) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	larger := p.Allocate(size)
	copy(larger, b)
	p.Free(b)
	return larger
}

// Free implements memory.Allocator.
func (p *pool) Free(b []byte) {
	if b = b[:cap(b)]; len(b) > 0 && len(b)&(len(b)-1) == 0 {
		class := bits.Len(uint(len(b) - 1))
		p.mu.Lock()
		defer p.mu.Unlock()
		p.free[class] = append(p.free[class], b)
	}
}
