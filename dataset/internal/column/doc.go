// Package column stores the cells of one column of a table, packed as narrow as
// they allow: [Packed] holds codes of texts, [Floats] holds numbers. Begin with
// the comments at the top of floats.go and radix.go, which give the layout of
// numbers and how they are sorted.
//
// Both grow at the end only and are read by position. They are not safe for use
// by several goroutines while they grow.
package column
