package parallel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/trie"
)

// contest is a set of prefixes, each of which wants a key. Their costs and
// lengths are so few that ties are the rule, and the columns of the prefixes
// are named out of order.
type contest struct {
	s        *search
	prefixes []contestant
	keys     []bitvec.Key // as the map sees them
}

type contestant struct {
	id     trie.ID
	ref    trie.Ref
	cost   int64
	prefix []uint16
	key    int // index into keys
}

// newContest grows a small tree of prefixes and gives each one of the keys.
func newContest(rng *rand.Rand, prefixes int, keys []bitvec.Key) *contest {
	c := &contest{s: &search{arena: trie.NewArena(1, func(int64) bool { return true }), p: &problem{}}, keys: keys}
	for _, name := range rng.Perm(prefixes) {
		c.s.p.names = append(c.s.p.names, uint16(name))
	}
	h := c.s.arena.Handle(0)
	for i := range prefixes {
		x := contestant{cost: rng.Int64N(3), key: rng.IntN(len(keys))}
		parent := trie.Root
		if i > 0 && rng.IntN(3) > 0 {
			up := c.prefixes[rng.IntN(i)]
			parent, x.prefix = up.id, up.prefix
		}
		column := uint16(i) // so no two prefixes are equal
		x.prefix = append(x.prefix[:len(x.prefix):len(x.prefix)], column)
		x.id, _ = h.New(parent, int(column), false, x.cost, 0)
		x.ref = c.s.arena.Ref(x.id)
		c.prefixes = append(c.prefixes, x)
	}
	return c
}

func (c *contest) claim(x *contestant) *claim {
	return &claim{s: c.s, cost: x.cost, depth: len(x.prefix), prefix: x.prefix}
}

// less is the order of prefixes, straight from its definition.
func (c *contest) less(x, y *contestant) bool {
	if x.cost != y.cost {
		return x.cost < y.cost
	}
	if len(x.prefix) != len(y.prefix) {
		return len(x.prefix) < len(y.prefix)
	}
	for i := range x.prefix {
		if a, b := c.s.p.names[x.prefix[i]], c.s.p.names[y.prefix[i]]; a != b {
			return a < b
		}
	}
	return false
}

func (c *contest) named(r trie.Ref) *contestant {
	for i := range c.prefixes {
		if c.prefixes[i].ref == r {
			return &c.prefixes[i]
		}
	}
	return nil
}

// hashes are ways to make keys, from good ones to those that share halves.
var hashes = []struct {
	name string
	make func(i uint64) bitvec.Key
}{
	{"random", func(i uint64) bitvec.Key { return bitvec.Key{Hi: scatter(i), Lo: scatter(i + 1<<32)} }},
	{"one hi", func(i uint64) bitvec.Key { return bitvec.Key{Hi: 7, Lo: scatter(i)} }},
	{"one lo", func(i uint64) bitvec.Key { return bitvec.Key{Hi: scatter(i), Lo: 7} }},
	{"one slot", func(i uint64) bitvec.Key { return bitvec.Key{Hi: 7, Lo: i << 32} }},
	{"few hi", func(i uint64) bitvec.Key { return bitvec.Key{Hi: i%4<<62 | 1, Lo: scatter(i)} }},
	{"few lo", func(i uint64) bitvec.Key { return bitvec.Key{Hi: scatter(i), Lo: i % 4} }},
	{"in order", func(i uint64) bitvec.Key { return bitvec.Key{Hi: i + 1, Lo: i + 1} }},
	{"words with a meaning", func(i uint64) bitvec.Key {
		words := []uint64{emptyWord, frozenWord, 1, frozenRef, frozenWord - 1, 2}
		return bitvec.Key{Hi: words[i%6], Lo: words[i/6%6] ^ i/36<<8}
	}},
}

func scatter(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	return (x ^ x>>29) * 0xbf58476d1ce4e5b9
}

// distinctKeys makes n keys that the map tells apart.
func distinctKeys(n int, make func(uint64) bitvec.Key) (keys []bitvec.Key) {
	seen := map[bitvec.Key]bool{}
	for i := uint64(0); len(keys) < n && i < uint64(8*n); i++ {
		if k := normal(make(i)); !seen[k] {
			seen[k] = true
			keys = append(keys, make(i))
		}
	}
	return keys
}

