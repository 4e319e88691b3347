//go:build !purego

#include "textflag.h"

// The neon kernel. A block word is four registers of two lanes. CNT counts the
// bits of every byte; over a run of steps with the same weight the counts are
// added up byte by byte, at most 8·31 in each. At the end of a run three
// pairwise additions make one sum per lane of the eight bytes, which UMLAL
// multiplies by the weight and adds, in two halves if the weight is beyond 32
// bits.
//
// Registers, all kernels:
//
//	R0 block   R7 set   R10 next step   R11 next run   R12 runs left
//	V16–V19 sums        V20–V23 limits  V24–V27 bits of the lanes

// Instructions that the assembler lacks. d, n and m are register numbers.
#define UADDLP_B(n, d) WORD $(0x6e202800 | (n)<<5 | (d)) // bytes to halfwords
#define UADDLP_H(n, d) WORD $(0x6e602800 | (n)<<5 | (d)) // halfwords to words
#define UADDLP_S(n, d) WORD $(0x6ea02800 | (n)<<5 | (d)) // words to doublewords
#define XTN(n, d) WORD $(0x0ea12800 | (n)<<5 | (d)) // doublewords to words
#define UMLAL(m, n, d) WORD $(0x2ea08000 | (m)<<16 | (n)<<5 | (d)) // d += n·m
#define UMULL(m, n, d) WORD $(0x2ea0c000 | (m)<<16 | (n)<<5 | (d)) // d = n·m
#define CMGT(m, n, d) WORD $(0x4ee03400 | (m)<<16 | (n)<<5 | (d)) // d = n > m, signed
#define CMGE(m, n, d) WORD $(0x4ee03c00 | (m)<<16 | (n)<<5 | (d)) // d = n ≥ m, signed

// Layout of step and run in planes.go.
#define STEP_MASK 0
#define STEP_OFF 16
#define STEP_SIZE 24
#define RUN_STEPS 0
#define RUN_WEIGHT 8
#define RUN_SIZE 16

#define ZERO(a, b, c, d) \
	VEOR a.B16, a.B16, a.B16 \
	VEOR b.B16, b.B16, b.B16 \
	VEOR c.B16, c.B16, c.B16 \
	VEOR d.B16, d.B16, d.B16

// LANE_BITS sets V24–V27 to 1, 2 | 4, 8 | 16, 32 | 64, 128.
#define LANE_BITS \
	MOVD $1, R13 \
	VMOV R13, V24.D[0] \
	MOVD $2, R13 \
	VMOV R13, V24.D[1] \
	VSHL $2, V24.D2, V25.D2 \
	VSHL $2, V25.D2, V26.D2 \
	VSHL $2, V26.D2, V27.D2

// PACK sets r to the bits of the lanes that V0–V3 have all ones in.
#define PACK(r) \
	VAND V24.B16, V0.B16, V0.B16 \
	VAND V25.B16, V1.B16, V1.B16 \
	VAND V26.B16, V2.B16, V2.B16 \
	VAND V27.B16, V3.B16, V3.B16 \
	VORR V1.B16, V0.B16, V0.B16 \
	VORR V3.B16, V2.B16, V2.B16 \
	VORR V2.B16, V0.B16, V0.B16 \
	VADDP V0.D2, V0.D2, V0.D2 \
	VMOV V0.D[0], r

// FLUSH adds weight (V8 low half, V9 high half) times the bytes b to sum.
#define FLUSH(b, sum) \
	UADDLP_B(b, b) \
	UADDLP_H(b, b) \
	UADDLP_S(b, b) \
	XTN(b, b) \
	UMLAL(8, b, sum) \
	UMULL(9, b, b)

// runNEON adds one run to the sums and moves R10 and R11 on. It changes V0–V9
// and R13–R15.
TEXT runNEON<>(SB), NOSPLIT|NOFRAME, $0
	ZERO(V4, V5, V6, V7)
	MOVD RUN_STEPS(R11), R13

step:
	MOVD STEP_OFF(R10), R14
	MOVD STEP_MASK(R10), R15
	MOVD (R7)(R14), R19
	AND  R19, R15
	VDUP R15, V8.D2
	ADD  R14<<3, R0, R14
	VLD1 (R14), [V0.B16, V1.B16, V2.B16, V3.B16]
	VAND V8.B16, V0.B16, V0.B16
	VAND V8.B16, V1.B16, V1.B16
	VAND V8.B16, V2.B16, V2.B16
	VAND V8.B16, V3.B16, V3.B16
	VCNT V0.B16, V0.B16
	VCNT V1.B16, V1.B16
	VCNT V2.B16, V2.B16
	VCNT V3.B16, V3.B16
	VADD V0.B16, V4.B16, V4.B16
	VADD V1.B16, V5.B16, V5.B16
	VADD V2.B16, V6.B16, V6.B16
	VADD V3.B16, V7.B16, V7.B16
	ADD  $STEP_SIZE, R10
	SUBS $1, R13
	BNE  step

	MOVD RUN_WEIGHT(R11), R14
	LSR  $32, R14, R15
	VDUP R14, V8.S4
	VDUP R15, V9.S4
	ADD  $RUN_SIZE, R11
	FLUSH(4, 16)
	FLUSH(5, 17)
	FLUSH(6, 18)
	FLUSH(7, 19)
	CBZ  R15, narrow
	VSHL $32, V4.D2, V4.D2
	VSHL $32, V5.D2, V5.D2
	VSHL $32, V6.D2, V6.D2
	VSHL $32, V7.D2, V7.D2
	VADD V4.D2, V16.D2, V16.D2
	VADD V5.D2, V17.D2, V17.D2
	VADD V6.D2, V18.D2, V18.D2
	VADD V7.D2, V19.D2, V19.D2

