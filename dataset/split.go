package dataset

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// parts split the cells of a column into disjoint classes, one a feature.
type parts struct {
	names    []string
	tests    []Test
	byCode   []int // part of each code, -1 for none; nil for floats
	cuts     []float64
	missing  int  // part of missing cells, -1 for none
	complete bool // no cell is missing
}

// of returns the part of a cell, -1 for none.
func (p *parts) of(c *column, row int) int {
	if p.byCode != nil {
		return p.byCode[c.codes.at(row)]
	}
	v := c.floats[row]
	if math.IsNaN(v) {
		return p.missing
	}
	return interval(p.cuts, v)
}

func (p *parts) add(name string, t Test) int {
	p.names = append(p.names, name)
	p.tests = append(p.tests, t)
	return len(p.tests) - 1
}

// interval returns the number of cuts up to v, which is the index of the
// interval that v is in.
func interval(cuts []float64, v float64) int {
	i := 0
	for i < len(cuts) && cuts[i] <= v {
		i++
	}
	return i
}

// split makes the parts of a column of a kind that is used.
func (b *builder) split(c *column, k kind) *parts {
	p := &parts{missing: -1, complete: true}
	switch k {
	case truthKindOf:
		b.splitTruth(c, p)
	case numericKind:
		b.splitNumbers(c, p)
	default:
		b.splitTexts(c, p)
	}
	return p
}

func (b *builder) splitTruth(c *column, p *parts) {
	p.byCode = make([]int, len(c.texts))
	yes := p.add(c.name, Test{Kind: True})
	for code, t := range c.texts {
		p.byCode[code] = -1
		if _, value := parseTruth(t); value {
			p.byCode[code] = yes
		}
	}
}

// splitTexts makes a part of each frequent text, in the order of texts.
func (b *builder) splitTexts(c *column, p *parts) {
	counts, isMissing := b.counts(c), c.missingCodes()
	p.byCode = make([]int, len(c.texts))
	var codes []int
	numbers := 0
	for code, t := range c.texts {
		p.byCode[code] = -1
		if counts[code] > 0 && !isMissing[code] {
			codes = append(codes, code)
			if _, ok := parseNumber(t); ok {
				numbers++
			}
		}
	}
	slices.SortFunc(codes, func(x, y int) int { return strings.Compare(c.texts[x], c.texts[y]) })
	for _, code := range codes {
		if frequent(counts[code], b.n, len(codes)) {
			p.byCode[code] = p.add(valueName(c.name, c.texts[code]), Test{Kind: Is, Value: c.texts[code]})
		}
	}
	b.splitMissing(c, p, counts)
	if rare := len(codes) - len(p.tests); rare > 0 {
		b.remark("column %s has %d texts, of which %d are in at least 1%% of the rows; the others have no feature of their own", quote(c.name), len(codes), len(codes)-rare)
	}
	if 2*numbers > len(codes) {
		b.remark("column %s is read as text: %s in line %d is not a number (if it means missing, list it so)", quote(c.name), c.odd, c.oddLine)
	}
}

// splitMissing makes a part of missing cells if there are any.
func (b *builder) splitMissing(c *column, p *parts, counts []int) {
	for code, is := range c.missingCodes() {
		if is && counts[code] > 0 {
			p.byCode[code] = p.missingPart(c)
		}
	}
}

func (p *parts) missingPart(c *column) int {
	if p.missing < 0 {
		p.missing = p.add(missingName(c.name), Test{Kind: Missing})
		p.complete = false
	}
	return p.missing
}

// splitNumbers makes a part of each number where there are few, and otherwise
// of intervals: those that are given, or quantiles.
func (b *builder) splitNumbers(c *column, p *parts) {
	levels := b.levels(c)
	b.remarkInfinite(c, levels)
	cuts, given := b.o.Cuts[c.name]
	switch {
	case given:
		cuts = slices.Compact(slices.Sorted(slices.Values(cuts)))
	case len(levels) > b.o.bins():
		cuts = quantileCuts(levels, b.o.bins())
	}
	part := func(v float64) int { return interval(cuts, v) }
	if cuts == nil {
		part = func(v float64) int {
			i, _ := slices.BinarySearchFunc(levels, v, func(l level, v float64) int { return cmp.Compare(l.value, v) })
			return i
		}
		for _, l := range levels {
			text := formatNumber(l.value)
			p.add(valueName(c.name, text), Test{Kind: Number, Value: text})
		}
	} else {
		p.addIntervals(c.name, cuts, integers(levels))
	}
	p.cuts = cuts
	if c.floats != nil {
		if slices.ContainsFunc(c.floats, math.IsNaN) {
			p.missingPart(c)
		}
		return
	}
	p.byCode = make([]int, len(c.texts))
	for code, v := range c.values() {
		if p.byCode[code] = -1; !math.IsNaN(v) {
			p.byCode[code] = part(v)
		}
	}
	b.splitMissing(c, p, b.counts(c))
}

func (p *parts) addIntervals(column string, cuts []float64, integer bool) {
	for i := range len(cuts) + 1 {
		t := Test{Kind: Interval}
		if i > 0 {
			t.Low = &cuts[i-1]
		}
		if i < len(cuts) {
			t.High = &cuts[i]
		}
		p.add(intervalName(column, t.Low, t.High, integer), t)
	}
}
