package secrets

import (
	"regexp"
	"strings"
)

const (
	// unlimited is how far a pattern without a limit is followed; what goes on after it is taken by
	// its looks.
	unlimited = 16 << 10
	// leadBytes is how far before its anchor a secret can begin.
	leadBytes = 64
	// endMark stands in a pattern for what may follow a secret.
	endMark = `§`
	// ending is what may follow a secret: a quote, white space, a bracket (but not that of a
	// call), the punctuation of prose, code and addresses, an escape, the end, or a secret
	// taken out.
	ending = `(?:[\x60'"\s;,.:!?){}<>\[\]&|#*\\\x00]|$)`
)

// compile makes the regular expressions of a rule when they are first needed.
func (r *rule) compile() {
	r.re = regexp.MustCompile(`^(?:` + strings.ReplaceAll(r.pattern, endMark, ending) + `)`)
	if len(r.allowed) > 0 {
		r.not = regexp.MustCompile(`(?:` + strings.Join(r.allowed, `)|(?:`) + `)`)
	}
}

// match says whether the rule's secret is at an anchor, and where. The end of what was refused is given too.
func (r *rule) match(s *scanner, at, length int) (start, end int, ok bool) {
	if r.border && at > 0 && wordly(s.text[at-1]) && !escape(s.text, at) {
		return 0, 0, false
	}
	if r.look != nil {
		if start, end, ok = r.look(s, at, length); !ok {
			return 0, 0, false
		}
		return start, end, true
	}
	switch {
	case r.assigned:
		if at, ok = assigned(s.text, at, at+length); !ok {
			return 0, 0, false
		}
	case r.lead != nil:
		at = runBack(s.text, at, leadBytes, r.lead)
	}
	long := s.long(at)
	if s.tired(long - at) {
		start, end = word(s.text, at, long)
		return start, end, true
	}
	r.once.Do(r.compile)
	start, end, ok = r.span(s.text, at)
	if ok = ok && r.secret(s, s.text[start:end]); !ok {
		s.spent += min(long-at, r.window())
	}
	return start, end, ok
}

// window is how many bytes the pattern is shown.
func (r *rule) window() int {
	if r.longest == 0 {
		return unlimited
	}
	return r.longest + 2 // what follows the secret is looked at too
}

// span applies the pattern at a byte.
func (r *rule) span(text []byte, at int) (start, end int, ok bool) {
	window := text[at:]
	limit := r.window()
	cut := len(window) > limit
	if cut {
		window = window[:limit]
	}
	m := r.re.FindSubmatchIndex(window)
	if m == nil {
		return 0, 0, false
	}
	start, end = at+m[0], at+m[1]
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 { // the first group that took part is the secret
			start, end = at+m[i], at+m[i+1]
			break
		}
	}
	if cut && end == at+limit {
		end = run(text, end, tokenish)
	}
	return start, end, end > start
}

// secret is the last word on what matched.
func (r *rule) secret(s *scanner, b []byte) bool {
	switch {
	case r.entropy > 0 && entropy(b) <= r.entropy:
		return false
	case r.assigned && !hasDigit(b):
		return false // a word, in all likelihood
	case r.outside && s.rules.allowed(b):
		return false
	}
	return r.not == nil || !r.not.Match(b)
}

// escape says that an escaped end of line or tab stands before at.
func escape(text []byte, at int) bool {
	if at < 2 || text[at-2] != '\\' {
		return false
	}
	c := text[at-1]
	return c == 'n' || c == 'r' || c == 't'
}
