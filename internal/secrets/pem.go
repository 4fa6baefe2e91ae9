package secrets

import "bytes"

const (
	pemHead     = 120 // bytes of a line that begins or ends a block
	pemBody     = 40  // a block with fewer characters of base64 is an example
	pemLine     = 16  // of a line of a block that has no end
	pemMostBody = 256 << 10
)

// lookPEM finds a block with a private key, from its first dash to its last. One whose end is missing
// goes on as long as its lines look like it. The ends of lines may be escaped, as in JSON.
func lookPEM(s *scanner, at, _ int) (start, end int, ok bool) {
	rest := s.text[at:]
	head := rest[:min(len(rest), pemHead)]
	dashes := bytes.Index(head[len(pemBegin):], []byte("-----"))
	if dashes < 0 {
		return 0, 0, false
	}
	body := len(pemBegin) + dashes + 5
	if !bytes.Contains(bytes.ToUpper(rest[:body]), []byte("PRIVATE KEY")) {
		return 0, 0, false
	}
	text := rest[body:min(len(rest), body+pemMostBody)]
	if i := bytes.IndexByte(text, gone); i >= 0 {
		text = text[:i]
	}
	next := bytes.Index(text, []byte("-----"))
	if next >= 0 && bytes.HasPrefix(text[next:], []byte("-----END")) {
		tail := text[next+5 : min(len(text), next+pemHead)]
		if n := bytes.Index(tail, []byte("-----")); n >= 0 {
			end = body + next + 5 + n + 5
			return at, at + end, substance(text[:next]) >= pemBody
		}
	}
	if next >= 0 {
		text = text[:next]
	}
	n := unended(text)
	return at, at + body + n, substance(text[:n]) >= pemBody
}

// pemBegin is what a block begins with, as an anchor.
const pemBegin = "-----begin"

// substance counts characters of base64.
func substance(b []byte) int {
	n := 0
	for _, c := range b {
		if alnum(c) || c == '+' || c == '/' {
			n++
		}
	}
	return n
}

// unended is how much of a text is lines of a block.
func unended(text []byte) int {
	end := 0
	for at := 0; at < len(text); {
		line := at
		for line < len(text) && (blank(text[line]) && text[line] != gone || text[line] == '\\' || text[line] == '"' ||
			text[line] == '>' || escape(text, line+1)) {
			line++
		}
		stop := run(text, line, base64ish)
		if stop-line < pemLine && !(end > 0 && stop-line > 0 && text[stop-1] == '=') {
			header := bytes.IndexByte(text[line:min(len(text), line+pemHead)], '\n')
			if header < 0 || !bytes.Contains(text[line:line+header], []byte(": ")) || end > 0 {
				break
			}
			stop = line + header // Proc-Type and its like
			at = stop
			continue
		}
		at, end = stop, stop
	}
	return end
}
