package numeric

import (
	"slices"

	"parcorels/tree/price"
)

// Bounds of the trees that split in one cell first.
//
// A cell is the ranks r of a column g from one on to another. Let V(S) be the value of the best
// tree of two levels that parts the set S by g < r for such an r, with items on both sides. Sides
// of neighbouring places bound each other's:
//
//   - A within B: the best such tree of A parts B by the same r as well, and errs on B by the
//     weight of B∖A more at most, so V(A) ≥ V(B) − unit·w(B∖A).
//   - The best such tree of B either parts A by its first split, and has a value of at least
//     V(A) then; or A is all on one side. Then the tree of that side, of one level, has
//     a value of at least V_1(A), and the other side has a leaf:
//     V(B) ≥ min(V(A), V_1(A) + price).
//
// A cell whose bound reaches the budget is left out. Cells are those of the set whose places are
// looked at. The places of a side have the rank of the item behind them, but part it as all ranks
// down to that of the item in front do: the first place behind a cell counts for that cell, too.

// firsts is what is known of a side of a place: bounds by column and cell, a bound of V_1, and how
// its best tree begins, or one near by.
type firsts struct {
	cells []int64
	one   int64
	best  split
}

// firstsOf returns the bounds of the cells of a column.
func (t *twoLevel) firstsOf(column int) []int64 {
	return t.firsts[column*t.cellCount : (column+1)*t.cellCount]
}

// know sets what is known in the beginning.
func (t *twoLevel) know(known []int64) {
	t.firsts = slices.Grow(t.firsts[:0], t.cellCount*t.table.Columns)[:t.cellCount*t.table.Columns]
	for h := range t.least {
		t.least[h] = price.Far // of a column that does not part the set
	}
	for i := range t.firsts {
		t.firsts[i] = price.Far
	}
	for _, lane := range t.used {
		h := t.columns[lane].at
		firsts := t.firstsOf(h)
		for q := range firsts {
			if firsts[q] = t.atLeast(); known != nil {
				firsts[q] = max(firsts[q], known[h*t.cellCount+q])
			}
		}
		t.least[h] = slices.Min(firsts)
	}
}

// atLeast returns a lower bound of the trees that split the view: they have one level, or three leaves. Rice
// at depth 4, λ = .01, solves 4,900 sets with it, not 6,700.
func (t *twoLevel) atLeast() int64 { return min(t.whole, 3*t.Price) }

// knownFirsts returns what the ends of an interval say of the trees of both sides of a place within;
// nil for nothing. The best one nearest to it is tried first.
func (t *twoLevel) knownFirsts(weights []int64, place int, a, b end) (left, right []int64) {
	near := a.firsts
	if near == nil || b.firsts != nil && weights[b.place]-weights[place] < weights[place]-weights[a.place] {
		near = b.firsts
	}
	if near == nil {
		t.hints = [2]split{t.best, t.best}
		return nil, nil
	}
	t.hints = [2]split{near[0].best, near[1].best}
	n := t.cellCount * t.table.Columns
	left, right = slices.Grow(t.knownLeft[:0], n)[:n], slices.Grow(t.knownRight[:0], n)[:n]
	t.knownLeft, t.knownRight = left, right
	for i := range left {
		left[i], right[i] = 2*t.Price, 2*t.Price
	}
	if f := a.firsts; f != nil {
		more := t.Unit * (weights[place] - weights[a.place])
		for i := range left {
			left[i] = max(left[i], min(f[0].cells[i], f[0].one+t.Price))
			right[i] = max(right[i], less(f[1].cells[i], more))
		}
	}
	if f := b.firsts; f != nil {
		more := t.Unit * (weights[b.place] - weights[place])
		for i := range left {
			left[i] = max(left[i], less(f[0].cells[i], more))
			right[i] = max(right[i], min(f[1].cells[i], f[1].one+t.Price))
		}
	}
	return left, right
}

// less takes something off a bound, unless there is no tree.
func less(bound, x int64) int64 {
	if bound == price.Far {
		return bound
	}
	return bound - x
}
