//go:build !purego

#include "textflag.h"

DATA ones<>+0(SB)/4, $0x00010001
GLOBL ones<>(SB), RODATA|NOPTR, $4
DATA high<>+0(SB)/4, $0x007f007f // 127
GLOBL high<>(SB), RODATA|NOPTR, $4
DATA low<>+0(SB)/4, $0xff81ff81 // -127
GLOBL low<>(SB), RODATA|NOPTR, $4
DATA zero<>+0(SB)/4, $0x00800080 // 128, which stands for 0
GLOBL zero<>(SB), RODATA|NOPTR, $4
DATA word<>+0(SB)/4, $0x0000ffff
GLOBL word<>(SB), RODATA|NOPTR, $4
DATA order<>+0(SB)/4, $0
DATA order<>+4(SB)/4, $4
DATA order<>+8(SB)/4, $1
DATA order<>+12(SB)/4, $5
DATA order<>+16(SB)/4, $2
DATA order<>+20(SB)/4, $6
DATA order<>+24(SB)/4, $3
DATA order<>+28(SB)/4, $7
GLOBL order<>(SB), RODATA|NOPTR, $32

// FOUR multiplies four bytes of one row with the weights of 16 outputs. Pairs of
// products fit 16 bits, since weights lie in -63 to 63.
#define FOUR(from, a, b) \
	VPBROADCASTD from, Y10   \
	VPMADDUBSW Y8, Y10, Y11  \
	VPMADDUBSW Y9, Y10, Y12  \
	VPMADDWD   Y15, Y11, Y11 \
	VPMADDWD   Y15, Y12, Y12 \
	VPADDD     Y11, a, a     \
	VPADDD     Y12, b, b

// ROUND leaves (acc + Y8) * Y10 of eight outputs, or their twins in Y9 and Y11, at to.
#define ROUND(acc, b, m, to) \
	VPADDD    b, acc, acc \
	VCVTDQ2PS acc, acc    \
	VMULPS    m, acc, acc \
	VCVTPS2DQ acc, acc    \
	VMOVDQU   acc, to

// func tileAVX2(acc *int32, x *byte, fours, in int, w *byte, m *float32, lower *int32)
TEXT ·tileAVX2(SB), NOSPLIT, $0-56
	MOVQ acc+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ fours+16(FP), CX
	MOVQ in+24(FP), R8
	MOVQ w+32(FP), R9
	MOVQ m+40(FP), R11
	MOVQ lower+48(FP), R12
	LEAQ (R8)(R8*2), BX
	VPBROADCASTD ones<>(SB), Y15

rows:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	MOVQ  R9, DX
	MOVQ  SI, AX
	LEAQ  (SI)(R8*1), R10

inputs:
	VMOVDQU (DX), Y8
	VMOVDQU 32(DX), Y9
	FOUR((AX), Y0, Y1)
	FOUR((AX)(R8*1), Y2, Y3)
	FOUR((AX)(R8*2), Y4, Y5)
	FOUR((AX)(BX*1), Y6, Y7)
	VMOVDQU 64(DX), Y8
	VMOVDQU 96(DX), Y9
	FOUR(4(AX), Y0, Y1)
	FOUR(4(AX)(R8*1), Y2, Y3)
	FOUR(4(AX)(R8*2), Y4, Y5)
	FOUR(4(AX)(BX*1), Y6, Y7)
	ADDQ $128, DX
	ADDQ $8, AX
	CMPQ AX, R10
	JB   inputs

	VMOVDQU (R12), Y8
	VMOVDQU 32(R12), Y9
	VMOVUPS (R11), Y10
	VMOVUPS 32(R11), Y11
	ROUND(Y0, Y8, Y10, (DI))
	ROUND(Y1, Y9, Y11, 32(DI))
	ROUND(Y2, Y8, Y10, 64(DI))
	ROUND(Y3, Y9, Y11, 96(DI))
	ROUND(Y4, Y8, Y10, 128(DI))
	ROUND(Y5, Y9, Y11, 160(DI))
	ROUND(Y6, Y8, Y10, 192(DI))
	ROUND(Y7, Y9, Y11, 224(DI))
	ADDQ $256, DI
	LEAQ (SI)(R8*4), SI
	DECQ CX
	JNZ  rows
	VZEROUPPER
	RET

// LAST rounds 16 outputs of a row, whose sums are in two parts, and stores them.
#define LAST(acc, other, to) \
	VPADDD    other, acc, acc \
	VPADDD    Z8, acc, acc    \
	VCVTDQ2PS acc, acc        \
	VMULPS    Z10, acc, acc   \
	VCVTPS2DQ acc, acc        \
	VMOVDQU32 acc, to

