//go:build !purego

package bert

// best are the kernels this processor is quickest with.
var best = ways()[1]

// ways are all it has. Every arm64 knows what these need.
func ways() []kernels {
	fast := plain
	fast.name, fast.products, fast.tile = "neon", inBlocks(productsNEON), tileFast
	return []kernels{plain, fast}
}

func tileFast(to []float32, toRow int, a []float32, aRow int, b []float32, bRow int, n int) {
	_, _, _ = to[:3*toRow+block], a[:3*aRow+n], b[:(n-1)*bRow+block]
	tileNEON(&to[0], 4*toRow, &a[0], 4*aRow, &b[0], 4*bRow, n)
}

//go:noescape
func productsNEON(sums *int32, numbers *int16, codes *byte, pairs, row int)

//go:noescape
func tileNEON(to *float32, toRow int, a *float32, aRow int, b *float32, bRow int, n int)
