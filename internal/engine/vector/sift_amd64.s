//go:build !purego

#include "textflag.h"

DATA nibble<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibble<>(SB), RODATA|NOPTR, $8
DATA one<>+0(SB)/4, $0x00010001
GLOBL one<>(SB), RODATA|NOPTR, $4

// 64 dimensions: 32 bytes of the row are taken apart into low and high halves of
// bytes, multiplied with the question and added in pairs to int16 (VPMADDUBSW,
// which takes the first as unsigned). A pair is at most 2 * 15 * 127, and eight of
// them, which is 256 dimensions, still fit.
#define STEP(at) \
	VMOVDQU    at(SI), Y4          \
	VPSRLW     $4, Y4, Y5          \
	VPAND      Y15, Y4, Y4         \
	VPAND      Y15, Y5, Y5         \
	VPMADDUBSW (2*at)(DX), Y4, Y4  \
	VPMADDUBSW (2*at+32)(DX), Y5, Y5 \
	VPADDW     Y4, Y0, Y0          \
	VPADDW     Y5, Y1, Y1

// func siftAVX2(mask *byte, n int, rows, scales, losses *byte, code *int8, dim int, t *terms)
//
// Eight rows at a time are summed up to one vector each, which wait on the stack;
// the eight are then added up across, and eight limits made of them at once.
TEXT ·siftAVX2(SB), NOSPLIT, $256-64
	MOVQ mask+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ rows+16(FP), SI
	MOVQ scales+24(FP), R10
	MOVQ losses+32(FP), R11
	MOVQ code+40(FP), R8
	MOVQ dim+48(FP), R9
	MOVQ t+56(FP), AX
	ADDQ R8, R9                  // end of the question
	VBROADCASTSS 0(AX), Y10      // mul
	VBROADCASTSS 4(AX), Y11      // sub
	VBROADCASTSS 8(AX), Y12      // spread
	VBROADCASTSS 12(AX), Y13     // least
	VPBROADCASTQ nibble<>(SB), Y15
	VPBROADCASTD one<>(SB), Y14

group:
	LEAQ sums-256(SP), BX
	MOVQ $8, R12

row:
	VPXOR Y2, Y2, Y2
	MOVQ  R8, DX
	LEAQ  256(DX), AX
	CMPQ  AX, R9
	JA    rest

wide:
	PREFETCHT0 4096(SI)
	PREFETCHT0 4160(SI)
	VPXOR    Y0, Y0, Y0
	VPXOR    Y1, Y1, Y1
	STEP(0)
	STEP(32)
	STEP(64)
	STEP(96)
	VPADDW   Y1, Y0, Y0
	VPMADDWD Y14, Y0, Y0
	VPADDD   Y0, Y2, Y2
	ADDQ     $128, SI
	MOVQ     AX, DX
	LEAQ     256(DX), AX
	CMPQ     AX, R9
	JBE      wide

rest:
	CMPQ DX, R9
	JAE  next
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	STEP(0)
	VPADDW   Y1, Y0, Y0
	VPMADDWD Y14, Y0, Y0
	VPADDD   Y0, Y2, Y2
	ADDQ     $32, SI
	ADDQ     $64, DX
	JMP      rest

next:
	VMOVDQU Y2, (BX)
	ADDQ    $32, BX
	DECQ    R12
	JNZ     row

	VMOVDQU    sums-256(SP), Y0
	VPHADDD    sums-224(SP), Y0, Y0
	VMOVDQU    sums-192(SP), Y1
	VPHADDD    sums-160(SP), Y1, Y1
	VMOVDQU    sums-128(SP), Y2
	VPHADDD    sums-96(SP), Y2, Y2
	VMOVDQU    sums-64(SP), Y3
	VPHADDD    sums-32(SP), Y3, Y3
	VPHADDD    Y1, Y0, Y0
	VPHADDD    Y3, Y2, Y2
	VPERM2I128 $0x20, Y2, Y0, Y1
	VPERM2I128 $0x31, Y2, Y0, Y3
	VPADDD     Y3, Y1, Y0

	VCVTDQ2PS Y0, Y0
	VMULPS    Y10, Y0, Y0
	VSUBPS    Y11, Y0, Y0
	VMULPS    (R10), Y0, Y0
	VMULPS    (R11), Y12, Y1
	VADDPS    Y1, Y0, Y0
	VCMPPS    $13, Y13, Y0, Y0   // not less
	VMOVMSKPS Y0, AX
	MOVB      AX, (DI)
	ADDQ      $32, R10
	ADDQ      $32, R11
	INCQ      DI
	DECQ      CX
	JNZ       group
	VZEROUPPER
	RET
