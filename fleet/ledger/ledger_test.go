package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
)

// A history is a search of a set of leaves in which everything goes wrong that can: workers end
// at any moment, go on after they were taken for dead, search a version that somebody else
// searches, say things twice, late, or never; liars say what is not so; the coordinator folds
// its log anew. Each leaf has a list. The smallest must come back, and the end must not be
// declared before each leaf was examined in a search that counted.
type history struct {
	rng     *rand.Rand
	log     []Event
	ledger  *Ledger
	content map[string][]int // of objects: leaves
	workers []*worker
	pending []Event // published, not in the log yet
	counted map[string]bool
	did     map[string][]int // by event: what its search had examined since it was saved
	names   int
}

type worker struct {
	name  string
	block string
	base  string
	left  []int
	since []int // examined since it was saved
	best  int
}

func (h *history) name(kind string) string {
	h.names++
	return fmt.Sprint(kind, h.names)
}

// value of a leaf: a list [leaf] with this objective.
func value(leaf int) int64 { return int64(leaf*7919%1009) + 1000 }

func check(e *Event) error {
	if len(e.List) != 1 || e.Objective != value(e.List[0]) {
		return errors.New("another objective")
	}
	return nil
}

func (h *history) object(leaves []int) *Object {
	o := &Object{Name: h.name("o")}
	h.content[o.Name] = slices.Clone(leaves)
	return o
}

// crowd bounds who works and what is under way. Else there are thousands late in a long history, of
// which one or two matter, and it hardly comes to its end.
const crowd = 64

func (h *history) step() {
	if len(h.workers) > crowd {
		h.workers = h.workers[1:]
	}
	if len(h.pending) > crowd {
		e := h.pending[0]
		h.pending = h.pending[1:]
		h.arrive(e)
	}
	switch h.rng.IntN(12) {
	case 0, 1, 2: // somebody takes an open block, even one that another has
		var open []*Block
		h.ledger.Open(func(b *Block) { open = append(open, b) })
		if len(open) == 0 {
			return
		}
		b := open[h.rng.IntN(len(open))]
		w := &worker{name: h.name("w"), block: b.Name, base: b.Version, best: h.content[""][h.rng.IntN(len(h.content[""]))]}
		w.left = h.covers(b)
		h.workers = append(h.workers, w)
	case 3: // one dies
		if n := len(h.workers); n > 0 {
			i := h.rng.IntN(n)
			h.workers = slices.Delete(h.workers, i, i+1)
		}
	case 4, 5, 6: // one works, and perhaps says so
		if len(h.workers) == 0 {
			return
		}
		w := h.workers[h.rng.IntN(len(h.workers))]
		for n := h.rng.IntN(len(w.left) + 1); n > 0; n-- {
			leaf := w.left[0]
			w.left, w.since = w.left[1:], append(w.since, leaf)
			if value(leaf) < value(w.best) {
				w.best = leaf
			}
		}
		if h.rng.IntN(2) == 0 {
			h.say(w)
		}
	case 7: // a liar
		var open []*Block
		h.ledger.Open(func(b *Block) { open = append(open, b) })
		if len(open) > 0 {
			b := open[h.rng.IntN(len(open))]
			e := Event{ID: h.name("e"), Block: b.Name, Base: b.Version, Worker: "liar", Done: true, List: []int{0}, Objective: 1}
			switch h.rng.IntN(4) {
			case 0:
				e.Objective, e.Content = value(0), &Object{}
			case 1:
				e.Objective, e.Base = value(0), h.name("none")
			case 2:
				e.Objective, e.Block = value(0), h.name("none")
			}
			h.pending = append(h.pending, e)
		}
	case 8: // a message is doubled
		if len(h.log) > 0 {
			h.pending = append(h.pending, h.log[h.rng.IntN(len(h.log))])
		}
	case 9, 10: // one arrives, or is lost
		if n := len(h.pending); n > 0 {
			i := h.rng.IntN(n)
			e := h.pending[i]
			h.pending = slices.Delete(h.pending, i, i+1)
			if h.rng.IntN(5) > 0 {
				h.arrive(e)
			}
		}
	case 11: // the coordinator folds its log again
		again := newLedger()
		for i := range h.log {
			e := h.log[i]
			_ = again.Apply(uint64(i+1), &e)
		}
		again.Drop = h.ledger.Drop
		if !maps.Equal(again.held, h.ledger.held) {
			panic("the same log holds other objects")
		}
		if !reflect.DeepEqual(again.Blocks, h.ledger.Blocks) || again.open != h.ledger.open ||
			!reflect.DeepEqual(again.List, h.ledger.List) {
			panic("the same log leads to another state")
		}
		h.ledger = again
	}
}

// say publishes what a worker has done. It then works on, as one does whose event counts.
func (h *history) say(w *worker) {
	e := Event{ID: h.name("e"), Block: w.block, Base: w.base, Worker: w.name, List: []int{w.best}, Objective: value(w.best)}
	for len(w.left) > 1 && h.rng.IntN(2) == 0 {
		n := 1 + h.rng.IntN(len(w.left)-1)
		e.Parts = append(e.Parts, Part{Block: h.name("b"), Content: *h.object(w.left[n:])})
		w.left = w.left[:n]
	}
	if len(e.Parts) == 0 { // what was examined counts with what is left
		h.did[e.ID] = w.since
		w.since = nil
		if e.Done = len(w.left) == 0; !e.Done {
			e.Content = h.object(w.left)
		}
	}
	w.base = e.ID
	h.pending = append(h.pending, e)
}

