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
// workers. Where nearly every sample of a block was a new point, the next block is
// only read, transposed and hashed: all else is done when it is added, and bounds what
// processors can do.

// blockSamples is how many samples are grouped at a time: a multiple of 64.
const blockSamples = 1 << 15

// addAll adds every sample.
func (g *grouping) addAll(columns []*bitset.BitSet, labels labelling, weights []int64, samples int) {
	words := make([][]uint64, len(columns))
	for a, c := range columns {
		words[a] = c.Words()
	}
	blocks := (samples + blockSamples - 1) / blockSamples
	if workers := min(runtime.GOMAXPROCS(0), blocks); workers > 1 && !g.separate {
		g.addBlocks(words, labels, weights, samples, workers)
		return
	}
	g.addRange(words, labels, weights, 0, samples)
}

func (g *grouping) addBlocks(words [][]uint64, labels labelling, weights []int64, samples, workers int) {
	var mu sync.Mutex
	turn := sync.NewCond(&mu)
	begun, added := 0, 0 // samples
	listed := false      // the last block had hardly a point twice
	work := func() {
		block := newGrouping(len(words), g.classes)
		block.hash = g.hash
		mu.Lock()
		defer mu.Unlock()
		for begun < samples {
			first, last := begun, min(begun+blockSamples, samples)
			begun = last
			block.listed = listed
			mu.Unlock()
			block.reset()
			block.addRange(words, labels, weights, first, last)
			mu.Lock()
			for added < first {
				turn.Wait()
			}
			mu.Unlock() // added says whose turn it is
			before := g.n
			g.merge(block)
			if first == 0 {
				g.expect(int(int64(g.n) * int64(samples) / int64(last)))
			}
			mu.Lock()
			listed = 4*(g.n-before) > 3*(last-first)
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
