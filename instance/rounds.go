package instance

import (
	"iter"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"parcorels/internal/loop"
)

// Points of many samples are grouped in rounds. Keys and slots of 10⁷ points take more than the columns
// that these are read from. So a round reads all samples, and groups those of some
// shards alone. It leaves the first sample and the weights of its points.
//
// The key of a point is that of its first sample, and is read again when columns are made. Reading
// the keys of 10⁷ samples takes a tenth of what grouping them takes.
//
// The first round begins with all shards. When their points take a quarter of what they may, it foresees that as many more
// will come of the samples that are left. It gives up the shards that will have no room. A later round groups the
// samples of these. Which shards a round ends with depends on the order of the workers. The points do not: a
// shard is done in the round that has read all of its samples.

// mostHeld is how many bytes the points of a round may take, if twice the columns do not take more: as much as the
// columns of the points and what a search makes of them.
const mostHeld = 1 << 27

// round is the shards that are filled at a time.
type round struct {
	all   []shard
	first int
	last  atomic.Int64 // behind the last shard
	held  atomic.Int64 // bytes of their points
	most  int64        // of these, about
	each  int64        // bytes of a point, about

	blocks int64
	read   atomic.Int64 // blocks
	seen   atomic.Bool  // what the points will take, in the first round

	narrowing sync.Mutex
}

// inRounds adds every sample, with so many workers.
func (g *grouping) inRounds(from *tableSamples, workers, blocks int) {
	r := round{all: make([]shard, shards), most: g.most, each: int64(8*g.width + 8*g.classes + 32), blocks: int64(blocks)}
	if r.most == 0 {
		r.most = max(mostHeld, int64(len(from.columns))*int64(from.n)/4)
	}
	var done []settled
	for step := shards; r.first < shards; {
		for i := r.first; i < shards; i++ {
			r.all[i] = shard{}
			r.all[i].grouping = grouping{keyed: g.keyed, slots: make([]int32, 1<<4), hash: g.hash, separate: g.separate}
			r.all[i].shift = max(0, g.shift-shardBits) // the chunks of all are as large as one of g
		}
		r.last.Store(int64(min(shards, r.first+step)))
		r.held.Store(0)
		r.read.Store(0)
		loop.ParallelWith(workers, blocks, func() func(int) {
			b := g.newBlock(from.n)
			return func(at int) {
				b.read(from, at)
				b.sort()
				r.add(from, b, at)
			}
		})
		last := int(r.last.Load())
		if last-r.first == shards {
			g.join(r.all, from.n)
			return
		}
		some := make([]settled, last-r.first)
		loop.Parallel(len(some), func(i int) {
			some[i] = r.all[r.first+i].settle()
			r.all[r.first+i] = shard{} // its keys are needed no longer
		})
		done = append(done, some...)
		step = r.next(last)
		r.first = last
	}
	g.settle(from, done)
}

// next returns how many shards the next round has, behind those of this one: as many as have room, and all later
// rounds about the same.
func (r *round) next(last int) int {
	most := max(1, int(int64(last-r.first)*r.most/max(1, r.held.Load())))
	rounds := (shards - last + most - 1) / most
	return (shards - last + rounds - 1) / max(1, rounds)
}

// add adds the samples of a block to the shards of the round.
func (r *round) add(from *tableSamples, b *block, at int) {
	n := int(r.last.Load()) - r.first
	for k := range n {
		s := r.first + (at+k)%n
		r.held.Add(int64(r.addTo(s, from, b)) * r.each)
	}
	read, held := r.read.Add(1), r.held.Load()
	if held > r.most/4 && r.seen.CompareAndSwap(false, true) {
		r.narrow(int(float64(n) * min(1, float64(r.most)/float64(held)*float64(read)/float64(r.blocks))))
	}
	for n > 1 && r.held.Load() > r.most+r.most/8 {
		n = (n + 1) / 2
		r.narrow(n)
	}
}

