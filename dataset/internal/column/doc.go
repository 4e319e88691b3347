// Package column stores the cells of one column of a table, packed as narrow as
// they allow: [Packed] holds codes of texts, [Floats] holds numbers. Begin with
// the comments at the top of floats.go and radix.go, which give the layout of
// numbers and how they are sorted.
//
// A table is read in one pass. Meanwhile a column is kept as codes of its distinct texts.
// They are packed 1, 2, 4, 8, 16 or 32 bits wide, as the number of texts demands. Only a
// column with thousands of distinct numbers is kept as numbers, packed as wide as their
// digits demand. Nothing is kept of a column that turns out to be free text.
//
// Both grow at the end only and are read by position. They are not safe for use
// by several goroutines while they grow.
package column
