//go:build !purego

package bitvec

import "slices"

func thirdsFast(x *Thirds[int16], list []int32) bool {
	if active == generic {
		return false
	}
	x.words = slices.Grow(x.words[:0], len(list))[:len(list)]
	thirdsAVX2(x, &list[0], uint64(len(list)), &x.words[0])
	return true
}

//go:noescape
func thirdsAVX2(x *Thirds[int16], list *int32, blocks uint64, to *uint32)
