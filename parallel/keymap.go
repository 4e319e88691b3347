package parallel

import (
	"sync/atomic"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/internal/invariants"
	"parcorels/internal/prefetch"
	"parcorels/loop/interleave"
)

// KeyMap maps 128-bit keys to values of 63 bits, of which 0 means that there is
// none. Reads and writes are lock-free, growth included: no worker ever waits for
// another. Keys should be hashes; two things with the same key are one to the map.
//
// A client offers values, of which the smallest in an order of its own stays
// (Offer). The order of arrival does not matter.
// Losing a value would cost time, never correctness, if the client uses the map
// only to save work.
//
// Whole searches take 1.03 to 1.42 times the processor time with xsync's MapOf as the
// map (docs/tried.md): an offer there locks a bucket and calls back, and nothing can be
// prefetched.
//
// # How it works
//
// The map is split into parts by the top bits of the key; each part is a chain
// of open-addressing tables, in practice one, or two while it grows. A slot is
// three words: the two halves of the key and the value.
//
// A slot is claimed by a CAS on the first half and owned by the worker whose CAS on
// the second half succeeds, so two keys that share a first half never share a
// slot, and two workers that insert the same key meet in the same slot.
//
// Growth. When a table is three quarters full a larger one is linked behind
// it. From then on nobody claims a slot of the old table: an insertion that
// finds its key there in a slot that is not frozen works on it, and one that
// meets an empty slot freezes it (so that nobody else can claim it) and goes on
// to the next table. Workers that pass by move strides of slots: freeze the
// value, then insert the key into the next table if it is absent. The worker that
// meets a frozen slot with its own key moves that slot first; so every
// insertion of a key into the next table begins from what the old one held,
// and nothing is lost. When every stride is moved the old table is unlinked.
// The next table counts the entries of the old one as its own from the start,
// so new keys leave them room, however late they arrive and even if the budget
// refuses a third table.
//
// One key, one slot. A slot that a key passes is final: another
// key's half, or frozen. An empty half is tried for, never passed by. So all
// workers that look for a key in one table end at the same slot, or all go on
// to the next table, and the key cannot be in two slots of one table, nor in
// use in two tables: it is used in the next one only behind a slot that is
// frozen in this one.
type KeyMap[V ~uint64] struct {
	tables
}

// tables is the map without the type of its values.
type tables struct {
	parts  []part
	shift  int // key.Hi >> shift is the part
	budget *Budget
	_      [88]byte // nobody writes beside it
}

type part struct {
	table atomic.Pointer[table]
	_     [56]byte
}

// table keeps what every look-up reads apart from what insertions write.
type table struct {
	slots []slot
	mask  uint64
	next  atomic.Pointer[table]
	_     [24]byte

	claimed atomic.Int64 // slots claimed, here and in the tables before it
	cursor  atomic.Int64 // strides handed out
	moved   atomic.Int64 // strides done
	_       [40]byte
}

type slot struct{ hi, lo, value atomic.Uint64 }

const (
	slotBytes = 24
	stride    = 128
	pageSlots = 4096 / slotBytes // no more than lie on the smallest page

	emptyWord   = 0
	frozenWord  = ^uint64(0)      // in hi: never claimed; in lo: claimed but never owned
	frozenValue = uint64(1) << 63 // in value: the slot is being moved

	mapPartBits   = 6
	firstSlots    = 1 << 3
	maxProbes     = 1 << 12
	loadNumerator = 3 // of 4
)

// KeyMapBytes is the memory of an empty map.
const KeyMapBytes = firstSlots << mapPartBits * slotBytes

// NewKeyMap returns an empty map, which takes memory beyond KeyMapBytes from the
// budget.
func NewKeyMap[V ~uint64](b *Budget) *KeyMap[V] {
	return newKeyMap[V](mapPartBits, firstSlots, b)
}

func newKeyMap[V ~uint64](partBits, slots int, b *Budget) *KeyMap[V] {
	m := &KeyMap[V]{tables{parts: make([]part, 1<<partBits), shift: 64 - partBits, budget: b}}
	for i := range m.parts {
		m.parts[i].table.Store(newTable(slots)) // not side by side, or none is collected before all are dropped
	}
	return m
}

func newTable(n int) *table { return &table{slots: makeSlots(n), mask: uint64(n - 1)} }

// makeSlots returns empty slots whose pages are all present and written to.
// Untouched memory would do, but a page that is first read, as a table's pages
// are, is the system's page of zeros until the first write, and replacing it
// interrupts every processor that the program runs on.
func makeSlots(n int) []slot {
	slots := make([]slot, n)
	for i := 0; i < n; i += pageSlots {
		slots[i].value.Store(0)
	}
	slots[n-1].value.Store(0) // small ones may begin on one page and end on the next
	return slots
}

// normal keeps the halves of a key off the words with a meaning.
func normal(k bitvec.Key) bitvec.Key {
	if k.Hi+1 <= 1 { // emptyWord or frozenWord
		k.Hi = 1
	}
	if k.Lo+1 <= 1 {
		k.Lo = 1
	}
	return k
}

