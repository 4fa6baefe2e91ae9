package bench

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// tick is what /proc counts in: a hundredth of a second on every Linux.
const tick = 10 * time.Millisecond

// family returns the processor time of a process and its children, those that ended included; 0 of
// process 0 and on a system without /proc.
func family(first int) time.Duration {
	if first == 0 {
		return 0
	}
	sum, _ := processTime(fmt.Sprintf("/proc/%d/stat", first), 0)
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return sum
	}
	for _, path := range all {
		if t, parent := processTime(path, first); parent {
			sum += t
		}
	}
	return sum
}

// processTime reads what a process took, and whether parent began it. Of parent 0 its children that
// ended count too.
func processTime(path string, parent int) (time.Duration, bool) {
	text, err := os.ReadFile(path)
	if err != nil { // it ended meanwhile
		return 0, false
	}
	// its name, in brackets, may have spaces and brackets of its own
	const state, utime, cutime = 0, 11, 13
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < cutime+2 {
		return 0, false
	}
	last := utime + 2
	if parent == 0 {
		last = cutime + 2
	}
	var ticks int64
	for _, f := range fields[utime:last] {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0, false
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, string(fields[state+1]) == strconv.Itoa(parent)
}
