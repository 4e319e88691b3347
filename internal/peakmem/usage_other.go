//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package peakmem

// usage returns 0: this system does not tell.
func usage() int64 { return 0 }