// BOTH multiplies eight bytes of one row with the weights of 16 outputs.
#define BOTH(from, next, acc, other) \
	VPBROADCASTD from, Z10     \
	VPBROADCASTD next, Z11     \
	VPDPBUSD     Z8, Z10, acc  \
	VPDPBUSD     Z9, Z11, other

// func tileVNNI(acc *int32, x *byte, fours, in int, w *byte, m *float32, lower *int32)
TEXT ·tileVNNI(SB), NOSPLIT, $0-56
	MOVQ acc+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ fours+16(FP), CX
	MOVQ in+24(FP), R8
	MOVQ w+32(FP), R9
	MOVQ m+40(FP), R11
	MOVQ lower+48(FP), R12
	LEAQ (R8)(R8*2), BX

rows:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	MOVQ   R9, DX
	MOVQ   SI, AX
	LEAQ   (SI)(R8*1), R10

inputs:
	VMOVDQU32 (DX), Z8
	VMOVDQU32 64(DX), Z9
	BOTH((AX), 4(AX), Z0, Z4)
	BOTH((AX)(R8*1), 4(AX)(R8*1), Z1, Z5)
	BOTH((AX)(R8*2), 4(AX)(R8*2), Z2, Z6)
	BOTH((AX)(BX*1), 4(AX)(BX*1), Z3, Z7)
	ADDQ $128, DX
	ADDQ $8, AX
	CMPQ AX, R10
	JB   inputs

	VMOVDQU32 (R12), Z8
	VMOVUPS   (R11), Z10
	LAST(Z0, Z4, (DI))
	LAST(Z1, Z5, 64(DI))
	LAST(Z2, Z6, 128(DI))
	LAST(Z3, Z7, 192(DI))
	ADDQ $256, DI
	LEAQ (SI)(R8*4), SI
	DECQ CX
	JNZ  rows
	VZEROUPPER
	RET

// BYTES leaves the 16 words of Y0, in the order of VPACKSSDW, as bytes at DI.
#define BYTES \
	VPERMQ       $0xd8, Y0, Y0 \
	VEXTRACTI128 $1, Y0, X1    \
	VPACKUSWB    X1, X0, X0    \
	VMOVDQU      X0, (DI)

// func clipBytesAVX2(out *byte, stride int, acc *int32, rows int)
TEXT ·clipBytesAVX2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ stride+8(FP), R8
	MOVQ acc+16(FP), SI
	MOVQ rows+24(FP), CX
	VPBROADCASTD high<>(SB), Y3

bytes:
	VMOVDQU   (SI), Y0
	VPACKSSDW 32(SI), Y0, Y0
	VPMINSW   Y3, Y0, Y0
	BYTES
	ADDQ $64, SI
	ADDQ R8, DI
	DECQ CX
	JNZ  bytes
	VZEROUPPER
	RET

// WORDS loads a row of acc as 16 words within -127 to 127, in the order of
// VPACKSSDW.
#define WORDS(at, to) \
	VMOVDQU   at(SI), to           \
	VPACKSSDW (at+32)(SI), to, to  \
	VPMINSW   Y3, to, to           \
	VPMAXSW   Y4, to, to

// func clipWordsAVX2(out *int16, stride int, acc *int32, rows int)
TEXT ·clipWordsAVX2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ stride+8(FP), R8
	MOVQ acc+16(FP), SI
	MOVQ rows+24(FP), CX
	VPBROADCASTD high<>(SB), Y3
	VPBROADCASTD low<>(SB), Y4

words:
	WORDS(0, Y0)
	VPERMQ  $0xd8, Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ $64, SI
	LEAQ (DI)(R8*2), DI
	DECQ CX
	JNZ  words
	VZEROUPPER
	RET

// func clipPairsAVX2(out *int16, stride int, acc *int32, pairs int)
TEXT ·clipPairsAVX2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ stride+8(FP), R8
	MOVQ acc+16(FP), SI
	MOVQ pairs+24(FP), CX
	VPBROADCASTD high<>(SB), Y3
	VPBROADCASTD low<>(SB), Y4

pairs:
	WORDS(0, Y0)
	WORDS(64, Y1)
	VPUNPCKLWD Y1, Y0, Y2 // the order of VPACKSSDW is what these two undo
	VPUNPCKHWD Y1, Y0, Y5
	VMOVDQU Y2, (DI)
	VMOVDQU Y5, 32(DI)
	ADDQ $128, SI
	LEAQ (DI)(R8*2), DI
	DECQ CX
	JNZ  pairs
	VZEROUPPER
	RET

// func addRowsAVX2(x *int32, stride int, acc *int32, rows int)
TEXT ·addRowsAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ stride+8(FP), R8
	MOVQ acc+16(FP), SI
	MOVQ rows+24(FP), CX

add:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VPADDD  (DI), Y0, Y0
	VPADDD  32(DI), Y1, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ $64, SI
	LEAQ (DI)(R8*4), DI
	DECQ CX
	JNZ  add
	VZEROUPPER
	RET

// func momentsAVX2(x *int32, eights int) (sum, squares int64)
TEXT ·momentsAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), SI
	MOVQ eights+8(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3

moment:
	VMOVDQU   (SI), Y4
	VPMOVSXDQ (SI), Y5
	VPMOVSXDQ 16(SI), Y6
	VPADDQ    Y5, Y0, Y0
	VPADDQ    Y6, Y1, Y1
	VPMULDQ   Y4, Y4, Y7
	VPSRLQ    $32, Y4, Y4
	VPMULDQ   Y4, Y4, Y8
	VPADDQ    Y7, Y2, Y2
	VPADDQ    Y8, Y3, Y3
	ADDQ $32, SI
	DECQ CX
	JNZ  moment
	VPADDQ Y1, Y0, Y0
	VPADDQ Y3, Y2, Y2
	VEXTRACTI128 $1, Y0, X1
	VEXTRACTI128 $1, Y2, X3
	VPADDQ X1, X0, X0
	VPADDQ X3, X2, X2
	VPSHUFD $0xee, X0, X1
	VPSHUFD $0xee, X2, X3
	VPADDQ X1, X0, X0
	VPADDQ X3, X2, X2
	VMOVQ X0, sum+16(FP)
	VMOVQ X2, squares+24(FP)
	VZEROUPPER
	RET

// func clipScaledAVX2(out *byte, x *int32, groups int, mean int32, r float32)
TEXT ·clipScaledAVX2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ groups+16(FP), CX
	MOVL mean+24(FP), AX
	VMOVD AX, X5
	VPBROADCASTD X5, Y5
	VBROADCASTSS r+28(FP), Y6
	VPBROADCASTD high<>(SB), Y3
	VPBROADCASTD low<>(SB), Y4
	VPBROADCASTD zero<>(SB), Y7

scaled:
	VMOVDQU   (SI), Y0
	VMOVDQU   32(SI), Y1
	VPSUBD    Y5, Y0, Y0
	VPSUBD    Y5, Y1, Y1
	VCVTDQ2PS Y0, Y0
	VCVTDQ2PS Y1, Y1
	VMULPS    Y6, Y0, Y0
	VMULPS    Y6, Y1, Y1
	VCVTPS2DQ Y0, Y0
	VCVTPS2DQ Y1, Y1
	VPACKSSDW Y1, Y0, Y0
	VPMINSW   Y3, Y0, Y0
	VPMAXSW   Y4, Y0, Y0
	VPADDW    Y7, Y0, Y0
	BYTES
	ADDQ $64, SI
	ADDQ $16, DI
	DECQ CX
	JNZ  scaled
	VZEROUPPER
	RET

// DOT leaves eight sums of products of one row of k, and goes to the next.
#define DOT(to) \
	VPMADDWD (SI), Y0, to    \
	VPMADDWD 32(SI), Y1, Y4  \
	VPMADDWD 64(SI), Y2, Y5  \
	VPMADDWD 96(SI), Y3, Y6  \
	VPADDD   Y4, to, to      \
	VPADDD   Y5, Y6, Y6      \
	VPADDD   Y6, to, to      \
	LEAQ     (SI)(R8*2), SI

// func scoresAVX2(out *int32, eights int, q, k *int16, stride int)
TEXT ·scoresAVX2(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ eights+8(FP), CX
	MOVQ q+16(FP), AX
	MOVQ k+24(FP), SI
	MOVQ stride+32(FP), R8
	VMOVDQU (AX), Y0
	VMOVDQU 32(AX), Y1
	VMOVDQU 64(AX), Y2
	VMOVDQU 96(AX), Y3

score:
	DOT(Y8)
	DOT(Y9)
	DOT(Y10)
	DOT(Y11)
	DOT(Y12)
	DOT(Y13)
	DOT(Y14)
	DOT(Y15)
	VPHADDD Y9, Y8, Y8
	VPHADDD Y11, Y10, Y10
	VPHADDD Y13, Y12, Y12
	VPHADDD Y15, Y14, Y14
	VPHADDD Y10, Y8, Y8
	VPHADDD Y14, Y12, Y12
	VPERM2I128 $0x20, Y12, Y8, Y9
	VPERM2I128 $0x31, Y12, Y8, Y10
	VPADDD  Y9, Y10, Y10
	VMOVDQU Y10, (DI)
	ADDQ $32, DI
	DECQ CX
	JNZ  score
	VZEROUPPER
	RET

// func weighAVX2(w *int16, dots *int32, eights int, power float32, limit int32, powers *int16) (sum int32)
TEXT ·weighAVX2(SB), NOSPLIT, $0-44
	MOVQ w+0(FP), DI
	MOVQ dots+8(FP), SI
	MOVQ eights+16(FP), CX
	VBROADCASTSS power+24(FP), Y5
	MOVL limit+28(FP), AX
	VMOVD AX, X6
	VPBROADCASTD X6, Y6
	MOVQ powers+32(FP), R8
	VPBROADCASTD word<>(SB), Y7
	VPXOR Y9, Y9, Y9

	VMOVDQU (SI), Y0
	XORQ AX, AX
	MOVQ CX, DX
most:
	VPMAXSD (SI)(AX*1), Y0, Y0
	ADDQ $32, AX
	DECQ DX
	JNZ  most
	VPERM2I128 $1, Y0, Y0, Y1
	VPMAXSD Y1, Y0, Y0
	VPSHUFD $0x4e, Y0, Y1
	VPMAXSD Y1, Y0, Y0
	VPSHUFD $0xb1, Y0, Y1
	VPMAXSD Y1, Y0, Y0

weight:
	VPSUBD     (SI), Y0, Y1
	VCVTDQ2PS  Y1, Y1
	VMULPS     Y5, Y1, Y1
	VCVTPS2DQ  Y1, Y1
	VPMINUD    Y6, Y1, Y1 // unsigned: what is too large to convert is large
	VPCMPEQD   Y4, Y4, Y4
	VPXOR      Y2, Y2, Y2
	VPGATHERDD Y4, (R8)(Y1*2), Y2
	VPAND      Y7, Y2, Y2
	VPADDD     Y2, Y9, Y9
	VPACKUSDW  Y2, Y2, Y2
	VPERMQ     $0x08, Y2, Y2
	VMOVDQU    X2, (DI)
	ADDQ $32, SI
	ADDQ $16, DI
	DECQ CX
	JNZ  weight
	VEXTRACTI128 $1, Y9, X1
	VPADDD  X1, X9, X9
	VPSHUFD $0x4e, X9, X1
	VPADDD  X1, X9, X9
	VPSHUFD $0xb1, X9, X1
	VPADDD  X1, X9, X9
	VMOVD   X9, AX
	MOVL    AX, sum+40(FP)
	VZEROUPPER
	RET

// TAKE adds eight outputs of a pair of rows by their weights.
#define TAKE(at, acc) \
	VPMADDWD at(SI), Y8, Y9 \
	VPADDD   Y9, acc, acc

// SCALE rounds the sums of eight outputs, times Y10.
#define SCALE(acc) \
	VCVTDQ2PS acc, acc      \
	VMULPS    Y10, acc, acc \
	VCVTPS2DQ acc, acc

// NARROW leaves 32 outputs as bytes, 128 too high.
#define NARROW(a, b, c, d, to) \
	VPACKSSDW b, a, a   \
	VPACKSSDW d, c, c   \
	VPMINSW   Y11, a, a \
	VPMINSW   Y11, c, c \
	VPMAXSW   Y12, a, a \
	VPMAXSW   Y12, c, c \
	VPADDW    Y13, a, a \
	VPADDW    Y13, c, c \
	VPACKUSWB c, a, a   \
	VPERMD    a, Y14, a \
	VMOVDQU   a, to

// func mixAVX2(out *byte, w *int16, pairs int, v *int16, stride int, r float32)
TEXT ·mixAVX2(SB), NOSPLIT, $0-44
	MOVQ out+0(FP), DI
	MOVQ w+8(FP), AX
	MOVQ pairs+16(FP), CX
	MOVQ v+24(FP), SI
	MOVQ stride+32(FP), R8
	VBROADCASTSS r+40(FP), Y10
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

mix:
	VPBROADCASTD (AX), Y8
	TAKE(0, Y0)
	TAKE(32, Y1)
	TAKE(64, Y2)
	TAKE(96, Y3)
	TAKE(128, Y4)
	TAKE(160, Y5)
	TAKE(192, Y6)
	TAKE(224, Y7)
	ADDQ $4, AX
	LEAQ (SI)(R8*2), SI
	DECQ CX
	JNZ  mix
	SCALE(Y0)
	SCALE(Y1)
	SCALE(Y2)
	SCALE(Y3)
	SCALE(Y4)
	SCALE(Y5)
	SCALE(Y6)
	SCALE(Y7)
	VPBROADCASTD high<>(SB), Y11
	VPBROADCASTD low<>(SB), Y12
	VPBROADCASTD zero<>(SB), Y13
	VMOVDQU order<>(SB), Y14
	NARROW(Y0, Y1, Y2, Y3, (DI))
	NARROW(Y4, Y5, Y6, Y7, 32(DI))
	VZEROUPPER
	RET
