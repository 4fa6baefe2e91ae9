//go:build (amd64 || arm64) && !purego

package bert

import "unsafe"

// check panics rather than let a kernel read or write beyond what there is.
func check(sums []int32, numbers []int16, m *matrix, groups int) {
	_ = sums[: groups*laneSize*m.outputs : len(sums)]
	_ = numbers[: groups*laneSize*m.inputs : len(numbers)]
	_ = m.codes[:m.inputs*m.outputs]
	if m.inputs < 2 || m.inputs%2 != 0 || m.outputs%(2*block) != 0 {
		panic("bert: no whole blocks")
	}
}

// bytesOf are the bytes of a string, to read only.
func bytesOf(s string) *byte { return unsafe.StringData(s) }

// past is n bytes after p.
func past(p *byte, n int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(p), n)) }

// inBlocks makes products of a kernel for one block of outputs and one group of tokens; row is the distance of two
// tokens' sums in bytes.
func inBlocks(
	kernel func(sums *int32, numbers *int16, codes *byte, pairs, row int),
) func(sums []int32, numbers []int16, m *matrix, groups int) {
	return func(sums []int32, numbers []int16, m *matrix, groups int) {
		check(sums, numbers, m, groups)
		codes := bytesOf(m.codes)
		for from := 0; from < m.outputs; from += block {
			for group := range groups {
				kernel(
					&sums[group*laneSize*m.outputs+from], &numbers[group*laneSize*m.inputs],
					past(codes, from*m.inputs), m.inputs/2, 4*m.outputs,
				)
			}
		}
	}
}