// ledger counts the bytes that a map took and gave back.
type ledger struct {
	used  atomic.Int64
	limit int64 // 0: none
}

func (l *ledger) reserve(n int64) bool {
	if now := l.used.Add(n); l.limit > 0 && now > l.limit {
		l.used.Add(-n)
		return false
	}
	return true
}

func (l *ledger) release(n int64) { l.used.Add(-n) }

// check compares the books with the tables that the map holds.
func (l *ledger) check(t *testing.T, m *symmetryMap, first int64) {
	t.Helper()
	var want int64
	for i := range m.parts {
		for tab := m.parts[i].table.Load(); tab != nil; tab = tab.next.Load() {
			want += int64(len(tab.slots)) * slotBytes
		}
	}
	if got := l.used.Load() + first; got != want {
		t.Errorf("the tables take %d bytes, %d are on the books", want, got)
	}
}

// TestMapAgainstModel offers prefixes one after the other and compares every
// outcome with a Go map: tables of two slots and more, every hash, growth from
// the first few keys on.
func TestMapAgainstModel(t *testing.T) {
	prefixes := 3000
	if testing.Short() {
		prefixes = 600
	}
	for _, hash := range hashes {
		for _, slots := range []int{2, 4, 8} {
			t.Run(fmt.Sprintf("%s/%d", hash.name, slots), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(slots), 5))
				c := newContest(rng, prefixes, distinctKeys(prefixes/4, hash.make))
				var books ledger
				partBits := slots / 2 % 3
				m := newSymmetryMap(partBits, slots, books.reserve, books.release)
				c.play(t, m)
				books.check(t, m, int64(slots)<<partBits*slotBytes)
				for i := range m.parts {
					tab := m.parts[i].table.Load()
					if next := tab.next.Load(); next != nil && next.next.Load() != nil {
						t.Errorf("part %d holds three tables although nobody was held up while moving them", i)
					}
				}
			})
		}
	}
}

func (c *contest) play(t *testing.T, m *symmetryMap) { c.playWith(t, m, func() {}) }

// playWith offers every prefix, compares with the model, and does something
// else after each.
func (c *contest) playWith(t *testing.T, m *symmetryMap, after func()) {
	t.Helper()
	model := map[int]*contestant{}
	for i := range c.prefixes {
		x := &c.prefixes[i]
		holder := model[x.key]
		outcome, displaced := m.offer(c.keys[x.key], x.ref, c.claim(x))
		switch {
		case holder == nil:
			if outcome != entered || displaced != 0 {
				t.Fatalf("prefix %d to a free key: outcome %d, displaced %#x", i, outcome, displaced)
			}
			model[x.key] = x
		case c.less(x, holder):
			if outcome != entered || displaced != holder.ref {
				t.Fatalf("prefix %d, smaller than the holder %#x: outcome %d, displaced %#x", i, holder.ref, outcome, displaced)
			}
			model[x.key] = x
		case outcome != refused || displaced != 0:
			t.Fatalf("prefix %d, not smaller than the holder: outcome %d, displaced %#x", i, outcome, displaced)
		}
		after()
		if i%64 == 0 || i == len(c.prefixes)-1 {
			for key := range c.keys {
				want := trie.Ref(0)
				if model[key] != nil {
					want = model[key].ref
				}
				if got := m.find(c.keys[key]); got != want {
					t.Fatalf("after %d offers key %d is held by %#x, want %#x", i+1, key, got, want)
				}
			}
		}
	}
}

// TestMapConcurrent lets several workers offer prefixes to the same keys while
// the tables grow from two slots. Whatever the order of arrival, the smallest
// prefix holds each key in the end, and every other that entered was reported
// as displaced once.
func TestMapConcurrent(t *testing.T) {
	rounds, prefixes := 8, 3000
	if testing.Short() {
		rounds, prefixes = 2, 1000
	}
	for _, hash := range hashes {
		t.Run(hash.name, func(t *testing.T) {
			for round := range rounds {
				rng := rand.New(rand.NewPCG(uint64(round), 6))
				share := []int{2, 8, 64, 1 << 20}[round%4] // prefixes that want one key
				keys := distinctKeys(max(1, min(prefixes/share, 2000)), hash.make)
				c := newContest(rng, prefixes, keys)
				c.race(t, 2<<(round%3), 4)
				if t.Failed() {
					t.Fatalf("round %d", round)
				}
			}
		})
	}
}

