package canon

import "unicode/utf8"

// AppendText appends s to b as RFC 8785 writes a string, in quotes. Bytes of s
// that are not valid UTF-8 become U+FFFD each, as with Marshal.
func AppendText(b []byte, s string) []byte {
	b = append(b, '"')
	begin := len(b)
	b = append(b, s...)
	plain := skipPlain(b, begin)
	if plain == len(b) {
		return append(b, '"')
	}
	s, b = s[plain-begin:], b[:plain]
	done := 0 // what is before has been written
	for i := 0; i < len(s); {
		c := s[i]
		if c >= firstPrintable && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		char, size := utf8.DecodeRuneInString(s[i:])
		b = appendChar(append(b, s[done:i]...), char)
		i += size
		done = i
	}
	return append(append(b, s[done:]...), '"')
}
