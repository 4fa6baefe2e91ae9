package secrets

import "bytes"

const (
	cookieShort = 16
	lineBytes   = 512
)

// cookieNames are parts of names of cookies that are as good as a password.
var cookieNames = []string{"sess", "sid", "auth", "token", "jwt", "remember", "login", "csrf", "xsrf"}

// lookCookie finds the value of a cookie that lets somebody in, in a header or after a flag of curl.
func lookCookie(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	stop := run(text[:min(len(text), at+length+lineBytes)], at+length, func(c byte) bool { return c != '\n' })
	i := at + length
	if text[at] == ' ' && !onLineOf(text, at, logins) {
		return 0, 0, false
	}
	for i < stop {
		name := run(text[:stop], i, func(c byte) bool { return !cookieName(c) })
		eq := run(text[:stop], name, cookieName)
		if eq >= stop || text[eq] != '=' {
			if i = eq; eq < stop {
				i++
			}
			continue
		}
		from := eq + 1
		if from < stop && (text[from] == '"' || text[from] == '\'') {
			from++
		}
		to := run(text[:stop], from, func(c byte) bool { return named(c) || bytes.IndexByte([]byte("%+/=~|!*"), c) >= 0 })
		if b := text[from:to]; len(b) >= cookieShort && hasDigit(b) && !placeholder(b) && lets(text[name:eq]) {
			return from, to, true
		}
		i = to
	}
	return 0, at + length, false
}

func cookieName(c byte) bool { return named(c) }

func lets(name []byte) bool {
	low := bytes.ToLower(name)
	for _, part := range cookieNames {
		if bytes.Contains(low, []byte(part)) {
			return true
		}
	}
	return false
}

// lookPassIn finds the password in openssl -passin pass:PASSWORD.
func lookPassIn(s *scanner, at, length int) (start, end int, ok bool) {
	start = at + length
	end = run(s.text[:min(len(s.text), start+valueLong)], start, func(c byte) bool {
		return !blank(c) && c != '\'' && c != '"'
	})
	return start, end, end-start >= urlPassword && !placeholder(s.text[start:end])
}

// lookFlag finds the password after --password, where the command goes on with a flag or ends.
func lookFlag(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	if at+length >= len(text) || text[at+length] != ' ' && text[at+length] != '=' {
		return 0, at + length, false
	}
	start, end = argument(text, at+length)
	b := text[start:end]
	next := inline(text, end)
	if end-start < wordShort || placeholder(b) || tame.has(string(bytes.ToLower(b))) || gives(b) || b[0] == '-' ||
		next < len(text) && text[next] != '-' && text[next] != '\n' && text[next] != '\'' && text[next] != '"' {
		return 0, at + length, false
	}
	return start, end, true
}

// lookPiped finds the password in echo "PASSWORD" | docker login --password-stdin.
func lookPiped(s *scanner, at, length int) (start, end int, ok bool) {
	low := runBack(s.text, at, lineBytes, func(c byte) bool { return c != '\n' && c != gone })
	line := s.text[low:at]
	pipe := bytes.LastIndexByte(line, '|')
	if pipe < 0 {
		return 0, at + length, false
	}
	for _, word := range []string{"echo ", "printf ", "<<< "} {
		i := bytes.LastIndex(line[:pipe], []byte(word))
		if i < 0 {
			continue
		}
		start, end = argument(s.text, low+i+len(word))
		if end-start >= urlPassword && end <= low+pipe && !placeholder(s.text[start:end]) && s.text[start] != '-' {
			return start, end, true
		}
	}
	return 0, at + length, false
}
