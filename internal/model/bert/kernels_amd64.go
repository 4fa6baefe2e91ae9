//go:build !purego

package bert

// best are the kernels this processor is quickest with.
var best = quickest()

// ways are all it has.
func ways() []kernels {
	has := []kernels{plain}
	avx2, avxVNNI, wide := known()
	if !avx2 {
		return has
	}
	fast := kernels{
		name: "avx2", products: inBlocks(productsAVX2), scale: scaleFast, add: addFast, bend: bendFast, level: levelFast,
		largest: largestFast, pack: packFast, tile: tileFast, weigh: weighFast,
	}
	has = append(has, fast)
	if avxVNNI {
		fast.name, fast.products = "avx-vnni", inBlocks(productsAVXVNNI)
		has = append(has, fast)
	}
	if wide {
		fast.name, fast.products = "avx512-vnni", productsByVNNI
		has = append(has, fast)
	}
	return has
}

func quickest() kernels {
	has := ways()
	return has[len(has)-1]
}

// known says what this processor, and the system that keeps its registers, know: AVX2 with FMA, VNNI on its registers,
// and VNNI on those of AVX-512.
func known() (avx2, vnni, wide bool) {
	const (
		fma     = 1 << 12 // leaf 1, ecx
		osxsave = 1 << 27
		avx     = 1 << 28
		has2    = 1 << 5                        // leaf 7, ebx
		has512  = 1<<16 | 1<<17 | 1<<30 | 1<<31 // F, DQ, BW, VL
		hasWide = 1 << 11                       // leaf 7, ecx
		hasVNNI = 1 << 4                        // leaf 7.1, eax
		ymm     = 0b110                         // extended control register 0
		zmm     = 0b11100110
	)
	if leaves, _, _, _ := cpuid(0, 0); leaves < 7 {
		return false, false, false
	}
	if _, _, ecx, _ := cpuid(1, 0); ecx&(osxsave|avx|fma) != osxsave|avx|fma {
		return false, false, false
	}
	low, _ := xgetbv()
	subleaves, ebx, ecx, _ := cpuid(7, 0)
	if low&ymm != ymm || ebx&has2 == 0 {
		return false, false, false
	}
	if subleaves >= 1 {
		eax, _, _, _ := cpuid(7, 1)
		vnni = eax&hasVNNI != 0
	}
	return true, vnni, low&zmm == zmm && ebx&has512 == has512 && ecx&hasWide != 0
}

func productsByVNNI(sums []int32, numbers []int16, m *matrix, groups int) {
	check(sums, numbers, m, groups)
	codes := bytesOf(m.codes)
	for from := 0; from < m.outputs; from += 2 * block {
		at := past(codes, from*m.inputs)
		group := 0
		for ; group+2 <= groups; group += 2 {
			productsVNNI8(
				&sums[group*laneSize*m.outputs+from], &numbers[group*laneSize*m.inputs], at, m.inputs/2, 4*m.outputs,
			)
		}
		if group < groups {
			productsVNNI4(
				&sums[group*laneSize*m.outputs+from], &numbers[group*laneSize*m.inputs], at, m.inputs/2, 4*m.outputs,
			)
		}
	}
}

// lanes is how many floats the loops take at a time; all lengths are a multiple of it.
const lanes = 8

func whole(n int) int {
	if n == 0 || n%lanes != 0 {
		panic("bert: no whole lanes")
	}
	return n
}

func scaleFast(to []float32, sums []int32, m *matrix, factor float32) {
	n := whole(len(to))
	scaleAVX2(&to[0], &sums[:n][0], &m.scales[:n][0], &m.biases[:n][0], factor, n)
}

func addFast(to, from []float32) { addAVX2(&to[0], &from[:len(to)][0], whole(len(to))) }

func bendFast(to []float32) { bendAVX2(&to[0], whole(len(to))) }

func levelFast(to []float32, by norm, epsilon float32) {
	n := whole(len(to))
	levelAVX2(&to[0], &by.stretch[:n][0], &by.move[:n][0], epsilon, n)
}

func largestFast(of []float32) float32 { return largestAVX2(&of[0], whole(len(of))) }

func packFast(to []int16, from []float32, factor float32) {
	n := whole(len(from))
	_ = to[:laneSize*(n-2)+2]
	packAVX2(&to[0], &from[0], factor, n)
}

func tileFast(to []float32, toRow int, a []float32, aRow int, b []float32, bRow int, n int) {
	_, _, _ = to[:3*toRow+block], a[:3*aRow+n], b[:(n-1)*bRow+block]
	tileAVX2(&to[0], 4*toRow, &a[0], 4*aRow, &b[0], 4*bRow, n)
}

func weighFast(to []float32, n int) {
	whole(len(to))
	_ = to[:n]
	// what is not to be weighed is as small as can be
	for i := n; i < len(to); i++ {
		to[i] = -1e30
	}
	weighAVX2(&to[0], len(to))
	clear(to[n:])
}

//go:noescape
func productsAVX2(sums *int32, numbers *int16, codes *byte, pairs, row int)

//go:noescape
func productsAVXVNNI(sums *int32, numbers *int16, codes *byte, pairs, row int)

//go:noescape
func productsVNNI8(sums *int32, numbers *int16, codes *byte, pairs, row int)

//go:noescape
func productsVNNI4(sums *int32, numbers *int16, codes *byte, pairs, row int)

//go:noescape
func scaleAVX2(to *float32, sums *int32, scales, biases *float32, factor float32, n int)

//go:noescape
func addAVX2(to, from *float32, n int)

//go:noescape
func bendAVX2(to *float32, n int)

//go:noescape
func levelAVX2(to, stretch, move *float32, epsilon float32, n int)

//go:noescape
func largestAVX2(of *float32, n int) float32

//go:noescape
func packAVX2(to *int16, from *float32, factor float32, n int)

//go:noescape
func tileAVX2(to *float32, toRow int, a *float32, aRow int, b *float32, bRow int, n int)

//go:noescape
func weighAVX2(to *float32, n int)

func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

func xgetbv() (low, high uint32)
