//go:build !purego

#include "textflag.h"

DATA ·constants+0(SB)/4, $-87.0
DATA ·constants+4(SB)/4, $88.0
DATA ·constants+8(SB)/4, $1.44269504
DATA ·constants+12(SB)/4, $.693359375
DATA ·constants+16(SB)/4, $-2.12194440e-4
DATA ·constants+20(SB)/4, $1.9875691500e-4
DATA ·constants+24(SB)/4, $1.3981999507e-3
DATA ·constants+28(SB)/4, $8.3334519073e-3
DATA ·constants+32(SB)/4, $4.1665795894e-2
DATA ·constants+36(SB)/4, $1.6666665459e-1
DATA ·constants+40(SB)/4, $.5
DATA ·constants+44(SB)/4, $1.0
DATA ·constants+48(SB)/4, $127
DATA ·constants+52(SB)/4, $-1.5957691216
DATA ·constants+56(SB)/4, $.044715
DATA ·constants+60(SB)/4, $0x7FFFFFFF
GLOBL ·constants(SB), RODATA|NOPTR, $64

// EXP makes of Y0 its exponential, by way of Y1 to Y3. The constants are in BX, those used most in Y8 to Y15.
#define EXPCONSTANTS \
	LEAQ         ·constants(SB), BX \
	VBROADCASTSS (BX), Y8    \
	VBROADCASTSS 4(BX), Y9   \
	VBROADCASTSS 8(BX), Y10  \
	VBROADCASTSS 12(BX), Y11 \
	VBROADCASTSS 16(BX), Y12 \
	VBROADCASTSS 40(BX), Y13 \
	VBROADCASTSS 44(BX), Y14 \
	VBROADCASTSS 48(BX), Y15

#define EXP \
	VMAXPS       Y8, Y0, Y0      \
	VMINPS       Y9, Y0, Y0      \
	VMULPS       Y10, Y0, Y1     \
	VROUNDPS     $0, Y1, Y1      \
	VFNMADD231PS Y11, Y1, Y0     \
	VFNMADD231PS Y12, Y1, Y0     \
	VCVTPS2DQ    Y1, Y1          \
	VPADDD       Y15, Y1, Y1     \
	VPSLLD       $23, Y1, Y1     \
	VBROADCASTSS 20(BX), Y2      \
	VBROADCASTSS 24(BX), Y3      \
	VFMADD213PS  Y3, Y0, Y2      \
	VBROADCASTSS 28(BX), Y3      \
	VFMADD213PS  Y3, Y0, Y2      \
	VBROADCASTSS 32(BX), Y3      \
	VFMADD213PS  Y3, Y0, Y2      \
	VBROADCASTSS 36(BX), Y3      \
	VFMADD213PS  Y3, Y0, Y2      \
	VFMADD213PS  Y13, Y0, Y2     \
	VMULPS       Y0, Y0, Y3      \
	VFMADD213PS  Y0, Y3, Y2      \
	VADDPS       Y14, Y2, Y2     \
	VMULPS       Y1, Y2, Y0

// SUM adds up the eight floats of y into the lowest of x, its lower half, by way of t.
#define SUM(y, x, t) \
	VEXTRACTF128 $1, y, t    \
	VADDPS       t, x, x     \
	VPERMILPS    $0x4E, x, t \
	VADDPS       t, x, x     \
	VPERMILPS    $0xB1, x, t \
	VADDPS       t, x, x

// func scaleAVX2(to *float32, sums *int32, scales, biases *float32, factor float32, n int)
TEXT ·scaleAVX2(SB), NOSPLIT, $0-48
	MOVQ         to+0(FP), DI
	MOVQ         sums+8(FP), SI
	MOVQ         scales+16(FP), R8
	MOVQ         biases+24(FP), R9
	VBROADCASTSS factor+32(FP), Y4
	MOVQ         n+40(FP), CX
	XORQ         AX, AX

