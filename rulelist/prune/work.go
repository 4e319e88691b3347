package prune

// The work of a search is counted in entries, the numbers of an LP that a step touches (2.7 ns).

// A column takes some 7 ns and .2 ns for each word of a plane, an ascent's unit of work 3 ns.
const (
	evaluateParts = 16
	evaluateLeast = 37
)

// A child that is placed takes some .7 µs, and 8 ns for each word of a plane, in entries.
const (
	childEntries     = 220
	childWordEntries = 3
)

// ExpansionWork returns about how much work it is to count so many columns and to place so many
// children, where planes have so many words.
func ExpansionWork(columns, children, words int64) int64 {
	return columns*(evaluateLeast+words)/evaluateParts + children*(childEntries+childWordEntries*words)
}
