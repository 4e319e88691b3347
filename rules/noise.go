package rules

import (
	"cmp"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Chance is what Options.Informative guards against, and chance needs noise: labels that
// the literals do not decide. Where they decide most of them, as on a table of all boards
// of a game, pairs that say little by themselves can be of use together, and to leave them
// out costs errors. Where noise has the larger part, the best of some hundreds of
// conjunctions fits the samples better than it predicts others.
//
// How large it is can be counted on samples that satisfy the same literals: every model on
// these literals predicts one class for them, so all of other classes are errors.
// Options.IfNoisy asks for the informative conjunctions if both hold:
//
//   - The errors of every model, which are all but the heaviest class of each such group,
//     weigh a hundredth of all samples or more. With less there is nothing to count on.
//   - The literals, all together, spare at most half of the errors. That is judged on
//     samples that are not alone in their group: each is predicted by the heaviest class
//     of the others of its group, as a model would be that knows all literals and not this
//     sample. It must be wrong at least half as often as the heaviest class of all these
//     samples is. (Half of a sample's weight is wrong if its class weighs as much as another.)
//
// A table whose rows are hardly ever alike may be noisy as well; nothing tells it.
//
// Only which conjunctions there are depends on this, and the set says what was decided, so
// that a proof about it names the option. Groups are told apart by 64 bits of a hash.

// noiseShare is the least part of the weight, one in so many, that every model gets wrong
// on noisy labels.
const noiseShare = 100

// judgeNoise turns Options.Informative on if it is to be, once the literals are known.
func (m *miner) judgeNoise() {
	if !m.options.IfNoisy || m.options.Informative || m.options.MaxCard == 1 {
		return
	}
	n := m.countNoise()
	if n.errors > (m.total-1)/noiseShare && n.wrong >= sum(n.classes)-slices.Max(n.classes) {
		m.options.Informative, m.noise = true, float64(n.errors)/float64(m.total)
	}
}

// noise counts errors by weight.
type noise struct {
	errors  int64   // of every model
	wrong   int64   // twice those of predicting a sample by the others of its group
	classes []int64 // of the samples that are not alone in their group
}

// countNoise counts all groups.
func (m *miner) countNoise() noise {
	hashes := m.groups()
	ends, order := scatter(hashes)
	all := noise{classes: make([]int64, m.data.ClassCount())}
	var mutex sync.Mutex
	inParallel(len(ends), func(b int) {
		begin := 0
		if b > 0 {
			begin = ends[b-1]
		}
		part := m.noiseOf(hashes, order[begin:ends[b]])
		mutex.Lock()
		defer mutex.Unlock()
		all.errors += part.errors
		all.wrong += part.wrong
		for c, w := range part.classes {
			all.classes[c] += w
		}
	})
	return all
}

// groups returns a hash for each sample of the literals that it satisfies.
func (m *miner) groups() []uint64 {
	const words = 1 << 9 // of a part that one goroutine hashes
	hashes := make([]uint64, m.data.N)
	total := (m.data.N + 63) / 64
	inParallel((total+words-1)/words, func(part int) {
		for l := range m.literals {
			key, set := spreadBits(uint64(l)), m.literals[l].bits.Words()
			for w := part * words; w < min(total, (part+1)*words); w++ {
				for x := set[w]; x != 0; x &= x - 1 {
					hashes[w*64+bits.TrailingZeros64(x)] ^= key
				}
			}
		}
	})
	return hashes
}

// spreadBits returns 64 bits that look random, another word for each x (SplitMix64 of
// Steele, Lea and Flood, OOPSLA 2014).
func spreadBits(x uint64) uint64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// scatter parts the samples by the first bits of their hashes, so that each part can be
// sorted by itself. It returns where the parts end in the order, and the order.
func scatter(hashes []uint64) (ends []int, order []uint32) {
	digits := max(0, bits.Len(uint(len(hashes)))-8)
	ends, order = make([]int, 1<<digits), make([]uint32, len(hashes))
	for _, h := range hashes {
		ends[h>>(64-digits)]++
	}
	sum := 0
	for b, n := range ends {
		ends[b] = sum
		sum += n
	}
	for i, h := range hashes {
		b := h >> (64 - digits)
		order[ends[b]] = uint32(i)
		ends[b]++
	}
	return ends, order
}

// noiseOf counts the groups of some samples, which it sorts.
func (m *miner) noiseOf(hashes []uint64, samples []uint32) noise {
	slices.SortFunc(samples, func(a, b uint32) int { return cmp.Compare(hashes[a], hashes[b]) })
	n, weights := noise{classes: make([]int64, m.data.ClassCount())}, make([]int64, m.data.ClassCount())
	for len(samples) > 0 {
		size := 1
		for size < len(samples) && hashes[samples[size]] == hashes[samples[0]] {
			size++
		}
		if size > 1 {
			m.addGroup(&n, samples[:size], weights)
		}
		samples = samples[size:]
	}
	return n
}

// addGroup counts a group of two samples and more. It needs a number for each class.
func (m *miner) addGroup(n *noise, group []uint32, weights []int64) {
	clear(weights)
	for _, s := range group {
		weights[m.data.Class(int(s))] += m.sampleWeight(s)
	}
	first, second := 0, int64(0) // the heaviest class, and the weight of the next
	for c, w := range weights {
		if w > weights[first] {
			first = c
		}
	}
	for c, w := range weights {
		n.classes[c] += w
		if c != first {
			second = max(second, w)
		}
	}
	n.errors += sum(weights) - weights[first]
	for _, s := range group {
		class, w := m.data.Class(int(s)), m.sampleWeight(s)
		own, other := weights[class]-w, weights[first]
		if class == first {
			other = second
		}
		switch {
		case other > own:
			n.wrong += 2 * w
		case other == own:
			n.wrong += w
		}
	}
}

func (m *miner) sampleWeight(sample uint32) int64 {
	if m.data.Weights == nil {
		return 1
	}
	return m.data.Weights[sample]
}

func sum(weights []int64) (total int64) {
	for _, w := range weights {
		total += w
	}
	return total
}

// inParallel calls f with all numbers below n on all processors.
func inParallel(n int, f func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			for i := int(next.Add(1) - 1); i < n; i = int(next.Add(1) - 1) {
				f(i)
			}
		})
	}
	workers.Wait()
}
