package secrets

import "bytes"

// Bounds of a line of .pgpass.
const (
	hostLong  = 253
	portLeast = 1024
	portLong  = 5
)

// lookPGPass finds the password in host:port:db:user:password, which is a line of its own. The anchor is the
// colon before the port.
func lookPGPass(s *scanner, at, _ int) (start, end int, ok bool) {
	text := s.text
	host := runBack(text, at, hostLong, func(c byte) bool { return named(c) || c == '*' || c == '/' })
	if escape(text, host+1) { // the n of an escaped end of a line
		host++
	}
	if host == at || !lineBegins(text, host) || text[host] != '/' && bytes.IndexByte(text[host:at], '/') >= 0 {
		return 0, 0, false // of paths only that of a socket
	}
	port := run(text[:min(len(text), at+2+portLong)], at+1, digit)
	number, usual := 0, false
	for _, c := range text[at+1 : port] {
		number = number*10 + int(c-'0')
	}
	if port == at+1 && text[port] == '*' {
		port, usual = port+1, true
	} else if number < portLeast || port > at+1+portLong {
		return 0, 0, false
	}
	for _, n := range []int{5432, 5433, 5434, 6432, 6543, 26257} { // of PostgreSQL and what goes before it
		usual = usual || number == n
	}
	fields := [2][]byte{}
	i := port
	for n := range fields { // the database and the user
		if i >= len(text) || text[i] != ':' {
			return 0, 0, false
		}
		from := i + 1
		i = run(text[:min(len(text), from+nameLong)], from, func(c byte) bool {
			return named(c) || c == '*' || c == '@' || c == '$' || c >= 0x80
		})
		if fields[n] = text[from:i]; i == from {
			return 0, 0, false
		}
	}
	if i >= len(text) || text[i] != ':' {
		return 0, 0, false
	}
	start = i + 1
	for end = start; end < len(text) && end-start < valueLong; end++ {
		if c := text[end]; c == '\\' && end+1 < len(text) && (text[end+1] == ':' || text[end+1] == '\\') {
			end++
		} else if blank(c) || c == '"' || c == '\'' || c == '`' || c == ':' || c == '\\' {
			break
		}
	}
	b := text[start:end]
	switch {
	case len(b) < envShort, end < len(text) && (text[end] == ':' || text[end] == ' ' && !restBlank(text, end)):
		return 0, end, false
	case placeholder(b), gives(b), b[0] == '/', b[0] == '$' && expression(b):
		return 0, end, false
	case !usual && run(b, 0, func(c byte) bool { return lower(c) || c == '-' || c == '_' }) == len(b):
		return 0, end, false // words
	case onlyDigits(fields[0]), onlyDigits(fields[1]), onlyDigits(b) && string(fields[0]) != "*":
		return 0, end, false // places in a program, and counts
	}
	return start, end, true
}

// lineBegins says that a line, a quotation or an item of it begins at at.
func lineBegins(text []byte, at int) bool {
	return at == 0 || bytes.IndexByte([]byte("\n\t +>'\"`\x00"), text[at-1]) >= 0 || escape(text, at)
}

// restBlank says that nothing is after at on its line but blanks.
func restBlank(text []byte, at int) bool {
	i := inline(text, at)
	return i == len(text) || text[i] == '\n' || text[i] == '\r' || text[i] == '"' || text[i] == '\''
}

// lookCrypt finds what a server keeps of a password in NAME:$… of htpasswd and shadow: with it one guesses
// it at leisure.
func lookCrypt(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	name := runBack(text, at, nameLong, func(c byte) bool { return named(c) || c == '@' })
	if escape(text, name+1) {
		name++
	}
	if name == at || !lineBegins(text, name) {
		return 0, 0, false
	}
	end = run(text[:min(len(text), at+length+valueLong)], at+length, func(c byte) bool {
		return wordly(c) || c == '$' || c == '.' || c == '/' || c == '=' || c == ',' || c == '+' || c == '-'
	})
	return at + 1, end, end-at-length >= 20
}

// settings are words before the name of a user or a machine in files of settings of the kind NAME VALUE.
var settings = []string{"user", "username", "login", "host", "account", "machine"}

// lookSetting finds the password in a file of lines NAME VALUE, where a line before it names a user or a
// machine.
func lookSetting(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	line := runBack(text, at, nameLong, func(c byte) bool { return c == ' ' || c == '\t' })
	if line == 0 || text[line-1] != '\n' {
		return 0, 0, false
	}
	start = inline(text, at+length)
	end = run(text[:min(len(text), start+valueLong)], start, func(c byte) bool { return !blank(c) && c != '"' })
	b := text[start:end]
	if start == at+length || len(b) < envShort || !restBlank(text, end) || placeholder(b) || b[0] == '=' ||
		b[0] == ':' || tame.has(string(bytes.ToLower(b))) || gives(b) {
		return 0, end, false
	}
	before := text[max(0, line-netrcBytes):line]
	for l := range bytes.SplitSeq(before, []byte("\n")) {
		words := bytes.Fields(l)
		if len(words) != 2 {
			continue
		}
		for _, w := range settings {
			if bytes.EqualFold(words[0], []byte(w)) {
				return start, end, true
			}
		}
	}
	return 0, end, false
}
