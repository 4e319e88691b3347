package numeric

import "parcorels/tree/price"

// Bounds of the trees that split on one column first.
//
// Let V^g(S) be the value of the best tree of two levels that splits the set S on column g
// first, with items on both sides. Sides of neighbouring places bound each other's:
//
//   - A within B: the best such tree of A splits B on g as well, and errs on B by the weight
//     of B∖A more at most, so V^g(A) ≥ V^g(B) − unit·w(B∖A).
//   - The best such tree of B either parts A by its first split, and has a value of at least
//     V^g(A) then; or A is all on one side. Then the tree of that side, of one level, has
//     a value of at least V_1(A), and the other side has a leaf:
//     V^g(B) ≥ min(V^g(A), V_1(A) + price).
//
// A column whose bound reaches the budget is not swept.

// firsts is what is known of both sides of a place: bounds by column, and of V_1.
type firsts struct {
	left, right       []int64
	leftOne, rightOne int64
}

// knownFirsts returns what the ends of an interval say of the trees of both sides of a place within;
// nil for nothing.
func (w *worker) knownFirsts(weights []int64, place int, a, b end) (left, right []int64) {
	if a.firsts == nil && b.firsts == nil {
		return nil, nil
	}
	left, right = w.knownLeft, w.knownRight
	for h := range left {
		left[h], right[h] = 2*w.Price, 2*w.Price
	}
	if f := a.firsts; f != nil {
		more := w.Unit * (weights[place] - weights[a.place])
		for h := range left {
			left[h] = max(left[h], min(f.left[h], f.leftOne+w.Price))
			right[h] = max(right[h], less(f.right[h], more))
		}
	}
	if f := b.firsts; f != nil {
		more := w.Unit * (weights[b.place] - weights[place])
		for h := range left {
			left[h] = max(left[h], less(f.left[h], more))
			right[h] = max(right[h], min(f.right[h], f.rightOne+w.Price))
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
