package hosts

import (
	"bytes"
	"io"
	"os"
)

// tailOf is how much of a conversation's file is looked at for the last answer.
const tailOf = 256 << 10

// eachFromEnd hands the last lines of a file to a function, the last one first, until that wants no more.
func eachFromEnd(path string, do func(line []byte) (more bool)) {
	if path == "" {
		return
	}
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	start := max(0, info.Size()-tailOf)
	tail, err := io.ReadAll(io.NewSectionReader(f, start, tailOf))
	if err != nil {
		return
	}
	lines := bytes.Split(tail, []byte("\n"))
	if start > 0 {
		lines = lines[1:] // the first is cut
	}
	for i := len(lines) - 1; i >= 0 && do(lines[i]); i-- {
	}
}
