#include "textflag.h"

// HALVES leaves ((s0+s4)+(s2+s6)) + ((s1+s5)+(s3+s7)) of acc at (DI).
#define HALVES(acc, xacc) \
	VEXTRACTF128 $1, acc, X8 \
	VADDPS X8, xacc, X8 \
	VMOVHLPS X8, X8, X9 \
	VADDPS X9, X8, X8 \
	VMOVSHDUP X8, X9 \
	VADDSS X9, X8, X8 \
	VMOVSS X8, (DI) \
	ADDQ $4, DI

// func dotsAVX2(out *float32, n int, q, rows *row)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ q+16(FP), SI
	MOVQ rows+24(FP), R8
four:
	CMPQ CX, $4
	JLT  one
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ AX, AX
fourloop:
	VMOVUPS (SI)(AX*1), Y4
	VMULPS (R8)(AX*1), Y4, Y5
	VADDPS Y5, Y0, Y0
	VMULPS 1024(R8)(AX*1), Y4, Y6
	VADDPS Y6, Y1, Y1
	VMULPS 2048(R8)(AX*1), Y4, Y7
	VADDPS Y7, Y2, Y2
	VMULPS 3072(R8)(AX*1), Y4, Y8
	VADDPS Y8, Y3, Y3
	ADDQ $32, AX
	CMPQ AX, $1024
	JLT  fourloop
	HALVES(Y0, X0)
	HALVES(Y1, X1)
	HALVES(Y2, X2)
	HALVES(Y3, X3)
	ADDQ $4096, R8
	SUBQ $4, CX
	JMP  four
one:
	CMPQ CX, $0
	JLE  done
	VXORPS Y0, Y0, Y0
	XORQ AX, AX
oneloop:
	VMOVUPS (SI)(AX*1), Y4
	VMULPS (R8)(AX*1), Y4, Y5
	VADDPS Y5, Y0, Y0
	ADDQ $32, AX
	CMPQ AX, $1024
	JLT  oneloop
	HALVES(Y0, X0)
	ADDQ $1024, R8
	DECQ CX
	JMP  one
done:
	VZEROUPPER
	RET

// func addAVX2(y *row, x float32, r *row)
TEXT ·addAVX2(SB), NOSPLIT, $0-24
	MOVQ y+0(FP), DI
	VBROADCASTSS x+8(FP), Y0
	MOVQ r+16(FP), SI
	XORQ AX, AX
addloop:
	VMULPS (SI)(AX*1), Y0, Y1
	VMULPS 32(SI)(AX*1), Y0, Y2
	VMULPS 64(SI)(AX*1), Y0, Y3
	VMULPS 96(SI)(AX*1), Y0, Y4
	VADDPS (DI)(AX*1), Y1, Y1
	VADDPS 32(DI)(AX*1), Y2, Y2
	VADDPS 64(DI)(AX*1), Y3, Y3
	VADDPS 96(DI)(AX*1), Y4, Y4
	VMOVUPS Y1, (DI)(AX*1)
	VMOVUPS Y2, 32(DI)(AX*1)
	VMOVUPS Y3, 64(DI)(AX*1)
	VMOVUPS Y4, 96(DI)(AX*1)
	ADDQ $128, AX
	CMPQ AX, $1024
	JLT  addloop
	VZEROUPPER
	RET

// TAKE adds Y8 times the 32 bytes at off of a row to acc.
#define TAKE(off, acc) \
	VMULPS off(SI)(AX*1), Y8, Y9 \
	VADDPS Y9, acc, acc

// func gatherAVX2(y *row, list *part, n int, rows *row)
// A quarter of the dimensions at a time, which eight registers hold.
TEXT ·gatherAVX2(SB), NOSPLIT, $0-32
	MOVQ y+0(FP), DI
	MOVQ list+8(FP), R8
	MOVQ n+16(FP), CX
	MOVQ rows+24(FP), SI
	MOVQ $4, DX
quarter:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	MOVQ R8, R9
	MOVQ CX, BX
	TESTQ BX, BX
	JLE  store
gatherloop:
	MOVLQSX (R9), AX
	SHLQ $10, AX
	VBROADCASTSS 4(R9), Y8
	TAKE(0, Y0)
	TAKE(32, Y1)
	TAKE(64, Y2)
	TAKE(96, Y3)
	TAKE(128, Y4)
	TAKE(160, Y5)
	TAKE(192, Y6)
	TAKE(224, Y7)
	ADDQ $8, R9
	DECQ BX
	JNZ  gatherloop