// result is what became of one offer.
type result struct {
	outcome   offerOutcome
	displaced trie.Ref
}

// race offers all prefixes from several workers, with a watcher beside them.
func (c *contest) race(t *testing.T, slots, workers int) {
	var books ledger
	m := newSymmetryMap(0, slots, books.reserve, books.release)
	c.raceWith(t, m, workers, false)
	books.check(t, m, int64(slots)*slotBytes)
}

func (c *contest) raceWith(t *testing.T, m *symmetryMap, workers int, mayBeFull bool) {
	results := make([]result, len(c.prefixes))
	var next atomic.Int64
	var offers, watch sync.WaitGroup
	done := make(chan struct{})
	watch.Go(func() { c.watch(t, m, done) })
	for range workers {
		offers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(c.prefixes)); i = next.Add(1) - 1 {
				x := &c.prefixes[i]
				results[i].outcome, results[i].displaced = m.offer(c.keys[x.key], x.ref, c.claim(x))
			}
		})
	}
	offers.Wait()
	close(done)
	watch.Wait()
	c.settle(t, m, results, mayBeFull)
}

// settle compares the end with what it must be whatever the order.
func (c *contest) settle(t *testing.T, m *symmetryMap, results []result, mayBeFull bool) {
	t.Helper()
	best := make([]*contestant, len(c.keys))
	displaced := map[trie.Ref]int{}
	for i := range c.prefixes {
		x := &c.prefixes[i]
		if results[i].displaced != 0 {
			displaced[results[i].displaced]++
		}
		switch {
		case results[i].outcome != full:
			if best[x.key] == nil || c.less(x, best[x.key]) {
				best[x.key] = x
			}
		case !mayBeFull:
			t.Errorf("prefix %d was told that the map is full, which has no limit", i)
		}
	}
	for i := range c.prefixes {
		x := &c.prefixes[i]
		want := 0
		if results[i].outcome == entered && x != best[x.key] {
			want = 1
		}
		if got := displaced[x.ref]; got != want {
			t.Errorf("prefix %d (outcome %d) was reported displaced %d times, want %d", i, results[i].outcome, got, want)
		}
	}
	for key, x := range best {
		if x == nil {
			continue
		}
		if got := m.find(c.keys[key]); got != x.ref {
			t.Errorf("key %d is held by %v, want %v", key, c.named(got), x)
		}
	}
}

// watch reads keys while others write: who holds a key only gets smaller, and
// wants that key.
func (c *contest) watch(t *testing.T, m *symmetryMap, done <-chan struct{}) {
	byRef := map[trie.Ref]*contestant{}
	for i := range c.prefixes {
		byRef[c.prefixes[i].ref] = &c.prefixes[i]
	}
	seen := make([]*contestant, len(c.keys))
	for key := 0; ; key = (key + 1) % len(c.keys) {
		select {
		case <-done:
			return
		default:
		}
		r := m.find(c.keys[key])
		x := byRef[r]
		switch {
		case r == 0 && seen[key] == nil:
			continue
		case r == 0:
			t.Errorf("key %d was held and is not", key)
		case x == nil || x.key != key:
			t.Errorf("key %d is held by %#x, which does not want it", key, r)
		case seen[key] != nil && c.less(seen[key], x):
			t.Errorf("key %d went from %v to the larger %v", key, seen[key], x)
		default:
			seen[key] = x
			continue
		}
		return
	}
}

