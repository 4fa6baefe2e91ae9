package secrets

import "bytes"

// Bounds of the published generic rule, whose value is looked at by hand because its names are everywhere.
const (
	genericEntropy = 3.5
	genericShort   = 10
	genericLong    = 150
	genericBase64  = 12
	nameBytes      = 50 // before the anchor
)

// genericRule is the published generic-api-key without its regular expression.
func genericRule() *rule {
	return &rule{
		id: "generic-api-key", fold: true, look: lookGeneric,
		anchors: []string{"access", "api", "auth", "credential", "creds", "key", "passwd", "password", "secret", "token"},
	}
}

func lookGeneric(s *scanner, at, length int) (start, end int, ok bool) {
	if at >= s.refusedFrom && at < s.refusedTo {
		return 0, 0, false
	}
	start, ok = assigned(s.text, at, at+length)
	if !ok {
		return 0, 0, false
	}
	if end, ok = genericEnd(s.text, start); !ok {
		return 0, 0, false
	}
	if s.refusedFrom = start; !s.random(at, start, end) {
		s.refusedTo = end - gapBytes - signBytes // nearer the end may be the name of what follows
		return 0, 0, false
	}
	if s.permitted(at, start, end) {
		s.refusedTo = end
		return 0, 0, false
	}
	return start, end, true
}

// genericEnd is where the value that begins at start ends, if it looks like one.
func genericEnd(text []byte, start int) (end int, ok bool) {
	end = run(text[:min(len(text), start+genericLong+1)], start, func(c byte) bool { return named(c) || c == '=' })
	if n := end - start; n >= genericShort && n <= genericLong && ends(text, end) {
		for text[end-1] == '.' { // of the sentence; some other byte is before
			if end--; end == start {
				return 0, false
			}
		}
		return end, true
	}
	end = run(text, start, func(c byte) bool { return alnum(c) || c == '+' || c == '/' })
	if end-start < genericBase64 {
		return 0, false
	}
	end = run(text[:min(len(text), end+3)], end, func(c byte) bool { return c == '=' })
	return end, ends(text, end)
}

// ends says that a value can end before at.
func ends(text []byte, at int) bool {
	if at == len(text) || blank(text[at]) {
		return true
	}
	return bytes.IndexByte([]byte("`'\";,)]}&<\\"), text[at]) >= 0
}

// random says that text[start:end] looks like a secret, whatever its name.
func (s *scanner) random(at, start, end int) bool {
	value := s.text[start:end]
	return hasDigit(value) && entropy(value) > genericEntropy && !s.rules.stop().within(value) &&
		!known(s.text, at, start, end)
}

// permitted says that the published rule leaves the value alone, by its looks or its name.
func (s *scanner) permitted(at, start, end int) bool {
	return s.rules.allowed(s.text[start:end]) ||
		s.rules.unassigned().Match(s.text[runBack(s.text, at, nameBytes, named):start])
}

// known says that what looks like a secret is a name that this program or its like writes: a key's
// did:key, a fingerprint, the sum of a module, the id of an object.
func known(text []byte, at, start, end int) bool {
	before := text[max(0, at-nameBytes):at]
	name := bytes.ToLower(text[runBack(text, at, nameBytes, named):start])
	value := text[start:end]
	switch {
	case bytes.HasSuffix(before, []byte("did:")), didKey(value), bytes.HasSuffix(text[:start], []byte("h1:")):
		return true
	case run(value, 0, func(c byte) bool { return wordly(c) || c == '.' }) == len(value) &&
		bytes.Contains(bytes.ToLower(value), []byte("key")):
		return true // the name of a key, in code
	case bytes.Contains(name, []byte("sha256")), bytes.Contains(
		name, []byte("fingerprint"),
	), bytes.Contains(name, []byte("public")):
		return true
	case bytes.Contains(before, []byte("--mount=type=secret,")):
		return true
	case uuid(value):
		return !bytes.Contains(name, []byte("secret")) && !bytes.Contains(name, []byte("token")) &&
			!bytes.Contains(name, []byte("pass")) && !bytes.Contains(name, []byte("api"))
	}
	return false
}

// didKey says that b is an Ed25519 key as did:key spells it.
func didKey(b []byte) bool { return len(b) == 48 && bytes.HasPrefix(b, []byte("z6Mk")) }

// uuid says that b is written as a UUID.
func uuid(b []byte) bool {
	if len(b) != 36 {
		return false
	}
	for i, c := range b {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (c == '-') {
			return false
		}
	}
	return true
}
