//go:build (!amd64 && !arm64) || purego

package prefetch

import "unsafe"

// Line does nothing here.
func Line(unsafe.Pointer) {}