// TestMapBehindStalledHelpers takes strides of tables that move and leaves them
// unmoved, as a worker that is kept from its core would: the chain of tables
// grows longer, and stays right. In the end the strides are moved after all,
// and the chain is one table again.
func TestMapBehindStalledHelpers(t *testing.T) {
	prefixes := 1500
	if testing.Short() {
		prefixes = 500
	}
	for _, hash := range hashes {
		t.Run(hash.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 7))
			c := newContest(rng, prefixes, distinctKeys(prefixes/3, hash.make))
			var books ledger
			m := newSymmetryMap(0, 2, books.reserve, books.release)
			thief := thief{m: m, rng: rng}
			c.playWith(t, m, thief.steal)
			if thief.longest < 3 {
				t.Errorf("the longest chain had %d tables, 3 are wanted for the test", thief.longest)
			}
			thief.giveBack()
			for x := &c.prefixes[0]; m.parts[0].table.Load().next.Load() != nil; {
				m.offer(c.keys[x.key], x.ref, c.claim(x)) // offers move what nobody has taken
			}
			books.check(t, m, 2*slotBytes)
			c.settleFinds(t, m)
		})
	}
}

// thief takes strides and holds them back.
type thief struct {
	m       *symmetryMap
	rng     *rand.Rand
	taken   []func()
	longest int
}

func (th *thief) steal() {
	length := 0
	for tab := th.m.parts[0].table.Load(); tab != nil; tab = tab.next.Load() {
		length++
		if tab.cursor.Load() >= tab.strides() || th.rng.IntN(16) != 0 {
			continue // taken from a table that does not move yet: in hand as soon as it does
		}
		first := (tab.cursor.Add(1) - 1) * stride
		th.taken = append(th.taken, func() {
			next := tab.next.Load()
			if next == nil {
				return
			}
			for i := first; i < min(first+stride, int64(len(tab.slots))); i++ {
				th.m.move(next, &tab.slots[i])
			}
			tab.moved.Add(1)
		})
	}
	th.longest = max(th.longest, length)
}

func (th *thief) giveBack() {
	for _, f := range th.taken {
		f()
	}
	th.m.unlink(&th.m.parts[0])
}

// settleFinds compares what is found with the smallest prefix of each key.
func (c *contest) settleFinds(t *testing.T, m *symmetryMap) {
	t.Helper()
	best := make([]*contestant, len(c.keys))
	for i := range c.prefixes {
		if x := &c.prefixes[i]; best[x.key] == nil || c.less(x, best[x.key]) {
			best[x.key] = x
		}
	}
	for key, x := range best {
		if got := m.find(c.keys[key]); x != nil && got != x.ref {
			t.Errorf("key %d is held by %v, want %v", key, c.named(got), x)
		}
	}
}

// TestMapFindsPastAnEmptyFrozenSlot: a slot may be moved after its key was
// written and before its first holder was. The holder is then in the next table.
func TestMapFindsPastAnEmptyFrozenSlot(t *testing.T) {
	c := newContest(rand.New(rand.NewPCG(1, 8)), 1, distinctKeys(1, hashes[0].make))
	m := newSymmetryMap(0, 4, func(int64) bool { return true }, func(int64) {})
	first := m.parts[0].table.Load()
	slot, _ := first.own(normal(c.keys[0]), false)
	m.grow(first)
	first.cursor.Add(1) // a helper has the only stride in hand
	m.move(first.next.Load(), slot)
	x := &c.prefixes[0]
	if outcome, _ := m.offer(c.keys[0], x.ref, c.claim(x)); outcome != entered {
		t.Fatalf("outcome %d", outcome)
	}
	if got := m.find(c.keys[0]); got != x.ref {
		t.Errorf("found %#x, want %#x", got, x.ref)
	}
}

