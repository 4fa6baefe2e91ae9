//go:build !purego

package vec

// fast says whether this processor, and the system that keeps its registers,
// know AVX2.
var fast = hasAVX2()

func hasAVX2() bool {
	const (
		osxsave = 1 << 27 // leaf 1, ecx
		avx     = 1 << 28
		avx2    = 1 << 5 // leaf 7, ebx
		xmmYmm  = 0b110  // extended control register 0
	)
	if leaves, _, _, _ := cpuid(0, 0); leaves < 7 {
		return false
	}
	if _, _, ecx, _ := cpuid(1, 0); ecx&(osxsave|avx) != osxsave|avx {
		return false
	}
	if low, _ := xgetbv(); low&xmmYmm != xmmYmm {
		return false
	}
	_, ebx, _, _ := cpuid(7, 0)
	return ebx&avx2 != 0
}

// dotsFast is dots with AVX2. It panics rather than read beyond codes.
func dotsFast(out []int32, query []int16, codes []byte) {
	_ = codes[: len(out)*len(query) : len(codes)]
	if len(out) == 0 || len(query) == 0 || len(query)%lane != 0 {
		panic("vec: no whole lanes")
	}
	dotsAVX2(&out[0], &query[0], &codes[0], len(out), len(query))
}

// dotsAVX2 reads n vectors of stride codes each; neither may be 0.
//
//go:noescape
func dotsAVX2(out *int32, query *int16, codes *byte, n, stride int)

// sumAVX2 adds up n bytes, a multiple of 128, as 64-bit words. It does nothing
// but read, for benchmarks to compare with.
//
//go:noescape
func sumAVX2(p *byte, n int) uint64

// sumFast is sumAVX2 of whole 128 bytes.
func sumFast(b []byte) uint64 {
	if len(b) == 0 {
		return 0
	}
	return sumAVX2(&b[0], len(b))
}

func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

func xgetbv() (low, high uint32)
