//go:build !purego

package bitvec

import "slices"

func thirdsFast(x *Thirds[int16], words *[]uint32) bool {
	n := len(x.AllR) / thirdsBlock
	if active == generic || n == 0 {
		return false
	}
	*words = slices.Grow((*words)[:0], n)[:n]
	thirdsAVX2(x, uint64(n), &(*words)[0])
	return true
}

//go:noescape
func thirdsAVX2(x *Thirds[int16], blocks uint64, to *uint32)
