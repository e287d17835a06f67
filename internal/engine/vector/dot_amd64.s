//go:build !purego

#include "textflag.h"

DATA nibble<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibble<>(SB), RODATA|NOPTR, $8
DATA sign<>+0(SB)/8, $0x8080808080808080
GLOBL sign<>(SB), RODATA|NOPTR, $8

// 32 dimensions in Y4, int8: they are widened to int16 (VPMOVSXBW), multiplied
// with the question and added in pairs to int32 (VPMADDWD), and added to two of
// four accumulators. A pair is at most 2 * 128 * 32767 and cannot overflow.
#define TIMES(at, a, b) \
	VEXTRACTI128 $1, Y4, X5         \
	VPMOVSXBW    X4, Y6             \
	VPMOVSXBW    X5, Y7             \
	VPMADDWD     at(DX), Y6, Y6     \
	VPMADDWD     (at+32)(DX), Y7, Y7 \
	VPADDD       Y6, a, a           \
	VPADDD       Y7, b, b

// func dotsAVX2(out *int32, n int, rows *halves, query *int16, dim int)
//
// A step joins the halves of 64 dimensions. Rows lie anywhere; the processor
// begins with one while it waits for the other.
TEXT ·dotsAVX2(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ rows+16(FP), SI
	MOVQ query+24(FP), R8
	MOVQ dim+32(FP), R9
	LEAQ (R8)(R9*2), R9     // end of the query
	VPBROADCASTQ nibble<>(SB), Y15
	VPBROADCASTQ sign<>(SB), Y14

row:
	MOVQ  0(SI), R10        // high halves
	MOVQ  24(SI), R11       // low halves
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	MOVQ  R8, DX

step:
	VMOVDQU (R10), Y8
	VMOVDQU (R11), Y9
	VPAND   Y15, Y8, Y10
	VPSLLW  $4, Y10, Y10
	VPAND   Y15, Y9, Y11
	VPOR    Y11, Y10, Y4
	VPXOR   Y14, Y4, Y4
	TIMES(0, Y0, Y1)
	VPANDN  Y8, Y15, Y10
	VPSRLW  $4, Y9, Y9
	VPAND   Y15, Y9, Y9
	VPOR    Y9, Y10, Y4
	VPXOR   Y14, Y4, Y4
	TIMES(64, Y2, Y3)
	ADDQ    $32, R10
	ADDQ    $32, R11
	ADDQ    $128, DX
	CMPQ    DX, R9
	JB      step

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
	ADDQ         $48, SI
	DECQ         CX
	JNZ          row
	VZEROUPPER
	RET
