package instance

import (
	"runtime"
	"sync"

	"github.com/bits-and-blooms/bitset"
)

// Samples are grouped side by side: each worker groups a block of samples by
// itself, which is all of the reading and transposing, and then adds the points of
// its block to those of the blocks before it. Blocks are added in their order, so
// that points come in the order of their first samples, whatever the number of
// workers. Where most of the first samples are points of their own, adding them would
// bound what processors can do: distinct.go has another way.

// blockSamples is how many samples are grouped at a time: a multiple of 64.
const blockSamples = 1 << 15

// addAll adds every sample.
func (g *grouping) addAll(columns []*bitset.BitSet, labels labelling, weights []int64, samples int) {
	words := make([][]uint64, len(columns))
	for a, c := range columns {
		words[a] = c.Words()
	}
	if g.separate {
		g.addDistinct(words, labels, weights, samples)
		return
	}
	first := min(samples, probed)
	g.addRange(words, labels, weights, 0, first)
	blocks := (samples - first + blockSamples - 1) / blockSamples
	switch workers := min(runtime.GOMAXPROCS(0), blocks); {
	case first < samples && 4*g.n > 3*first:
		g.reset()
		g.addDistinct(words, labels, weights, samples)
	case workers > 1:
		g.addBlocks(words, labels, weights, first, samples, workers)
	default:
		g.addRange(words, labels, weights, first, samples)
	}
}

func (g *grouping) addBlocks(words [][]uint64, labels labelling, weights []int64, first, samples, workers int) {
	var mu sync.Mutex
	turn := sync.NewCond(&mu)
	begun, added := first, first // samples
	work := func() {
		block := newGrouping(len(words), g.classes)
		block.hash = g.hash
		mu.Lock()
		defer mu.Unlock()
		for begun < samples {
			first, last := begun, min(begun+blockSamples, samples)
			begun = last
			mu.Unlock()
			block.reset()
			block.addRange(words, labels, weights, first, last)
			mu.Lock()
			for added < first {
				turn.Wait()
			}
			mu.Unlock() // added says whose turn it is
			g.merge(block)
			mu.Lock()
			added = last
			turn.Broadcast()
		}
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(work)
	}
	group.Wait()
}

// reset forgets all points.
func (g *grouping) reset() {
	clear(g.slots)
	g.n, g.weights, g.hashes = 0, g.weights[:0], g.hashes[:0]
}

// merge adds the points of another grouping of the same columns.
func (g *grouping) merge(other *grouping) {
	for p, h := range other.hashes {
		at := g.findHashed(other.key(p), h) * g.classes
		for c, w := range other.weights[p*g.classes : (p+1)*g.classes] {
			g.weights[at+c] += w
		}
	}
}
