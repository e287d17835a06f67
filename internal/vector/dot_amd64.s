//go:build !purego

#include "textflag.h"

// func dotsAVX2(out *int32, n int, rows *byte, query *int16, dim int)
//
// A step takes 32 dimensions: two times 16 bytes of the row are widened to
// int16 (VPMOVSXBW), multiplied with the query and added in pairs to int32
// (VPMADDWD), and added to one of four accumulators. A pair is at most
// 2 * 128 * 32767 and cannot overflow. Rows follow each other without a gap, so
// the row pointer only ever moves on, and the row needed a few hundred
// instructions later is asked for ahead: that is worth a fifth of the time at
// 256 dimensions and two fifths at 768. Asking beyond the end does no harm.
TEXT ·dotsAVX2(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ rows+16(FP), SI
	MOVQ query+24(FP), R8
	MOVQ dim+32(FP), R9
	LEAQ (R8)(R9*2), R9     // end of the query

row:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	MOVQ  R8, DX

	// 64 dimensions at a time while there are as many.
	LEAQ 128(DX), AX
	CMPQ AX, R9
	JA   rest

wide:
	PREFETCHT0 2048(SI)
	VPMOVSXBW  (SI), Y4
	VPMOVSXBW 16(SI), Y5
	VPMOVSXBW 32(SI), Y6
	VPMOVSXBW 48(SI), Y7
	VPMADDWD  (DX), Y4, Y4
	VPMADDWD  32(DX), Y5, Y5
	VPMADDWD  64(DX), Y6, Y6
	VPMADDWD  96(DX), Y7, Y7
	VPADDD    Y4, Y0, Y0
	VPADDD    Y5, Y1, Y1
	VPADDD    Y6, Y2, Y2
	VPADDD    Y7, Y3, Y3
	ADDQ      $64, SI
	MOVQ      AX, DX
	LEAQ      128(DX), AX
	CMPQ      AX, R9
	JBE       wide

rest:
	CMPQ DX, R9
	JAE  sum
	VPMOVSXBW (SI), Y4
	VPMOVSXBW 16(SI), Y5
	VPMADDWD  (DX), Y4, Y4
	VPMADDWD  32(DX), Y5, Y5
	VPADDD    Y4, Y0, Y0
	VPADDD    Y5, Y1, Y1
	ADDQ      $32, SI

sum:
	VPADDD       Y1, Y0, Y0
	VPADDD       Y3, Y2, Y2
	VPADDD       Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4E, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xB1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (DI)
	ADDQ         $4, DI
	DECQ         CX
	JNZ          row
	VZEROUPPER
	RET
