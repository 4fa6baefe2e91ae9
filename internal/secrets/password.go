package secrets

import "bytes"

const (
	passwordShort = 6
	passwordSaid  = 8 // in a sentence: "the password is …"
	passwordLong  = 256
	passwordKinds = 4 // different bytes
)

// passwordRule finds what a name with "password" in it is given: short and human, with any characters,
// which the generic rule leaves. Names everywhere speak of passwords, so it wants a mixture of letters
// with digits or signs, and no blank inside the name.
func passwordRule() *rule {
	return &rule{
		id: "password-assignment", fold: true, look: lookPassword,
		anchors: []string{"password", "passwd", "passphrase", "pwd", "_pass", "passwort"},
	}
}

func lookPassword(s *scanner, at, length int) (start, end int, ok bool) {
	start, ok = assigned(s.text, at, at+length)
	if !ok {
		return 0, 0, false
	}
	between := s.text[at+length : start]
	said := bytes.HasPrefix(between, []byte(" is ")) || bytes.HasPrefix(between, []byte(" was "))
	suffix := bytes.ToLower(between[:run(between, 0, flagByte)])
	for _, w := range notPasswords {
		if bytes.Contains(suffix, []byte(w)) {
			return 0, 0, false
		}
	}
	if after := between[len(suffix):]; !said && !directly(after) && !inFlag(s.text, at) {
		return 0, 0, false
	}
	if bytes.Contains(between, []byte(`""`)) || bytes.Contains(between, []byte(`''`)) {
		return 0, 0, false // nothing between the quotes
	}
	start, end, quote := passwordSpan(s.text, start)
	if !quote && bytes.IndexByte(between, ',') >= 0 {
		return 0, 0, false // the next of a list
	}
	least := passwordShort
	if said {
		least = passwordSaid
	}
	if s.tired(end - start) {
		return start, end, true
	}
	if ok = end-start >= least && end-start <= passwordLong && mixed(s.text[start:end], quote); !ok {
		s.spent += end - start
	}
	return start, end, ok
}

// directly says that nothing but quotes, blanks and an operator is between a name and its value.
func directly(b []byte) bool {
	for _, c := range b {
		if !quoted(c) && !sign(c) && c != '`' && c != '-' && c != '+' { // the last two head a block
			return false
		}
	}
	return true
}

// notPasswords are ends of names of what is about passwords.
var notPasswords = []string{
	"hash", "algo", "polic", "file", "path", "field", "type", "url", "_id", "min", "max", "len", "reset",
	"expir", "regex", "pattern", "salt", "manager",
}

// passwordSpan is the value that begins at start: to its quote, or to white space without the
// punctuation of the sentence.
func passwordSpan(text []byte, start int) (from, end int, quote bool) {
	if start > 0 && (text[start-1] == '"' || text[start-1] == '\'' || text[start-1] == '`') {
		q := text[start-1]
		escaped := start > 1 && text[start-2] == '\\'
		return start, quoteEnd(text[:min(len(text), start+passwordLong+1)], start, q, escaped), true
	}
	end = run(
		text[:min(len(text), start+passwordLong+1)], start,
		func(c byte) bool { return !blank(c) && c != '"' && c != '\\' },
	)
	value := text[start:end]
	for i, c := range value {
		if c == ';' || c == '&' || c == ',' { // the next of a list of settings
			if n := run(value, i+1, named); n > i+1 && n < len(value) && (value[n] == '=' || value[n] == ':') {
				value = value[:i]
				break
			}
		}
		if c == '<' && i+1 < len(value) && value[i+1] == '/' { // of an element
			value = value[:i]
			break
		}
	}
	return start, start + len(bytes.TrimRight(value, ".,:;)}]>'`")), false
}

// mixed says that a value looks like a password that somebody chose, and not like code or a word.
func mixed(b []byte, quote bool) bool {
	if placeholder(b) || technical(b) {
		return false
	}
	var kinds [4]bool // lower, upper, digit, sign
	var seen [256]bool
	different := 0
	for _, c := range b {
		if !seen[c] {
			seen[c] = true
			different++
		}
		switch {
		case lower(c):
			kinds[0] = true
		case upper(c):
			kinds[1] = true
		case digit(c):
			kinds[2] = true
		case c > ' ' && c < 0x7f && bytes.IndexByte([]byte("_-./:'"), c) < 0:
			kinds[3] = true
		}
	}
	letters := kinds[0] || kinds[1]
	if different < passwordKinds || !letters || !kinds[2] && !kinds[3] {
		return false
	}
	if quote {
		return kinds[2] || bytes.IndexByte(b, ' ') < 0 // a sentence with a sign is a message
	}
	return !expression(b)
}

// expression says that what stands without quotes is code: a path, a call, a member, a name of a password.
func expression(b []byte) bool {
	if bytes.IndexByte([]byte("/.~&("), b[0]) >= 0 {
		return true
	}
	n := run(b, 0, func(c byte) bool { return wordly(c) || c == '.' })
	if n < len(b) {
		return !digit(b[0]) && n > 0 && bytes.IndexByte([]byte("([{<"), b[n]) >= 0 || b[n] == '|' && !hasDigit(b)
	}
	if bytes.IndexByte(b, '.') < 0 {
		return bytes.Contains(bytes.ToLower(b), []byte("passw")) || bytes.Contains(bytes.ToLower(b), []byte("pwd"))
	}
	for part := range bytes.SplitSeq(b, []byte(".")) {
		if len(part) == 0 || digit(part[0]) {
			return false
		}
	}
	return true
}

// technical says that a value names a way to keep passwords.
func technical(b []byte) bool {
	for _, w := range []string{
		"argon2", "base64", "bcrypt", "sha1", "sha256", "sha512", "md5", "pbkdf2", "scram", "scrypt", "utf8",
		"utf-8", "oauth2",
	} {
		if len(b) >= len(w) && bytes.EqualFold(b[:len(w)], []byte(w)) {
			return true
		}
	}
	return false
}