func (m *tables) part(k bitvec.Key) *part { return &m.parts[k.Hi>>m.shift] }

// Prefetch has the slot where a key is looked for first on its way to the cache.
func (m *KeyMap[V]) Prefetch(k bitvec.Key) {
	k = normal(k)
	t := m.part(k).table.Load()
	prefetch.Line(unsafe.Pointer(&t.slots[k.Lo&t.mask]))
}

// Find returns the value of a key, 0 if there is none. While a table is moved
// the value in the table behind it is the newer or the same, unless it has not
// arrived there yet.
func (m *KeyMap[V]) Find(k bitvec.Key) V { return V(m.find(k)) }

func (m *tables) find(k bitvec.Key) (moved uint64) {
	k = normal(k)
	for t := m.part(k).table.Load(); t != nil; t = t.next.Load() {
		s := t.lookup(k)
		if s == nil {
			continue
		}
		v := s.value.Load()
		if held := v &^ frozenValue; held != 0 {
			moved = held
		}
		if v&frozenValue == 0 {
			break
		}
	}
	return moved
}

// lookup returns the slot that k owns in t.
func (t *table) lookup(k bitvec.Key) *slot {
	for i := range uint64(len(t.slots)) {
		s := &t.slots[(k.Lo+i)&t.mask]
		switch s.hi.Load() {
		case k.Hi:
			if s.lo.Load() == k.Lo {
				return s
			}
		case emptyWord, frozenWord:
			return nil
		}
		if i == maxProbes {
			return nil
		}
	}
	return nil
}

// resolve returns the slot that k owns in t or a table behind it, and that
// table; nil if there is no room and the map may not grow.
func (m *tables) resolve(p *part, t *table, k bitvec.Key) (*slot, *table) {
	for {
		if t.next.Load() != nil {
			m.help(p, t)
		}
		s, state := t.own(k, false)
		switch state {
		case owned:
			return s, t
		case elsewhere:
			t = t.next.Load()
		case crowded:
			if !m.grow(t) {
				return nil, nil
			}
		}
	}
}

type ownership int

const (
	owned     ownership = iota // the slot holds the key
	elsewhere                  // the key belongs to the next table
	crowded                    // the table must grow first
)

// own finds the slot of k, claiming an empty one unless the table is moving.
// There is room for an entry that is counted already, being moved here.
func (t *table) own(k bitvec.Key, counted bool) (*slot, ownership) {
	for i := range uint64(min(len(t.slots), maxProbes)) {
		s := &t.slots[(k.Lo+i)&t.mask]
		hi := s.hi.Load()
		if hi == emptyWord {
			if hi = t.claim(s, k, counted); hi == emptyWord {
				return nil, crowded
			}
		}
		if hi == frozenWord {
			return nil, elsewhere
		}
		if hi != k.Hi {
			continue
		}
		lo := s.lo.Load()
		if lo == emptyWord {
			interleave.Here()
			if s.lo.CompareAndSwap(emptyWord, k.Lo) {
				return s, owned
			}
			lo = s.lo.Load()
		}
		if lo == k.Lo {
			return s, owned
		}
	}
	if t.next.Load() != nil {
		return nil, elsewhere
	}
	return nil, crowded
}

// claim tries to take an empty slot for k and returns what its first half then
// holds; emptyWord if the table is too full to take it.
func (t *table) claim(s *slot, k bitvec.Key, counted bool) uint64 {
	want := k.Hi
	if t.next.Load() != nil {
		want = frozenWord
	} else if !counted && t.claimed.Load()*4 >= int64(len(t.slots))*loadNumerator {
		return emptyWord
	}
	interleave.Here()
	if s.hi.CompareAndSwap(emptyWord, want) && want != frozenWord && !counted {
		t.claimed.Add(1)
	}
	return s.hi.Load()
}

// grow links a table of twice the size behind t, or finds that somebody has.
// Slots of t that are claimed after they were counted, by workers that had
// looked at t.next before, are too few to matter.
func (m *tables) grow(t *table) bool {
	if t.next.Load() != nil {
		return true
	}
	n := 2 * len(t.slots)
	if !m.budget.Reserve(int64(n) * slotBytes) {
		return t.next.Load() != nil
	}
	next := newTable(n)
	next.claimed.Store(t.claimed.Load())
	if invariants.On && t.claimed.Load() > int64(len(t.slots)) {
		panic("parallel: a table of the map has more keys than slots")
	}
	interleave.Here()
	if !t.next.CompareAndSwap(nil, next) {
		Drop(m.budget, next, int64(n)*slotBytes)
	}
	return true
}

// help moves one stride of t, if one is left, then unlinks the tables that are
// wholly moved.
func (m *tables) help(p *part, t *table) {
	if t.cursor.Load() >= t.strides() {
		return // the worker that moves the last stride unlinks the table
	}
	if i := t.cursor.Add(1) - 1; i < t.strides() {
		next := t.next.Load()
		for j := i * stride; j < min((i+1)*stride, int64(len(t.slots))); j++ {
			m.move(next, &t.slots[j])
		}
		interleave.Here()
		t.moved.Add(1)
		m.unlink(p)
	}
}

