//go:build !purego

#include "textflag.h"

// The kernels of triples of features by AVX2, written by hand as those of NEON are. Sixteen features x stand in the
// lanes of 16 bits of a register. Beside each are y and z, so many features behind it, the first ones behind the last. What
// they have in common is counted in bytes, by a table of nibbles as in the avx2 kernel, and multiplied by the weight
// of a word in lanes of 16 bits, of which a feature has four.
//
//	AX task   CX bytes of a list from x to y   DX to z   R8 to x
//	SI row of columns   R10 to the next   R12 weights   R13 words left   R11 fours of features left
//	Y0 ones   Y1 table   Y2 low nibbles   Y12, Y13 by class: common to x, y and z

DATA nibblesTriples<>+0(SB)/8, $0x0302020102010100
DATA nibblesTriples<>+8(SB)/8, $0x0403030203020201
DATA nibblesTriples<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibblesTriples<>(SB), RODATA|NOPTR, $24

// Pairs of lanes in the order of features.
DATA orderTriples<>+0(SB)/8, $0x0000000400000000
DATA orderTriples<>+8(SB)/8, $0x0000000500000001
DATA orderTriples<>+16(SB)/8, $0x0000000600000002
DATA orderTriples<>+24(SB)/8, $0x0000000700000003
GLOBL orderTriples<>(SB), RODATA|NOPTR, $32

// One more than the bytes before the features of a register.
DATA placesTriples<>+0(SB)/8, $0x0007000500030001
DATA placesTriples<>+8(SB)/8, $0x000f000d000b0009
DATA placesTriples<>+16(SB)/8, $0x0017001500130011
DATA placesTriples<>+24(SB)/8, $0x001f001d001b0019
GLOBL placesTriples<>(SB), RODATA|NOPTR, $32

// Layout of tripleTask in triples.go. A list of the task lies LIST bytes behind the one before.
#define TASK_ROWS 0
#define TASK_STRIDE 8
#define TASK_WORDS 16
#define TASK_WEIGHTS 32
#define TASK_LANES 40
#define TASK_FOURS 48
#define TASK_Y 56
#define TASK_Z 64
#define TASK_TO 72
#define TASK_LIST 80
#define TASK_ALL 88
#define TASK_XY 96
#define TASK_YZ 104
#define TASK_XZ 128
#define TASK_TOTALS 152
#define TASK_SUMS 156
#define TASK_LEAST 1180
#define LIST 512
#define LEAST 256

// ADD adds what four x have in common with their y and z in a word, times the weights in Y9.
#define ADD(at, sum) \
	VMOVDQU at(SI), Y10 \
	VPAND at(SI)(CX*4), Y10, Y10 \
	VPAND at(SI)(DX*4), Y10, Y10 \
	VPAND Y2, Y10, Y11 \
	VPSRLQ $4, Y10, Y10 \
	VPAND Y2, Y10, Y10 \
	VPSHUFB Y11, Y1, Y11 \
	VPSHUFB Y10, Y1, Y10 \
	VPADDB Y11, Y10, Y10 \
	VPMADDUBSW Y9, Y10, Y10 \
	VPADDW Y10, sum, sum
#define ADD1 ADD(0, Y4)
#define ADD2 \
	ADD1 \
	ADD(32, Y5)
#define ADD3 \
	ADD2 \
	ADD(64, Y6)
#define ADD4 \
	ADD3 \
	ADD(96, Y7)

// EACH adds the words of a class.
#define EACH(word, ADDS) \
word: \
	VPBROADCASTB (R12), Y9 \
	ADDS \
	ADDQ R10, SI \
	ADDQ $8, R12 \
	DECQ R13 \
	JNZ word

