//go:build !purego

#include "textflag.h"

// The assembler does not know these, so they are written as numbers. WIDEN is SXTL (WIDEN2: SXTL2), which makes 16-bit
// words of bytes. ADDUP is SMLAL by element (ADDUP2: SMLAL2): it multiplies four words of register n with one of V0
// and adds the products to the four sums of register d.
#define WIDEN(n, d) WORD $(0x0F08A400 | (n << 5) | d)
#define WIDEN2(n, d) WORD $(0x4F08A400 | (n << 5) | d)
#define ADDUP(lane, n, d) WORD $(0x0F402000 | ((lane & 3) << 20) | ((lane & 4) << 9) | (n << 5) | d)
#define ADDUP2(lane, n, d) WORD $(0x4F402000 | ((lane & 3) << 20) | ((lane & 4) << 9) | (n << 5) | d)

// TOKEN adds the products of one token, whose two numbers are at two lanes of V0.
#define TOKEN(first, second, d0, d1, d2, d3) \
	ADDUP(first, 3, d0)   \
	ADDUP2(first, 3, d1)  \
	ADDUP(first, 4, d2)   \
	ADDUP2(first, 4, d3)  \
	ADDUP(second, 5, d0)  \
	ADDUP2(second, 5, d1) \
	ADDUP(second, 6, d2)  \
	ADDUP2(second, 6, d3)

// func productsNEON(sums *int32, numbers *int16, codes *byte, pairs, row int)
// 16 outputs, 4 tokens.
TEXT ·productsNEON(SB), NOSPLIT, $0-40
	MOVD sums+0(FP), R0
	MOVD numbers+8(FP), R1
	MOVD codes+16(FP), R2
	MOVD pairs+24(FP), R3
	MOVD row+32(FP), R4
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	VEOR V20.B16, V20.B16, V20.B16
	VEOR V21.B16, V21.B16, V21.B16
	VEOR V22.B16, V22.B16, V22.B16
	VEOR V23.B16, V23.B16, V23.B16
	VEOR V24.B16, V24.B16, V24.B16
	VEOR V25.B16, V25.B16, V25.B16
	VEOR V26.B16, V26.B16, V26.B16
	VEOR V27.B16, V27.B16, V27.B16
	VEOR V28.B16, V28.B16, V28.B16
	VEOR V29.B16, V29.B16, V29.B16
	VEOR V30.B16, V30.B16, V30.B16
	VEOR V31.B16, V31.B16, V31.B16

pair:
	// V1 the codes of the 16 outputs to the first input, V2 to the second
	VLD2.P 32(R2), [V1.B16, V2.B16]
	VLD1.P 16(R1), [V0.H8]
	WIDEN(1, 3)
	WIDEN2(1, 4)
	WIDEN(2, 5)
	WIDEN2(2, 6)
	TOKEN(0, 1, 16, 17, 18, 19)
	TOKEN(2, 3, 20, 21, 22, 23)
	TOKEN(4, 5, 24, 25, 26, 27)
	TOKEN(6, 7, 28, 29, 30, 31)
	SUBS $1, R3
	BNE  pair

	VST1 [V16.S4, V17.S4, V18.S4, V19.S4], (R0)
	ADD  R4, R0
	VST1 [V20.S4, V21.S4, V22.S4, V23.S4], (R0)
	ADD  R4, R0
	VST1 [V24.S4, V25.S4, V26.S4, V27.S4], (R0)
	ADD  R4, R0
	VST1 [V28.S4, V29.S4, V30.S4, V31.S4], (R0)
	RET

#define ROW(a, d0, d1, d2, d3) \
	VFMLA V4.S4, a.S4, d0.S4 \
	VFMLA V5.S4, a.S4, d1.S4 \
	VFMLA V6.S4, a.S4, d2.S4 \
	VFMLA V7.S4, a.S4, d3.S4

// func tileNEON(to *float32, toRow int, a *float32, aRow int, b *float32, bRow int, n int)
TEXT ·tileNEON(SB), NOSPLIT, $0-56
	MOVD to+0(FP), R0
	MOVD toRow+8(FP), R1
	MOVD a+16(FP), R2
	MOVD aRow+24(FP), R3
	MOVD b+32(FP), R4
	MOVD bRow+40(FP), R5
	MOVD n+48(FP), R6
	ADD  R3, R2, R7
	ADD  R3, R7, R8
	ADD  R3, R8, R9
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	VEOR V20.B16, V20.B16, V20.B16
	VEOR V21.B16, V21.B16, V21.B16
	VEOR V22.B16, V22.B16, V22.B16
	VEOR V23.B16, V23.B16, V23.B16
	VEOR V24.B16, V24.B16, V24.B16
	VEOR V25.B16, V25.B16, V25.B16
	VEOR V26.B16, V26.B16, V26.B16
	VEOR V27.B16, V27.B16, V27.B16
	VEOR V28.B16, V28.B16, V28.B16
	VEOR V29.B16, V29.B16, V29.B16
	VEOR V30.B16, V30.B16, V30.B16
	VEOR V31.B16, V31.B16, V31.B16

row:
	VLD1    (R4), [V4.S4, V5.S4, V6.S4, V7.S4]
	ADD     R5, R4
	VLD1R.P 4(R2), [V0.S4]
	VLD1R.P 4(R7), [V1.S4]
	VLD1R.P 4(R8), [V2.S4]
	VLD1R.P 4(R9), [V3.S4]
	ROW(V0, V16, V17, V18, V19)
	ROW(V1, V20, V21, V22, V23)
	ROW(V2, V24, V25, V26, V27)
	ROW(V3, V28, V29, V30, V31)
	SUBS $1, R6
	BNE  row

	VST1 [V16.S4, V17.S4, V18.S4, V19.S4], (R0)
	ADD  R1, R0
	VST1 [V20.S4, V21.S4, V22.S4, V23.S4], (R0)
	ADD  R1, R0
	VST1 [V24.S4, V25.S4, V26.S4, V27.S4], (R0)
	ADD  R1, R0
	VST1 [V28.S4, V29.S4, V30.S4, V31.S4], (R0)
	RET
