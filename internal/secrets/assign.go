package secrets

import "bytes"

// How far things may be apart in what assigns a value to a name.
const (
	gapBytes   = 20 // between the anchor and the operator: the rest of the name
	quoteBytes = 4  // quotes and white space before the operator
	signBytes  = 4  // the operator itself
	openBytes  = 6  // quotes and white space before the value
	flagBytes  = 40 // of a command's flag before the anchor
)

// assigned finds the value that is given to the name in which text[start:at] stands: after an operator of
// some language, after "is" or "was", or after a command's flag.
func assigned(text []byte, start, at int) (value int, ok bool) {
	gap := run(text[:min(len(text), at+gapBytes)], at, gapped)
	q := run(text[:min(len(text), gap+quoteBytes)], gap, quoted)
	op := run(text[:min(len(text), q+signBytes)], q, sign)
	if op > q && !(op == q+1 && (text[q] == '|' || text[q] == '?')) {
		return opened(text, op, text[op-1] == '='), true
	}
	for _, verb := range []string{" is ", " was "} {
		if i := bytes.Index(text[at:min(len(text), gap+len(verb))], []byte(verb)); i >= 0 {
			return opened(text, at+i+len(verb), true), true
		}
	}
	if end := run(text[:gap], at, flagByte); end < len(text) && text[end] == ' ' && inFlag(text, start) {
		return opened(text, end, true), true
	}
	return 0, false
}

func gapped(c byte) bool { return named(c) || c == ' ' || c == '\t' }

func quoted(c byte) bool {
	return c == '\'' || c == '"' || c == '\\' || blank(c) && c != gone
}

func sign(c byte) bool {
	switch c {
	case '=', '>', ':', '|', '?', ',':
		return true
	}
	return false
}

func flagByte(c byte) bool { return wordly(c) || c == '-' }

// inFlag says that at is inside a word that begins with two dashes.
func inFlag(text []byte, at int) bool {
	start := runBack(text, at, flagBytes, flagByte)
	return bytes.HasPrefix(text[start:], []byte("--")) && (start == 0 || blank(text[start-1]))
}

// opened skips what may stand between an operator and the value. A line that ends with "NAME=" gives
// NAME nothing.
func opened(text []byte, at int, oneLine bool) int {
	return run(text[:min(len(text), at+openBytes)], at, func(c byte) bool {
		return (quoted(c) || c == '`' || c == '=') && !(oneLine && (c == '\n' || c == '\r'))
	})
}

// placeholder says that a value stands for a secret and is none.
func placeholder(b []byte) bool {
	switch {
	case len(b) == 0:
		return true
	case b[0] == '<' || b[0] == '{' || b[0] == '[' || b[0] == '*' || bytes.HasPrefix(b, []byte("...")):
		return true
	case b[0] == '$':
		return len(b) > 1 && (b[1] == '{' || b[1] == '(') || run(b, 1, wordly) == len(b)
	case b[0] == '%':
		return len(b) < 4 || b[1] == '(' || b[len(b)-1] == '%'
	}
	for _, c := range b[1:] {
		if c != b[0] {
			return placeholders[string(bytes.ToLower(b))]
		}
	}
	return true
}

// placeholders are what examples write for a password.
var placeholders = map[string]bool{
	"changeme": true, "example": true, "hidden": true, "pass": true, "passwd": true, "password": true,
	"pw": true, "pwd": true, "redacted": true, "secret": true, "token": true, "your-password": true,
	"yourpassword": true, "your_password": true,
}
