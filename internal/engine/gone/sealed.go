package gone

import (
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/stemma-memory/stemma/internal/atrest"
)

// mostSealed is more than any file holds whose parts are sealed.
const mostSealed = 2 << 30

// sealed searches what an encrypted store keeps around itself, in what was encrypted: an event that
// waits, and lines of receipts. It reports whether the file was searched.
func (s *sifting) sealed(f *os.File, place string, head []byte) (bool, error) {
	lines := strings.HasSuffix(place, ".jsonl") || strings.HasSuffix(place, ".jsonl.1")
	if !lines && !strings.HasPrefix(atrest.FileMagic, string(head)) {
		return false, nil
	}
	rest, err := io.ReadAll(io.LimitReader(f, mostSealed))
	if err != nil {
		return false, err
	}
	all := append(bytes.Clone(head), rest...)
	if !lines {
		text, err := atrest.UnsealAny(all)
		if err != nil {
			text = all // of another store: it cannot be read here
		}
		return true, s.take(place, text, true)
	}
	for line := range bytes.Lines(all) {
		text, err := atrest.UnsealLine(bytes.TrimSuffix(line, []byte{'\n'}))
		if err != nil {
			text = line
		}
		if err := s.take(place, append(text[:len(text):len(text)], '\n'), false); err != nil {
			return true, err
		}
	}
	return true, s.take(place, nil, true)
}
