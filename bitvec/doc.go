// Package bitvec holds the kernels on 64-bit words in which a search over weighted points
// spends its time. They count and weigh what sets have in common. The processor's
// instruction sets decide which kernel is used (cpuid). All give the same numbers. Begin
// with [NewPlanes] and [NewMatrix]; [Matrix.Count] counts all columns in a set at once.
//
// # Layout
//
// A set of points is a []uint64 of W words. Points of class 1 fill the first
// W1 words, points of class 0 the others; both classes start on a word
// boundary and list their heaviest points first. The costs of the points of a
// word are written as a sum of weighted masks ([Planes]): binary digits, one
// mask per digit, or fewer masks where the costs share a divisor or lie close
// together (decompose.go). The light tail of the points takes one mask a word.
//
// Many sets that are counted against one set lie in a [Matrix]: blocks of
// [Lanes] = 8 columns, transposed, so that word w of the eight columns of a
// block is one aligned cache line, one AVX-512 register, two AVX2 registers
// or four NEON registers. A kernel then keeps one sum per lane and never
// reduces across lanes.
//
// The set u that all columns are counted against is compiled into a [Program], whose
// steps a kernel takes for every block (program.go).
//
// # Dispatch
//
// The generic kernels, on math/bits, are always compiled and are the
// reference of every other kernel; see kernel.go for how one is chosen.
package bitvec
