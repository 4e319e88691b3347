package dataset

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"
)

// builder makes features of the columns of a table.
type builder struct {
	o        Options
	source   string            // name of the file, for errors
	rows     int               // rows read
	n        int               // rows kept
	dropped  *bitset.BitSet    // the others; nil if there are none
	kinds    map[*column]kind  // of all attributes
	names    namer             // of features
	features []Feature         // so far
	groups   int               // so far
	unused   map[kind][]string // columns without features, and why
	remarks  []string          // on single columns
}

func newBuilder(source string, o Options, rows int) *builder {
	return &builder{source: source, o: o, rows: rows, n: rows, kinds: map[*column]kind{}, names: namer{}, unused: map[kind][]string{}}
}

// kept yields the kept rows as (sample, row).
func (b *builder) kept() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		i := 0
		for row := range b.rows {
			if b.dropped != nil && b.dropped.Test(uint(row)) {
				continue
			}
			if !yield(i, row) {
				return
			}
			i++
		}
	}
}

// choose decides the kind of each attribute.
func (b *builder) choose(columns []*column, target int) error {
	for i, c := range columns {
		if c == nil || i == target {
			continue
		}
		_, cut := b.o.Cuts[c.name]
		k := c.kind(b.counts(c), b.rows, b.o.DropMissing, cut)
		if cut && k != numericKind && k != constantKind {
			return fmt.Errorf("%s:%d: %s in column %s is not a number, and the column has cuts", b.source, c.oddLine, c.odd, quote(c.name))
		}
		b.kinds[c] = k
	}
	return nil
}

// drop leaves out the rows with a missing value in the label, the weight or an
// attribute that can have features, and returns notes on them.
func (b *builder) drop(target *column, weights *decimals) (notes []string) {
	b.dropped = bitset.New(uint(b.rows))
	type gap struct {
		column string
		rows   int
	}
	var gaps []gap
	scan := func(name string, isMissing func(row int) bool) {
		g := gap{column: name}
		for row := range b.rows {
			if isMissing(row) {
				b.dropped.Set(uint(row))
				g.rows++
			}
		}
		if g.rows > 0 {
			gaps = append(gaps, g)
		}
	}
	columns := []*column{target}
	for c, k := range b.kinds {
		if k.used() {
			columns = append(columns, c)
		}
	}
	for _, c := range columns {
		codes := c.missingCodes()
		if c.floats != nil || slices.Contains(codes, true) {
			scan(c.name, func(row int) bool { return c.missingAt(row, codes) })
		}
	}
	if weights != nil {
		scan(b.o.Weight, weights.missingAt)
	}
	count := int(b.dropped.Count())
	if b.n = b.rows - count; count == 0 {
		b.dropped = nil
		return nil
	}
	slices.SortFunc(gaps, func(x, y gap) int {
		if x.rows != y.rows {
			return y.rows - x.rows
		}
		return strings.Compare(x.column, y.column)
	})
	list := make([]string, 0, 5)
	for _, g := range gaps[:min(len(gaps), 5)] {
		list = append(list, fmt.Sprintf("%s in %d", quote(g.column), g.rows))
	}
	return []string{fmt.Sprintf("%d of %d rows are dropped for a missing value, most often %s", count, b.rows, strings.Join(list, ", "))}
}

// counts returns how many of the kept rows have each code; nil of floats.
func (b *builder) counts(c *column) []int {
	counts := make([]int, len(c.texts))
	if len(counts) == 0 {
		return nil
	}
	for _, row := range b.kept() {
		counts[c.codes.at(row)]++
	}
	return counts
}

// add makes the features of a column.
func (b *builder) add(c *column) {
	k := b.kinds[c]
	if !k.used() {
		b.leaveOut(c, k)
		return
	}
	parts := b.split(c, k)
	words := make([][]uint64, len(parts.tests))
	for p := range words {
		words[p] = make([]uint64, (b.n+63)/64)
	}
	for i, row := range b.kept() {
		if p := parts.of(c, row); p >= 0 {
			words[p][i>>6] |= 1 << (i & 63)
		}
	}
	first := len(b.features)
	for p, test := range parts.tests {
		bits := bitset.FromWithLength(uint(b.n), words[p])
		if bits.None() || bits.All() {
			continue
		}
		test.MissingWords, test.Complete = b.o.Missing, parts.complete
		name := b.names.unique(parts.names[p], " #", 2)
		b.features = append(b.features, Feature{name, c.name, b.groups, test, bits})
	}
	switch len(b.features) - first {
	case 0:
		b.leaveOut(c, constantKind)
	case 1:
		b.features[first].Group = -1
	default:
		b.groups++
	}
}

func (b *builder) leaveOut(c *column, k kind) {
	what := quote(c.name)
	if k == freeKind && c.numbersFirst {
		what += fmt.Sprintf(" (%s in line %d is no number)", c.odd, c.oddLine)
	}
	b.unused[k] = append(b.unused[k], what)
}

// notes says what was left out and what else is to be said on columns.
func (b *builder) notes() []string {
	notes := b.remarks
	if names := b.unused[constantKind]; len(names) > 0 {
		notes = append(notes, "not used, as all values are the same: "+some(names))
	}
	if names := b.unused[freeKind]; len(names) > 0 {
		notes = append(notes, "not used, as texts differ from row to row: "+some(names))
	}
	if len(b.features) == 0 {
		notes = append(notes, "no column tells samples apart")
	}
	return notes
}

// remark notes what a person might not expect of a used column.
func (b *builder) remark(format string, args ...any) {
	b.remarks = append(b.remarks, fmt.Sprintf(format, args...))
}

func (b *builder) remarkInfinite(c *column, levels []level) {
	if n := len(levels); n > 0 && (math.IsInf(levels[0].value, 0) || math.IsInf(levels[n-1].value, 0)) {
		b.remark("column %s has infinite values: they lie beyond all other numbers", quote(c.name))
	}
}
