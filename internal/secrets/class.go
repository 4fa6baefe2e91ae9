package secrets

import "math"

// gone is what a secret's bytes are overwritten with while looking for more. No rule crosses it.
const gone = 0

// blank is white space, and what was hidden.
func blank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == gone
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func lower(c byte) bool { return c >= 'a' && c <= 'z' }

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

func alnum(c byte) bool { return digit(c) || lower(c) || upper(c) }

// wordly is what regular expressions call \w.
func wordly(c byte) bool { return alnum(c) || c == '_' }

func named(c byte) bool { return wordly(c) || c == '.' || c == '-' }

func base64ish(c byte) bool { return alnum(c) || c == '+' || c == '/' || c == '=' }

func tokenish(c byte) bool { return named(c) || base64ish(c) || c == '~' }

// folded is a letter of ASCII in lower case.
func folded(c byte) byte {
	if upper(c) {
		return c + 'a' - 'A'
	}
	return c
}

// run is where bytes of a class end that begin at at.
func run(text []byte, at int, in func(byte) bool) int {
	for at < len(text) && in(text[at]) {
		at++
	}
	return at
}

// runBack is where bytes of a class begin that end before at, at most most of them.
func runBack(text []byte, at, most int, in func(byte) bool) int {
	low := max(0, at-most)
	for at > low && in(text[at-1]) {
		at--
	}
	return at
}

func hasDigit(b []byte) bool {
	for _, c := range b {
		if digit(c) {
			return true
		}
	}
	return false
}

// entropy is Shannon's, in bits a byte.
func entropy(b []byte) float64 {
	var counts [256]int
	for _, c := range b {
		counts[c]++
	}
	var bits float64
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(b))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// word widens a span to the white space around it, or to what is hidden already.
func word(work []byte, start, end int) (int, int) {
	for start > 0 && !blank(work[start-1]) {
		start--
	}
	for end < len(work) && !blank(work[end]) {
		end++
	}
	return start, end
}
