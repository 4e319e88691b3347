// Package order sorts lists that are seldom sorted. Package slices compiles its sort anew
// for each type of struct, some ten kilobytes each; this one does not. Where time counts,
// take package slices. Begin with [Sort].
//
//	order.Sort(list, func(a, b file) int { return strings.Compare(a.Name, b.Name) })
package order

import "sort"

// Sort sorts a slice as slices.SortFunc does.
func Sort[T any](list []T, compare func(a, b T) int) {
	sort.Slice(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}

// Stable sorts a slice as slices.SortStableFunc does: what is equal keeps its order.
func Stable[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
