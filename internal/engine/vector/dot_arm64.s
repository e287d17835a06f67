//go:build !purego

#include "textflag.h"

// func dotsNEON(out *int32, n int, rows *byte, query *int16, dim int)
//
// A step takes 32 dimensions: 32 bytes of the row are widened to int16 (SXTL),
// multiplied with the query and added to four accumulators of int32 (SMLAL).
// The Go assembler does not know these two; they are written as words, with
// what they mean beside them. Rows follow each other without a gap, so the row
// pointer only ever moves on.
TEXT ·dotsNEON(SB), NOSPLIT, $0-40
	MOVD out+0(FP), R0
	MOVD n+8(FP), R1
	MOVD rows+16(FP), R2
	MOVD query+24(FP), R3
	MOVD dim+32(FP), R4

row:
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	MOVD R3, R5
	MOVD R4, R6

step:
	VLD1.P 32(R2), [V2.B16, V3.B16]
	VLD1.P 64(R5), [V20.H8, V21.H8, V22.H8, V23.H8]
	WORD   $0x0f08a444 // SXTL   V4.8H, V2.8B
	WORD   $0x4f08a445 // SXTL2  V5.8H, V2.16B
	WORD   $0x0f08a466 // SXTL   V6.8H, V3.8B
	WORD   $0x4f08a467 // SXTL2  V7.8H, V3.16B
	WORD   $0x0e748090 // SMLAL  V16.4S, V4.4H, V20.4H
	WORD   $0x4e748091 // SMLAL2 V17.4S, V4.8H, V20.8H
	WORD   $0x0e7580b2 // SMLAL  V18.4S, V5.4H, V21.4H
	WORD   $0x4e7580b3 // SMLAL2 V19.4S, V5.8H, V21.8H
	WORD   $0x0e7680d0 // SMLAL  V16.4S, V6.4H, V22.4H
	WORD   $0x4e7680d1 // SMLAL2 V17.4S, V6.8H, V22.8H
	WORD   $0x0e7780f2 // SMLAL  V18.4S, V7.4H, V23.4H
	WORD   $0x4e7780f3 // SMLAL2 V19.4S, V7.8H, V23.8H
	SUBS   $32, R6
	BNE    step

	VADD   V17.S4, V16.S4, V16.S4
	VADD   V19.S4, V18.S4, V18.S4
	VADD   V18.S4, V16.S4, V16.S4
	VADDV  V16.S4, V16
	VMOV   V16.S[0], R7
	MOVW.P R7, 4(R0)
	SUBS   $1, R1
	BNE    row
	RET
