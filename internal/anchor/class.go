package anchor

import (
	"cmp"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

// Class names who stands behind an anchor: anchors of one class are not
// independent of each other. For a page it is the host without "www.", for a
// timestamp the organisation that gave it, for anything else but commits and files
// its type and reference. All files are one, and all commits are one class here, since an anchor does not say
// which repository it is from; a check that has the repository at hand knows
// better, so prefer the class of its Finding, which also goes by the host that
// answered and not by the one the anchor claims.
func Class(a *memory.Anchor) string {
	switch a.Type {
	case typeGit:
		return "git"
	case typeFile:
		return "files" // whoever writes one here can write another
	case typeURL, typePost:
		for _, at := range []string{a.Final, a.Reference} {
			if u, err := address(at); err == nil {
				return hostClass(u)
			}
		}
	case typeTime:
		if der, ok := proof(a); ok {
			if t, err := parseToken(der); err == nil {
				return t.class()
			}
		}
	}
	return a.Type + ":" + CanonicalReference(a)
}

func hostClass(u *url.URL) string {
	return "host:" + strings.TrimPrefix(hostOf(u), "www.")
}

// CanonicalReference returns one spelling for the same place, so that a thing
// anchored twice is seen to be one. It compares within a type.
func CanonicalReference(a *memory.Anchor) string {
	switch a.Type {
	case typeGit:
		return strings.ToLower(a.Reference)
	case typeFile:
		return path.Clean(a.Reference)
	case typeTime:
		if der, ok := proof(a); ok && len(der) > 0 {
			return digest(der)
		}
	case typeURL, typePost:
		if u, err := address(a.Reference); err == nil {
			return canonicalURL(u)
		}
	}
	return a.Reference
}

// canonicalURL spells a URL in one way: what is escaped without need is not,
// dots in the path are resolved, and what says nothing is left out.
func canonicalURL(u *url.URL) string {
	host := hostOf(u)
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	where := "/"
	if whole, err := url.Parse("https://host" + unescaped(u.EscapedPath())); err == nil {
		where = cmp.Or(whole.ResolveReference(whole).EscapedPath(), where)
	}
	if u.RawQuery != "" {
		where += "?" + unescaped(u.RawQuery)
	}
	return "https://" + host + where
}

var escape = lazy.Regexp(`%[0-9A-Fa-f]{2}`)

// unescaped spells the escapes of a URL in one way: none of what RFC 3986 calls
// unreserved, the others in upper case.
func unescaped(s string) string {
	return escape.Get().ReplaceAllStringFunc(s, func(e string) string {
		n, _ := strconv.ParseUint(e[1:], 16, 8)
		if c := byte(n); strings.IndexByte("-._~", c) >= 0 || c < 0x80 && (unicode.IsLetter(rune(c)) ||
			unicode.IsDigit(rune(c))) {
			return string(rune(c))
		}
		return strings.ToUpper(e)
	})
}
