package secrets

import (
	"bytes"
	"encoding/base64"
)

// Bounds of a key that is written in base64 as a whole.
const (
	keyLeast   = 40  // characters; fewer are an example
	wrapLong   = 128 // of a line that goes on in the next
	derHead    = 12  // bytes that say what a key in binary form is
	ppkLongest = 256 // lines
)

// encodedKeys are what a private key in base64 begins with, once more in base64: that of a block of PEM, of a
// key of PuTTY, and of the body of a key of OpenSSH.
var encodedKeys = []string{"LS0tLS1CRUdJTi", "UHVUVFktVXNlci1LZXktRmls", "b3BlbnNzaC1rZXktdjE"}

// lookEncoded finds a file with a private key in base64, on one line or in several.
func lookEncoded(s *scanner, at, _ int) (start, end int, ok bool) {
	if at > 0 && base64ish(s.text[at-1]) && s.text[at-1] != '=' && !escape(s.text, at) {
		return 0, 0, false
	}
	if at < s.left {
		return 0, 0, false
	}
	end, letters := wrapped(s.text, at)
	plain := make([]byte, base64.RawStdEncoding.DecodedLen(len(letters)))
	n, _ := base64.RawStdEncoding.Decode(plain, letters) // as far as it goes
	plain = plain[:n]
	ok = len(letters) >= keyLeast && (bytes.Contains(plain, []byte("PRIVATE KEY")) ||
		bytes.HasPrefix(plain, []byte("PuTTY-User-Key")) || bytes.HasPrefix(plain, []byte("openssh-key-v1")))
	s.leave(end)
	return at, end, ok
}

// leave notes how far base64 was read, so that no key is looked for again inside it.
func (s *scanner) leave(end int) { s.left = max(s.left, end) }

// lookDER finds a private key in binary form in base64, without the lines around it: a sequence that begins
// with the number of its version, which certificates and public keys do not.
func lookDER(s *scanner, at, _ int) (start, end int, ok bool) {
	if at > 0 && (base64ish(s.text[at-1]) && s.text[at-1] != '=' || s.text[at-1] == '-') && !escape(s.text, at) {
		return 0, 0, false
	}
	if at < s.left {
		return 0, 0, false
	}
	end, letters := wrapped(s.text, at)
	if s.leave(end); len(letters) < keyLeast {
		return 0, end, false
	}
	head := make([]byte, derHead)
	if n, err := base64.RawStdEncoding.Decode(head, letters[:16]); err != nil || n < derHead {
		return 0, end, false
	}
	size, in := 0, 2
	switch head[1] {
	case 0x82:
		size, in = int(head[2])<<8|int(head[3]), 4
	case 0x81:
		size, in = int(head[2]), 3
	default:
		size = int(head[1])
	}
	have := len(letters) * 3 / 4
	ok = head[0] == 0x30 && head[in] == 2 && head[in+1] == 1 && head[in+2] <= 3 && size+in <= have && size+in+3 > have
	return at, end, ok
}

// wrapped reads base64 from at: where it ends, and its letters without the ends of lines and the padding. A
// line goes on in the next as long as it is as long as the first.
func wrapped(text []byte, at int) (end int, letters []byte) {
	end = run(text[:min(len(text), at+pemMostBody)], at, base64ish)
	first := end - at
	letters = bytes.TrimRight(text[at:end:end], "=")
	if first > wrapLong || len(letters) < first {
		return end, letters
	}
	for n := first; n == first && len(letters) < pemMostBody; {
		line := newLine(text, end)
		if line == 0 {
			break
		}
		stop := run(text[:min(len(text), line+first+1)], line, base64ish)
		if n = stop - line; n == 0 || n > first || !ends(text, stop) {
			break
		}
		letters, end = append(letters, bytes.TrimRight(text[line:stop], "=")...), stop
	}
	return end, letters
}

// newLine is where the line after the one that ends at at begins, past its blanks and the signs of a
// quotation; 0 where none ends there. The end may be escaped.
func newLine(text []byte, at int) int {
	i := at
	if i < len(text) && text[i] == '\r' {
		i++
	}
	switch {
	case i < len(text) && text[i] == '\n':
		i++
	case bytes.HasPrefix(text[i:], []byte(`\r\n`)):
		i += 4
	case bytes.HasPrefix(text[i:], []byte(`\n`)):
		i += 2
	default:
		return 0
	}
	return run(text[:min(len(text), i+nameLong)], i, func(c byte) bool {
		return c == ' ' || c == '\t' || c == '>' || c == '|'
	})
}

// lookPuTTY finds the lines of a key of PuTTY that are private: as many as it says, of base64.
func lookPuTTY(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	i := inline(text, at+length)
	stop := run(text[:min(len(text), i+4)], i, digit)
	lines := 0
	for _, c := range text[i:stop] {
		lines = lines*10 + int(c-'0')
	}
	letters := 0
	for line := newLine(text, stop); lines > 0 && lines <= ppkLongest && line > 0; lines-- {
		n := run(text[:min(len(text), line+wrapLong)], line, base64ish)
		if n == line || !ends(text, n) {
			break
		}
		if start == 0 {
			start = line
		}
		letters += n - line
		end = n
		line = newLine(text, n)
	}
	return start, max(end, stop), letters >= pemLine
}
