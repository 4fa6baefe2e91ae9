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
	if q < op && text[q] == ':' {
		if begin := blockAt(text, inline(text, q+1)); begin > 0 {
			return begin, true
		}
	}
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
			low := bytes.ToLower(b)
			return placeholders[string(low)] || yours(low)
		}
	}
	return true
}

// yours says that a value in small letters tells its reader to put an own one there.
func yours(b []byte) bool {
	for _, w := range []string{"your-", "your_", "my-secret-", "insert-", "insert_", "replace-", "replace_"} {
		if bytes.HasPrefix(b, []byte(w)) {
			return !hasDigit(b)
		}
	}
	return false
}

// placeholders are what examples write for a password.
var placeholders = map[string]bool{
	"changeme": true, "example": true, "hidden": true, "pass": true, "passwd": true, "password": true,
	"pw": true, "pwd": true, "redacted": true, "secret": true, "token": true, "your-password": true,
	"yourpassword": true, "your_password": true,
}

// blockAt is where the first line begins of a block of YAML whose sign is at at, after its type and its name:
// "|" or ">", with a number or a sign of its own, and under it lines that are set in. It is 0 where there is none.
func blockAt(text []byte, at int) int {
	for n := 0; n < 2 && at < len(text) && (text[at] == '!' || text[at] == '&'); n++ { // its type, its name
		at = inline(text, run(text[:min(len(text), at+nameLong)], at, func(c byte) bool { return !blank(c) }))
	}
	if at >= len(text) || text[at] != '|' && text[at] != '>' {
		return 0
	}
	i := run(text[:min(len(text), at+3)], at+1, func(c byte) bool { return c == '-' || c == '+' || digit(c) })
	if i = inline(text, i); i < len(text) && text[i] == '#' {
		i = run(text[:min(len(text), i+nameLong)], i, func(c byte) bool { return c != '\n' && c != '\\' })
	}
	if i < len(text) && text[i] == '\r' {
		i++
	}
	switch {
	case i < len(text) && text[i] == '\n':
		i++
	case bytes.HasPrefix(text[i:], []byte(`\n`)):
		i += 2
	default:
		return 0
	}
	i = run(text[:min(len(text), i+2)], i, func(c byte) bool { return c == '\n' }) // lines with nothing
	if begin := indented(text, i); begin > i && begin < len(text) && text[begin] != '\n' {
		return begin
	}
	return 0
}

// indented is where a line begins that is set in.
func indented(text []byte, at int) int {
	return run(text[:min(len(text), at+nameLong)], at, func(c byte) bool { return c == ' ' || c == '\t' })
}

// blockValue is the lines of a block of YAML from the first at begin to the last that is set in as far.
func blockValue(text []byte, begin int) value {
	deep := begin - runBack(text, begin, nameLong, func(c byte) bool { return c == ' ' || c == '\t' })
	v := value{start: begin, end: begin, block: true}
	for at := begin; ; {
		stop := run(text[:min(len(text), begin+valueLong)], at, func(c byte) bool {
			return c != '\n' && c != '\r' && c != '\\' && c != '"' && c != gone
		})
		v.end = stop
		line := 0
		switch {
		case stop < len(text) && text[stop] == '\n':
			line = stop + 1
		case bytes.HasPrefix(text[stop:], []byte(`\n`)):
			line = stop + 2
		case bytes.HasPrefix(text[stop:], []byte("\r\n")):
			line = stop + 2
		}
		at = indented(text, line)
		if line == 0 || at-line < deep || at == len(text) || text[at] == '\n' {
			v.end = begin + len(bytes.TrimRight(text[begin:v.end], " \t"))
			return v
		}
	}
}
