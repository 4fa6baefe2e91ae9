//go:build !purego

#include "textflag.h"

// The weights of 16 outputs to two inputs become 16-bit words and stay in registers while the two numbers of each
// token, side by side, are multiplied with all of them and added up to 32 bits. No sum can overflow (see limit).

#define TOKEN2(at, s0, s1, t0, t1) \
	VPBROADCASTD at(SI), Y10      \
	VPMADDWD     Y8, Y10, t0      \
	VPMADDWD     Y9, Y10, t1      \
	VPADDD       t0, s0, s0       \
	VPADDD       t1, s1, s1

// func productsAVX2(sums *int32, numbers *int16, codes *byte, pairs, row int)
// 16 outputs, 4 tokens.
TEXT ·productsAVX2(SB), NOSPLIT, $0-40
	MOVQ  sums+0(FP), DI
	MOVQ  numbers+8(FP), SI
	MOVQ  codes+16(FP), DX
	MOVQ  pairs+24(FP), CX
	MOVQ  row+32(FP), BX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

pair:
	VPMOVSXBW (DX), Y8
	VPMOVSXBW 16(DX), Y9
	TOKEN2(0, Y0, Y1, Y11, Y12)
	TOKEN2(4, Y2, Y3, Y13, Y14)
	TOKEN2(8, Y4, Y5, Y11, Y12)
	TOKEN2(12, Y6, Y7, Y13, Y14)
	ADDQ      $32, DX
	ADDQ      $16, SI
	DECQ      CX
	JNZ       pair

	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ    BX, DI
	VMOVDQU Y2, (DI)
	VMOVDQU Y3, 32(DI)
	ADDQ    BX, DI
	VMOVDQU Y4, (DI)
	VMOVDQU Y5, 32(DI)
	ADDQ    BX, DI
	VMOVDQU Y6, (DI)
	VMOVDQU Y7, 32(DI)
	VZEROUPPER
	RET

// DPWSSD is VPDPWSSD as processors with AVX-VNNI know it, which the assembler does not: it knows that of AVX-512 only.
// It multiplies the words of registers a and b and adds the two products side by side to the sums of register d.
#define DPWSSD(a, b, d) \
	BYTE $0xC4                                                    \
	BYTE $(0x42 | ((1 - (d >> 3)) << 7) | ((1 - (a >> 3)) << 5))  \
	BYTE $(0x05 | ((15 - b) << 3))                                \
	BYTE $0x52                                                    \
	BYTE $(0xC0 | ((d & 7) << 3) | (a & 7))

// func productsAVXVNNI(sums *int32, numbers *int16, codes *byte, pairs, row int)
// 16 outputs, 4 tokens.
TEXT ·productsAVXVNNI(SB), NOSPLIT, $0-40
	MOVQ  sums+0(FP), DI
	MOVQ  numbers+8(FP), SI
	MOVQ  codes+16(FP), DX
	MOVQ  pairs+24(FP), CX
	MOVQ  row+32(FP), BX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

pair:
	VPMOVSXBW    (DX), Y8
	VPMOVSXBW    16(DX), Y9
	VPBROADCASTD (SI), Y10
	VPBROADCASTD 4(SI), Y11
	VPBROADCASTD 8(SI), Y12
	VPBROADCASTD 12(SI), Y13
	DPWSSD(8, 10, 0)
	DPWSSD(9, 10, 1)
	DPWSSD(8, 11, 2)
	DPWSSD(9, 11, 3)
	DPWSSD(8, 12, 4)
	DPWSSD(9, 12, 5)
	DPWSSD(8, 13, 6)
	DPWSSD(9, 13, 7)
	ADDQ         $32, DX
	ADDQ         $16, SI
	DECQ         CX
	JNZ          pair

	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ    BX, DI
	VMOVDQU Y2, (DI)
	VMOVDQU Y3, 32(DI)
	ADDQ    BX, DI
	VMOVDQU Y4, (DI)
	VMOVDQU Y5, 32(DI)
	ADDQ    BX, DI
	VMOVDQU Y6, (DI)
	VMOVDQU Y7, 32(DI)
	VZEROUPPER
	RET