narrow:
	RET

// func countNEON(data *uint64, stride, blocks uint64, steps *step, runs *run, runs1, runs0 uint64, u *uint64, g1, g0 *int64)
TEXT ·countNEON(SB), NOSPLIT, $0-80
	MOVD data+0(FP), R0
	MOVD stride+8(FP), R1
	MOVD blocks+16(FP), R2
	MOVD steps+24(FP), R3
	MOVD runs+32(FP), R4
	MOVD runs1+40(FP), R5
	MOVD runs0+48(FP), R6
	MOVD u+56(FP), R7
	MOVD g1+64(FP), R8
	MOVD g0+72(FP), R9

block:
	MOVD R3, R10
	MOVD R4, R11
	ZERO(V16, V17, V18, V19)
	MOVD R5, R12
	CBZ  R12, done1

class1:
	BL   runNEON<>(SB)
	SUBS $1, R12
	BNE  class1

done1:
	VST1.P [V16.B16, V17.B16, V18.B16, V19.B16], 64(R8)
	ZERO(V16, V17, V18, V19)
	MOVD   R6, R12
	CBZ    R12, done0

class0:
	BL   runNEON<>(SB)
	SUBS $1, R12
	BNE  class0

done0:
	VST1.P [V16.B16, V17.B16, V18.B16, V19.B16], 64(R9)
	ADD    R1, R0
	SUBS   $1, R2
	BNE    block
	RET

// aliveNEON sets R20 to the lanes whose sum over R12 runs stays within the
// limits in V20–V23, and looks after every run whether one does.
TEXT aliveNEON<>(SB), NOSPLIT, $0
	ZERO(V16, V17, V18, V19)

look:
	CMGE(16, 20, 0)
	CMGE(17, 21, 1)
	CMGE(18, 22, 2)
	CMGE(19, 23, 3)
	PACK(R20)
	CBZ R20, done
	CBZ R12, done
	BL  runNEON<>(SB)
	SUB $1, R12
	B   look

done:
	RET

// func firstWithinNEON(data *uint64, stride, blocks uint64, steps *step, runs *run, n uint64, u *uint64, spent *int64, budget int64) (block uint64, lanes uint8)
TEXT ·firstWithinNEON(SB), NOSPLIT, $0-81
	MOVD data+0(FP), R0
	MOVD stride+8(FP), R1
	MOVD blocks+16(FP), R2
	MOVD u+48(FP), R7
	MOVD spent+56(FP), R8
	MOVD budget+64(FP), R13
	VDUP R13, V28.D2
	LANE_BITS
	MOVD $0, R9

block:
	VLD1.P 64(R8), [V20.B16, V21.B16, V22.B16, V23.B16]
	VSUB   V20.D2, V28.D2, V20.D2
	VSUB   V21.D2, V28.D2, V21.D2
	VSUB   V22.D2, V28.D2, V22.D2
	VSUB   V23.D2, V28.D2, V23.D2
	MOVD   steps+24(FP), R10
	MOVD   runs+32(FP), R11
	MOVD   n+40(FP), R12
	BL     aliveNEON<>(SB)
	CBNZ   R20, found
	ADD    R1, R0
	ADD    $1, R9
	CMP    R9, R2
	BNE    block

found:
	MOVD R9, block+72(FP)
	MOVB R20, lanes+80(FP)
	RET

// SELECT sets register d to the lanes of two columns, with own in p and other
// in o, that are selected by the bounds in V16–V20. It changes o and V28.
#define SELECT(p, o, vp, vo, d, vd) \
	CMGT(o, 18, d) \
	CMGT(19, p, 28) \
	VAND V28.B16, vd.B16, vd.B16 \
	CMGT(o, 17, 28) \
	VSUB vp.D2, vo.D2, vo.D2 \
	CMGT(o, 20, 29) \
	VAND V29.B16, vd.B16, vd.B16 \
	VORR V28.B16, vd.B16, vd.B16 \
	CMGT(16, p, 28) \
	VAND V28.B16, vd.B16, vd.B16

// func selectNEON(mask *uint64, own, other *int64, blocks uint64, c *selectBounds) bool
//
// A block of eight columns at a time makes a byte of the mask.
TEXT ·selectNEON(SB), NOSPLIT, $0-41
	MOVD   mask+0(FP), R0
	MOVD   own+8(FP), R1
	MOVD   other+16(FP), R2
	MOVD   blocks+24(FP), R3
	MOVD   c+32(FP), R4
	VLD1R.P 8(R4), [V16.D2]
	VLD1R.P 8(R4), [V17.D2]
	VLD1R.P 8(R4), [V18.D2]
	VLD1R.P 8(R4), [V19.D2]
	VLD1R  (R4), [V20.D2]
	LANE_BITS
	MOVD   $0, R5

columns:
	VLD1.P 64(R1), [V4.B16, V5.B16, V6.B16, V7.B16]
	VLD1.P 64(R2), [V8.B16, V9.B16, V10.B16, V11.B16]
	SELECT(4, 8, V4, V8, 0, V0)
	SELECT(5, 9, V5, V9, 1, V1)
	SELECT(6, 10, V6, V10, 2, V2)
	SELECT(7, 11, V7, V11, 3, V3)
	PACK(R6)
	MOVBU  (R0), R7
	ORR    R6, R5
	ORR    R6, R7
	MOVB.P R7, 1(R0)
	SUBS   $1, R3
	BNE    columns
	CMP    $0, R5
	CSET   NE, R5
	MOVB   R5, ret+40(FP)
	RET
