//go:build purego || !amd64

package bitvec

func thirdsFast(*Thirds[int16], *[]uint32) bool { return false }
