package dataset

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"parcorels/cuts"
	"parcorels/loop"
	"parcorels/table"

	"github.com/bits-and-blooms/bitset"
)

// isUsed reports whether a column has features, and remarks on it otherwise.
func (b *builder) isUsed(c *column) bool {
	b.warnFormatted(c)
	switch {
	case c.kind == constantColumn:
		b.say(sameValues, c, "")
	case c.kind == rowNumbers && c.groups:
		b.say(tellRowsApart, c, " (of several rows each: keep these together in tests, as option Groups does)")
	case c.kind == rowNumbers:
		b.say(tellRowsApart, c, "")
	case c.kind == freeText && c.NumbersFirst && c.OddLine > 0:
		b.say(differentTexts, c, fmt.Sprintf(" (%s in line %d is no number)", c.Odd, c.OddLine))
	case c.kind == freeText:
		b.say(differentTexts, c, "")
	default:
		if c.groups {
			b.say(risingNumbers, c, "")
		}
		if c.maybeIDs {
			b.say(maybeIDs, c, "")
		}
		if len(c.maybe) > 0 {
			text := table.Some(c.maybe)
			if c.kind != numericColumn {
				text = table.QuoteSome(c.maybe)
			}
			b.say(maybeMissing, c, " ("+text+")")
			b.maybe = append(b.maybe, c.maybe...)
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
		if f.first == f.last && f.test.Kind != Threshold && f.test.Kind != Among {
			group = b.groups
			exclusive++
		}
		f.test.MissingWords, f.test.Complete = b.o.Missing, parts.missing < 0
		if f.test.Kind == Number || f.test.Kind == Interval || f.test.Kind == Threshold {
			f.test.Scale = c.scale
		}
		name := b.names.Unique(f.name, " #", 2)
		b.features = append(b.features, Feature{name, c.name, group, f.test, bits})
	}
	switch {
	case len(b.features) == first && len(parts.cuts) == 0 && c.kind == numericColumn:
		if b.o.Chosen != nil {
			b.say(unnamedNumbers, c, "")
		} else {
			b.say(uncutNumbers, c, "")
		}
	case len(b.features) == first && b.o.Cuts[c.name] != nil:
		given := make([]string, len(parts.cuts))
		for i, cut := range parts.cuts {
			given[i] = c.scale.Format(cut)
		}
		b.say(uselessCuts, c, " ("+table.Some(given)+")")
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

// turn puts the features of numbers in the order from the end that the samples
// choose. Those of given cuts stay in ascending order.
func (b *builder) turn(p *parts, words [][]uint64) {
	if len(p.features) == 0 {
		return
	}
	if kind := p.features[0].test.Kind; kind != Number && kind != Threshold {
		return
	}
	ordered := words
	if p.missing >= 0 {
		ordered = words[:p.missing] // it is the last
	}
	counts := make([][]int64, len(ordered))
	for i, part := range ordered {
		counts[i] = b.direction.count(part)
	}
	if cuts.CompareEnds(counts) >= 0 {
		return
	}
	for rest := p.features; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(s span) bool { return s.test.Kind != rest[0].test.Kind })
		if n < 0 {
			n = len(rest)
		}
		slices.Reverse(rest[:n])
		rest = rest[n:]
	}
}

// made is what becomes of a column: its parts, the samples of their features, and
// remarks.
type made struct {
	numbers *Numbers // instead of the parts
	parts   *parts
	samples []*bitset.BitSet
	said    map[remark][]string
}

// addAll makes the features of all columns in their order. Names and notes depend on
// the columns before; parts and sets are made side by side. Cells are released unless keep says otherwise.
func (b *builder) addAll(keep bool) {
	columns, all := b.columns, make([]made, len(b.columns))
	used := make([]bool, len(columns))
	for i, c := range columns {
		if used[i] = c != nil && b.isUsed(c); used[i] && c.Commas && c.kind == numericColumn && !b.o.DecimalComma {
			b.say(decimalCommas, c, "")
		}
	}
	loop.Parallel(len(columns), func(i int) {
		if !used[i] {
			return
		}
		one := *b
		one.said = map[remark][]string{}
		if one.uncut(columns[i]) {
			all[i] = made{numbers: one.numbersOf(columns[i])}
		} else {
			p := one.split(columns[i])
			all[i] = made{parts: p, samples: one.samples(p, one.fill(columns[i], p)), said: one.said}
		}
		if !keep {
			columns[i].release()
		}
	})
	for i, c := range columns {
		for r, texts := range all[i].said {
			b.said[r] = append(b.said[r], texts...)
		}
		if n := all[i].numbers; n != nil && len(n.Levels) > 0 {
			b.whole = append(b.whole, *n)
		}
		if all[i].parts != nil {
			b.add(c, all[i].parts, all[i].samples)
		}
	}
}

// notes are the remarks on all columns.
func (b *builder) notes() (notes []string) {
	for r, text := range remarkTexts {
		if columns := b.said[remark(r)]; len(columns) > 0 {
			notes = append(notes, text+": "+table.Some(columns))
		}
	}
	if len(b.features)+len(b.whole) == 0 {
		notes = append(notes, "no column tells samples apart")
	}
	return notes
}

// numbersOf returns a column of numbers with its levels.
func (b *builder) numbersOf(c *column) *Numbers {
	n := &Numbers{Column: c.name, scale: c.scale, words: b.o.Missing}
	levels := c.cells().Levels()
	n.Levels = make([]float64, 0, len(levels))
	for _, l := range levels {
		n.Levels = append(n.Levels, l.Value+0) // −0 is 0
	}
	missing := int32(len(n.Levels))
	of := make([]int32, len(c.values))
	for code, v := range c.values {
		if of[code] = missing; !math.IsNaN(v) {
			of[code] = int32(sort.SearchFloat64s(n.Levels, v))
		}
	}
	n.Ranks = cuts.Taken(of, c.Codes)
	n.Missing = slices.Contains(n.Ranks, missing)
	return n
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

// Sets of samples are made of columns 64 samples, a word of each set, at a time:
// on 5 million rows, one look-up and one set bit a cell took as long as parsing
// the cells. Columns do not know one another, so that all processors share them.

// fill returns the samples of each part of a column.
func (b *builder) fill(c *column, p *parts) [][]uint64 {
	words := make([][]uint64, p.n)
	for i := range words {
		words[i] = make([]uint64, (b.n+63)/64)
	}
	is := make([]uint64, p.n+1) // 64 samples, by part + 1
	for i, code := range c.Codes {
		is[p.byCode[code]+1] |= 1 << (i & 63)
		if i&63 < 63 && i < len(c.Codes)-1 {
			continue
		}
		is[0] = 0 // of no part
		for k := range words {
			words[k][i/64], is[k+1] = is[k+1], 0
		}
	}
	return words
}
