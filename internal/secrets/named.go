package secrets

import "bytes"

// Bounds of a value that stands beside a name which says that it is secret.
const (
	nameLong   = 64
	valueLong  = 256
	envShort   = 4  // of a password; a setting of letters alone too
	wordShort  = 6  // of letters alone where code may stand
	tokenShort = 12 // of a key or token of letters alone where code may stand
	blockBytes = 400

	technicalLong = 32 // of a value that begins with base64: or the like
)

// namedRule finds what is given to a name with PASS, SECRET, TOKEN or KEY in it, of letters alone too.
// The other rules for names want a mixture, since code is full of such names. This one reads the name
// as a whole and the form around it: a setting, a file of settings, a text in quotes.
func namedRule() *rule {
	return &rule{
		id: "named-secret", fold: true, look: lookNamed,
		anchors: []string{"pass", "pwd", "psk", "secret", "token", "key", "kennwort"},
	}
}

func lookNamed(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	from := runBack(text, at, nameLong, named)
	stop := run(text[:min(len(text), at+nameLong)], at, named)
	n := nameOf(text[from:stop])
	if n.class == nothing {
		return 0, stop, false
	}
	v := valueAfter(text, from, stop, n)
	if v.start == 0 || v.end <= v.start || !n.takes(text[v.start:v.end], v) {
		return 0, stop, false
	}
	return v.start, v.end, true
}

// A value is what is given to a name, and how it stands there.
type value struct {
	start, end int
	quote      bool
	block      bool // it is lines of a block of YAML
	spaced     bool // blanks are before it, and more than a colon
	next       byte // that follows, 0 at the end
}

// valueAfter finds the value of the name text[from:at]; it starts at 0 where there is none.
func valueAfter(text []byte, from, at int, n nameClass) value {
	i, closes := at, false
	if from > 0 && text[from-1] == '<' && i < len(text) && text[i] == '>' { // <password>…</password>
		end := run(text[:min(len(text), i+1+valueLong)], i+1, func(c byte) bool { return c != '<' && c != '\n' })
		if bytes.HasPrefix(text[end:], []byte("</")) {
			return value{start: i + 1, end: end, quote: true, next: '<'}
		}
		return value{}
	}
	if i < len(text) && text[i] == '\\' {
		i++
	}
	if i < len(text) && (text[i] == '"' || text[i] == '\'' || text[i] == '`') {
		i, closes = i+1, true
		if i < len(text) && text[i] == ']' {
			i++
		}
	}
	gap := inline(text, i)
	switch {
	case paired(text, from, i, closes) > 0:
		gap = paired(text, from, i, closes)
	case given(text, from) && gap > i && !closes:
		if v, quoted := quotedAt(text, gap); quoted {
			return v
		}
		return bare(text, gap, true)
	case closes && hasWord(text[gap:], "value="), closes && hasWord(text[gap:], "default="):
		gap += bytes.IndexByte(text[gap:], '=')
	case closes && gap < len(text) && text[gap] == '{':
		if gap = defaultIn(text, gap); gap == 0 {
			return value{}
		}
	case n.upper && !closes && gap < len(text) && text[gap] == '\n': // name: X, and value: under it
		line := inline(text, gap+1)
		if !hasWord(text[line:], "value:") {
			return value{}
		}
		gap = line + len("value")
	}
	begin, spaced, ok := assigns(text, gap)
	if !ok {
		return value{}
	}
	if block := blockAt(text, begin); block > 0 && text[gap] == ':' {
		return blockValue(text, block)
	}
	spaced = spaced || gap > i
	if v, quoted := quotedAt(text, begin); quoted {
		return v
	}
	sign := text[gap]
	switch {
	case n.alone && sign != '=' && n.upper, n.alone && !n.upper && !lineStart(text, from):
		return value{}
	case n.alone, n.upper, sign == '=' && !spaced, sign == ':' && spaced && lineStart(text, from):
	default:
		return value{}
	}
	v := bare(text, begin, n.upper && from == lineAt(text, from))
	v.spaced = spaced && sign == '='
	return v
}

// inline skips blanks on a line, a few at most.
func inline(text []byte, at int) int {
	return run(text[:min(len(text), at+16)], at, func(c byte) bool { return c == ' ' || c == '\t' })
}

func hasWord(text []byte, word string) bool {
	return len(text) >= len(word) && bytes.EqualFold(text[:len(word)], []byte(word))
}

// assigns reads what assigns, and returns where the value begins and whether blanks are before it.
func assigns(text []byte, at int) (begin int, spaced, ok bool) {
	rest := text[at:min(len(text), at+3)]
	n := 0
	switch {
	case bytes.HasPrefix(rest, []byte("==")), bytes.HasPrefix(rest, []byte("::")):
		return 0, false, false
	case bytes.HasPrefix(rest, []byte("=>")), bytes.HasPrefix(rest, []byte(":=")):
		n = 2
	case len(rest) > 0 && (rest[0] == '=' || rest[0] == ':'):
		n = 1
	default:
		return 0, false, false
	}
	begin = inline(text, at+n)
	return begin, begin > at+n, true
}

