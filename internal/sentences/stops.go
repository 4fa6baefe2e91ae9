package sentences

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// stops yields where the sentences within a segment end, but for the last.
func (s *segment) stops(skip int, yield func(end int)) {
	s.bucket = -1
	s.small = unicode.IsLower(s.first(skip))
	begin := skip
	for i := skip; i < s.to; {
		c := s.text[i]
		if c < utf8.RuneSelf && c != '.' && c != '!' && c != '?' {
			i++
			continue
		}
		m, ok := s.mark(i)
		if !ok {
			_, size := utf8.DecodeRuneInString(s.text[i:s.to])
			i += size
			continue
		}
		if m.closed == s.to {
			return
		}
		if s.ends(begin, i, &m) {
			yield(m.closed)
			begin = m.closed
		}
		i = m.closed
	}
}

// first returns the first letter from a place on, over marks such as a quote.
func (s *segment) first(at int) rune {
	for _, r := range s.text[at:s.to] {
		if !unicode.IsSpace(r) && !opens(r) {
			return r
		}
	}
	return 0
}

// mark is what may end a sentence: stops, and the quotes and brackets that close behind them.
type mark struct {
	dots         int
	strong, wide bool // a question or exclamation mark, a stop of a language that sets no blank behind it
	end, closed  int
}

// mark reads the mark at a place.
func (s *segment) mark(at int) (m mark, ok bool) {
	for m.end = at; m.end < s.to; {
		r, size := utf8.DecodeRuneInString(s.text[m.end:s.to])
		switch {
		case r == '.':
			m.dots++
		case r == '…':
			m.dots += 3
		case r == '!' || r == '?' || r == '‼' || r == '⁇' || r == '⁈' || r == '⁉':
			m.strong = true
		case r >= 0x0589 && unicode.Is(unicode.Sentence_Terminal, r):
			m.wide = true
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		m.end += size
	}
	m.closed = m.end
	for m.end > at && m.closed < s.to {
		r, size := utf8.DecodeRuneInString(s.text[m.closed:s.to])
		if !closes(r) {
			break
		}
		m.closed += size
	}
	return m, m.end > at
}

// closes reports whether a character right behind a stop belongs to it. Some languages close with the quote that
// others open with.
func closes(r rune) bool {
	switch r {
	case '"', '\'', ')', ']', '}', '*', '_', '`', '~', '“', '”', '‘', '’', '«', '»', '‹', '›':
		return true
	}
	return r >= utf8.RuneSelf && (unicode.Is(unicode.Pe, r) || unicode.Is(unicode.Pf, r))
}

// ends reports whether a mark at a place ends the sentence that began at begin.
func (s *segment) ends(begin, at int, m *mark) bool {
	next, size := utf8.DecodeRuneInString(s.text[m.closed:s.to])
	if !unicode.IsSpace(next) {
		return m.wide && !unicode.IsDigit(next) && (opens(next) || !unicode.IsPunct(next))
	}
	bound := next == '\u00a0' || next == '\u202f' // a blank that keeps together what is around it
	n := m.closed + size
	for n < s.to {
		r, size := utf8.DecodeRuneInString(s.text[n:s.to])
		switch {
		case unicode.IsSpace(r):
			bound = bound && (r == '\u00a0' || r == '\u202f')
		case !opens(r):
			size = -size
		}
		if size < 0 {
			break
		}
		n += size
	}
	next, _ = utf8.DecodeRuneInString(s.text[n:s.to])
	if n == s.to {
		next = 0
	}
	small := unicode.IsLower(next)
	switch {
	case m.wide:
		return true
	case m.strong:
		apart := at > begin && s.text[at-1] == ' '
		return !small || m.closed == m.end && !apart
	case m.dots > 1:
		return !small
	case bound:
		return false
	}
	return s.stop(begin, at, n, next, m.closed > m.end)
}

// stop reports whether the single dot at a place ends a sentence. next is the character at n, with which the next
// one would begin.
func (s *segment) stop(begin, at, n int, next rune, closed bool) bool {
	token := s.token(begin, at)
	switch {
	case unicode.IsLower(next):
		// some write English without capitals
		careless := s.small || s.languages(at) == english && s.starts(n, at)
		return careless && !closed && token != "" && !digits(token) && !s.shortens(begin, at, token)
	case token == "":
		return true
	case digits(token):
		return s.numberEnds(begin, at, n, token, next)
	case unicode.IsDigit(next):
		return !s.shortens(begin, at, token)
	case !unicode.IsLetter(next) && next != 0:
		return !s.shortens(begin, at, token)
	}
	known, final := s.abbreviation(begin, at, token)
	return !known || final && s.starts(n, at)
}

// numberEnds reports whether the dot behind a number ends a sentence: not behind the number of an item, nor behind an
// ordinal number, as German writes it.
func (s *segment) numberEnds(begin, at, n int, token string, next rune) bool {
	if len(token) > 3 {
		return true
	}
	before := strings.TrimRightFunc(s.text[begin:at-len(token)], unicode.IsSpace)
	if before == "" || strings.IndexByte(":;([", before[len(before)-1]) >= 0 {
		return false
	}
	word := s.word(n)
	switch {
	case unicode.IsDigit(next): // 5. 3. 2024
		dated := before[len(before)-1] == '.' && digitBefore(before) || strings.HasPrefix(s.text[n+len(word):s.to], ".")
		return !dated || len(token) > 2
	case len(token) < 3 && months()[strings.ToLower(word)]:
		return false
	case s.languages(at) == german:
		return s.starts(n, at)
	}
	return true
}

// starts reports whether the word at n is one of those that a language writes with a capital only where a sentence
// begins.
func (s *segment) starts(n, at int) bool {
	word := s.word(n)
	initial := letterOf(word) != 0 && strings.HasPrefix(s.text[n+len(word):s.to], ".")
	return !initial && functionWords()[strings.ToLower(word)]&s.languages(at) != 0
}
