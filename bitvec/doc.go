// Package bitvec holds the 64-bit-word kernels that a search over weighted
// points spends its time in.
//
// # Layout
//
// A set of points is a []uint64 of W words. Points of class 1 fill the first
// W1 words, points of class 0 the others; both classes start on a word
// boundary and list their heaviest points first. The cost of a point is kept
// in bit planes ([Planes]): plane p of word w has the bits of those points of
// the word whose cost has bit p set. Planes without a bit do not exist, so the
// light tail of the points costs one plane per word.
//
// Many sets that are counted against one set lie in a [Matrix]: blocks of
// [Lanes] = 8 columns, transposed, so that word w of the eight columns of a
// block is one aligned cache line, one AVX-512 register, two AVX2 registers
// or four NEON registers. A kernel then keeps one sum per lane and never
// reduces across lanes.
//
// # One call a node
//
// The set that all columns are counted against is first compiled into a
// [Program]: the non-zero words of set AND plane, each with the offset of its
// word, class by class and from the highest plane to the lowest. A kernel
// runs the program once per block: sum = 2·sum when the plane changes, sum +=
// popcount(column word AND mask) at each step. Words of the set that are zero
// and planes that do not exist cost nothing.
//
// # Dispatch
//
// The generic kernels, on math/bits, are always compiled and are the
// reference of every other kernel; see kernel.go for how one is chosen.
package bitvec
