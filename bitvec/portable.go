//go:build purego || !amd64

package bitvec

// What has kernels on amd64 alone.

func (c *Counters) raise(mask, live, full []uint64, most uint32) uint32 {
	return c.raiseGeneric(mask, live, full, most)
}

func (c *Counters) addAll(mask, live []uint64, n uint32) { c.addGeneric(mask, live, n) }

func gatherBlock(block, columns []uint64, offsets *[Lanes]uint64, steps []gatherStep, _ int) {
	gatherGeneric(block, columns, offsets, steps)
}

func splitPairs(c *SplitCount, from, to int) { splitPairsGeneric(c, from, to) }

func tallyBinsFast[T BinWeight](_ []BinItem, _ []uint16, _ int, _ int32, _ []T, _ int, _ T, _ []int64) bool {
	return false
}
