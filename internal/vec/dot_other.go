//go:build !amd64 || purego

package vec

const fast = false

func dotsFast(out []int32, query []int16, codes []byte) { dotsPlain(out, query, codes) }

func sumFast([]byte) uint64 { panic("vec: fast is false") }