store:
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, 128(DI)
	VMOVUPS Y5, 160(DI)
	VMOVUPS Y6, 192(DI)
	VMOVUPS Y7, 224(DI)
	ADDQ $256, DI
	ADDQ $256, SI
	DECQ DX
	JNZ  quarter
	VZEROUPPER
	RET

// func divideAVX2(y *row, by float32)
TEXT ·divideAVX2(SB), NOSPLIT, $0-12
	MOVQ y+0(FP), DI
	VBROADCASTSS by+8(FP), Y0
	MOVQ $8, CX
divideloop:
	VMOVUPS (DI), Y1
	VMOVUPS 32(DI), Y2
	VMOVUPS 64(DI), Y3
	VMOVUPS 96(DI), Y4
	VDIVPS Y0, Y1, Y1
	VDIVPS Y0, Y2, Y2
	VDIVPS Y0, Y3, Y3
	VDIVPS Y0, Y4, Y4
	VMOVUPS Y1, (DI)
	VMOVUPS Y2, 32(DI)
	VMOVUPS Y3, 64(DI)
	VMOVUPS Y4, 96(DI)
	ADDQ $128, DI
	DECQ CX
	JNZ  divideloop
	VZEROUPPER
	RET

// func likeAVX2(x *float32, eights int, c *[11]float32)
// The constants are those of likePlain and exp, in the order they are used.
TEXT ·likeAVX2(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), DI
	MOVQ eights+8(FP), CX
	MOVQ c+16(FP), SI
	VBROADCASTSS 4(SI), Y15 // sharpness
	VBROADCASTSS 8(SI), Y14 // log2 e
	VBROADCASTSS 12(SI), Y13 // the high part of ln 2
	VBROADCASTSS 16(SI), Y12 // the low part, negative
	VBROADCASTSS 20(SI), Y11 // 1/720
	VBROADCASTSS 24(SI), Y10 // 1/120
	VBROADCASTSS 28(SI), Y9 // 1/24
	VBROADCASTSS 32(SI), Y8 // 1/6
	VBROADCASTSS 36(SI), Y7 // 1/2
	VBROADCASTSS (SI), Y6 // 1
	VPBROADCASTD 40(SI), Y5 // 127, an integer
	TESTQ CX, CX
	JLE  likedone
likeloop:
	VMOVUPS (DI), Y0
	VSUBPS Y6, Y0, Y0
	VMULPS Y15, Y0, Y0
	VMULPS Y14, Y0, Y1
	VROUNDPS $0, Y1, Y1 // n
	VMULPS Y13, Y1, Y2
	VSUBPS Y2, Y0, Y2
	VMULPS Y12, Y1, Y3
	VADDPS Y3, Y2, Y2 // f
	VMULPS Y2, Y11, Y0
	VADDPS Y10, Y0, Y0
	VMULPS Y2, Y0, Y0
	VADDPS Y9, Y0, Y0
	VMULPS Y2, Y0, Y0
	VADDPS Y8, Y0, Y0
	VMULPS Y2, Y0, Y0
	VADDPS Y7, Y0, Y0
	VMULPS Y2, Y0, Y0
	VADDPS Y6, Y0, Y0
	VMULPS Y2, Y0, Y0
	VADDPS Y6, Y0, Y0
	VCVTPS2DQ Y1, Y1
	VPADDD Y5, Y1, Y1
	VPSLLD $23, Y1, Y1
	VMULPS Y1, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	DECQ CX
	JNZ  likeloop
likedone:
	VZEROUPPER
	RET

// func sharesAVX2(x *float32, eights int, own float32, other *float32)
TEXT ·sharesAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ eights+8(FP), CX
	VBROADCASTSS own+16(FP), Y0
	MOVQ other+24(FP), SI
	TESTQ CX, CX
	JLE  sharesdone
sharesloop:
	VMOVUPS (DI), Y1
	VDIVPS Y0, Y1, Y2
	VDIVPS (SI), Y1, Y3
	VADDPS Y3, Y2, Y2
	VMOVUPS Y2, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	DECQ CX
	JNZ  sharesloop
sharesdone:
	VZEROUPPER
	RET

