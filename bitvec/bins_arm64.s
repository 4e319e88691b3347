//go:build !purego

#include "textflag.h"

// Bins by NEON, as bins.go defines. A call takes the columns of one register: 8 of 16 bits, or 4
// of 32. What it knows behind the last bin, it reads and writes, so that the second half of
// columns in halves is another call.

// SMAX is the larger one of signed lanes, which the assembler lacks. d, n and m are register numbers.
#define SMAX_H(m, n, d) WORD $(0x4e606400 | (m)<<16 | (n)<<5 | (d))
#define SMAX_S(m, n, d) WORD $(0x4ea06400 | (m)<<16 | (n)<<5 | (d))

// SCAN goes over all bins. H is the arrangement of lanes.
//
//	R0 a   R1 b   R2 allA   R3 allB   R4 bins left   R5 bytes of a bin   R7 state
//	V0 a   V1 b   V2 a of the right side   V3 b of it   V4 all bits, or none for ends
//	V16 A − B on the left   V17 on the right   V18–V21 largest values of ScanBins
#define SCAN(H, SMAX) \
	MOVD a+0(FP), R0 \
	MOVD b+8(FP), R1 \
	MOVD allA+16(FP), R2 \
	MOVD allB+24(FP), R3 \
	MOVD bins+32(FP), R4 \
	MOVD stride+40(FP), R5 \
	MOVD within+48(FP), R6 \
	MOVD state+56(FP), R7 \
	VDUP R6, V4.D2 \
	VLD1.P 64(R7), [V16.B16, V17.B16, V18.B16, V19.B16] \
	VLD1 (R7), [V20.B16, V21.B16] \
	SUB  $64, R7 \
loop: \
	VLD1.P (R0)(R5), [V0.B16] \
	VLD1.P (R1)(R5), [V1.B16] \
	VLD1.P (R2)(R5), [V2.B16] \
	VLD1.P (R3)(R5), [V3.B16] \
	VSUB V0.H, V2.H, V2.H \
	VSUB V1.H, V3.H, V3.H \
	VADD V0.H, V16.H, V16.H \
	VSUB V1.H, V16.H, V16.H \
	VADD V2.H, V17.H, V17.H \
	VSUB V3.H, V17.H, V17.H \
	VAND V4.B16, V0.B16, V0.B16 \
	VAND V4.B16, V1.B16, V1.B16 \
	VAND V4.B16, V2.B16, V2.B16 \
	VAND V4.B16, V3.B16, V3.B16 \
	VADD V16.H, V1.H, V1.H \
	VSUB V16.H, V0.H, V0.H \
	VADD V17.H, V3.H, V3.H \
	VSUB V17.H, V2.H, V2.H \
	SMAX(1, 18, 18) \
	SMAX(0, 19, 19) \
	SMAX(3, 20, 20) \
	SMAX(2, 21, 21) \
	SUBS $1, R4 \
	BNE  loop \
	VST1.P [V16.B16, V17.B16, V18.B16, V19.B16], 64(R7) \
	VST1 [V20.B16, V21.B16], (R7) \
	RET

// func scanNEON16(a, b, allA, allB *int16, bins, stride, within uint64, state *int16)
TEXT ·scanNEON16(SB), NOSPLIT, $0-64
	SCAN(H8, SMAX_H)

// func scanNEON32(a, b, allA, allB *int32, bins, stride, within uint64, state *int32)
TEXT ·scanNEON32(SB), NOSPLIT, $0-64
	SCAN(S4, SMAX_S)
