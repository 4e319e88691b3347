//go:build !purego

package membw

import (
	"unsafe"

	"github.com/klauspost/cpuid/v2"
)

// Read reads data with the widest registers that there are and returns bits
// of it, so that it cannot be left out.
func Read(data []uint64) uint64 {
	lines := uint64(len(data) / lineWords)
	or := readWords(data[lines*lineWords:])
	switch {
	case lines == 0:
	case cpuid.CPU.Supports(cpuid.AVX512F):
		or |= readZMM(unsafe.SliceData(data), lines)
	case cpuid.CPU.Supports(cpuid.AVX2):
		or |= readYMM(unsafe.SliceData(data), lines)
	default:
		or |= readWords(data[:lines*lineWords])
	}
	return or
}

//go:noescape
func readZMM(data *uint64, lines uint64) uint64

//go:noescape
func readYMM(data *uint64, lines uint64) uint64