// TestMapReclaimedHolder: nothing is known of a holder that was reclaimed, so
// any prefix takes its place, and displaces nobody.
func TestMapReclaimedHolder(t *testing.T) {
	arena := trie.NewArena(1, func(int64) bool { return true })
	s := &search{arena: arena, p: &problem{names: []uint16{0, 1}}}
	m := newSymmetryMap(0, 2, func(int64) bool { return true }, func(int64) {})
	key := bitvec.Key{Hi: 3, Lo: 4}
	h := arena.Handle(0)
	h.Pin()
	small, _ := h.New(trie.Root, 0, false, 1, 0)
	if outcome, _ := m.offer(key, arena.Ref(small), &claim{s: s, cost: 1, depth: 1, prefix: []uint16{0}}); outcome != entered {
		t.Fatalf("outcome %d on an empty map", outcome)
	}
	large, _ := h.New(trie.Root, 1, false, 2, 0)
	c := &claim{s: s, cost: 2, depth: 1, prefix: []uint16{1}}
	if outcome, displaced := m.offer(key, arena.Ref(large), c); outcome != refused || displaced != 0 {
		t.Fatalf("against a smaller holder: outcome %d, displaced %#x", outcome, displaced)
	}
	h.Release(small)
	if outcome, displaced := m.offer(key, arena.Ref(large), c); outcome != entered || displaced != 0 {
		t.Errorf("against a reclaimed holder: outcome %d, displaced %#x", outcome, displaced)
	}
	if outcome, _ := m.offer(key, arena.Ref(large), c); outcome != refused {
		t.Errorf("against itself: outcome %d", outcome)
	}
}

// TestMapFull gives the map a budget: a key that finds no room is told so, the
// keys inside go on, and growth resumes when there is memory again.
func TestMapFull(t *testing.T) {
	for _, hash := range hashes {
		rng := rand.New(rand.NewPCG(1, 9))
		c := newContest(rng, 2000, distinctKeys(700, hash.make))
		books := ledger{limit: 400 * slotBytes}
		m := newSymmetryMap(0, 4, books.reserve, books.release)
		model := map[int]*contestant{}
		refusals := 0
		for i := range c.prefixes {
			x := &c.prefixes[i]
			if i == len(c.prefixes)/2 {
				books.limit = 0
			}
			outcome, _ := m.offer(c.keys[x.key], x.ref, c.claim(x))
			switch holder := model[x.key]; {
			case outcome == full:
				refusals++
				if holder != nil || books.limit == 0 {
					t.Fatalf("%s: offer %d finds the map full; its key is held by %v, the limit is %d", hash.name, i, holder, books.limit)
				}
			case holder == nil || c.less(x, holder):
				if outcome != entered {
					t.Fatalf("%s: offer %d: outcome %d", hash.name, i, outcome)
				}
				model[x.key] = x
			case outcome != refused:
				t.Fatalf("%s: offer %d: outcome %d", hash.name, i, outcome)
			}
			if got := m.find(c.keys[x.key]); model[x.key] != nil && got != model[x.key].ref {
				t.Fatalf("%s: offer %d: key %d is held by %#x, want %#x", hash.name, i, x.key, got, model[x.key].ref)
			}
		}
		if refusals == 0 {
			t.Errorf("%s: the map was never full", hash.name)
		}
		books.check(t, m, 4*slotBytes)
	}
}

// TestMapFullConcurrent is the same from several workers: whoever was not
// turned away is accounted for.
func TestMapFullConcurrent(t *testing.T) {
	for _, hash := range hashes {
		t.Run(hash.name, func(t *testing.T) {
			c := newContest(rand.New(rand.NewPCG(1, 10)), 2000, distinctKeys(700, hash.make))
			books := ledger{limit: 300 * slotBytes}
			c.raceWith(t, newSymmetryMap(0, 4, books.reserve, books.release), 4, true)
			if used := books.used.Load(); used > books.limit {
				t.Errorf("%d bytes on the books, %d are allowed", used, books.limit)
			}
		})
	}
}

// Two fields whose addresses differ by a cache line or more never share one.
func TestMapPadding(t *testing.T) {
	const line = 64
	if size := unsafe.Sizeof(slot{}); size != slotBytes {
		t.Errorf("a slot takes %d bytes, slotBytes says %d", size, slotBytes)
	}
	if size := unsafe.Sizeof(part{}); size < line {
		t.Errorf("the parts' heads are %d bytes apart", size)
	}
	var tab table
	if read := unsafe.Offsetof(tab.next) + unsafe.Sizeof(tab.next); unsafe.Offsetof(tab.claimed) < line || read > line {
		t.Error("what look-ups read is not on the first line of a table, or what insertions write is")
	}
	if size := unsafe.Sizeof(tab); size != 2*line { // a size class, so tables begin on a line
		t.Errorf("a table's head takes %d bytes", size)
	}
}

