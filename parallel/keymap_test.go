package parallel

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"parcorels/bitvec"

	"parcorels/internal/testing/cases"
)

// contest is a set of values, each of which wants a key. Their costs are so few
// that ties are the rule; they are broken out of order.
type contest struct {
	values []contestant
	keys   []bitvec.Key // as the map sees them
}

type contestant struct {
	ref  ref
	cost int64
	tie  int
	key  int // index into keys
}

// ref is a value of the maps under test: the index of a contestant, and one.
type ref uint64

// newContest gives each of some values one of the keys.
func newContest(rng *rand.Rand, values int, keys []bitvec.Key) *contest {
	c := &contest{keys: keys}
	for i, tie := range rng.Perm(values) {
		c.values = append(c.values, contestant{ref(i + 1), rng.Int64N(3), tie, rng.IntN(len(keys))})
	}
	return c
}

// claim is the offer of a contestant.
type claim struct {
	c *contest
	x *contestant
}

func (c *contest) claim(x *contestant) claim { return claim{c, x} }

func (c claim) Against(held ref) Verdict {
	if c.c.less(c.x, c.c.named(held)) {
		return Wins
	}
	return Loses
}

// less is the order of values.
func (c *contest) less(x, y *contestant) bool {
	if x.cost != y.cost {
		return x.cost < y.cost
	}
	return x.tie < y.tie
}

