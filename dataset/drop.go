package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bits-and-blooms/bitset"
	"parcorels/table"
)

// incomplete returns the rows with a missing value in the label, the weight or an
// attribute that can have features; without Options.DropMissing, in the label only. Its
// note says how many there are.
func (b *builder) incomplete(weights *decimals) (rows *bitset.BitSet, note string) {
	rows = bitset.New(uint(b.n))
	var gaps []gap
	for _, c := range b.columns {
		if c == nil || c.keep != table.KeepTexts && (!c.kind.used() || !b.o.DropMissing) {
			continue
		}
		if codes := c.missingCodes(); c.many || slices.Contains(codes, true) {
			gaps = append(gaps, mark(rows, c.name, b.n, func(row int) bool { return c.missingAt(row, codes) }))
		}
	}
	if weights != nil && b.o.DropMissing {
		gaps = append(gaps, mark(rows, b.o.Weight, b.n, weights.missingAt))
	}
	return rows, fmt.Sprintf("%d of %d rows are dropped for a missing value, most often %s", rows.Count(), b.n, mostOften(gaps))
}

// gap is how many rows miss a value in a column.
type gap struct {
	column string
	rows   int
}

// mark adds the rows that miss a value in a column to incomplete.
func mark(incomplete *bitset.BitSet, column string, rows int, isMissing func(row int) bool) gap {
	g := gap{column: column}
	for row := range rows {
		if isMissing(row) {
			incomplete.Set(uint(row))
			g.rows++
		}
	}
	return g
}

// mostOften lists the columns that miss most.
func mostOften(gaps []gap) string {
	slices.SortStableFunc(gaps, func(x, y gap) int { return cmp.Compare(y.rows, x.rows) })
	var list []string
	for _, g := range gaps[:min(len(gaps), table.Listed)] {
		if g.rows > 0 {
			list = append(list, fmt.Sprintf("%s in %d", table.Quote(g.column), g.rows))
		}
	}
	return strings.Join(list, ", ")
}
