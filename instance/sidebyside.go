package instance

import (
	"runtime"
	"sync"

	"github.com/bits-and-blooms/bitset"
)

// Samples are read side by side and grouped in turn: each worker makes the keys and hashes
// of a block by itself, and then adds its samples behind those of the blocks before it. So
// points come in the order of their first samples, whatever the number of workers.

// blockSamples is how many samples are read at a time: a multiple of 64.
const blockSamples = 1 << 12

// addAll adds every sample.
func (g *grouping) addAll(columns []*bitset.BitSet, labels labelling, weights []int64, samples int) {
	words := make([][]uint64, len(columns))
	for a, c := range columns {
		words[a] = c.Words()
	}
	var mu sync.Mutex
	turn := sync.NewCond(&mu)
	begun, added := 0, 0 // samples
	work := func() {
		keys, hashes := make([]uint64, min(blockSamples, samples+63)*g.width), make([]uint64, min(blockSamples, samples))
		mu.Lock()
		defer mu.Unlock()
		for begun < samples {
			first, last := begun, min(begun+blockSamples, samples)
			begun = last
			mu.Unlock()
			g.read(keys, hashes, words, first, last)
			mu.Lock()
			for added < first {
				turn.Wait()
			}
			mu.Unlock() // added says whose turn it is
			g.addBlock(keys, hashes, labels, weights, first, last)
			mu.Lock()
			added = last
			turn.Broadcast()
		}
	}
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (samples+blockSamples-1)/blockSamples) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
}

// read fills in keys and hashes of the samples from first on, a multiple of 64, up to last.
func (g *grouping) read(keys, hashes []uint64, words [][]uint64, first, last int) {
	for w := first; w < last; w += 64 {
		readKeys(keys[(w-first)*g.width:], g.width, words, w/64)
	}
	for i := range last - first {
		hashes[i] = g.hash(keys[i*g.width : (i+1)*g.width])
	}
}

// addBlock adds samples with their keys and hashes.
func (g *grouping) addBlock(keys, hashes []uint64, labels labelling, weights []int64, first, last int) {
	for i := range last - first {
		p := g.find(keys[i*g.width:(i+1)*g.width], hashes[i])
		w := int64(1)
		if weights != nil {
			w = weights[first+i]
		}
		g.weights[p*g.classes+labels.class(first+i)] += w
	}
}