// COMMON counts the words of a class. As many fours of features are counted as there are, four at most.
#define COMMON(count, one, two, three, four, none, out) \
	VPXOR Y4, Y4, Y4 \
	VPXOR Y5, Y5, Y5 \
	VPXOR Y6, Y6, Y6 \
	VPXOR Y7, Y7, Y7 \
	MOVQ count(AX), R13 \
	TESTQ R13, R13 \
	JZ none \
	CMPQ R11, $2 \
	JLT one \
	JEQ two \
	CMPQ R11, $3 \
	JEQ three \
	EACH(four, ADD4) \
	JMP none \
	EACH(three, ADD3) \
	JMP none \
	EACH(two, ADD2) \
	JMP none \
	EACH(one, ADD1) \
none: \
	VPMADDWD Y0, Y4, Y4 \
	VPMADDWD Y0, Y5, Y5 \
	VPMADDWD Y0, Y6, Y6 \
	VPMADDWD Y0, Y7, Y7 \
	VPHADDD Y5, Y4, Y4 \
	VPHADDD Y7, Y6, Y6 \
	VPACKUSDW Y6, Y4, Y4 \
	VMOVDQU orderTriples<>(SB), Y5 \
	VPERMD Y4, Y5, out

// TWO lowers what a cell of two features costs as a tree of two leaves to the costs of its parts. Lanes without a
// feature have all bits set in one of the parts.
#define TWO(a, b, cell) \
	VPADDUSW a, b, Y14 \
	VPMINUW cell, Y14, Y14 \
	VMOVDQU Y14, cell

// func triplesAVX2(task *tripleTask)
TEXT ·triplesAVX2(SB), NOSPLIT, $0-8
	MOVQ task+0(FP), AX
	VBROADCASTI128 nibblesTriples<>+0(SB), Y1
	VPBROADCASTQ nibblesTriples<>+16(SB), Y2
	VPCMPEQW Y0, Y0, Y0
	VPSRLW $15, Y0, Y0
	XORQ R8, R8

lanes:
	MOVQ TASK_ROWS(AX), SI
	LEAQ (SI)(R8*4), SI
	MOVQ TASK_STRIDE(AX), R10
	MOVQ TASK_WEIGHTS(AX), R12
	MOVQ R8, R11
	SHRQ $3, R11
	NEGQ R11
	ADDQ TASK_FOURS(AX), R11
	MOVQ TASK_Y(AX), CX
	MOVQ TASK_Z(AX), DX
	COMMON(TASK_WORDS, one0, two0, three0, four0, none0, Y12)
	COMMON(TASK_WORDS+8, one1, two1, three1, four1, none1, Y13)
	MOVQ TASK_LIST(AX), R9
	MOVQ TASK_TO(AX), DI
	TESTQ DI, DI
	JZ cells
	ADDQ R8, DI
	VMOVDQU Y12, (DI)
	VMOVDQU Y13, (DI)(R9*1)
	JMP next

	// What a class gains in the eight cells of x, y and z: Y4 all, Y5 to Y7 without z, y and x, Y8 to Y10 x, y and z
	// alone, Y11 none. BX, DI and SI are the lists of x and y, x and z, y and z: by class what they have in common, and
	// by cell. Where z comes before the other, R12 and R13, CX and DX have the cells of one alone exchanged.
cells:
	LEAQ (R8)(CX*1), R14
	LEAQ (R8)(DX*1), R15
	MOVQ TASK_XY(AX), BX
	MOVQ TASK_YZ(AX), SI
	MOVQ TASK_YZ+8(AX), R12
	MOVQ TASK_YZ+16(AX), R13
	MOVQ TASK_XZ(AX), DI
	MOVQ TASK_XZ+8(AX), CX
	MOVQ TASK_XZ+16(AX), DX
	ADDQ R8, BX
	ADDQ R8, SI
	ADDQ R8, R12
	ADDQ R8, R13
	ADDQ R8, DI
	ADDQ R8, CX
	ADDQ R8, DX
	LEAQ (R9)(R9*2), R10
	LEAQ (R9)(R9*4), R11
	VMOVDQU (BX), Y14
	VMOVDQU (DI), Y15
	VMOVDQU (SI), Y7
	VMOVDQU TASK_SUMS(AX)(R8*1), Y8
	VMOVDQU TASK_SUMS(AX)(R14*1), Y9
	VMOVDQU TASK_SUMS(AX)(R15*1), Y10
	VPBROADCASTW TASK_TOTALS(AX), Y11
	VPSUBW Y8, Y11, Y11
	VMOVDQA Y12, Y4
	VPSUBW Y4, Y14, Y5
	VPSUBW Y4, Y15, Y6
	VPSUBW Y4, Y7, Y7
	VPSUBW Y14, Y8, Y8
	VPSUBW Y6, Y8, Y8
	VPSUBW Y14, Y9, Y9
	VPSUBW Y7, Y9, Y9
	VPSUBW Y15, Y10, Y10
	VPSUBW Y7, Y10, Y10
	VPSUBW Y7, Y11, Y11
	VPSUBW Y9, Y11, Y11
	VPSUBW Y10, Y11, Y11

	// The smaller of what both gain.
	VPMINUW Y13, Y4, Y4
	VMOVDQU (BX)(R9*1), Y14
	VPSUBW Y13, Y14, Y12
	VPMINUW Y12, Y5, Y5
	VMOVDQU (DI)(R9*1), Y15
	VPSUBW Y13, Y15, Y12
	VPMINUW Y12, Y6, Y6
	VMOVDQU TASK_SUMS+LIST(AX)(R8*1), Y3
	VPSUBW Y14, Y3, Y3
	VPSUBW Y12, Y3, Y3
	VPMINUW Y3, Y8, Y8
	VMOVDQU (SI)(R9*1), Y12
	VPSUBW Y13, Y12, Y12
	VPMINUW Y12, Y7, Y7
	VMOVDQU TASK_SUMS+LIST(AX)(R14*1), Y3
	VPSUBW Y14, Y3, Y3
	VPSUBW Y12, Y3, Y3
	VPMINUW Y3, Y9, Y9
	VMOVDQU TASK_SUMS+LIST(AX)(R15*1), Y14
	VPSUBW Y15, Y14, Y14
	VPSUBW Y12, Y14, Y14
	VPMINUW Y14, Y10, Y10
	VPBROADCASTW TASK_TOTALS+2(AX), Y15
	VPSUBW TASK_SUMS+LIST(AX)(R8*1), Y15, Y15
	VPSUBW Y12, Y15, Y15
	VPSUBW Y3, Y15, Y15
	VPSUBW Y14, Y15, Y15
	VPMINUW Y15, Y11, Y11
	VMOVQ R8, X3
	VPBROADCASTW X3, Y3
	VPADDW placesTriples<>(SB), Y3, Y3
	VPBROADCASTW TASK_ALL(AX), Y14
	VPCMPGTW Y14, Y3, Y3
	VPOR Y3, Y4, Y4
	VPOR Y3, Y8, Y8
	VPOR Y3, Y9, Y9
	VPOR Y3, Y10, Y10
	TWO(Y4, Y5, (BX)(R9*2))
	TWO(Y6, Y8, (BX)(R10*1))
	TWO(Y7, Y9, (BX)(R9*4))
	TWO(Y10, Y11, (BX)(R11*1))
	TWO(Y4, Y6, (DI)(R9*2))
	TWO(Y5, Y8, (CX))
	TWO(Y7, Y10, (DX))
	TWO(Y9, Y11, (DI)(R11*1))
	TWO(Y4, Y7, (SI)(R9*2))
	TWO(Y5, Y9, (R12))
	TWO(Y6, Y10, (R13))
	TWO(Y8, Y11, (SI)(R11*1))

next:
	ADDQ $32, R8
	CMPQ R8, TASK_LANES(AX)
	JNE lanes
	VZEROUPPER
	RET

// CELL is what a cell of two features costs as a tree of two leaves: each of the two has been the first.
#define CELL(x, list, y, list2, leaf, two) \
	VMOVDQU (x)(list), two \
	VPMINUW (y)(list2), two, two \
	VPMINUW leaf, two, two

// SIDE lowers the costs of a side of three leaves, and of four LEAST bytes behind, to what its two cells make.
#define LOWER(a, b, least) \
	VPADDW a, b, Y13 \
	VPMINUW least, Y13, Y13 \
	VMOVDQU Y13, least
#define SIDE(leafA, twoA, leafB, twoB, least) \
	LOWER(leafA, twoB, TASK_LEAST+least(AX)(R8*1)) \
	LOWER(twoA, leafB, TASK_LEAST+least(AX)(R8*1)) \
	LOWER(twoA, twoB, TASK_LEAST+LEAST+least(AX)(R8*1))

// The lists of x and y: BX both, R12 x alone, R13 y alone. Those of y and x: SI both, CX y alone, DX x alone.

// func sidesAVX2(task *tripleTask)
TEXT ·sidesAVX2(SB), NOSPLIT, $0-8
	MOVQ task+0(FP), AX
	MOVQ TASK_Y(AX), DI
	MOVQ TASK_XZ(AX), BX
	MOVQ TASK_LIST(AX), R9
	MOVQ TASK_ALL(AX), R14
	LEAQ (DI)(DI*1), R8
	CMPQ R8, R14
	JGT folded

	// The lists of cells hold a part of each feature in the first place and one in the second, and none behind. Both get
	// the smaller one, from the last register on: the first one writes over the second places in the last.
	LEAQ (BX)(R9*2), R10
	LEAQ (R10)(R9*4), R11

cell:
	LEAQ (R10)(R14*1), R12
	MOVQ TASK_LANES(AX), R8

fold:
	SUBQ $32, R8
	VMOVDQU (R10)(R8*1), Y4
	VPMINUW (R12)(R8*1), Y4, Y4
	VMOVDQU Y4, (R10)(R8*1)
	VMOVDQU Y4, (R12)(R8*1)
	JNZ fold
	ADDQ R9, R10
	CMPQ R10, R11
	JNE cell

folded:
	MOVQ TASK_XZ+8(AX), R12
	MOVQ TASK_XZ+16(AX), R13
	MOVQ TASK_YZ(AX), SI
	MOVQ TASK_YZ+8(AX), CX
	MOVQ TASK_YZ+16(AX), DX
	LEAQ (R9)(R9*4), R11
	XORQ R8, R8

sides:
	VMOVDQU (BX), Y4
	VMOVDQU TASK_SUMS(AX)(R8*1), Y12
	VPSUBW Y4, Y12, Y5
	VMOVDQU TASK_SUMS(AX)(DI*1), Y6
	VPSUBW Y4, Y6, Y6
	VPBROADCASTW TASK_TOTALS(AX), Y7
	VPSUBW Y12, Y7, Y7
	VPSUBW Y6, Y7, Y7
	VMOVDQU (BX)(R9*1), Y12
	VPMINUW Y12, Y4, Y4
	VMOVDQU TASK_SUMS+LIST(AX)(R8*1), Y13
	VPSUBW Y12, Y13, Y14
	VPMINUW Y14, Y5, Y5
	VMOVDQU TASK_SUMS+LIST(AX)(DI*1), Y14
	VPSUBW Y12, Y14, Y14
	VPMINUW Y14, Y6, Y6
	VPBROADCASTW TASK_TOTALS+2(AX), Y15
	VPSUBW Y13, Y15, Y15
	VPSUBW Y14, Y15, Y15
	VPMINUW Y15, Y7, Y7
	CELL(BX, R9*2, SI, R9*2, Y4, Y8)
	CELL(R12, R8*1, DX, R8*1, Y5, Y9)
	CELL(R13, R8*1, CX, R8*1, Y6, Y10)
	CELL(BX, R11*1, SI, R11*1, Y7, Y11)
	SIDE(Y4, Y8, Y5, Y9, 0) // with x
	SIDE(Y6, Y10, Y7, Y11, 2*LEAST) // without x
	ADDQ $32, BX
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $32, R8
	CMPQ R8, TASK_LANES(AX)
	JNE sides
	VZEROUPPER
	RET
