#include "textflag.h"

// func avx2() bool
TEXT ·avx2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	MOVL $0, AX
	CPUID
	CMPL AX, $7
	JLT  no
	MOVL $1, AX
	MOVL $0, CX
	CPUID
	ANDL $0x18000000, CX // OSXSAVE and AVX
	CMPL CX, $0x18000000
	JNE  no
	MOVL $0, CX
	XGETBV
	ANDL $6, AX // the system keeps XMM and YMM
	CMPL AX, $6
	JNE  no
	MOVL $7, AX
	MOVL $0, CX
	CPUID
	ANDL $0x20, BX // AVX2
	JEQ  no
	MOVB $1, ret+0(FP)
no:
	RET

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
