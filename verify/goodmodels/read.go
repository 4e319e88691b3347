package goodmodels

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"

	"parcorels/verify/framing"
)

// Magic begins every proof about all good models.
const Magic = "PARCGOOD"

const version = 3

// Proof is an open proof file of which the header has been read. It is good for one call of
// Check.
type Proof struct {
	framing.Proof
	trees     bool // else lists
	threshold int64
	depth     int   // most splits on a path of a tree; 0: no limit
	scale     int64 // Z
	limits    []Limit
}

// Open reads the header of a proof. Its errors wrap framing.ErrFormat or
// framing.ErrRefused, or are those of r.
func Open(r io.Reader) (p *Proof, err error) {
	p = &Proof{scale: 1}
	p.Proof, err = framing.Open(r, Magic, version, func(h *framing.Parser) {
		p.trees = h.Below("kind of models", 2) == 1
		p.threshold = h.Below64("threshold", mostCost)
		if p.trees {
			p.depth = h.Below("depth", math.MaxInt32)
		} else {
			p.parseLimits(h)
		}
	})
	return p, err
}

// Trees reports whether the proof is about trees, and not about lists.
func (p *Proof) Trees() bool { return p.trees }

// Threshold returns the largest objective of a good model.
func (p *Proof) Threshold() int64 { return p.threshold }

// Depth returns the most splits on a path of a tree; 0: no limit.
func (p *Proof) Depth() int { return p.depth }

// The kinds of records.
const (
	weightRecord = iota
	stateRecord
	lemmaRecord
)

// weight is y(Q).
type weight struct {
	groups []int
	y      int64
}

// state is what a record says of a set, and what follows.
type state struct {
	set    []uint64
	level  int // splits that may follow
	ends   []int64
	splits []split
	least  int64 // L
	size   int   // the fewest ends of a model that costs L
	room   int64
}

// split is by a column; with is 0 where that side ends.
type split struct{ column, with, without int }

// Split is a split by an antecedent, which leads to two states; With is 0 where that side ends.
type Split struct{ Antecedent, With, Without int }

// lemma is V(set) ≥ low.
type lemma struct {
	set   []uint64
	level int
	low   int64
}

// content is all records.
type content struct {
	weights []weight
	states  []state
	lemmas  []lemma
	models  string // the number of models that is claimed
	rules   []Rule // or the best list within limits
	def     int
	records uint64
}

var errSplit = errors.New("a split leads to a state that is not behind it, or is another set")
var errPath = errors.New("a path goes on where the model ends")

// read reads all records, and finds the sets that they are about.
func (c *checker) read(p *Proof) (err error) {
	level := framing.Splits(p.depth)
	sets := map[int]state{0: {set: c.all, level: level}} // of the states that splits lead to
	c.records, err = p.Blocks.Content(c.ctx.Err, func(h *framing.Parser) { c.record(h, p, sets, level) },
		func(h *framing.Parser) { c.claim(h, p) })
	if err == nil && len(sets) != max(len(c.states), 1) {
		err = framing.Refused("splits lead to %d states, there are %d", len(sets), len(c.states))
	}
	return err
}

// claim reads what is claimed.
func (c *checker) claim(h *framing.Parser, p *Proof) {
	if len(p.limits) == 0 {
		c.models = string(h.Take(h.Varint()))
		return
	}
	for n := h.Below("number of rules", p.About().Antecedents+1); n > 0 && h.Err == nil; n-- {
		x := h.Below("rule", 2*p.About().Antecedents)
		c.rules = append(c.rules, Rule{x / 2, x % 2})
	}
	c.def = h.Below("default", 2)
}

