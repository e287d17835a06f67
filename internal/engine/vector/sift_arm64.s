//go:build !purego

#include "textflag.h"

// func highDotsNEON(out *int32, n int, rows *byte, code *int8, dim int)
//
// A step takes 64 dimensions: 32 bytes of the row are taken apart into low and
// high halves, multiplied with the question and added to four accumulators of
// int16 (SMLAL). A product is at most 15 * 127, and the two that a step adds to
// each lane of an accumulator are added up to int32 (SADALP) after eight steps:
// sixteen still fit. The Go assembler does not know these two; they are written
// as words, with what they mean beside them.
TEXT ·highDotsNEON(SB), NOSPLIT, $0-40
	MOVD  out+0(FP), R0
	MOVD  n+8(FP), R1
	MOVD  rows+16(FP), R2
	MOVD  code+24(FP), R3
	MOVD  dim+32(FP), R4
	VMOVI $15, V31.B16

row:
	VEOR V28.B16, V28.B16, V28.B16
	MOVD R3, R5
	MOVD R4, R6

eight:
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	MOVD $8, R8

step:
	VLD1.P 32(R2), [V0.B16, V1.B16]
	VLD1.P 64(R5), [V4.B16, V5.B16, V6.B16, V7.B16]
	VUSHR  $4, V0.B16, V2.B16
	VUSHR  $4, V1.B16, V3.B16
	VAND   V31.B16, V0.B16, V0.B16
	VAND   V31.B16, V1.B16, V1.B16
	WORD   $0x0e248010 // SMLAL  V16.8H, V0.8B, V4.8B
	WORD   $0x4e248011 // SMLAL2 V17.8H, V0.16B, V4.16B
	WORD   $0x0e258032 // SMLAL  V18.8H, V1.8B, V5.8B
	WORD   $0x4e258033 // SMLAL2 V19.8H, V1.16B, V5.16B
	WORD   $0x0e268050 // SMLAL  V16.8H, V2.8B, V6.8B
	WORD   $0x4e268051 // SMLAL2 V17.8H, V2.16B, V6.16B
	WORD   $0x0e278072 // SMLAL  V18.8H, V3.8B, V7.8B
	WORD   $0x4e278073 // SMLAL2 V19.8H, V3.16B, V7.16B
	SUBS   $64, R6
	BEQ    wide
	SUBS   $1, R8
	BNE    step

wide:
	WORD $0x4e606a1c // SADALP V28.4S, V16.8H
	WORD $0x4e606a3c // SADALP V28.4S, V17.8H
	WORD $0x4e606a5c // SADALP V28.4S, V18.8H
	WORD $0x4e606a7c // SADALP V28.4S, V19.8H
	CBNZ R6, eight

	VADDV  V28.S4, V28
	VMOV   V28.S[0], R7
	MOVW.P R7, 4(R0)
	SUBS   $1, R1
	BNE    row
	RET
