// Package membw reads memory as fast as the machine can, for benchmarks to
// compare kernels with. Begin with [Read], its only function.
package membw

// lineWords is what Read takes at a time.
const lineWords = 32

// readWords ors words one at a time.
func readWords(data []uint64) (or uint64) {
	for len(data) >= 4 {
		or |= data[0] | data[1] | data[2] | data[3]
		data = data[4:]
	}
	for _, x := range data {
		or |= x
	}
	return or
}