// TestMapAndNodes plays the search's use of map and nodes: look up, make a
// node, offer it, take it back or kill whom it displaced, and sooner or later
// close it or let it go. In the end every node has been retired once: all
// references are stale, and the free lists hold no node twice.
func TestMapAndNodes(t *testing.T) {
	rounds, offers := 4, 20_000
	if testing.Short() {
		rounds, offers = 2, 4_000
	}
	for round := range rounds {
		const workers = 4
		arena := trie.NewArena(workers, func(int64) bool { return true })
		s := &search{arena: arena, p: &problem{names: make([]uint16, 1<<16)}}
		for i := range s.p.names {
			s.p.names[i] = uint16(i) ^ 0x5555
		}
		s.symmetry = newSymmetryMap(0, 2, func(int64) bool { return true }, func(int64) {})
		keys := distinctKeys([]int{3, 300}[round%2], hashes[round%len(hashes)].make)
		refs := make([][]trie.Ref, workers)
		var wg sync.WaitGroup
		for i := range workers {
			wg.Go(func() { refs[i] = s.offerAndEnd(i, offers/workers, keys) })
		}
		wg.Wait()
		h := arena.Handle(0)
		h.Pin()
		for _, k := range keys {
			if r := s.symmetry.find(k); r != 0 && arena.Resolve(r) != nil {
				h.Kill(trie.ID(r))
			}
		}
		made := 0
		for _, r := range slices.Concat(refs...) {
			made++
			if n := arena.Resolve(r); n != nil {
				t.Fatalf("round %d: node %#x was never retired: %+v", round, r, n)
			}
		}
		h.Unpin()
		checkNoNodeTwice(t, arena, workers, made)
	}
}

// offerAndEnd is one worker's part. It returns the references of its nodes
// that entered the map.
func (s *search) offerAndEnd(worker, offers int, keys []bitvec.Key) (refs []trie.Ref) {
	rng := rand.New(rand.NewPCG(uint64(worker), 12))
	h := s.arena.Handle(worker)
	c := &claim{s: s}
	var open []trie.ID
	for i := range offers {
		h.Pin()
		key := keys[rng.IntN(len(keys))]
		c.cost, c.depth = rng.Int64N(20), 1
		c.prefix = append(c.prefix[:0], uint16(rng.Uint32()))
		if r := s.symmetry.find(key); r == 0 || c.against(r) != loses {
			id, _ := h.New(trie.Root, int(c.prefix[0]), false, c.cost, 0)
			ref := s.arena.Ref(id)
			switch outcome, displaced := s.symmetry.offer(key, ref, c); {
			case outcome == refused:
				h.Discard(id)
			case displaced != 0:
				h.Kill(trie.ID(displaced))
				fallthrough
			default:
				refs = append(refs, ref)
				open = append(open, id)
			}
		}
		if n := len(open); n > 0 && (n > 100 || rng.IntN(2) == 0 || i == offers-1) {
			s.end(h, rng, open[n-1])
			open = open[:n-1]
		}
		h.Unpin()
	}
	for _, id := range open {
		h.Pin()
		s.end(h, rng, id)
		h.Unpin()
	}
	return refs
}

// end closes a node as the search does after an expansion, or lets it go as
// after a bound.
func (s *search) end(h *trie.Handle, rng *rand.Rand, id trie.ID) {
	if rng.IntN(3) > 0 {
		h.Close(id)
	} else {
		h.Release(id)
	}
}

// checkNoNodeTwice takes more nodes than were ever made: none comes twice.
func checkNoNodeTwice(t *testing.T, arena *trie.Arena, workers, made int) {
	t.Helper()
	seen := map[trie.ID]bool{trie.Root: true}
	for i := range workers {
		h := arena.Handle(i)
		for range 64 {
			h.Pin()
			for range 8 + made/workers/32 {
				id, _ := h.New(trie.Root, 0, false, 0, 0)
				if seen[id] {
					t.Fatalf("node %d is given out twice", id)
				}
				seen[id] = true
			}
			h.Unpin()
		}
	}
}