// covers returns the leaves that a block has.
func (h *history) covers(b *Block) (leaves []int) {
	leaves = slices.Clone(h.content[""])
	if b.Content != nil {
		leaves = slices.Clone(h.stored(b.Content.Name))
	}
	for _, o := range b.Given {
		given := h.stored(o.Name)
		leaves = slices.DeleteFunc(leaves, func(leaf int) bool { return slices.Contains(given, leaf) })
	}
	return leaves
}

// stored returns the leaves of an object.
func (h *history) stored(name string) []int {
	leaves, ok := h.content[name]
	if !ok {
		panic("an object was dropped that a block needs")
	}
	return leaves
}

func (h *history) arrive(e Event) {
	h.log = append(h.log, e)
	if h.ledger.Apply(uint64(len(h.log)), &e) == nil {
		if h.counted[e.ID] || e.Worker == "liar" {
			panic("an event counts twice, or is false")
		}
		h.counted[e.ID] = true
	}
}

// covered checks invariant 1.
func (h *history) covered() error {
	seen := map[int]int{}
	for id := range h.counted {
		for _, leaf := range h.did[id] {
			seen[leaf]++
		}
	}
	h.ledger.Open(func(b *Block) {
		for _, leaf := range h.covers(b) {
			seen[leaf]++
		}
	})
	for _, leaf := range h.content[""] {
		if seen[leaf] != 1 {
			return fmt.Errorf("leaf %d is covered %d times", leaf, seen[leaf])
		}
	}
	return nil
}

func run(seed uint64) error {
	h := &history{
		rng: rand.New(rand.NewPCG(seed, 90)), ledger: newLedger(), content: map[string][]int{},
		counted: map[string]bool{}, did: map[string][]int{},
	}
	h.ledger.Drop = func(object string) { delete(h.content, object) }
	least := 0
	for leaf := range 1 + h.rng.IntN(12) {
		h.content[""] = append(h.content[""], leaf)
		if value(leaf) < value(least) {
			least = leaf
		}
	}
	for step := 0; !h.ledger.Over(); step++ {
		if step > 20000 {
			return errors.New("no end")
		}
		h.step()
		if step%16 > 0 && !h.ledger.Over() {
			continue
		}
		if err := h.covered(); err != nil {
			return fmt.Errorf("step %d: %w", step, err)
		}
	}
	if len(h.ledger.held) > 0 {
		return fmt.Errorf("objects are held that nobody needs: %v", h.ledger.held)
	}
	if h.ledger.List[0] != least {
		return fmt.Errorf("list %v, want [%d]", h.ledger.List, least)
	}
	before := maps.Clone(h.ledger.Blocks)
	for _, e := range h.pending { // nothing that comes later changes anything
		h.arrive(e)
	}
	if !h.ledger.Over() || !maps.Equal(before, h.ledger.Blocks) || h.ledger.List[0] != least {
		return errors.New("a late event changed the end")
	}
	return nil
}

func newLedger() *Ledger {
	l := New(check)
	l.Add(Root)
	return l
}

// TestHistories: the end is never declared early, and the smallest list comes back.
func TestHistories(t *testing.T) {
	t.Parallel()
	for seed := range cases.Count(30_000) {
		if err := run(uint64(seed)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestRefused has what is no event.
func TestRefused(t *testing.T) {
	good := Event{ID: "e", Block: Root, Base: Root, Done: true, List: []int{0}, Objective: value(0)}
	for name, change := range map[string]func(*Event){
		"no name":      func(e *Event) { e.ID = "" },
		"long name":    func(e *Event) { e.ID = string(make([]byte, MaxName+1)) },
		"both":         func(e *Event) { e.Content = &Object{} },
		"neither":      func(e *Event) { e.Done = false },
		"gift":         func(e *Event) { e.Parts = []Part{{Block: "b"}} },
		"both too":     func(e *Event) { e.Done, e.Content, e.Parts = false, &Object{}, []Part{{Block: "b"}} },
		"same names":   func(e *Event) { e.Done, e.Parts = false, []Part{{Block: "b"}, {Block: "b"}} },
		"known name":   func(e *Event) { e.Done, e.Parts = false, []Part{{Block: Root}} },
		"many parts":   func(e *Event) { e.Done, e.Parts = false, make([]Part, MaxParts+1) },
		"with records": func(e *Event) { e.Done, e.Parts, e.Proof = false, []Part{{Block: "b"}}, &Object{} },
		"false list":   func(e *Event) { e.Objective-- },
		"other base":   func(e *Event) { e.Base = "x" },
		"other block":  func(e *Event) { e.Block = "x" },
		"below zero":   func(e *Event) { e.Expanded = -1 },
		"below zero 2": func(e *Event) { e.Records = -1 },
	} {
		l, e := newLedger(), good
		change(&e)
		if err := l.Apply(1, &e); err == nil || l.Over() || l.Any {
			t.Errorf("%s: %v", name, err)
		}
		if err := l.Apply(2, &good); err != nil || !l.Over() {
			t.Errorf("after %s: %v", name, err)
		}
	}
	b, err := json.Marshal(good)
	var again Event
	if err != nil || json.Unmarshal(b, &again) != nil || !reflect.DeepEqual(again, good) {
		t.Errorf("%s: %v", b, err)
	}
}
