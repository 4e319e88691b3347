package rulelist

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bits-and-blooms/bitset"
	"golang.org/x/sync/errgroup"

	"parcorels/verify/framing"
)

// checker is what the walkers share.
type checker struct {
	*problem
	tree   *tree
	limits limits
	counts *framing.Counts
	names  func(antecedent uint16) string

	group  *errgroup.Group
	ctx    context.Context
	idle   chan *walker // walkers that have nothing to do
	failed atomic.Pointer[failed]
	mu     sync.Mutex   // of changes of failed
	taken  atomic.Int64 // nodes whose remaining records a walker has taken
}

// failed is the first failure, in the order of prefixes, among those found so
// far. Prefixes come before what they begin, and else in lexicographic order.
type failed struct {
	prefix []uint16
	*Failure
}

// walker goes down the prefixes, depth first, in one goroutine. It has a frame
// for each rule of its prefix.
type walker struct {
	*checker
	frames    []*frame
	scratch   []int64 // sums
	sum       []int64 // buffers of one sum
	left      []int64
	both      []int64
	excess    []uint64
	matter    []int          // antecedents to be counted behind an extension
	dominated *bitset.BitSet // extensions of the frame at hand that are
	nodes     []uint32       // of its extensions that have an expanded record
	seen      *bitset.BitSet
	of, other []uint16
	shorter   []uint16
	dominator prefixState  // that was counted last
	apartAt   prefixState  // of a record that is checked apart
	captures  []int64      // buffer of one sum
	smaller   *prefixState // that was met and must not be

	bounds *evaluator // nil without bounds

	extensions, dominations int64
}

func newWalker(c *checker) *walker {
	sum := func() []int64 { return make([]int64, c.numbers) }
	return &walker{
		checker: c, scratch: make([]int64, len(c.captured)*c.numbers), sum: sum(), left: sum(), both: sum(),
		excess: make([]uint64, len(c.all)), dominated: bitset.New(uint(len(c.captured))),
		nodes: make([]uint32, len(c.captured)), seen: bitset.New(uint(len(c.captured))), captures: sum(),
		bounds: newEvaluator(c.problem, c.tree),
	}
}

// frame returns the frame for prefixes of a length.
func (w *walker) frame(length int) *frame {
	for len(w.frames) <= length {
		w.frames = append(w.frames, newFrame(w.problem))
	}
	return w.frames[length]
}

// down checks the expanded prefix at f and all expanded ones behind it. Where a
// walker has nothing to do it is given a part.
func (w *walker) down(f *frame, id uint32) {
	if w.ctx.Err() != nil || w.isLate(f.prefix) {
		return
	}
	if fail := w.expanded(f, id); fail != nil {
		w.note(f.prefix, fail)
		return
	}
	for _, k := range f.children {
		select {
		case other := <-w.idle:
			other.takeOver(f, k)
		default:
			next := w.frame(len(f.prefix) + 1)
			next.extend(w.problem, f, k.antecedent)
			next.least = k.least
			w.down(next, k.node)
		}
	}
}

// takeOver starts w on a part of another walker's work, of whose frame it keeps
// nothing.
func (w *walker) takeOver(f *frame, k child) {
	n := len(f.prefix)
	next := w.frame(n + 1)
	next.extend(w.problem, f, k.antecedent)
	next.least = k.least
	if next.usable != nil {
		next.weigh(w.problem)
	}
	own := w.frame(n)
	copy(own.counts, f.counts)
	next.before = own.counts
	w.group.Go(func() error {
		w.down(next, k.node)
		w.idle <- w
		return nil
	})
}

// isLate reports whether something failed that comes before a prefix.
func (c *checker) isLate(prefix []uint16) bool {
	f := c.failed.Load()
	return f != nil && slices.Compare(f.prefix, prefix) < 0
}

func (c *checker) note(prefix []uint16, fail *Failure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.isLate(prefix) {
		c.failed.Store(&failed{slices.Clone(prefix), fail})
	}
}

func (c *checker) failure(prefix []uint16, what string, behind ...uint16) *Failure {
	f := &Failure{What: what}
	for _, a := range slices.Concat(prefix, behind) {
		f.Prefix = append(f.Prefix, c.names(a))
	}
	return f
}

// describe says what a dominator is.
func (c *checker) describe(d dominator) string {
	if d.kind == byShorter {
		return fmt.Sprintf("itself without rule %d", d.which+1)
	}
	var names []string
	for _, a := range d.prefix {
		names = append(names, strconv.Quote(c.names(a)))
	}
	if len(names) == 0 {
		return "the empty prefix"
	}
	return strings.Join(names, ", ")
}
