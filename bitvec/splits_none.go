//go:build purego || !amd64

package bitvec

func gatherBlock(block, columns []uint64, offsets *[Lanes]uint64, steps []gatherStep, _ int) {
	gatherGeneric(block, columns, offsets, steps)
}

func splitSums(c *SplitCount) { splitSumsGeneric(c) }

func splitPairs(c *SplitCount, from, to int) { splitPairsGeneric(c, from, to) }
