//go:build (amd64 || arm64) && !purego

package prefetch

import "unsafe"

// Line asks for the cache line at p, and does not wait for it. It has no other
// effect: p may point anywhere.
//
//go:noescape
func Line(p unsafe.Pointer)
