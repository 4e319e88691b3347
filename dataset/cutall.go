package dataset

import (
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/cuts"
	"parcorels/loop"
)

// isCut reports whether a column of numbers is cut, and not by given cuts.
func (b *builder) isCut(c *column) bool {
	if _, given := b.o.Cuts[c.name]; given || c.kind != numericColumn || c.scale.Levels != nil || b.o.AllCuts {
		return false
	}
	different := 0
	for range c.cells().All() {
		if different++; different > b.o.bins() {
			return true
		}
	}
	return false
}

// cutAll chooses the cuts of all columns that are cut. They come from the samples of from, which
// are those of rows among the samples of d, all if rows is nil; part is these samples, with their weights.
func (b *builder) cutAll(from *builder, d *Dataset, rows *bitset.BitSet, part *Dataset) {
	b.cuts = map[int][]float64{}
	for i, c := range b.columns {
		if c != nil && b.isCut(c) {
			b.cuts[i] = nil
		}
	}
	if len(b.cuts) == 0 {
		return
	}
	if b.o.Chosen != nil {
		for i := range b.cuts {
			b.cuts[i] = b.o.Chosen[b.columns[i].name]
		}
		return
	}
	classes := d.ClassCount()
	if b.o.atQuantiles {
		classes = 1
	}
	g := cuts.NewChooser(from.n, classes, d.classesOf(rows), part.cutWeights(), part.counts)
	parts, told := 0, !g.Spread
	if b.o.Quantiles || g.Spread {
		parts = b.o.bins()
	}
	drawn, n, counts := g.Sample()
	var sample []int
	if drawn != nil {
		sample = members(drawn)
	}
	all := make([]*cuts.Question, len(b.columns))
	loop.Parallel(len(all), func(i int) {
		c := from.columns[i]
		if c == nil || !c.kind.used() {
			return
		}
		some := c
		if drawn != nil {
			some = c.take(sample, counts)
		}
		if _, cut := b.cuts[i]; !cut {
			if bins, parts, ordered := from.binsOf(some, n, counts); bins != nil {
				all[i] = g.Parts(bins, parts, ordered)
			}
		} else {
			all[i] = g.Numbers(some.cells())
		}
	})
	var asked []*cuts.Question
	var at []int
	for i, q := range all {
		if q != nil {
			asked, at = append(asked, q), append(at, i)
		}
	}
	values := g.Choose(asked, (b.o.bins()-1)*len(b.cuts), parts, b.o.Information)
	for k, i := range at {
		if _, cut := b.cuts[i]; !cut {
			continue
		}
		b.cuts[i] = values[k]
		if told && g.Spread && len(values[k]) > 0 {
			b.say(quantileCuts, b.columns[i], "")
		}
	}
}

// classesOf returns what tells the class of each of the samples of rows, all if rows is nil.
func (d *Dataset) classesOf(rows *bitset.BitSet) func(i int) int {
	if rows == nil {
		return d.Class
	}
	samples := members(rows)
	return func(i int) int { return d.Class(samples[i]) }
}

// binsOf returns the part of each of n cells of a column whose features are known, how many parts there are with one
// for cells of none, and how many of the first hold numbers in order; nil of too many.
func (b *builder) binsOf(c *column, n int, counts []int64) (bins []uint8, all, ordered int) {
	scout := *b
	scout.said, scout.n, scout.rows = map[remark][]string{}, n, int(cuts.Total(counts, n))
	p := scout.split(c)
	if p.n > 254 {
		return nil, 0, 0 // given cuts may be many
	}
	if c.kind == numericColumn {
		ordered = p.n
		if p.missing >= 0 {
			ordered--
		}
	}
	byCode := make([]uint8, len(p.byCode))
	for code, part := range p.byCode {
		if byCode[code] = uint8(part); part < 0 {
			byCode[code] = uint8(p.n)
		}
	}
	return cuts.Taken(byCode, c.Codes), p.n + 1, ordered
}

// makeFeatures makes the features of all columns, as cutAll and groupAll choose. Cells are released unless keep says otherwise.
func (b *builder) makeFeatures(from *builder, d *Dataset, rows *bitset.BitSet, part *Dataset, keep bool) {
	b.cutAll(from, d, rows, part)
	b.groupAll(from, d, rows, part)
	if b.direction = (direction{rows, d.InClass(0).Complement(), d}); rows != nil {
		b.direction.ones.InPlaceIntersection(rows)
	}
	b.addAll(keep)
}

// fewestGrouped is how many texts of a column have a feature of their own before there are groups of them.
const fewestGrouped = 6

// mayGroup reports whether a column may have groups, of two classes.
func (b *builder) mayGroup(c *column) bool {
	return c != nil && c.kind == textColumn && !b.o.atQuantiles && len(b.featured(c)) >= fewestGrouped
}

// featured returns the codes of the texts of a column that have a feature, in the order of texts.
func (b *builder) featured(c *column) []int32 {
	codes := c.presentCodes()
	texts := len(codes)
	return slices.DeleteFunc(codes, func(code int32) bool { return !frequent(c.counts[code], b.rows, texts) })
}

// groupAll chooses the groups of all columns by the samples of from, which are those of rows among the samples of d, all if rows is
// nil, with the weights of part.
func (b *builder) groupAll(from *builder, d *Dataset, rows *bitset.BitSet, part *Dataset) {
	if b.blocks = make([][][]string, len(b.columns)); d.ClassCount() > 2 {
		return
	}
	class, weights := d.classesOf(rows), part.cutWeights()
	loop.Parallel(len(b.columns), func(i int) {
		switch c := b.columns[i]; {
		case !b.mayGroup(c):
		case b.o.ChosenGroups != nil:
			b.blocks[i] = b.o.ChosenGroups[c.name]
		default:
			b.blocks[i] = b.group(c, from.columns[i], class, weights)
		}
	})
}

// group returns the blocks of the texts of a column with features, by the rows of some. weights are nil if each weighs 1.
func (b *builder) group(c, some *column, class func(row int) int, weights []int64) [][]string {
	texts := make([]cuts.Text, len(c.Texts))
	for i, code := range some.Codes {
		t := &texts[code]
		t.Rows[class(i)] += int64(some.rowsAt(i))
		t.Weights[class(i)] += cuts.At(weights, i)
	}
	var there []cuts.Text
	for _, code := range b.featured(c) {
		if t := texts[code]; t.Rows[0]+t.Rows[1] > 0 {
			t.Text = c.Texts[code]
			there = append(there, t)
		}
	}
	return cuts.Groups(there)
}

// chosen returns the cuts that were chosen and the blocks, by the names of their columns.
func (b *builder) chosen() (cuts map[string][]float64, groups map[string][][]string) {
	cuts, groups = map[string][]float64{}, map[string][][]string{}
	for i, values := range b.cuts {
		if len(values) > 0 {
			cuts[b.columns[i].name] = values
		}
	}
	for i, blocks := range b.blocks {
		if len(blocks) > 0 {
			groups[b.columns[i].name] = blocks
		}
	}
	return cuts, groups
}