func (c *contest) named(r ref) *contestant {
	if r == 0 || int(r) > len(c.values) {
		return nil
	}
	return &c.values[r-1]
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
		words := []uint64{emptyWord, frozenWord, 1, frozenValue, frozenWord - 1, 2}
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

// ledger is the budget of a map under test.
type ledger struct{ Budget }

// check compares the books with the tables that the map holds.
func (l *ledger) check(t *testing.T, m *KeyMap[ref], first int64) {
	t.Helper()
	var want int64
	for i := range m.parts {
		for tab := m.parts[i].table.Load(); tab != nil; tab = tab.next.Load() {
			want += int64(len(tab.slots)) * slotBytes
		}
	}
	if got := l.Used() - l.garbage.Load() + first; got != want {
		t.Errorf("the tables take %d bytes, %d are on the books", want, got)
	}
}

// TestMapAgainstModel offers values one after the other and compares every
// outcome with a Go map: tables of two slots and more, every hash, growth from
// the first few keys on.
func TestMapAgainstModel(t *testing.T) {
	values := 3000
	if !cases.All() {
		values = 600
	}
	for _, hash := range hashes {
		for _, slots := range []int{2, 4, 8} {
			t.Run(fmt.Sprintf("%s/%d", hash.name, slots), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(slots), 5))
				c := newContest(rng, values, distinctKeys(values/4, hash.make))
				var books ledger
				partBits := slots / 2 % 3
				m := newKeyMap[ref](partBits, slots, &books.Budget)
				c.play(t, m, &books, func(int) {})
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

// play offers every value, compares with the model, and does something else after each. The map may be full while the books have a
// limit, for keys that nobody holds; play returns how often it was.
func (c *contest) play(t *testing.T, m *KeyMap[ref], books *ledger, after func(i int)) (full int) {
	t.Helper()
	model := map[int]*contestant{}
	for i := range c.values {
		x := &c.values[i]
		holder := model[x.key]
		want, loser := Refused, ref(0)
		if holder == nil {
			want = Entered
		} else if c.less(x, holder) {
			want, loser = Entered, holder.ref
		}
		outcome, displaced := m.Offer(c.keys[x.key], x.ref, c.claim(x))
		switch {
		case outcome == Full && holder == nil && books.Limit > 0:
			full++
		case outcome != want || displaced != loser:
			t.Fatalf("value %d, held by %v: outcome %d, displaced %#x", i, holder, outcome, displaced)
		case outcome == Entered:
			model[x.key] = x
		}
		after(i)
		if i%64 == 0 || i == len(c.values)-1 {
			for key := range c.keys {
				want := ref(0)
				if model[key] != nil {
					want = model[key].ref
				}
				if got := m.Find(c.keys[key]); got != want {
					t.Fatalf("after %d offers key %d is held by %#x, want %#x", i+1, key, got, want)
				}
			}
		}
	}
	return full
}

// TestMapConcurrent lets several workers offer values to the same keys while
// the tables grow from two slots. Whatever the order of arrival, the smallest
// value holds each key in the end, and every other that entered was reported
// as displaced once.
func TestMapConcurrent(t *testing.T) {
	rounds, values := 8, 3000
	if !cases.All() {
		rounds, values = 2, 1000
	}
	for _, hash := range hashes {
		t.Run(hash.name, func(t *testing.T) {
			for round := range rounds {
				rng := rand.New(rand.NewPCG(uint64(round), 6))
				share := []int{2, 8, 64, 1 << 20}[round%4] // values that want one key
				keys := distinctKeys(max(1, min(values/share, 2000)), hash.make)
				c := newContest(rng, values, keys)
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
	outcome   Outcome
	displaced ref
}

// race offers all values from several workers, with a watcher beside them.
func (c *contest) race(t *testing.T, slots, workers int) {
	var books ledger
	m := newKeyMap[ref](0, slots, &books.Budget)
	c.raceWith(t, m, workers, false)
	books.check(t, m, int64(slots)*slotBytes)
}

func (c *contest) raceWith(t *testing.T, m *KeyMap[ref], workers int, mayBeFull bool) {
	results := make([]result, len(c.values))
	var next atomic.Int64
	var offers, watch sync.WaitGroup
	done := make(chan struct{})
	watch.Go(func() { c.watch(t, m, done) })
	for range workers {
		offers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(c.values)); i = next.Add(1) - 1 {
				x := &c.values[i]
				results[i].outcome, results[i].displaced = m.Offer(c.keys[x.key], x.ref, c.claim(x))
			}
		})
	}
	offers.Wait()
	close(done)
	watch.Wait()
	c.settle(t, m, results, mayBeFull)
}

// settle compares the end with what it must be whatever the order.
func (c *contest) settle(t *testing.T, m *KeyMap[ref], results []result, mayBeFull bool) {
	t.Helper()
	best := make([]*contestant, len(c.keys))
	displaced := map[ref]int{}
	for i := range c.values {
		x := &c.values[i]
		if results[i].displaced != 0 {
			displaced[results[i].displaced]++
		}
		switch {
		case results[i].outcome != Full:
			if best[x.key] == nil || c.less(x, best[x.key]) {
				best[x.key] = x
			}
		case !mayBeFull:
			t.Errorf("value %d was told that the map is full, which has no limit", i)
		}
	}
	for i := range c.values {
		x := &c.values[i]
		want := 0
		if results[i].outcome == Entered && x != best[x.key] {
			want = 1
		}
		if got := displaced[x.ref]; got != want {
			t.Errorf("value %d (outcome %d) was reported displaced %d times, want %d", i, results[i].outcome, got, want)
		}
	}
	for key, x := range best {
		if x == nil {
			continue
		}
		if got := m.Find(c.keys[key]); got != x.ref {
			t.Errorf("key %d is held by %v, want %v", key, c.named(got), x)
		}
	}
}

// watch reads keys while others write: who holds a key only gets smaller, and
// wants that key.
func (c *contest) watch(t *testing.T, m *KeyMap[ref], done <-chan struct{}) {
	byRef := map[ref]*contestant{}
	for i := range c.values {
		byRef[c.values[i].ref] = &c.values[i]
	}
	seen := make([]*contestant, len(c.keys))
	for key := 0; ; key = (key + 1) % len(c.keys) {
		select {
		case <-done:
			return
		default:
		}
		r := m.Find(c.keys[key])
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
	values := 1500
	if !cases.All() {
		values = 500
	}
	for _, hash := range hashes {
		t.Run(hash.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 7))
			c := newContest(rng, values, distinctKeys(values/3, hash.make))
			var books ledger
			m := newKeyMap[ref](0, 2, &books.Budget)
			thief := thief{m: m, rng: rng}
			c.play(t, m, &books, func(int) { thief.steal() })
			if thief.longest < 3 {
				t.Errorf("the longest chain had %d tables, 3 are wanted for the test", thief.longest)
			}
			thief.giveBack()
			for x := &c.values[0]; m.parts[0].table.Load().next.Load() != nil; {
				m.Offer(c.keys[x.key], x.ref, c.claim(x)) // offers move what nobody has taken
			}
			books.check(t, m, 2*slotBytes)
			c.settleFinds(t, m)
		})
	}
}

// thief takes strides and holds them back.
type thief struct {
	m       *KeyMap[ref]
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

// settleFinds compares what is found with the smallest value of each key.
func (c *contest) settleFinds(t *testing.T, m *KeyMap[ref]) {
	t.Helper()
	best := make([]*contestant, len(c.keys))
	for i := range c.values {
		if x := &c.values[i]; best[x.key] == nil || c.less(x, best[x.key]) {
			best[x.key] = x
		}
	}
	for key, x := range best {
		if got := m.Find(c.keys[key]); x != nil && got != x.ref {
			t.Errorf("key %d is held by %v, want %v", key, c.named(got), x)
		}
	}
}

// TestMapFindsPastAnEmptyFrozenSlot: a slot may be moved after its key was
// written and before its first holder was. The holder is then in the next table.
func TestMapFindsPastAnEmptyFrozenSlot(t *testing.T) {
	c := newContest(rand.New(rand.NewPCG(1, 8)), 1, distinctKeys(1, hashes[0].make))
	m := newKeyMap[ref](0, 4, new(Budget))
	first := m.parts[0].table.Load()
	slot, _ := first.own(normal(c.keys[0]), false)
	m.grow(first)
	first.cursor.Add(1) // a helper has the only stride in hand
	m.move(first.next.Load(), slot)
	x := &c.values[0]
	if outcome, _ := m.Offer(c.keys[0], x.ref, c.claim(x)); outcome != Entered {
		t.Fatalf("outcome %d", outcome)
	}
	if got := m.Find(c.keys[0]); got != x.ref {
		t.Errorf("found %#x, want %#x", got, x.ref)
	}
}

// TestMapFull gives the map a budget: a key that finds no room is told so, the
// keys inside go on, and growth resumes when there is memory again.
func TestMapFull(t *testing.T) {
	for _, hash := range hashes {
		rng := rand.New(rand.NewPCG(1, 9))
		c := newContest(rng, 2000, distinctKeys(700, hash.make))
		books := ledger{Budget{Limit: 400 * slotBytes}}
		m := newKeyMap[ref](0, 4, &books.Budget)
		refusals := c.play(t, m, &books, func(i int) {
			if i == len(c.values)/2 {
				books.Limit = 0
			}
		})
		if refusals == 0 {
			t.Errorf("%s: the map was never full", hash.name)
		}
		books.check(t, m, 4*slotBytes)
	}
}

// TestMapFullCollects: the first tables, too, are collected once they are dropped. Else a full map
// would run the collector for each key that it refuses.
func TestMapFullCollects(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 10))
	b := &Budget{Limit: KeyMapBytes + 1<<11}
	b.Take(KeyMapBytes)
	m := NewKeyMap[ref](b)
	c := newContest(rng, 4000, distinctKeys(4000, hashes[0].make))
	full := false
	for i := range c.values {
		x := &c.values[i]
		outcome, _ := m.Offer(c.keys[x.key], x.ref, c.claim(x))
		full = full || outcome == Full
	}
	if !full {
		t.Fatal("the map was never full")
	}
	cases.Until(func() bool { runtime.GC(); return b.garbage.Load() == 0 })
	runtime.KeepAlive(m)
}

// TestMapFullConcurrent is TestMapFull from several workers: a worker that was not
// turned away is accounted for.
func TestMapFullConcurrent(t *testing.T) {
	for _, hash := range hashes {
		t.Run(hash.name, func(t *testing.T) {
			c := newContest(rand.New(rand.NewPCG(1, 10)), 2000, distinctKeys(700, hash.make))
			books := ledger{Budget{Limit: 300 * slotBytes}}
			c.raceWith(t, newKeyMap[ref](0, 4, &books.Budget), 4, true)
			if used := books.Used(); used > books.Limit {
				t.Errorf("%d bytes on the books, %d are allowed", used, books.Limit)
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
