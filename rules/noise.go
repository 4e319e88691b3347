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
// the literals do not decide. Where they do decide them, as on a table of all boards of a
// game, pairs that say little by themselves can be of use together, and to leave them out
// costs errors. Where they do not, the best of some hundreds of conjunctions fits the
// samples better than it predicts others.
//
// Whether there is noise can be counted. Samples that satisfy the same literals get the
// same prediction from every model on them, so of each such group all classes but the one
// that weighs most are errors, whatever the model. If these errors weigh a hundredth of all
// samples or more, Options.IfNoisy asks for the informative conjunctions only. That is no
// proof of the contrary: a table of many columns may be noisy though no two rows are alike.
//
// Only which conjunctions there are depends on this, and the set says what was decided, so
// that a proof about it names the option. Groups are told apart by 64 bits of a hash.

// noiseShare is the part of the weight, one in so many, that makes labels noisy.
const noiseShare = 100

// judgeNoise turns Options.Informative on if it is to be, once the literals are known.
func (m *miner) judgeNoise() {
	if !m.options.IfNoisy || m.options.Informative || m.options.MaxCard == 1 {
		return
	}
	if errors := m.unavoidable(); errors > (m.total-1)/noiseShare {
		m.options.Informative, m.noise = true, float64(errors)/float64(m.total)
	}
}

// unavoidable returns the weight of the samples that every model on the literals gets
// wrong.
func (m *miner) unavoidable() int64 {
	hashes := m.groups()
	ends, order := scatter(hashes)
	var sum atomic.Int64
	inParallel(len(ends), func(b int) {
		begin := 0
		if b > 0 {
			begin = ends[b-1]
		}
		sum.Add(m.minorities(hashes, order[begin:ends[b]]))
	})
	return sum.Load()
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

// minorities returns what the samples weigh that are not of the largest class of their
// group. It sorts them.
func (m *miner) minorities(hashes []uint64, samples []uint32) (sum int64) {
	slices.SortFunc(samples, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(hashes[a], hashes[b]), cmp.Compare(m.data.Class(int(a)), m.data.Class(int(b))))
	})
	var group, class, most int64
	for i, s := range samples {
		w := int64(1)
		if m.data.Weights != nil {
			w = m.data.Weights[s]
		}
		switch {
		case i == 0 || hashes[s] != hashes[samples[i-1]]:
			sum += group - most
			group, class, most = 0, 0, 0
		case m.data.Class(int(s)) != m.data.Class(int(samples[i-1])):
			class = 0
		}
		group, class = group+w, class+w
		most = max(most, class)
	}
	return sum + group - most
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
