//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package cli

// peakMemory returns 0: this system does not tell.
func peakMemory() int64 { return 0 }