// func lossesAVX2(losses *[8]float32, x *float32, scales *[8]float32)
// A lane is a group of a row; x holds the first number of all eight groups, then
// the second, and so on.
TEXT ·lossesAVX2(SB), NOSPLIT, $0-24
	MOVQ losses+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ scales+16(FP), DX
	VMOVUPS (DX), Y0
	VXORPS Y1, Y1, Y1 // losses
	VPCMPEQD Y2, Y2, Y2
	VPSRLD $1, Y2, Y3 // all but the sign
	VPSLLD $31, Y2, Y4 // the sign
	VPSRLD $26, Y2, Y5
	VPSLLD $24, Y5, Y5 // 0.5 is 0x3f000000
	VPSRLD $29, Y2, Y6 // 7
	MOVQ $32, CX
losses:
	VMOVUPS (SI), Y7
	VDIVPS Y0, Y7, Y8
	VANDPS Y3, Y8, Y9
	VADDPS Y5, Y9, Y9
	VCVTTPS2DQ Y9, Y9
	VPMINUD Y6, Y9, Y9
	VCVTDQ2PS Y9, Y9
	VMULPS Y0, Y9, Y9
	VANDPS Y4, Y8, Y8
	VORPS Y8, Y9, Y9
	VSUBPS Y9, Y7, Y7
	VMULPS Y7, Y7, Y7
	VADDPS Y7, Y1, Y1
	ADDQ $32, SI
	DECQ CX
	JNZ  losses
	VMOVUPS Y1, (DI)
	VZEROUPPER
	RET

// SPREAD adds Y0 times eight numbers from 0 to 15, less 8, to eight sums at off.
#define SPREAD(off) \
	VPSUBD Y14, Y2, Y2 \
	VPMULLD Y0, Y2, Y2 \
	VPMOVSXDQ X2, Y3 \
	VPADDQ off(DI), Y3, Y3 \
	VMOVDQU Y3, off(DI) \
	VEXTRACTI128 $1, Y2, X2 \
	VPMOVSXDQ X2, Y3 \
	VPADDQ (off+32)(DI), Y3, Y3 \
	VMOVDQU Y3, (off+32)(DI)

// func addRowAVX2(sum *[Dim]int64, row *byte, weight int32)
TEXT ·addRowAVX2(SB), NOSPLIT, $0-20
	MOVQ sum+0(FP), DI
	MOVQ row+8(FP), SI
	MOVL weight+16(FP), DX
	VPCMPEQD Y15, Y15, Y15
	VPSRLD $31, Y15, Y14
	VPSLLD $3, Y14, Y14 // 8
	VPSRLD $28, Y15, Y15 // 15
	LEAQ 16(SI), R8
	MOVQ $8, CX
rowgroup:
	MOVWLZX (SI), AX
	IMULL DX, AX
	VMOVD AX, X0
	VPBROADCASTD X0, Y0
	VPMOVZXBD (R8), Y1
	VPAND Y15, Y1, Y2
	SPREAD(0)
	VPSRLD $4, Y1, Y2
	SPREAD(128)
	VPMOVZXBD 8(R8), Y1
	VPAND Y15, Y1, Y2
	SPREAD(64)
	VPSRLD $4, Y1, Y2
	SPREAD(192)
	ADDQ $2, SI
	ADDQ $16, R8
	ADDQ $256, DI
	DECQ CX
	JNZ  rowgroup
	VZEROUPPER
	RET

// func stepsAVX2(to *laneSteps, x *lanes, scales *[8]float32)
// As lossesAVX2, but for the numbers themselves.
TEXT ·stepsAVX2(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ scales+16(FP), DX
	VMOVUPS (DX), Y0
	VPCMPEQD Y2, Y2, Y2
	VPSRLD $1, Y2, Y3 // all but the sign
	VPSRLD $26, Y2, Y5
	VPSLLD $24, Y5, Y5 // 0.5 is 0x3f000000
	VPSRLD $29, Y2, Y6 // 7
	MOVQ $32, CX
steps:
	VMOVUPS (SI), Y7
	VDIVPS Y0, Y7, Y8
	VANDPS Y3, Y8, Y9
	VADDPS Y5, Y9, Y9
	VCVTTPS2DQ Y9, Y9
	VPMINUD Y6, Y9, Y9
	VPSIGND Y8, Y9, Y9
	VMOVDQU Y9, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  steps
	VZEROUPPER
	RET