// record reads one record.
func (c *checker) record(h *framing.Parser, p *Proof, sets map[int]state, level int) {
	switch h.Below("kind of record", lemmaRecord+1) {
	case weightRecord:
		var y weight
		for n := h.Below("length", math.MaxInt32); n > 0 && h.Err == nil; n-- {
			y.groups = append(y.groups, h.Below("group", math.MaxInt32))
		}
		y.y = h.Below64("weight", mostCost)
		c.weights = append(c.weights, y)
	case stateRecord:
		c.state(h, p, sets)
	case lemmaRecord:
		l := lemma{set: c.all, level: level}
		for n := h.Below("length", math.MaxInt32); n > 0 && h.Err == nil; n-- {
			side := h.Below("side", 2*len(c.column))
			if h.Err != nil {
				return
			}
			if l.level == 0 || !c.trees && side%2 == 1 {
				h.Fail(errPath)
				return
			}
			l.set, l.level = framing.Side(nil, l.set, c.columns[c.column[side/2]], side%2 == 1), framing.Fewer(l.level)
		}
		l.low = h.Below64("bound", mostCost)
		c.lemmas = append(c.lemmas, l)
	}
}

// splits reads the splits of a state.
func (p *Proof) splits(h *framing.Parser) (list []Split) {
	for n := h.Below("number of splits", math.MaxInt32); n > 0 && h.Err == nil; n-- {
		antecedent := h.Below("antecedent", p.About().Antecedents)
		list = append(list, Split{antecedent, h.Below("state", math.MaxInt32), h.Below("state", math.MaxInt32)})
	}
	return list
}

// States calls f with the splits of each state of a proof without limits, and checks nothing of them. It ends where f returns an error.
func (p *Proof) States(f func([]Split) error) error {
	_, err := p.Blocks.Content(func() error { return nil }, func(h *framing.Parser) {
		if h.Below("kind of record", lemmaRecord+1) != stateRecord {
			for n := h.Below("length", math.MaxInt32); n >= 0 && h.Err == nil; n-- {
				h.Varint() // a member, or the number behind them
			}
		} else if list := p.splits(h); h.Err == nil {
			if err := f(list); err != nil {
				h.Fail(err)
			}
		}
	}, func(h *framing.Parser) { h.Take(h.Varint()) })
	return err
}

// state reads the splits of a state.
func (c *checker) state(h *framing.Parser, p *Proof, sets map[int]state) {
	at := len(c.states)
	s, ok := sets[at]
	if !ok {
		h.Fail(fmt.Errorf("state %d is led to by none before it", at))
		return
	}
	for _, y := range p.splits(h) {
		if h.Err != nil {
			return
		}
		x := split{c.column[y.Antecedent], y.With, y.Without}
		if s.level == 0 || !c.trees && x.with != 0 {
			h.Fail(errPath)
			return
		}
		for side, child := range []int{x.without, x.with} {
			of := state{set: framing.Side(nil, s.set, c.columns[x.column], side == 1), level: framing.Fewer(s.level)}
			if !intersects(of.set, of.set) {
				h.Fail(errSplit)
				return
			}
			if side == 1 && !c.trees {
				break
			}
			known, ok := sets[child]
			if child <= at || ok && (!slices.Equal(known.set, of.set) || known.level != of.level) {
				h.Fail(errSplit)
				return
			}
			if !ok {
				sets[child] = of
			}
		}
		s.splits = append(s.splits, x)
	}
	c.states = append(c.states, s)
}

// name is a set as a key of maps.
func name(set []uint64) string {
	b := make([]byte, 0, 8*len(set))
	for _, w := range set {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

// levelName is a set with the splits that may follow.
func levelName(set []uint64, level int) string {
	return name(set) + name([]uint64{uint64(level)})
}

func intersect(a, b []uint64) []uint64 { return framing.Side(nil, a, b, true) }

func without(a, b []uint64) []uint64 { return framing.Side(nil, a, b, false) }

func intersects(a, b []uint64) bool {
	for w, x := range a {
		if x&b[w] != 0 {
			return true
		}
	}
	return false
}

func within(a, b []uint64) bool {
	for w, x := range a {
		if x&^b[w] != 0 {
			return false
		}
	}
	return true
}

func product(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }
