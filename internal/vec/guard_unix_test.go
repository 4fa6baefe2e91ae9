//go:build linux || darwin

package vec

import (
	"syscall"
	"testing"
)

// The codes end where memory ends: a byte too far ends the process.
func TestDotsReadNothingAfterTheCodes(t *testing.T) {
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	if err := syscall.Mprotect(memory[page:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	for i := range page {
		memory[i] = byte(i)
	}
	for stride := lane; stride <= 1024; stride += lane {
		for n := 1; n <= 4; n++ {
			codes := memory[page-n*stride : page]
			query, got, want := make([]int16, stride), make([]int32, n), make([]int32, n)
			for i := range query {
				query[i] = int16(i - 7)
			}
			dots(got, query, codes, false)
			dotsByHand(want, query, codes)
			if got[n-1] != want[n-1] {
				t.Fatalf("%d codes: %d, want %d", stride, got[n-1], want[n-1])
			}
		}
	}
}
