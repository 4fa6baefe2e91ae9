package code

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"github.com/stemma-memory/stemma/internal/symbol"
	"github.com/stemma-memory/stemma/memory"
)

// file is the text of a file, with CRLF made LF.
type file struct {
	path   string
	text   []byte
	starts []int // where each line begins
	parsed *symbol.File
}

func newFile(path string, raw []byte) *file {
	f := &file{path: path, text: bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))}
	if len(f.text) > 0 {
		f.starts = append(f.starts, 0)
	}
	for at := 0; ; {
		next := bytes.IndexByte(f.text[at:], '\n')
		if at += next + 1; next < 0 || at == len(f.text) {
			return f
		}
		f.starts = append(f.starts, at)
	}
}

func (f *file) symbol(name string) (symbol.Span, symbol.Status, string) {
	if f.parsed == nil {
		f.parsed = symbol.Parse(f.path, f.text)
	}
	return f.parsed.Find(name)
}

func (f *file) lines() int { return len(f.starts) }

// span returns the lines from start to end, without the last one's line break.
func (f *file) span(start, end int) ([]byte, bool) {
	if start < 1 || end < start || end > f.lines() {
		return nil, false
	}
	if end < f.lines() {
		return f.text[f.starts[start-1] : f.starts[end]-1], true
	}
	return bytes.TrimSuffix(f.text[f.starts[start-1]:], []byte("\n")), true
}

// places returns the lines at which a text of whole lines begins.
func (f *file) places(text []byte) []int {
	var list []int
	n := bytes.Count(text, []byte("\n"))
	for i, at := range f.starts {
		if rest := f.text[at:]; bytes.HasPrefix(rest, text) {
			if span, ok := f.span(i+1, i+1+n); ok && len(span) == len(text) {
				list = append(list, i+1)
			}
		}
	}
	return list
}

// windows returns the lines at which n lines of a hash begin. What it hashes is
// taken from the budget; when that is spent it says that it did not look.
func (f *file) windows(hash string, n int, budget *int) (list []int, looked bool) {
	for start := 1; start+n-1 <= f.lines(); start++ {
		span, _ := f.span(start, start+n-1)
		if *budget -= len(span) + sha256.BlockSize; *budget < 0 {
			return nil, false
		}
		if sum(span) == hash {
			list = append(list, start)
		}
	}
	return list, true
}

// located is where lines of an older text are likely to be in this one: as far
// from the nearest lines that both texts have exactly once. It is used only for
// lines that changed.
func (f *file) located(old *file, start, end int) (int, int) {
	there := f.singles()
	was := old.singles()
	to := func(from, step, otherwise int) int {
		for i := from; i >= 1 && i <= old.lines(); i += step {
			line, _ := old.span(i, i)
			if now, here := there[string(line)]; here && now > 0 && was[string(line)] > 0 {
				return now + from - i
			}
		}
		return otherwise
	}
	last := max(f.lines(), 1)
	start = min(max(to(start, -1, start), 1), last)
	end = min(max(to(end, +1, end+f.lines()-old.lines()), start), last)
	return start, end
}

// singles returns the number of each line that the text has once, and 0 for others.
func (f *file) singles() map[string]int {
	all := make(map[string]int, f.lines())
	for i := range f.lines() {
		line, _ := f.span(i+1, i+1)
		if _, again := all[string(line)]; again {
			all[string(line)] = 0
		} else {
			all[string(line)] = i + 1
		}
	}
	return all
}

// sum is the SHA-256 of what was made LF already.
func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

// whole tells refs to whole files.
func whole(e memory.Evidence) bool { return e.Symbol == "" && e.Start == 0 }
