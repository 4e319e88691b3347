package dataset

import (
	"fmt"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/cuts"
	"parcorels/internal/loop"
	"parcorels/optionerr"
	"parcorels/table"
)

// builder makes features of the columns of a table.
type builder struct {
	o        Options
	source   string              // name of the file, for errors
	n        int                 // samples
	columns  []*column           // attributes by position; nil: ignored, the target or the weights
	names    table.Namer         // of features
	features []Feature           // so far
	whole    []Numbers           // columns of numbers that are not cut, so far
	groups   int                 // so far
	said     map[remark][]string // columns that a remark is about
	cuts     map[int]cuts.Values // of the columns that are cut, by position

	// once says that nobody asks for cells behind the cuts. Then columns whose cuts the labels choose let go
	// of them before, and cutParts has the samples of their parts, by position.
	once     bool
	cutParts map[int]*cutParts

	quantilesOf *builder // the samples at whose quantiles they are cut; nil: at cuts

	direction direction // of the features of numbers
}

func newBuilder(source string, o Options, columns []*column, n int) *builder {
	return &builder{source: source, o: o, columns: columns, n: n, names: table.Namer{}, said: map[remark][]string{}}
}

// within returns a builder of those samples alone that are in rows.
func (b *builder) within(rows *bitset.BitSet) *builder {
	columns, n := make([]*column, len(b.columns)), int(rows.Count())
	loop.Parallel(len(columns), func(i int) {
		if b.columns[i] != nil {
			columns[i] = b.columns[i].within(rows, n)
		}
	})
	return newBuilder(b.source, b.o, columns, n)
}

// choose decides the kind of each attribute.
func (b *builder) choose(target int) error {
	loop.Parallel(len(b.columns), func(i int) {
		switch c := b.columns[i]; {
		case c == nil:
		case i == target:
			c.count()
		default:
			b.chooseKind(c)
		}
	})
	for i, c := range b.columns {
		if c == nil || i == target {
			continue
		}
		if text, line := c.outside(); line > 0 {
			return optionerr.Errorf("Ordered", "%s:%d: %s in column %s is none of its levels %s", b.source, line, table.Quote(text), table.Quote(c.name), table.QuoteSome(c.scale.Levels))
		}
		_, cut := b.o.Cuts[c.name]
		if cut && c.kind != numericColumn && c.kind != constantColumn {
			return fmt.Errorf("%s:%d: %s in column %s is not a number, and the column has cuts", b.source, c.oddLine, c.odd, table.Quote(c.name))
		}
	}
	return nil
}

// chooseKind decides the kind of an attribute whose cells are all there.
func (b *builder) chooseKind(c *column) {
	c.count()
	c.readTimes()
	c.readNumbers()
	_, cut := b.o.Cuts[c.name]
	c.kind = c.decide(b.n, b.o.DropMissing, cut)
	if c.kind == numericColumn && !cut && c.scale.plain() && !slices.Contains(b.o.Use, c.name) && b.numbersRows(c) {
		c.kind = rowNumbers
	}
	c.maybe = c.maybeMissing()
}

// isUsed reports whether a column has features, and remarks on it otherwise.
func (b *builder) isUsed(c *column) bool {
	b.remarkDress(c)
	switch {
	case c.kind == constantColumn:
		b.say(sameValues, c, "")
	case c.kind == rowNumbers && c.groups:
		b.say(tellRowsApart, c, " (of several rows each: keep these together in tests, as option Groups does)")
	case c.kind == rowNumbers:
		b.say(tellRowsApart, c, "")
	case c.kind == freeText && c.numbersFirst:
		b.say(differentTexts, c, fmt.Sprintf(" (%s in line %d is no number)", c.odd, c.oddLine))
	case c.kind == freeText:
		b.say(differentTexts, c, "")
	default:
		if c.groups {
			b.say(risingNumbers, c, "")
		}
		if c.maybeIDs {
			b.say(maybeIDs, c, "")
		}
		if c.maybe != "" {
			b.say(maybeMissing, c, " ("+c.maybe+")")
		}
		return true
	}
	return false
}

// samples puts the features of parts in their order and returns the samples of each,
// given those of the parts; nil of a feature that all have, or none.
func (b *builder) samples(p *parts, words [][]uint64) []*bitset.BitSet {
	b.turn(p, words)
	sets := make([]*bitset.BitSet, len(p.features))
	for i, f := range p.features {
		if set := bitset.FromWithLength(uint(b.n), union(words[f.first:f.last+1])); !set.None() && !set.All() {
			sets[i] = set
		}
	}
	return sets
}

// add makes the features of a column of its parts; samples are those of each.
func (b *builder) add(c *column, parts *parts, samples []*bitset.BitSet) {
	first := len(b.features)
	exclusive := 0
	for i, f := range parts.features {
		bits := samples[i]
		if bits == nil {
			continue
		}
		group := -1
		if f.first == f.last && f.test.Kind != Threshold {
			group = b.groups
			exclusive++
		}
		f.test.MissingWords, f.test.Complete = b.o.Missing, parts.complete
		if f.test.Kind == Number || f.test.Kind == Interval || f.test.Kind == Threshold {
			f.test.Scale = c.scale
		}
		name := b.names.Unique(f.name, " #", 2)
		b.features = append(b.features, Feature{name, c.name, group, f.test, bits})
	}
	switch {
	case len(b.features) == first && len(parts.cuts) == 0 && c.kind == numericColumn:
		b.say(uncutNumbers, c, "")
	case len(b.features) == first:
		b.say(sameValues, c, "")
	case exclusive == 1:
		for i := range b.features[first:] {
			b.features[first+i].Group = -1
		}
	case exclusive > 1:
		b.groups++
	}
}

// union returns the samples of all sets: the set itself of one.
func union(sets [][]uint64) []uint64 {
	if len(sets) == 1 {
		return sets[0]
	}
	all := make([]uint64, len(sets[0]))
	for _, set := range sets {
		for i, x := range set {
			all[i] |= x
		}
	}
	return all
}
