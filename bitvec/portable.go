//go:build purego || !amd64

package bitvec

// What has kernels on amd64 alone.

func (p *Planes) costMany(a, b []uint64, flip uint64, c []uint64) (g1, g0 int64) {
	return p.costGeneric(a, b, flip, c)
}

func countCommon(to []int64, set, columns []uint64, some []int32) {
	countCommonGeneric(to, set, columns, some)
}

func (c *Counters) raise(mask, live, full []uint64, most uint32) uint32 {
	return c.raiseGeneric(mask, live, full, most)
}

func gatherBlock(block, columns []uint64, offsets *[Lanes]uint64, steps []gatherStep, _ int) {
	gatherGeneric(block, columns, offsets, steps)
}

func triplesAVX2(*tripleTask) {}
func sidesAVX2(*tripleTask)   {}

func splitPairs(c *SplitCount, from, to int) { splitPairsGeneric(c, from, to) }

func tallyBinsFast[T BinWeight](_ []BinItem, _ []uint16, _ int, _ int32, _ []T, _ int, _ T, _ []int64) bool {
	return false
}
