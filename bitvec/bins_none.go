//go:build (!amd64 && !arm64) || purego

package bitvec

func scanBinsFast[T BinWeight](_, _, _, _ []T, _, _ bool, _ *[4]T, _ *[2][BinLanes]T) bool {
	return false
}

func boundBinsFast[T BinWeight](_, _, _, _ []T, _, _ bool, _, _ int64, _, _ []T) bool { return false }
