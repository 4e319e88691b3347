package dataset

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"parcorels/cuts"
	"parcorels/dataset/cell"
	"parcorels/table"
)

// parts split the cells of a column into disjoint classes. A feature holds on
// one of them or, of a threshold, on neighbouring ones.
type parts struct {
	n        int // parts
	features []span
	byCode   []int32   // part of each code, -1 for none
	cuts     []float64 // beginnings of the parts of numbers, but the first
	missing  int       // part of missing cells, -1 for none
	scale    Scale     // of the numbers
}

// span is a feature that holds on the parts from first to last.
type span struct {
	name        string
	test        Test
	first, last int
}

// add adds a part with a feature of its own, and returns its index.
func (p *parts) add(name string, t Test) int {
	p.features = append(p.features, span{name, t, p.n, p.n})
	p.n++
	return p.n - 1
}

// split makes the parts of a column of a kind that is used.
func (b *builder) split(c *column) *parts {
	p := &parts{missing: -1, scale: c.scale}
	switch c.kind {
	case truthColumn:
		b.splitTruth(c, p)
	case numericColumn:
		b.splitNumbers(c, p)
	default:
		b.splitTexts(c, p)
	}
	return p
}

func (b *builder) splitTruth(c *column, p *parts) {
	p.byCode = make([]int32, len(c.values))
	yes := p.add(c.name, Test{Kind: True})
	for code, t := range c.Texts {
		p.byCode[code] = -1
		if _, value := cell.ParseTruth(t); value {
			p.byCode[code] = int32(yes)
		}
	}
}

// splitTexts makes a part of each frequent text, those of groups first, and features in the order of texts.
func (b *builder) splitTexts(c *column, p *parts) {
	p.byCode = slices.Repeat([]int32{-1}, len(c.Texts))
	var blocks [][]string
	if b.blocks != nil {
		blocks = b.blocks[c.at]
	}
	place := map[string]int{}
	for _, text := range slices.Concat(blocks...) {
		place[text] = len(place)
	}
	p.n = len(place)
	codes, numbers := c.presentCodes(), 0
	for _, code := range codes {
		text := c.Texts[code]
		if _, ok := table.ParseNumber(text); ok {
			numbers++
		}
		if !frequent(c.counts[code], b.rows, len(codes)) {
			continue
		}
		at, grouped := place[text]
		if !grouped {
			at = p.n
			p.n++
		}
		p.byCode[code] = int32(at)
		p.features = append(p.features, span{valueName(c.name, text), Test{Kind: Is, Value: text}, at, at})
	}
	rare := len(codes) - len(p.features)
	p.addGroups(c.name, blocks)
	p.splitMissing(c)
	if rare > 0 {
		b.say(rareTexts, c, fmt.Sprintf(" (%d of %d)", len(codes)-rare, len(codes)))
	}
	if 2*numbers > len(codes) && !c.categories {
		b.say(readAsText, c, fmt.Sprintf(" (%s in line %d)", c.Odd, c.OddLine))
	}
}

// A column of many texts has conditions of several of them as well: town in {a, b, c}. Package cuts puts the texts in the order of how
// frequent a class is and cuts that order. Each cut gives two features, the texts on its sides. A missing cell, and a
// text that is too rare to have a feature, is on neither.

// GroupText is what people read of a group behind "in": its texts in braces, or how many there are.
func GroupText(texts []string) string {
	const most = 60
	list := make([]string, len(texts))
	for i, t := range texts {
		list[i] = table.Printable(t)
	}
	if text := strings.Join(list, ", "); len([]rune(text)) <= most {
		return "{" + text + "}"
	}
	return fmt.Sprintf("%d values", len(texts))
}

// addGroups adds the features of groups, those of few texts first. Their parts are the first, one a text, in the order of blocks.
func (p *parts) addGroups(column string, blocks [][]string) {
	all := slices.Concat(blocks...)
	from := len(p.features)
	add := func(first, behind int) {
		if texts := slices.Sorted(slices.Values(all[first:behind])); len(texts) > 1 { // one has a feature of its own
			p.features = append(p.features, span{column + " in " + GroupText(texts), Test{Kind: Among, Values: texts}, first, behind - 1})
		}
	}
	end := 0
	for i := 1; i < len(blocks); i++ {
		end += len(blocks[i-1])
		add(0, end)
		add(end, len(all))
	}
	slices.SortStableFunc(p.features[from:], func(x, y span) int { return len(x.test.Values) - len(y.test.Values) })
}

