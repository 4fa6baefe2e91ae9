package secrets

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"
)

const (
	authorityBytes = 512 // of an address before its path
	urlPassword    = 3   // a password in an address is longer than two
	tokenBytes     = 16  // what stands alone is a token if it is that long
	tokenEntropy   = 3
)

// lookURL finds the password, or a token alone, before the @ of an address.
func lookURL(s *scanner, at, length int) (start, end int, ok bool) {
	start = at + length
	stop := run(s.text[:min(len(s.text), start+authorityBytes)], start, func(c byte) bool {
		return !blank(c) && bytes.IndexByte([]byte("/\"'<>`\\"), c) < 0
	})
	end = bytes.LastIndexByte(s.text[start:stop], '@')
	if end < 0 {
		return 0, 0, false
	}
	end += start
	if i := bytes.IndexByte(s.text[start:end], ':'); i >= 0 {
		start += i + 1
		pass := s.text[start:end]
		query := bytes.IndexByte(pass, '?') >= 0 && bytes.IndexByte(pass, '=') >= 0 // then that is a port, and no @ ends it
		return start, end, len(pass) >= urlPassword && !query && !placeholder(pass)
	}
	return start, end, likeToken(s.text[start:end])
}

// likeToken says that b could be a token, though nothing names it.
func likeToken(b []byte) bool {
	return len(b) >= tokenBytes && hasDigit(b) && !placeholder(b) && entropy(b) > tokenEntropy
}

// lookBearer finds the token of a header "Authorization: Bearer".
func lookBearer(s *scanner, at, length int) (start, end int, ok bool) {
	start = at + length
	end = run(s.text, start, tokenish)
	return start, end, likeToken(s.text[start:end])
}

// lookBasic finds the name and password of a header "Authorization: Basic".
func lookBasic(s *scanner, at, length int) (start, end int, ok bool) {
	start = at + length
	end = run(s.text, start, base64ish)
	b := bytes.TrimRight(s.text[start:end], "=")
	if len(b) < 8 || len(b) > authorityBytes {
		return 0, 0, false
	}
	plain, err := base64.RawStdEncoding.DecodeString(string(b))
	return start, end, err == nil && utf8.Valid(plain) && bytes.IndexByte(plain, ':') >= 0 &&
		bytes.IndexFunc(plain, func(r rune) bool { return r < ' ' }) < 0
}
