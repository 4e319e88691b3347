package search

import (
	"sync/atomic"
	"unsafe"
)

// counts are what one worker has done, for reports. It alone writes them. Each
// worker's lie on cache lines of their own.
type counts struct {
	_           [64]byte
	expanded    atomic.Int64
	evaluations atomic.Int64
	hits        atomic.Int64
	dominated   atomic.Int64
	closed      atomic.Int64
	_           [64]byte
}

const countsBytes = int64(unsafe.Sizeof(counts{}))

// add increments a counter that only the caller writes.
func add(c *atomic.Int64, n int64) { c.Store(c.Load() + n) }
