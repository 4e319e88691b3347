package rashomon

import (
	"fmt"
	"io"
	"math"

	"parcorels/verify/framing"
)

// Magic begins every proof about all good rule lists.
const Magic = "PARCGOOD"

const version = 2

// Proof is an open proof file of which the header has been read. It is good for one call of
// Check.
type Proof struct {
	about     framing.About
	threshold int64
	scale     int64 // Z
	limits    []Limit
	blocks    *framing.Reader
}

// Open reads the header of a proof. Its errors wrap framing.ErrFormat or
// framing.ErrRefused, or are those of r.
func Open(r io.Reader) (*Proof, error) {
	p := &Proof{}
	blocks, about, err := framing.Open(r, Magic, version, func(h *framing.Parser) {
		p.threshold = h.Below64("threshold", mostCost)
		p.scale = 1
		p.parseLimits(h)
	})
	p.about, p.blocks = about, blocks
	return p, err
}

// About returns what the proof is about.
func (p *Proof) About() framing.About { return p.about }

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

// state is what a record says of a set: the rules that lead on.
type state struct {
	edges []edge
}

type edge struct {
	antecedent int
	labels     int64 // bit q: label q
	child      int
}

// lemma is V(w) ≥ low, of the groups w that a prefix leaves.
type lemma struct {
	prefix []int
	low    int64
}

// content is all records.
type content struct {
	weights []weight
	states  []state
	lemmas  []lemma
	lists   string // the number of lists that is claimed
	rules   []Rule // or the best list within limits
	def     int
	records uint64
}

// read reads all records.
func (p *Proof) read(goOn func() error, classes int) (c *content, err error) {
	c = &content{}
	c.records, err = p.blocks.Content(goOn, func(h *framing.Parser) { c.record(h, p.about.Antecedents, classes) },
		func(h *framing.Parser) { c.claim(h, p) })
	return c, err
}

// claim reads what is claimed.
func (c *content) claim(h *framing.Parser, p *Proof) {
	if len(p.limits) == 0 {
		c.lists = string(h.Take(h.Varint()))
		return
	}
	for n := h.Below("number of rules", p.about.Antecedents+1); n > 0 && h.Err == nil; n-- {
		x := h.Below("rule", 2*p.about.Antecedents)
		c.rules = append(c.rules, Rule{x / 2, x % 2})
	}
	c.def = h.Below("default", 2)
}

// record reads one record.
func (c *content) record(h *framing.Parser, antecedents, classes int) {
	numbers := func(what string, limit int) (list []int) {
		for n := h.Below("length", math.MaxInt32); n > 0 && h.Err == nil; n-- {
			list = append(list, h.Below(what, limit))
		}
		return list
	}
	switch kind := h.Below("kind of record", lemmaRecord+1); kind {
	case weightRecord:
		groups := numbers("group", math.MaxInt32)
		c.weights = append(c.weights, weight{groups, h.Below64("weight", mostCost)})
	case stateRecord:
		var s state
		for n := h.Below("number of edges", math.MaxInt32); n > 0 && h.Err == nil; n-- {
			e := edge{h.Below("antecedent", antecedents), h.Below64("labels", 1<<classes), h.Below("state", math.MaxInt32)}
			if e.labels == 0 && h.Err == nil {
				h.Fail(fmt.Errorf("an edge of antecedent %d has no label", e.antecedent))
			}
			s.edges = append(s.edges, e)
		}
		c.states = append(c.states, s)
	case lemmaRecord:
		prefix := numbers("antecedent", antecedents)
		c.lemmas = append(c.lemmas, lemma{prefix, h.Below64("bound", mostCost)})
	}
}
