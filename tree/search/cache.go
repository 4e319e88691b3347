package search

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/internal/prefetch"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// cache maps sets of points to bounds. All workers share it, and none waits.
//
// It is split into shards by the top bits of the key. A shard is a table of
// slots; a key may stand in the window slots from its place on. A slot is four
// words that are read and written one by one: the bounds, and the halves of the
// key mixed with the bounds. A reader that meets a slot half written finds
// another key there and goes on, as it does for a lost entry (R. Hyatt and T.
// Mann, A lockless transposition table implementation for parallel search,
// 2002). So a write may be lost, and bounds are still never wrong.
//
// When a window is full and the shard as well, to eleven sixteenths, the shard
// doubles, if the memory allows: one worker copies, the others use the old table
// meanwhile, and what they write there may be lost. Otherwise the entry of the
// window with the smallest lower bound gives way: it is the one that is found
// again with the least work.
//
// The engine's KeyMap has no place for this. It never gives an entry up, so with
// its memory spent it would learn nothing more, and a search that cannot remember
// the set at hand does the same work over and over. And it keeps 63 bits for a
// key, where two bounds of 61 bits belong together.
type cache struct {
	shards []shard
	shift  int
	memory *parallel.Budget
}

type shard struct {
	table   atomic.Pointer[table] // read by every look-up, so apart from what insertions write
	_       [120]byte
	used    atomic.Int64
	growing sync.Mutex
	_       [112]byte
}

type table struct {
	slots []slot
	mask  uint64 // of a place
}

type slot struct{ hi, lo, lower, upper uint64 }

const (
	slotBytes = 32
	window    = 8
	smallest  = 64 // slots of a shard that has more than a window
	pageBytes = 4096
)

// newCache makes a cache of some shards, a power of two. The memory of its first
// tables is taken whatever the limit.
func newCache(shards int, m *parallel.Budget) *cache {
	c := &cache{shards: make([]shard, shards), shift: 64 - bits.Len(uint(shards-1)), memory: m}
	slots, tables := make([]slot, shards*window), make([]table, shards)
	m.Take(int64(len(slots) * slotBytes))
	for i := range tables {
		tables[i].slots = slots[i*window : (i+1)*window]
		c.shards[i].table.Store(&tables[i])
	}
	return c
}

// newTable returns an empty table. It writes to each page of it: a page that is read
// first is mapped to one page of zeros, and the write that comes later has every
// processor of the program drop its translations of addresses.
func newTable(slots int) *table {
	t := &table{make([]slot, slots), uint64(slots - window)}
	for i := 0; i < slots; i += pageBytes / slotBytes {
		t.slots[i].upper = 0
	}
	return t
}

// place returns the first slot of a key's window, a multiple of four.
func (t *table) place(k bitvec.Key) []slot {
	at := k.Lo & t.mask &^ 3
	return t.slots[at : at+window : at+window]
}

func (c *cache) shard(k bitvec.Key) *shard { return &c.shards[k.Hi>>c.shift%uint64(len(c.shards))] }

// seal returns what the slot of key k holds beside the bounds.
func seal(k bitvec.Key, lower, upper uint64) bitvec.Key {
	return bitvec.Key{Hi: k.Hi ^ lower ^ bits.RotateLeft64(upper, 32), Lo: k.Lo ^ upper ^ bits.RotateLeft64(lower, 32)}
}

// find returns the bounds of a set, those of nothing known when it has none.
func (c *cache) find(k bitvec.Key) (lower, upper int64) {
	slots := c.shard(k).table.Load().place(k)
	for i := range slots {
		s := &slots[i]
		at, l, u := s.read()
		if u == 0 {
			break // a window is filled from its begin
		}
		if at == seal(k, l, u) {
			return int64(l), int64(u)
		}
	}
	return 0, price.Far
}

// prefetch has the slots of a key on their way to the processor.
func (c *cache) prefetch(k bitvec.Key) {
	prefetch.Line(unsafe.Pointer(&c.shard(k).table.Load().place(k)[0]))
}

// store tightens the bounds of a set. lower ≤ upper, 0 < upper.
func (c *cache) store(k bitvec.Key, lower, upper int64) {
	sh := c.shard(k)
	for {
		t := sh.table.Load()
		if t.store(k, uint64(lower), uint64(upper), &sh.used, false) {
			return
		}
		if sh.used.Load() < int64(len(t.slots))*11/16 || !c.grow(sh, t) {
			t.store(k, uint64(lower), uint64(upper), &sh.used, true)
			return
		}
	}
}

// store writes the entry of k. It returns false when the window is full of other
// keys, unless the cheapest of them may be replaced.
func (t *table) store(k bitvec.Key, lower, upper uint64, used *atomic.Int64, replace bool) bool {
	slots := t.place(k)
	var free, cheapest *slot
	least := ^uint64(0)
	for i := range slots {
		s := &slots[i]
		at, l, u := s.read()
		if u == 0 {
			free = s
			break // a window is filled from its begin
		}
		if at == seal(k, l, u) {
			if lower > l || upper < u {
				s.write(k, max(l, lower), min(u, upper))
			}
			return true
		}
		if l < least {
			cheapest, least = s, l
		}
	}
	switch {
	case free != nil:
		used.Add(1)
		free.write(k, lower, upper)
	case replace:
		cheapest.write(k, lower, upper)
	default:
		return false
	}
	return true
}

// read returns the words of a slot, which may be of different entries.
func (s *slot) read() (sealed bitvec.Key, lower, upper uint64) {
	lower, upper = atomic.LoadUint64(&s.lower), atomic.LoadUint64(&s.upper)
	return bitvec.Key{Hi: atomic.LoadUint64(&s.hi), Lo: atomic.LoadUint64(&s.lo)}, lower, upper
}

func (s *slot) write(k bitvec.Key, lower, upper uint64) {
	k = seal(k, lower, upper)
	atomic.StoreUint64(&s.hi, k.Hi)
	atomic.StoreUint64(&s.lo, k.Lo)
	atomic.StoreUint64(&s.lower, lower)
	atomic.StoreUint64(&s.upper, upper)
}

// grow replaces t by a table of twice its slots at least. It returns false when the
// memory does not allow it, or another worker is at it.
func (c *cache) grow(sh *shard, t *table) bool {
	if !sh.growing.TryLock() {
		return false
	}
	defer sh.growing.Unlock()
	if sh.table.Load() != t {
		return true
	}
	slots := max(smallest, 2*len(t.slots))
	if !c.memory.Reserve(int64(slots * slotBytes)) {
		return false
	}
	next := newTable(slots)
	var used atomic.Int64
	for i := range t.slots {
		if sealed, l, u := t.slots[i].read(); u != 0 && l <= u {
			next.store(seal(sealed, l, u), l, u, &used, true) // mixing twice undoes it
		}
	}
	sh.used.Store(used.Load())
	sh.table.Store(next)
	if len(t.slots) > window { // the first tables are one array, which is there as long as any of them
		parallel.Drop(c.memory, t, int64(len(t.slots)*slotBytes))
	}
	return true
}

// entries returns how many sets have bounds.
func (c *cache) entries() (n int64) {
	for i := range c.shards {
		n += c.shards[i].used.Load()
	}
	return n
}

// The open splits of sets that a worker has left not long ago.
//
// A set is left when its bound reaches a budget, and taken up again when the set
// above has raised others as far. Its splits and their bounds are then as they
// were, unless the cache knows better by now, so it need not be counted again. On
// a quarter of the counts of car-evaluation and fico the set is among the last
// thousand. The memory is fixed: one slot a set, found by the key, the last one
// stays.
type recent struct {
	slots []left // made for the first set
	most  int
}

// left is a set that was left.
type left struct {
	key    bitvec.Key
	upper  int64
	splits []split
}

const (
	recentBytes = 1 << 20 // of one worker
	recentLeast = 16      // slots; with fewer it is not worth having
	splitBytes  = 40
)

// newRecent returns room for sets with up to so many splits, none where the
// memory does not allow it.
func newRecent(features int, b *parallel.Budget) recent {
	slots := recentBytes / (splitBytes * max(features, 1))
	if slots < recentLeast || !b.Reserve(recentBytes) {
		return recent{}
	}
	return recent{most: min(slots, recentBytes/splitBytes/8)}
}

// keep remembers the splits of a frame that is left, but those that upper closes.
func (r *recent) keep(fr *frame, upper int64) {
	if r.most == 0 {
		return
	}
	if r.slots == nil {
		r.slots = make([]left, r.most)
	}
	s := &r.slots[fr.key.Lo%uint64(r.most)]
	s.key, s.upper, s.splits = fr.key, upper, slices.Grow(s.splits[:0], len(fr.splits)+len(fr.dropped))
	for _, list := range [][]split{fr.splits, fr.dropped} {
		for i := range list {
			if list[i].lower() < upper {
				s.splits = append(s.splits, list[i])
			}
		}
	}
}

// find returns the splits of a set and the upper bound that they have led to;
// none if the set is not remembered.
func (r *recent) find(k bitvec.Key) (splits []split, upper int64) {
	if len(r.slots) > 0 {
		if s := &r.slots[k.Lo%uint64(r.most)]; s.key == k {
			return s.splits, s.upper
		}
	}
	return nil, price.Far
}
