// Package media puts the name of a picture, a sound or a file in the place of its bytes: its kind and its
// size. Bytes that are written as text say nothing to a reader, and fill what is kept.
package media

import (
	"fmt"
	"strings"
)

const (
	leastMarked = 16  // characters of base64 after what says that a picture follows
	leastKnown  = 40  // of what is known by its first bytes alone
	wrapLong    = 128 // of a line that goes on in the next
	kindLong    = 100 // bytes of the name of a kind
)

// A beginning is how a kind of file begins in base64.
type beginning struct{ text, kind string }

var beginnings = []beginning{
	{"iVBORw0KGgo", "image/png"}, {"/9j/4", "image/jpeg"}, {"/9j/2w", "image/jpeg"}, {"/9j/7", "image/jpeg"},
	{"R0lGODdh", "image/gif"}, {"R0lGODlh", "image/gif"}, {"UklGR", "image/webp"}, {"SUkqAA", "image/tiff"},
	{"TU0AKgAA", "image/tiff"}, {"SUQzB", "audio/mpeg"}, {"SUQzA", "audio/mpeg"}, {"T2dnUwAC", "audio/ogg"},
	{"ZkxhQwAA", "audio/flac"}, {"AAAAIGZ0eX", "video/mp4"}, {"AAAAHGZ0eX", "video/mp4"},
}

const scheme = "data:"

// Named puts names in the place of pictures, sounds and files in a text: of those in addresses that begin with
// "data:", and of those that are known by how they begin. It takes time in proportion to the text.
func Named(text string) string {
	if !holds(text) {
		return text
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(text); {
		end, name := nameAt(text, i)
		if end == 0 {
			i++
			continue
		}
		b.WriteString(text[at:i])
		b.WriteString(name)
		at, i = end, end
	}
	if at == 0 {
		return text
	}
	b.WriteString(text[at:])
	return b.String()
}

// holds says that something may have to be named.
func holds(text string) bool {
	if strings.Contains(text, ";base64,") || strings.Contains(text, ";BASE64,") {
		return true
	}
	for _, one := range beginnings {
		if strings.Contains(text, one.text) {
			return true
		}
	}
	return false
}

// nameAt names what begins at text[i]; end is 0 where nothing does.
func nameAt(text string, i int) (end int, name string) {
	switch text[i] {
	case 'd', 'D':
		return address(text, i)
	case 'i', '/', 'R', 'U', 'S', 'T', 'Z', 'A':
	default:
		return 0, ""
	}
	kind := kindOf(text[i:])
	if kind == "" || i > 0 && letter(text[i-1]) && !(i > 1 && text[i-2] == '\\') {
		return 0, ""
	}
	if end = base64End(text, i); end-i < leastKnown {
		return 0, ""
	}
	return end, nameOf(kind, text[i:end])
}

// address names what an address holds that begins with data:. Words and small parts of programs stay.
func address(text string, i int) (end int, name string) {
	if len(text)-i < len(scheme) || !strings.EqualFold(text[i:i+len(scheme)], scheme) {
		return 0, ""
	}
	head := text[i+len(scheme) : min(len(text), i+len(scheme)+kindLong)]
	comma := strings.IndexByte(head, ',')
	if comma < 0 || !strings.HasSuffix(strings.ToLower(head[:comma]), ";base64") {
		return 0, ""
	}
	kind, _, _ := strings.Cut(strings.ToLower(head[:comma]), ";")
	begin := i + len(scheme) + comma + 1
	end = base64End(text, begin)
	if end-begin < leastMarked || wordy(kind) {
		return 0, ""
	}
	return end, nameOf(kind, text[begin:end])
}

// wordy says that a kind of file is text.
func wordy(kind string) bool {
	return strings.HasPrefix(kind, "text/") || kind == "application/json" || strings.HasSuffix(kind, "javascript")
}

// kindOf is the kind of file that base64 begins, "" where it is none that is known.
func kindOf(data string) string {
	for _, one := range beginnings {
		if strings.HasPrefix(data, one.text) {
			if one.text == "UklGR" && len(data) > 16 && data[12:16] == "QVZF" { // the end of WAVE
				return "audio/wav"
			}
			return one.kind
		}
	}
	return ""
}

// base64End is where base64 ends that begins at at, on one line or in lines of one length.
func base64End(text string, at int) int {
	end := lettersEnd(text, at, len(text))
	first := end - at
	for n := first; n == first && first <= wrapLong && first > 0; {
		line := end
		switch {
		case strings.HasPrefix(text[line:], "\r\n"):
			line += 2
		case strings.HasPrefix(text[line:], "\n"):
			line++
		case strings.HasPrefix(text[line:], `\r\n`):
			line += 4
		case strings.HasPrefix(text[line:], `\n`):
			line += 2
		default:
			return end
		}
		stop := lettersEnd(text, line, min(len(text), line+first))
		if n = stop - line; n == 0 || stop < len(text) && strings.IndexByte("\r\n\\\"'` <)", text[stop]) < 0 {
			return end
		}
		end = stop
	}
	return end
}

func lettersEnd(text string, at, limit int) int {
	for at < limit && (letter(text[at]) || text[at] == '=' || text[at] == '-' || text[at] == '_' || text[at] == '%') {
		at++
	}
	return at
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}

// nameOf writes the kind and the size of what base64 holds.
func nameOf(kind, data string) string {
	n := 0
	for i := range len(data) {
		if letter(data[i]) || data[i] == '-' || data[i] == '_' {
			n++
		}
	}
	if kind == "" {
		kind = "file"
	}
	size := n * 3 / 4
	switch {
	case size < 1000:
		return fmt.Sprintf("[%s, %d bytes]", kind, size)
	case size < 1_000_000:
		return fmt.Sprintf("[%s, %d kB]", kind, (size+500)/1000)
	}
	return fmt.Sprintf("[%s, %.1f MB]", kind, float64(size)/1e6)
}