#define TOKEN32(at, b, s0, s1) \
	VPBROADCASTD at, b       \
	VPDPWSSD     Z16, b, s0  \
	VPDPWSSD     Z17, b, s1

#define STORE32(s0, s1) \
	VMOVDQU32 s0, (DI)   \
	VMOVDQU32 s1, 64(DI) \
	ADDQ      BX, DI

// func productsVNNI8(sums *int32, numbers *int16, codes *byte, pairs, row int)
// 32 outputs, which are two blocks, and 8 tokens, which are two groups.
TEXT ·productsVNNI8(SB), NOSPLIT, $0-40
	MOVQ   sums+0(FP), DI
	MOVQ   numbers+8(FP), SI
	MOVQ   codes+16(FP), DX
	MOVQ   pairs+24(FP), CX
	MOVQ   row+32(FP), BX
	MOVQ   CX, R8
	SHLQ   $4, R8
	ADDQ   SI, R8            // the second group
	MOVQ   CX, R9
	SHLQ   $5, R9
	ADDQ   DX, R9            // the second block
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15

pair:
	VPMOVSXBW (DX), Z16
	VPMOVSXBW (R9), Z17
	TOKEN32((SI), Z18, Z0, Z1)
	TOKEN32(4(SI), Z19, Z2, Z3)
	TOKEN32(8(SI), Z20, Z4, Z5)
	TOKEN32(12(SI), Z21, Z6, Z7)
	TOKEN32((R8), Z22, Z8, Z9)
	TOKEN32(4(R8), Z23, Z10, Z11)
	TOKEN32(8(R8), Z24, Z12, Z13)
	TOKEN32(12(R8), Z25, Z14, Z15)
	ADDQ      $32, DX
	ADDQ      $32, R9
	ADDQ      $16, SI
	ADDQ      $16, R8
	DECQ      CX
	JNZ       pair

	STORE32(Z0, Z1)
	STORE32(Z2, Z3)
	STORE32(Z4, Z5)
	STORE32(Z6, Z7)
	STORE32(Z8, Z9)
	STORE32(Z10, Z11)
	STORE32(Z12, Z13)
	STORE32(Z14, Z15)
	VZEROUPPER
	RET

// func productsVNNI4(sums *int32, numbers *int16, codes *byte, pairs, row int)
// 32 outputs, 4 tokens.
TEXT ·productsVNNI4(SB), NOSPLIT, $0-40
	MOVQ   sums+0(FP), DI
	MOVQ   numbers+8(FP), SI
	MOVQ   codes+16(FP), DX
	MOVQ   pairs+24(FP), CX
	MOVQ   row+32(FP), BX
	MOVQ   CX, R9
	SHLQ   $5, R9
	ADDQ   DX, R9
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7

pair:
	VPMOVSXBW (DX), Z16
	VPMOVSXBW (R9), Z17
	TOKEN32((SI), Z18, Z0, Z1)
	TOKEN32(4(SI), Z19, Z2, Z3)
	TOKEN32(8(SI), Z20, Z4, Z5)
	TOKEN32(12(SI), Z21, Z6, Z7)
	ADDQ      $32, DX
	ADDQ      $32, R9
	ADDQ      $16, SI
	DECQ      CX
	JNZ       pair

	STORE32(Z0, Z1)
	STORE32(Z2, Z3)
	STORE32(Z4, Z5)
	STORE32(Z6, Z7)
	VZEROUPPER
	RET

// func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET

// func xgetbv() (low, high uint32)
TEXT ·xgetbv(SB), NOSPLIT, $0-8
	XORL CX, CX
	XGETBV
	MOVL AX, low+0(FP)
	MOVL DX, high+4(FP)
	RET