// addTo adds the samples of a block to a shard, and returns how many points are new.
func (r *round) addTo(at int, from *tableSamples, b *block) (more int) {
	list, s := b.order[b.ends[at]:b.ends[at+1]], &r.all[at]
	if len(list) == 0 {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if int64(at) >= r.last.Load() {
		return 0 // it was given up
	}
	before := s.n
	s.add(from, b, list)
	return s.n - before
}

// narrow gives up shards so that at most n are left, but one.
func (r *round) narrow(n int) {
	r.narrowing.Lock()
	defer r.narrowing.Unlock()
	last := int(r.last.Load())
	behind := min(last, r.first+max(n, 1))
	r.last.Store(int64(behind))
	for i := behind; i < last; i++ {
		s := &r.all[i]
		s.mu.Lock() // who holds it may still have added samples
		points := s.n
		s.grouping, s.firsts = grouping{}, nil
		s.mu.Unlock()
		r.held.Add(-int64(points) * r.each)
	}
}

// settled are points without their keys.
type settled struct {
	firsts  []int32  // samples
	weights []int64  // k of each point; nil: they are light
	light   []uint32 // likewise
}

// settle returns the points of a shard.
func (s *shard) settle() settled {
	points := settled{firsts: slices.Clone(s.firsts)}
	if len(s.weights) > 0 && slices.Max(s.weights) > math.MaxUint32 {
		points.weights = slices.Clone(s.weights)
		return points
	}
	points.light = make([]uint32, len(s.weights))
	for i, w := range s.weights {
		points.light[i] = uint32(w)
	}
	return points
}

// settle makes the points of all shards those of g.
func (g *grouping) settle(from *tableSamples, done []settled) {
	g.reread = &reread{columns: from.columns, width: g.width, shards: done}
	g.reread.ranks = rankFirsts(from.n, len(done), func(i int) []int32 { return done[i].firsts })
	g.n = g.reread.n
}

// reread are points whose keys are read again from the columns of the samples.
type reread struct {
	ranks
	columns [][]uint64
	width   int
	shards  []settled
}

// weighted yields the points of a shard with their weights by class, which the next ones overwrite.
func (r *reread) weighted(shard, classes int) iter.Seq2[int, []int64] {
	return func(yield func(int, []int64) bool) {
		s, w := &r.shards[shard], make([]int64, classes)
		for i, first := range s.firsts {
			if s.light == nil {
				w = s.weights[i*classes : (i+1)*classes]
			} else {
				for c, x := range s.light[i*classes : (i+1)*classes] {
					w[c] = int64(x)
				}
			}
			if !yield(r.of(first), w) {
				return
			}
		}
	}
}

// placedBytes is how many bytes of keys are read again at a time, unless that is less than a quarter of all.
const placedBytes = 1 << 25

// place writes the columns of points: at tells the place of each, −1 of none, and begins the words that lists of points
// begin at. Keys of some words of places are read at a time, as the points of a word may be anywhere among the
// samples. They are the same part of each list: most lists are in the order of the samples, which are then read once.
func (r *reread) place(columns [][]uint64, at []int32, begins []int) {
	if r.width == 0 {
		return
	}
	words := len(columns[0])
	r.placeParts(columns, at, begins, min(4, words*512*r.width/placedBytes+1))
}

// placeParts places so many parts one after the other.
func (r *reread) placeParts(columns [][]uint64, at []int32, begins []int, parts int) {
	words := len(columns[0])
	placed := make([]placedWord, words)
	ofPart := make([][]int32, parts) // words
	begins = append(slices.Sorted(slices.Values(begins)), words)
	for l, begin := range begins[:len(begins)-1] {
		n := begins[l+1] - begin
		for i := range n {
			part := i * parts / n
			placed[begin+i] = placedWord{int32(part), int32(len(ofPart[part]))}
			ofPart[part] = append(ofPart[part], int32(begin+i))
		}
	}
	var keys []uint64
	for part, list := range ofPart {
		n := 64 * r.width * len(list)
		keys = slices.Grow(keys[:0], n)[:n]
		clear(keys)
		r.readPlaced(keys, at, placed, int32(part))
		loop.Parallel((len(list)+placedWords-1)/placedWords, func(some int) {
			for i := some * placedWords; i < min(len(list), (some+1)*placedWords); i++ {
				writeKeys(columns, keys[i*64*r.width:(i+1)*64*r.width], r.width, int(list[i]))
			}
		})
	}
}

// placedWord is where the keys of a word of places are read: in which part, and at which word of that.
type placedWord struct{ part, at int32 }

// readPlaced reads the keys of points whose places are in a part.
func (r *reread) readPlaced(keys []uint64, at []int32, placed []placedWord, part int32) {
	const step = blockSamples / 64
	steps := (len(r.first) + step - 1) / step
	loop.ParallelWith(runtime.GOMAXPROCS(0), steps, func() func(int) {
		rows := make([]uint64, 64*r.width)
		return func(some int) {
			for w := some * step; w < min(len(r.first), (some+1)*step); w++ {
				p, isRead := int(r.before[w]), false
				for x := r.first[w]; x != 0; x &= x - 1 {
					place := at[p]
					p++
					if place < 0 || placed[place/64].part != part {
						continue
					}
					if !isRead {
						readKeys(rows, r.width, r.columns, w)
						isRead = true
					}
					i, to := bits.TrailingZeros64(x), 64*int(placed[place/64].at)+int(place%64)
					copy(keys[to*r.width:][:r.width], rows[i*r.width:])
				}
			}
		}
	})
}

// ranks number points by their first samples.
type ranks struct {
	n      int
	first  []uint64 // samples that are the first of a point
	before []int32  // points whose first sample is in a word before
}

// rankFirsts makes the ranks of lists of first samples.
func rankFirsts(samples, lists int, list func(int) []int32) ranks {
	r := ranks{first: make([]uint64, (samples+63)/64)}
	loop.Parallel(lists, func(i int) {
		for _, f := range list(i) {
			atomic.OrUint64(&r.first[f>>6], 1<<(f&63))
		}
	})
	r.before = make([]int32, len(r.first))
	for w, x := range r.first {
		r.before[w] = int32(r.n)
		r.n += bits.OnesCount64(x)
	}
	return r
}

// of returns the number of the point of a first sample.
func (r *ranks) of(first int32) int {
	return int(r.before[first>>6]) + bits.OnesCount64(r.first[first>>6]&(1<<(first&63)-1))
}
