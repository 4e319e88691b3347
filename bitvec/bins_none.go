//go:build !amd64 || purego

package bitvec

func scanBinsFast(_, _, _, _ []int32, _ bool, _ *[4][BinLanes]int32) bool { return false }
