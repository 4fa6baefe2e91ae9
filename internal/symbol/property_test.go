package symbol

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// commentMark returns the mark of a comment.
func commentMark(file string) string {
	if filepath.Ext(file) == ".py" {
		return "#"
	}
	return "//"
}

// text returns the lines of a span.
func text(src string, s Span) string {
	return strings.Join(strings.Split(src, "\n")[s.Start-1:s.End], "\n")
}

func TestEveryNameIsFound(t *testing.T) {
	for _, file := range nasty {
		src := load(t, file)
		crlf := []byte(strings.ReplaceAll(string(src), "\n", "\r\n"))
		symbols, _ := Names(file, src)
		for _, s := range symbols {
			for _, text := range [][]byte{src, crlf, append([]byte("\ufeff"), src...)} {
				if span, status, reason := Find(file, text, s.Name); span != s.Span || status != Found {
					t.Errorf("Find(%s, %s) = %v %v %q, want %v", file, s.Name, span, status, reason, s.Span)
				}
			}
		}
	}
}

// A comment outside a span leaves its text alone, and one inside changes it. An
// answer may become unknown where the comment falls into a string or macro.
func TestEditing(t *testing.T) {
	for _, file := range nasty {
		src := string(load(t, file))
		lines := strings.Split(src, "\n")
		symbols, _ := Names(file, []byte(src))
		found, unknown := 0, 0
		for at := range lines {
			for _, edit := range edits(lines, at, commentMark(file)+" edited") {
				edited := strings.Join(edit, "\n")
				f := Parse(file, []byte(edited))
				for _, s := range symbols {
					inside := s.Start-1 <= at && at < s.End
					if len(edit) > len(lines) { // before the line
						inside = s.Start-1 < at && at < s.End
					}
					span, status, reason := f.Find(s.Name)
					if status != Found {
						if status == Absent {
							t.Errorf("%s line %d edited: %s is absent: %s", file, at+1, s.Name, reason)
						}
						unknown++
						continue
					}
					found++
					if same := text(edited, span) == text(src, s.Span); same == inside {
						t.Errorf("%s line %d edited: %s is %v, was %v; inside is %v", file, at+1, s.Name, span, s.Span, inside)
					}
				}
			}
		}
		if unknown*10 > found {
			t.Errorf("%s: %d answers stayed found, %d became unknown", file, found, unknown)
		}
	}
}

// edits returns the lines with a comment behind one of them, and before it.
func edits(lines []string, at int, comment string) [][]string {
	behind := append([]string{}, lines...)
	behind[at] += " " + comment
	before := append([]string{}, lines[:at]...)
	return [][]string{behind, append(append(before, comment), lines[at:]...)}
}

// Whatever line goes missing, a symbol whose text is still there is not absent.
func TestALineGoesMissing(t *testing.T) {
	for _, file := range nasty {
		src := string(load(t, file))
		lines := strings.Split(src, "\n")
		symbols, _ := Names(file, []byte(src))
		for at := range lines {
			if strings.Contains(lines[at], "*/") {
				continue // the comment goes on, and takes in what follows
			}
			edited := strings.Join(append(append([]string{}, lines[:at]...), lines[at+1:]...), "\n")
			f := Parse(file, []byte(edited))
			for _, s := range symbols {
				if at >= s.Start-1 && at < s.End || strings.Contains(s.Name, f.lang.separator) {
					continue
				}
				if _, status, reason := f.Find(s.Name); status == Absent {
					t.Errorf("%s without line %d %q: %s is absent: %s", file, at+1, lines[at], s.Name, reason)
				}
			}
		}
	}
}

// A thousand lines take under two milliseconds.
func BenchmarkParse(b *testing.B) {
	for _, file := range nasty {
		one := string(load(b, file))
		if filepath.Ext(file) == ".go" {
			one = strings.TrimPrefix(one, "// Package nasty holds what a finder gets wrong.\npackage nasty\n\nimport \"fmt\"\n")
		}
		src := strings.Repeat(one+"\n", 1000/strings.Count(one, "\n"))
		if filepath.Ext(file) == ".go" {
			src = "package nasty\n" + src
		}
		b.Run(file, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if f := Parse(file, []byte(src)); f.why != "" {
					b.Fatal(f.why)
				}
			}
		})
	}
}

func BenchmarkFind(b *testing.B) {
	for _, file := range nasty {
		f := Parse(file, load(b, file))
		b.Run(fmt.Sprintf("%s/absent", file), func(b *testing.B) {
			for b.Loop() {
				f.Find("nowhere")
			}
		})
	}
}