// unlink drops the tables at the head of a part whose entries are all behind
// it. A table in the middle of a chain is dropped once it has become the head.
func (m *tables) unlink(p *part) {
	for {
		t := p.table.Load()
		if next := t.next.Load(); next == nil || t.moved.Load() < t.strides() || !p.table.CompareAndSwap(t, next) {
			return
		}
		Drop(m.budget, t, int64(len(t.slots))*slotBytes)
	}
}

func (t *table) strides() int64 { return int64((len(t.slots) + stride - 1) / stride) }

// move freezes a slot and takes its entry over into t, the next table. It
// tries to change only what it has seen to be changeable: a failing CAS costs
// as much as one that succeeds.
func (m *tables) move(t *table, old *slot) {
	hi := freeze(&old.hi)
	if hi == frozenWord {
		return
	}
	lo := freeze(&old.lo)
	if lo == frozenWord {
		return
	}
	for r := old.value.Load(); r&frozenValue == 0; r = old.value.Load() {
		interleave.Here()
		if old.value.CompareAndSwap(r, r|frozenValue) {
			break
		}
	}
	interleave.Here()
	m.adopt(t, old, bitvec.Key{Hi: hi, Lo: lo})
}

// freeze freezes half a key if it is empty, and returns what it is from then on.
func freeze(half *atomic.Uint64) uint64 {
	w := half.Load()
	if w == emptyWord {
		interleave.Here()
		if half.CompareAndSwap(emptyWord, frozenWord) {
			return frozenWord
		}
		w = half.Load()
	}
	return w
}

// adopt copies a frozen entry into t, or into a table behind it, if the key is
// absent there. It leaves t only as resolve does, over a slot that is frozen: if
// it went past an empty one because t is crowded, a claim of that slot that is
// under way could still succeed, and the key would be in two tables. The entry
// is forgotten only when maxProbes slots are taken by others and the table may
// not grow, which takes keys that are not hashes.
func (m *tables) adopt(t *table, old *slot, k bitvec.Key) {
	r := old.value.Load() &^ frozenValue
	if r == 0 {
		return
	}
	for {
		s, state := t.own(k, true)
		switch state {
		case owned:
			// Not 0: adopted before, and perhaps improved since. Frozen: moved on with what it held.
			if s.value.CompareAndSwap(0, r) || s.value.Load()&^frozenValue != 0 {
				return
			}
			t = t.next.Load() // frozen while it held nothing
		case elsewhere:
			t = t.next.Load()
		case crowded:
			if !m.grow(t) {
				return
			}
		}
	}
}

// Entries returns about how many keys the map holds. It may run beside writers.
func (m *KeyMap[V]) Entries() (n int64) {
	for i := range m.parts {
		t := m.parts[i].table.Load()
		for next := t.next.Load(); next != nil; next = t.next.Load() {
			t = next
		}
		n += t.claimed.Load()
	}
	return n
}

// How a value comes into a slot of a KeyMap.

// Verdict is the outcome of a comparison with the value that a key has.
type Verdict int

const (
	Stale Verdict = iota // the value that was there tells nothing any more
	Loses                // it is smaller than the one offered, or the same
	Wins                 // the one offered is smaller
)

// WinsIf returns Wins or Loses.
func WinsIf(wins bool) Verdict {
	if wins {
		return Wins
	}
	return Loses
}

// Claim knows the value that its owner offers.
type Claim[V ~uint64] interface {
	// Against compares the value offered with the one held, which is not 0.
	Against(held V) Verdict
}

// Outcome is what became of a value.
type Outcome int

const (
	Entered Outcome = iota // the key has the value now
	Refused                // the key has a smaller value
	Full                   // the map has no room and may not grow
)

// Offer gives the key k the value v, unless c says that the present one is
// smaller. It returns the value that v displaced, 0 if none or a stale one.
func (m *KeyMap[V]) Offer(k bitvec.Key, v V, c Claim[V]) (Outcome, V) {
	k = normal(k)
	p := m.part(k)
	t := p.table.Load()
	for {
		s, at := m.resolve(p, t, k)
		if s == nil {
			return Full, 0
		}
		outcome, displaced, frozen := contend(s, v, c)
		if !frozen {
			if invariants.On && m.Find(k) == 0 {
				panic("parallel: a key that was offered a value has none")
			}
			return outcome, displaced
		}
		t = at.next.Load()
		m.adopt(t, s, k) // the entry in a frozen slot is taken over into the next table
	}
}

// contend puts v into the slot unless the value held is smaller.
func contend[V ~uint64](s *slot, v V, c Claim[V]) (out Outcome, displaced V, frozen bool) {
	for {
		old := s.value.Load()
		if old&frozenValue != 0 {
			return 0, 0, true
		}
		verdict := Stale
		if old != 0 {
			verdict = c.Against(V(old))
		}
		if verdict == Loses {
			return Refused, 0, false
		}
		interleave.Here()
		if s.value.CompareAndSwap(old, uint64(v)) {
			if verdict == Wins {
				displaced = V(old)
			}
			return Entered, displaced, false
		}
	}
}
