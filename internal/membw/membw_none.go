//go:build purego || !amd64

package membw

// Read reads data and returns bits of it, so that it cannot be left out.
func Read(data []uint64) uint64 { return readWords(data) }