eight:
	VCVTDQ2PS   (SI)(AX*4), Y0
	VMULPS      (R8)(AX*4), Y4, Y1
	VFMADD213PS (R9)(AX*4), Y1, Y0
	VMOVUPS     Y0, (DI)(AX*4)
	ADDQ        $8, AX
	CMPQ        AX, CX
	JLT         eight
	VZEROUPPER
	RET

// func addAVX2(to, from *float32, n int)
TEXT ·addAVX2(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX

eight:
	VMOVUPS (DI)(AX*4), Y0
	VADDPS  (SI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     eight
	VZEROUPPER
	RET

// func bendAVX2(to *float32, n int)
TEXT ·bendAVX2(SB), NOSPLIT, $0-16
	MOVQ         to+0(FP), DI
	MOVQ         n+8(FP), CX
	EXPCONSTANTS
	VBROADCASTSS 52(BX), Y6
	VBROADCASTSS 56(BX), Y7

eight:
	VMOVUPS     (DI), Y4
	VMULPS      Y4, Y4, Y0
	VMULPS      Y7, Y0, Y0
	VFMADD213PS Y4, Y4, Y0 // x + .044715·x³
	VMULPS      Y6, Y0, Y0
	EXP
	VADDPS      Y14, Y0, Y0
	VDIVPS      Y0, Y4, Y4
	VMOVUPS     Y4, (DI)
	ADDQ        $32, DI
	SUBQ        $8, CX
	JGT         eight
	VZEROUPPER
	RET

// func levelAVX2(to, stretch, move *float32, epsilon float32, n int)
TEXT ·levelAVX2(SB), NOSPLIT, $0-40
	MOVQ      to+0(FP), DI
	MOVQ      stretch+8(FP), R8
	MOVQ      move+16(FP), R9
	MOVQ      n+32(FP), CX
	LEAQ      ·constants(SB), BX
	VCVTSI2SSQ CX, X7, X7
	VXORPS    Y0, Y0, Y0
	XORQ      AX, AX

add:
	VADDPS (DI)(AX*4), Y0, Y0
	ADDQ   $8, AX
	CMPQ   AX, CX
	JLT    add
	SUM(Y0, X0, X1)
	VDIVSS X7, X0, X0
	VBROADCASTSS X0, Y0 // the mean
	VXORPS Y1, Y1, Y1
	XORQ   AX, AX

square:
	VMOVUPS     (DI)(AX*4), Y2
	VSUBPS      Y0, Y2, Y2
	VFMADD231PS Y2, Y2, Y1
	VMOVUPS     Y2, (DI)(AX*4)
	ADDQ        $8, AX
	CMPQ        AX, CX
	JLT         square
	SUM(Y1, X1, X2)
	VDIVSS      X7, X1, X1
	VADDSS      epsilon+24(FP), X1, X1
	VSQRTSS     X1, X1, X1
	VMOVSS      44(BX), X2
	VDIVSS      X1, X2, X2
	VBROADCASTSS X2, Y2
	XORQ        AX, AX

stretch:
	VMULPS      (DI)(AX*4), Y2, Y0
	VMOVUPS     (R8)(AX*4), Y1
	VFMADD213PS (R9)(AX*4), Y1, Y0
	VMOVUPS     Y0, (DI)(AX*4)
	ADDQ        $8, AX
	CMPQ        AX, CX
	JLT         stretch
	VZEROUPPER
	RET

// func largestAVX2(of *float32, n int) float32
TEXT ·largestAVX2(SB), NOSPLIT, $0-20
	MOVQ         of+0(FP), SI
	MOVQ         n+8(FP), CX
	LEAQ         ·constants(SB), BX
	VBROADCASTSS 60(BX), Y2
	VXORPS       Y0, Y0, Y0
	XORQ         AX, AX

eight:
	VANDPS (SI)(AX*4), Y2, Y1
	VMAXPS Y1, Y0, Y0
	ADDQ   $8, AX
	CMPQ   AX, CX
	JLT    eight
	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X1, X0, X0
	VPERMILPS    $0x4E, X0, X1
	VMAXPS       X1, X0, X0
	VPERMILPS    $0xB1, X0, X1
	VMAXPS       X1, X0, X0
	VMOVSS       X0, ret+16(FP)
	VZEROUPPER
	RET

// func packAVX2(to *int16, from *float32, factor float32, n int)
// Each two numbers go side by side, 16 bytes after the two before.
TEXT ·packAVX2(SB), NOSPLIT, $0-32
	MOVQ         to+0(FP), DI
	MOVQ         from+8(FP), SI
	VBROADCASTSS factor+16(FP), Y4
	MOVQ         n+24(FP), CX

eight:
	VMULPS       (SI), Y4, Y0
	VCVTPS2DQ    Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPACKSSDW    X1, X0, X0
	VMOVD        X0, (DI)
	VPEXTRD      $1, X0, 16(DI)
	VPEXTRD      $2, X0, 32(DI)
	VPEXTRD      $3, X0, 48(DI)
	ADDQ         $32, SI
	ADDQ         $64, DI
	SUBQ         $8, CX
	JGT          eight
	VZEROUPPER
	RET

// func tileAVX2(to *float32, toRow int, a *float32, aRow int, b *float32, bRow int, n int)
TEXT ·tileAVX2(SB), NOSPLIT, $0-56
	MOVQ   to+0(FP), DI
	MOVQ   toRow+8(FP), BX
	MOVQ   a+16(FP), SI
	MOVQ   aRow+24(FP), R8
	MOVQ   b+32(FP), DX
	MOVQ   bRow+40(FP), R10
	MOVQ   n+48(FP), CX
	LEAQ   (R8)(R8*2), R9
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7

row:
	VMOVUPS      (DX), Y8
	VMOVUPS      32(DX), Y9
	VBROADCASTSS (SI), Y10
	VBROADCASTSS (SI)(R8*1), Y11
	VBROADCASTSS (SI)(R8*2), Y12
	VBROADCASTSS (SI)(R9*1), Y13
	VFMADD231PS  Y8, Y10, Y0
	VFMADD231PS  Y9, Y10, Y1
	VFMADD231PS  Y8, Y11, Y2
	VFMADD231PS  Y9, Y11, Y3
	VFMADD231PS  Y8, Y12, Y4
	VFMADD231PS  Y9, Y12, Y5
	VFMADD231PS  Y8, Y13, Y6
	VFMADD231PS  Y9, Y13, Y7
	ADDQ         R10, DX
	ADDQ         $4, SI
	DECQ         CX
	JNZ          row

	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ    BX, DI
	VMOVUPS Y2, (DI)
	VMOVUPS Y3, 32(DI)
	ADDQ    BX, DI
	VMOVUPS Y4, (DI)
	VMOVUPS Y5, 32(DI)
	ADDQ    BX, DI
	VMOVUPS Y6, (DI)
	VMOVUPS Y7, 32(DI)
	VZEROUPPER
	RET

// func weighAVX2(to *float32, n int)
TEXT ·weighAVX2(SB), NOSPLIT, $0-16
	MOVQ    to+0(FP), DI
	MOVQ    n+8(FP), CX
	EXPCONSTANTS
	VMOVUPS (DI), Y4
	XORQ    AX, AX

highest:
	VMAXPS       (DI)(AX*4), Y4, Y4
	ADDQ         $8, AX
	CMPQ         AX, CX
	JLT          highest
	VEXTRACTF128 $1, Y4, X5
	VMAXPS       X5, X4, X4
	VPERMILPS    $0x4E, X4, X5
	VMAXPS       X5, X4, X4
	VPERMILPS    $0xB1, X4, X5
	VMAXPS       X5, X4, X4
	VBROADCASTSS X4, Y4
	VXORPS       Y5, Y5, Y5
	XORQ         AX, AX

weigh:
	VMOVUPS (DI)(AX*4), Y0
	VSUBPS  Y4, Y0, Y0
	EXP
	VADDPS  Y0, Y5, Y5
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     weigh
	SUM(Y5, X5, X6)
	VDIVSS  X5, X14, X5
	VBROADCASTSS X5, Y5
	XORQ    AX, AX

divide:
	VMULPS  (DI)(AX*4), Y5, Y0
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     divide
	VZEROUPPER
	RET
