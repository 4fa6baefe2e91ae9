package secrets

import "bytes"

// lookSecure finds the text that PowerShell takes for a secret: ConvertTo-SecureString "…"
// -AsPlainText, its switches in any order, the text also before a pipe.
func lookSecure(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	stop := at + length
	for { // a line goes on after a backtick
		stop = run(text[:min(len(text), at+length+lineBytes)], stop, func(c byte) bool { return c != '\n' && c != gone })
		if stop == len(text) || text[stop] != '\n' || !bytes.HasSuffix(bytes.TrimRight(text[at:stop], " \r"), []byte("`")) {
			break
		}
		stop++
	}
	line := text[at+length : stop]
	if !bytes.Contains(bytes.ToLower(line), []byte("-asplain")) {
		return 0, at + length, false
	}
	for i := at + length; i < stop; {
		i = run(text[:stop], i, func(c byte) bool { return blank(c) || c == '`' })
		if i == stop || text[i] == '|' || text[i] == ';' || text[i] == ')' {
			break
		}
		from, to, quote := powerWord(text[:stop], i)
		if b := text[from:to]; len(b) >= urlPassword && !(b[0] == '-' && !quote) && !shellVariable(b, text[i]) &&
			!placeholder(b) {
			return from, to, true
		}
		if i = max(to, i+1); quote && i < stop {
			i++
		}
	}
	low := runBack(text, at, lineBytes, func(c byte) bool { return c != '\n' && c != gone })
	pipe := bytes.TrimRight(text[low:at], " ")
	if cut, piped := bytes.CutSuffix(pipe, []byte("|")); piped {
		cut = bytes.TrimRight(cut, " ")
		if n := len(cut); n > 1 && (cut[n-1] == '"' || cut[n-1] == '\'') {
			open := bytes.LastIndexByte(cut[:n-1], cut[n-1])
			b := cut[open+1 : n-1]
			return low + open + 1, low + n - 1, open >= 0 && len(b) >= urlPassword && !shellVariable(b, cut[n-1]) &&
				!placeholder(b)
		}
	}
	return 0, at + length, false
}

// powerWord is the word at at without its quotes; an escaped one may be inside a text of JSON.
func powerWord(text []byte, at int) (from, to int, quote bool) {
	i, slash := at, text[at] == '\\' && at+1 < len(text)
	if slash {
		i++
	}
	if q := text[i]; q == '"' || q == '\'' {
		return i + 1, run(text, i+1, func(c byte) bool { return c != q && !(slash && c == '\\') }), true
	}
	return at, run(text, at, func(c byte) bool { return !blank(c) && c != ')' && c != ';' && c != '|' && c != '"' }), false
}

// shellVariable says that a word is the name of a variable or an expression, as its quote has it.
func shellVariable(b []byte, quote byte) bool {
	return quote != '\'' && (b[0] == '$' || b[0] == '(' || b[0] == '@')
}

// oracleFlags is how many flags may stand before a name and a password.
const oracleFlags = 4

// lookOracle finds the password in NAME/PASSWORD@… after the words that come before it.
func lookOracle(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	if at > 0 && wordly(text[at-1]) {
		return 0, 0, false
	}
	i := inline(text, at+length)
	for n := 0; n < oracleFlags && i < len(text) && text[i] == '-'; n++ {
		i = inline(text, run(text[:min(len(text), i+nameLong)], i, func(c byte) bool { return !blank(c) }))
	}
	slash := run(text[:min(len(text), i+nameLong)], i, func(c byte) bool { return named(c) || c == '"' || c == '$' })
	if slash == i || slash >= len(text) || text[slash] != '/' {
		return 0, max(slash, at+length), false
	}
	start = slash + 1
	end = run(text[:min(len(text), start+valueLong)], start, func(c byte) bool {
		return !blank(c) && c != '@' && c != '\'' && c != '"' && c != '\\'
	})
	return start, end, end-start >= envShort && !placeholder(text[start:end])
}

// lookPair finds the second of two texts in quotes that a function is given which takes a name and a password.
func lookPair(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	i := inline(text, at+length)
	first, quoted := quotedAt(text, i)
	if !quoted || first.end <= first.start {
		return 0, at + length, false
	}
	i = inline(text, first.end+1)
	if i >= len(text) || text[i] != ',' {
		return 0, i, false
	}
	second, quoted := quotedAt(text, inline(text, i+1))
	if !quoted || second.end-second.start < envShort {
		return 0, i, false
	}
	b := text[second.start:second.end]
	low := string(bytes.ToLower(b))
	after := inline(text, second.end+1)
	return second.start, second.end, after < len(text) && (text[after] == ')' || text[after] == ',') &&
		!placeholder(b) && !gives(b) && !tame.has(low) && bytes.IndexByte(b, ' ') < 0 && b[0] != '$'
}

// lookShare finds the password in net use … /user:NAME PASSWORD.
func lookShare(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	if !onLineOf(text, at, []string{"net use", "NET USE", "cmdkey", "net.exe use"}) {
		return 0, 0, false
	}
	name := run(text[:min(len(text), at+length+nameLong)], at+length, func(c byte) bool { return !blank(c) })
	start, end = argument(text, name)
	b := text[start:end]
	return start, end, start > name && len(b) >= envShort && b[0] != '/' && b[0] != '*' && !placeholder(b)
}

// lookUserSetting finds the password in user = NAME:PASSWORD of a file of settings of curl.
func lookUserSetting(s *scanner, at, length int) (start, end int, ok bool) {
	start, end = argument(s.text, at+length-1)
	colon := bytes.IndexByte(s.text[start:end], ':')
	if colon < 1 {
		return 0, at + length, false
	}
	start += colon + 1
	return start, end, end-start >= passwordShort && mixed(s.text[start:end], true)
}