// presentCodes returns the codes of texts that are there and not missing, in the order of texts.
func (c *column) presentCodes() (codes []int32) {
	for code := range c.present() {
		if c.counts[code] > 0 {
			codes = append(codes, int32(code))
		}
	}
	slices.SortFunc(codes, func(x, y int32) int { return strings.Compare(c.Texts[x], c.Texts[y]) })
	return codes
}

// splitMissing makes a part of missing cells if there are any.
func (p *parts) splitMissing(c *column) {
	for code, is := range c.missingCodes() {
		if !is || c.counts[code] == 0 {
			continue
		}
		if p.missing < 0 {
			p.missing = p.add(missingName(c.name), Test{Kind: Missing})
		}
		p.byCode[code] = int32(p.missing)
	}
}

// splitNumbers makes a part of each number where there are few, and otherwise
// of the intervals between cuts: those that are given, or quantiles. Thresholds
// are unions of such parts.
func (b *builder) splitNumbers(c *column, p *parts) {
	given, isGiven := b.o.Cuts[c.name]
	atMost, isCut := b.cuts[c.at]
	if c.isInfinite() {
		b.say(infiniteValues, c, "")
	}
	switch {
	case isGiven:
		p.cuts = slices.Compact(slices.Sorted(slices.Values(given)))
		p.addGiven(c.name, cuts.Integers(c.cells().Levels()))
	case !isCut:
		levels := c.cells().Levels()
		p.addNumbers(c.name, levels)
		var between []float64
		for i := range len(levels) - 1 {
			between = append(between, cuts.Threshold(levels, i))
		}
		p.addThresholds(c.name, between, 1) // those that leave a single number on a side are the feature of that number
	default:
		for _, v := range atMost {
			p.cuts = append(p.cuts, above(v))
		}
		p.n = len(atMost) + 1
		p.addThresholds(c.name, atMost, 0)
	}
	p.byCode = make([]int32, len(c.values))
	for code, v := range c.values {
		if p.byCode[code] = -1; !math.IsNaN(v) {
			p.byCode[code] = int32(sort.Search(len(p.cuts), func(i int) bool { return p.cuts[i] > v })) // its interval
		}
	}
	p.splitMissing(c)
}

// addNumbers makes a part of each number.
func (p *parts) addNumbers(column string, levels []cuts.Level) {
	for i, l := range levels {
		text := p.scale.Format(l.Value)
		p.add(valueName(column, text), Test{Kind: Number, Value: text})
		if i > 0 {
			p.cuts = append(p.cuts, l.Value)
		}
	}
}

// A threshold splits the numbers of a column in two, and gives two features,
// x ≤ c and x > c. A missing cell is neither, so that one is the complement of
// the other only where no cell is missing; two features are right in both cases
// and let no reader guess. An interval a < x ≤ b is the conjunction of two of
// them.
//
// Between two neighbouring numbers of the data all c split alike. The c that is
// taken is the one that a person would write: the roundest.

// addThresholds makes the features of thresholds, in ascending order, each behind a part: x ≤ c but of the first few, and x > c but of
// as many of the last. Missing cells are no part yet.
func (p *parts) addThresholds(column string, values []float64, few int) {
	for i := few; i < len(values); i++ {
		p.features = append(p.features, span{column + " ≤ " + p.scale.Format(values[i]), Test{Kind: Threshold, High: &values[i]}, 0, i})
	}
	for i := range len(values) - few {
		name := column + " > " + p.scale.Format(values[i])
		p.features = append(p.features, span{name, Test{Kind: Threshold, Low: &values[i]}, i + 1, p.n - 1})
	}
}

// addGiven makes the features of given cuts. Each begins an interval, so that
// x < c and x ≥ c are what was asked for: x ≤ c − 1 and x > c − 1 of integers.
func (p *parts) addGiven(column string, integer bool) {
	below, from, bound := " < ", " ≥ ", func(cut float64) float64 { return cut }
	if integer {
		below, from, bound = " ≤ ", " > ", func(cut float64) float64 { return math.Ceil(cut) - 1 }
	}
	p.n = len(p.cuts) + 1
	add := func(relation string, cut float64, t Test, first, last int) {
		p.features = append(p.features, span{column + relation + p.scale.Format(bound(cut)), t, first, last})
	}
	for i, cut := range p.cuts {
		add(below, cut, Test{Kind: Interval, High: &p.cuts[i]}, 0, i)
	}
	for i, cut := range p.cuts {
		add(from, cut, Test{Kind: Interval, Low: &p.cuts[i]}, i+1, p.n-1)
	}
}

// above returns the least number above v.
func above(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }
