//go:build !purego

#include "textflag.h"

// The kernel of triples of features f, g and h by AVX2, written by hand as those of NEON are. Sixteen features stand in the
// lanes of 16 bits of a register. First they are h. What they have in common with f and g is counted in bytes, by a table of
// nibbles as in the avx2 kernel, and multiplied by the weight of a word in lanes of 16 bits, of which a feature has
// four. In the end they are g.
//
//	AX task   CX f   DX g   BX row of g   SI row of f   DI place of g   R8 place of lanes
//	R9, R10 blocks   R11 bytes of words   R12 weights   R13 words left, then place of f
//	Y0 ones   Y1 table   Y2 low nibbles   Y12, Y13 by class: common to f, g and h, then to g and h but not f

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

// Layout of tripleTask in triples.go. A list of the second class lies LIST bytes behind that of the first.
#define TASK_F 0
#define TASK_G 8
#define TASK_COLUMNS 16
#define TASK_STRIDE 24
#define TASK_WORDS 32
#define TASK_WEIGHTS 48
#define TASK_LANES 56
#define TASK_MINE 64
#define TASK_ROW 72
#define TASK_TO 80
#define TASK_PLACE_F 88
#define TASK_PLACE_G 96
#define TASK_END 104
#define TASK_TOTALS 112
#define TASK_RESULT 116
#define TASK_TWO 128
#define TASK_OWN 640
#define TASK_LEAST 768
#define TASK_SUMS 1280
#define LIST 128

// ADD_COMMON adds what four features have in common with the word in Y8, times the weights in Y9.
#define ADD_COMMON(features, sum) \
	VPAND features, Y8, Y10 \
	VPAND Y2, Y10, Y11 \
	VPSRLQ $4, Y10, Y10 \
	VPAND Y2, Y10, Y10 \
	VPSHUFB Y11, Y1, Y11 \
	VPSHUFB Y10, Y1, Y10 \
	VPADDB Y11, Y10, Y10 \
	VPMADDUBSW Y9, Y10, Y10 \
	VPADDW Y10, sum, sum

// COMMON counts the words of a class.
#define COMMON(count, list, word, none, out) \
	VPXOR Y4, Y4, Y4 \
	VPXOR Y5, Y5, Y5 \
	VPXOR Y6, Y6, Y6 \
	VPXOR Y7, Y7, Y7 \
	MOVQ count(AX), R13 \
	TESTQ R13, R13 \
	JZ none \
word: \
	VPBROADCASTQ (CX)(R11*1), Y8 \
	VPBROADCASTQ (DX)(R11*1), Y9 \
	VPAND Y9, Y8, Y8 \
	VPBROADCASTB (R12), Y9 \
	ADD_COMMON((R9)(R11*1), Y4) \
	ADD_COMMON(32(R9)(R11*1), Y5) \
	ADD_COMMON((R10)(R11*1), Y6) \
	ADD_COMMON(32(R10)(R11*1), Y7) \
	ADDQ $64, R11 \
	ADDQ $8, R12 \
	DECQ R13 \
	JNZ word \
none: \
	VPMADDWD Y0, Y4, Y4 \
	VPMADDWD Y0, Y5, Y5 \
	VPMADDWD Y0, Y6, Y6 \
	VPMADDWD Y0, Y7, Y7 \
	VPHADDD Y5, Y4, Y4 \
	VPHADDD Y7, Y6, Y6 \
	VPACKUSDW Y6, Y4, Y4 \
	VMOVDQU orderTriples<>(SB), Y5 \
	VPERMD Y4, Y5, out \
	MOVQ TASK_TO(AX), R13 \
	VMOVDQU out, list(R13)(R8*1)

// CELL0 to CELL3 are what a class gains in the cells of f and g: both, f alone, g alone and neither. They GET it for one g in
// all lanes, or for one in each.
#define CELL0(GET, list, g, x) \
	GET list(SI)(g*1), x
#define CELL1(GET, list, g, x) \
	VPBROADCASTW TASK_SUMS+list(AX)(R13*1), x \
	GET list(SI)(g*1), Y8 \
	VPSUBW Y8, x, x
#define CELL2(GET, list, g, x) \
	GET TASK_SUMS+list(AX)(g*1), x \
	GET list(SI)(g*1), Y8 \
	VPSUBW Y8, x, x
#define CELL3(GET, list, g, x) \
	VPBROADCASTW TASK_TOTALS+list/64(AX), x \
	VPBROADCASTW TASK_SUMS+list(AX)(R13*1), Y8 \
	VPSUBW Y8, x, x \
	GET TASK_SUMS+list(AX)(g*1), Y8 \
	VPSUBW Y8, x, x \
	GET list(SI)(g*1), Y8 \
	VPADDW Y8, x, x

// WITH0 to WITH3 are the parts of these cells with h.
#define WITH0(list, common, x) \
	VMOVDQA common, x
#define WITH1(list, common, x) \
	VMOVDQU list(SI)(R8*1), x \
	VPSUBW common, x, x
#define WITH2(list, common, x) \
	VMOVDQU list(BX)(R8*1), x \
	VPSUBW common, x, x \
	VMOVDQA x, common
#define WITH3(list, common, x) \
	VMOVDQU TASK_SUMS+list(AX)(R8*1), x \
	VPSUBW list(SI)(R8*1), x, x \
	VPSUBW common, x, x

// TWO lowers the cost of a cell as a tree of two leaves to that of the split by h.
#define TWO(WITH, CELL, least) \
	WITH(0, Y12, Y4) \
	WITH(LIST, Y13, Y5) \
	CELL(VPBROADCASTW, 0, DI, Y6) \
	CELL(VPBROADCASTW, LIST, DI, Y7) \
	VPSUBW Y4, Y6, Y6 \
	VPSUBW Y5, Y7, Y7 \
	VPMINUW Y5, Y4, Y4 \
	VPMINUW Y7, Y6, Y6 \
	VPADDW Y6, Y4, Y4 \
	VPMINUW least, Y4, Y4 \
	VMOVDQU Y4, least

// LEAST writes the least lane of a list.
#define LEAST(list, to) \
	VMOVDQU list, Y4 \
	VEXTRACTI128 $1, Y4, X5 \
	VPMINUW X5, X4, X4 \
	VPHMINPOSUW X4, X4 \
	VPEXTRW $0, X4, to

// LEAF is the cost of a cell as a leaf, for each g.
#define LEAF(CELL, x) \
	CELL(VMOVDQU, 0, R8, x) \
	CELL(VMOVDQU, LIST, R8, Y13) \
	VPMINUW Y13, x, x

// SIDE lowers the costs of a side of three leaves, and of four LIST or 32 bytes behind, to what its two cells make.
#define LOWER(a, b, least) \
	VPADDW a, b, Y13 \
	VPMINUW least, Y13, Y13 \
	VMOVDQU Y13, least
#define SIDE(leafA, twoA, leafB, twoB, three, four) \
	LOWER(leafA, twoB, three) \
	LOWER(twoA, leafB, three) \
	LOWER(twoA, twoB, four)

// FAR is more than any cost.
#define FAR(x) \
	VPCMPEQW x, x, x \
	VPSRLW $1, x, x

// func triplesAVX2(task *tripleTask)
TEXT ·triplesAVX2(SB), NOSPLIT, $128-8
	MOVQ task+0(FP), AX
	VBROADCASTI128 nibblesTriples<>+0(SB), Y1
	VPBROADCASTQ nibblesTriples<>+16(SB), Y2
	VPCMPEQW Y0, Y0, Y0
	VPSRLW $15, Y0, Y0
	FAR(Y3)
	LEAQ TASK_TWO(AX), R8

far:
	VMOVDQU Y3, (R8)
	ADDQ $32, R8
	LEAQ TASK_LEAST(AX), R9
	CMPQ R8, R9
	JNE far
	MOVQ TASK_F(AX), CX
	MOVQ TASK_G(AX), DX
	MOVQ TASK_ROW(AX), BX
	MOVQ TASK_MINE(AX), SI
	MOVQ TASK_PLACE_G(AX), DI

feature:
	VMOVDQU Y3, 0(SP)
	VMOVDQU Y3, 32(SP)
	VMOVDQU Y3, 64(SP)
	VMOVDQU Y3, 96(SP)
	MOVQ TASK_COLUMNS(AX), R9
	XORQ R8, R8

lanes:
	MOVQ TASK_STRIDE(AX), R10
	ADDQ R9, R10
	MOVQ TASK_WEIGHTS(AX), R12
	XORQ R11, R11
	COMMON(TASK_WORDS, 0, word0, none0, Y12)
	COMMON(TASK_WORDS+8, LIST, word1, none1, Y13)
	MOVQ TASK_PLACE_F(AX), R13
	TWO(WITH0, CELL0, 0(SP))
	TWO(WITH1, CELL1, 32(SP))
	TWO(WITH2, CELL2, 64(SP))
	TWO(WITH3, CELL3, 96(SP))
	MOVQ TASK_STRIDE(AX), R9
	ADDQ R10, R9
	ADDQ $32, R8
	CMPQ R8, TASK_LANES(AX)
	JNE lanes
	LEAST(0(SP), TASK_TWO(AX)(DI*1))
	LEAST(32(SP), TASK_TWO+LIST(AX)(DI*1))
	LEAST(64(SP), TASK_TWO+2*LIST(AX)(DI*1))
	LEAST(96(SP), TASK_TWO+3*LIST(AX)(DI*1))
	ADDQ $(2*LIST), BX
	ADDQ $8, DX
	ADDQ $2, DI
	TESTQ $14, DI
	JNZ same
	ADDQ TASK_STRIDE(AX), DX
	SUBQ $64, DX

same:
	CMPQ DI, TASK_END(AX)
	JNE feature
	XORQ R8, R8

sides:
	LEAF(CELL0, Y4)
	LEAF(CELL1, Y5)
	LEAF(CELL2, Y6)
	LEAF(CELL3, Y7)
	VMOVDQU TASK_TWO(AX)(R8*1), Y9
	VMOVDQU TASK_TWO+LIST(AX)(R8*1), Y10
	VMOVDQU TASK_TWO+2*LIST(AX)(R8*1), Y11
	VMOVDQU TASK_TWO+3*LIST(AX)(R8*1), Y12
	SIDE(Y4, Y9, Y5, Y10, TASK_OWN(AX), TASK_OWN+32(AX)) // with f
	SIDE(Y6, Y11, Y7, Y12, TASK_OWN+64(AX), TASK_OWN+96(AX)) // without f
	SIDE(Y4, Y9, Y6, Y11, TASK_LEAST(AX)(R8*1), TASK_LEAST+LIST(AX)(R8*1)) // with g
	SIDE(Y5, Y10, Y7, Y12, TASK_LEAST+2*LIST(AX)(R8*1), TASK_LEAST+3*LIST(AX)(R8*1)) // without g
	ADDQ $32, R8
	CMPQ R8, TASK_LANES(AX)
	JNE sides
	LEAST(TASK_OWN(AX), TASK_RESULT(AX))
	LEAST(TASK_OWN+32(AX), TASK_RESULT+2(AX))
	LEAST(TASK_OWN+64(AX), TASK_RESULT+4(AX))
	LEAST(TASK_OWN+96(AX), TASK_RESULT+6(AX))
	VZEROUPPER
	RET
