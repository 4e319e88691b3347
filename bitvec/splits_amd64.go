//go:build !purego

package bitvec

func gatherBlock(block, columns []uint64, offsets *[Lanes]uint64, steps []gatherStep, words int) {
	if active == generic {
		gatherGeneric(block, columns, offsets, steps)
		return
	}
	gatherBMI2(&block[0], &columns[0], offsets, &steps[0], uint64(words))
}

func splitPairs(c *SplitCount, from, to int) {
	switch {
	case active == generic || c.splits.heaviest >= splitWide:
		splitPairsGeneric(c, from, to)
	case active == avx512:
		splitPairsAVX512(&c.task, uint64(from), uint64(to))
	default:
		splitPairsAVX2(&c.task, uint64(from), uint64(to))
	}
}

//go:noescape
func gatherBMI2(block *uint64, columns *uint64, offsets *[Lanes]uint64, steps *gatherStep, words uint64)

//go:noescape
func splitPairsAVX512(task *pairTask, from, to uint64)

//go:noescape
func splitPairsAVX2(task *pairTask, from, to uint64)

//go:noescape
func triplesAVX2(task *tripleTask)

//go:noescape
func sidesAVX2(task *tripleTask)
