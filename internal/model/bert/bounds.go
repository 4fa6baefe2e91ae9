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