// quotedAt reads a value in quotes, which may be escaped.
func quotedAt(text []byte, at int) (value, bool) {
	i, escaped := at, false
	if i < len(text) && text[i] == '\\' {
		i, escaped = i+1, true
	}
	if i >= len(text) || text[i] != '"' && text[i] != '\'' && text[i] != '`' {
		return value{}, false
	}
	q := text[i]
	end := quoteEnd(text[:min(len(text), i+1+valueLong)], i+1, q, escaped)
	if end == len(text) || end == i+1+valueLong || text[end] == '\n' || text[end] == gone {
		return value{}, true // it has no end
	}
	return value{start: i + 1, end: end, quote: true, next: q}, true
}

// quoteEnd is where a text in quotes ends. A quote after a backslash is inside, unless the quotes are written
// with one themselves.
func quoteEnd(text []byte, at int, quote byte, escaped bool) int {
	for ; at < len(text); at++ {
		switch c := text[at]; {
		case c == quote, c == '\n', c == gone, escaped && c == '\\':
			return at
		case c == '\\' && quote == '"' && at+2 < len(text) && text[at+1] == quote && !ends(text, at+2):
			at++
		}
	}
	return at
}

// bare reads a value without quotes. A setting on a line of its own goes to a blank.
func bare(text []byte, at int, whole bool) value {
	end := run(text[:min(len(text), at+valueLong+1)], at, func(c byte) bool {
		return !blank(c) && c != '"' && c != '\'' && c != '\\' && (whole || bytes.IndexByte([]byte(";&,)]}<>|`"), c) < 0)
	})
	v := value{start: at, end: end}
	if end < len(text) {
		v.next = text[end]
	}
	return v
}

// lineAt is where the line begins that at is in, after what exports a setting.
func lineAt(text []byte, at int) int {
	begin := runBack(text, at, nameLong, func(c byte) bool { return c != '\n' && c != gone })
	for _, word := range []string{"export ", "ENV ", "set "} {
		if bytes.HasPrefix(text[begin:at], []byte(word)) {
			return begin + len(word)
		}
	}
	return begin
}

// lineStart says that nothing is before at on its line but blanks and the sign of a list.
func lineStart(text []byte, at int) bool {
	i := runBack(text, at, nameLong, func(c byte) bool { return c == ' ' || c == '\t' || c == '-' })
	return i == 0 || text[i-1] == '\n' || escape(text, i)
}

// defaultIn finds the operator of a default in the block of a variable that begins at at.
func defaultIn(text []byte, at int) int {
	block := text[at:min(len(text), at+blockBytes)]
	if end := bytes.Index(block, []byte("\n}")); end >= 0 {
		block = block[:end]
	}
	i := bytes.Index(block, []byte("default"))
	if i < 0 {
		return 0
	}
	return inline(text, at+i+len("default"))
}

// takes says that a value is one that a name of this class is given, and not code or a word of the
// language around it.
func (n nameClass) takes(b []byte, v value) bool {
	letters, spaces := !hasDigit(b), bytes.IndexByte(b, ' ') >= 0
	if v.block {
		lines := bytes.Count(b, []byte("\n")) + bytes.Count(b, []byte(`\n`)) + 1
		words := bytes.Fields(bytes.ReplaceAll(b, []byte(`\n`), []byte(" ")))
		b, spaces = bytes.Join(words, nil), len(words) > lines // with blanks on a line it is a text
	}
	for _, c := range b {
		letters = letters && (alnum(c) || c >= 0x80 || c == ' ')
	}
	switch {
	case len(b) < envShort, placeholder(b), tame.has(string(bytes.ToLower(b))), technical(b) && len(b) < technicalLong:
		return false
	case gives(b) && !(n.upper && !v.quote && bytes.IndexByte(b, '_') < 0):
		return false
	case bytes.HasPrefix(b, []byte("0x")), bytes.Contains(b, []byte("...")):
		return false
	case bytes.ContainsAny(b, "${%<") && bytes.ContainsAny(b, "})>%"), b[0] == '$', bytes.Contains(b, []byte("://")):
		return false
	case n.alone && !n.upper && !(mixed(b, v.quote) && len(b) >= passwordShort):
		return false
	case !v.quote && (v.next == '(' || v.next == '[' || v.next == '.' || expression(b)):
		return false
	case !v.quote && bytes.IndexByte([]byte(",)]}|<>"), v.next) >= 0 && v.next != 0:
		return false // code
	case v.quote && bytes.ContainsAny(b, "/\\") && !hasDigit(b):
		return false // a path
	}
	if onlyDigits(b) {
		return n.class == password && (v.quote || !v.spaced)
	}
	if n.upper && !(v.quote && n.class == key && !n.surely) {
		return n.class == password || len(b) >= wordShort
	}
	switch {
	case spaces && (letters && !n.shared || v.block):
		return false // a message
	case n.class == password:
		return len(b) >= wordShort || v.quote && hasDigit(b)
	case n.class == token && !n.surely && letters:
		return false
	}
	return len(b) >= tokenShort || n.class == secret && len(b) >= wordShort
}

func onlyDigits(b []byte) bool { return run(b, 0, digit) == len(b) }

// gives says that a value names a secret instead of being one: in code, or a message about it.
func gives(b []byte) bool {
	low := bytes.ToLower(b)
	for _, w := range []string{
		"passw", "pwd", "secret", "token", "kennwort", "passphrase", "your", "example", "_key", "apikey",
	} {
		if bytes.Contains(low, []byte(w)) {
			return !hasDigit(b) || bytes.ContainsAny(b, "_.-")
		}
	}
	return false
}
