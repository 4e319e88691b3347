package main

import (
	"math/bits"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// pool gives memory of pages and pieces out again. Made anew for each of them, it would take as
// long to clear as pages take to be decoded.
type pool [48]sync.Pool // by the bits of a size

var _ memory.Allocator = (*pool)(nil)

// Allocate implements memory.Allocator. What the memory holds is anything.
func (p *pool) Allocate(size int) []byte {
	if size <= 0 {
		return nil
	}
	class := bits.Len(uint(size - 1))
	if b, ok := p[class].Get().(*[]byte); ok {
		return (*b)[:size]
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
		p[bits.Len(uint(len(b)-1))].Put(&b)
	}
}
