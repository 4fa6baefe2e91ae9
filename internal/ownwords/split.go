package ownwords

import (
	"slices"
	"strings"
)

// A Part is what somebody else than the person says in a prompt.
type Part struct {
	By   Voice
	Text string
	What string // it is, for people
	Drop bool   // it need not be kept
}

// Split returns what of a prompt is the person's own, and what is not. The prompt is given in the pieces in
// which its host hands it over: each of them is of one voice, or begins and ends with what another says.
// What nobody else says comes back as it is.
func Split(host string, pieces ...string) (own string, parts []Part) {
	var mine []string
	for _, piece := range pieces {
		if host == openCode {
			piece = unquoted(piece)
		}
		s := splitting{forms: formsOf[host], rest: piece}
		s.run()
		if strings.TrimSpace(s.rest) != "" {
			mine = append(mine, s.rest)
		}
		parts = append(parts, s.parts...)
	}
	return strings.Join(mine, "\n"), parts
}

// unquoted takes off the quotes that "opencode run" puts around what a person typed as one argument.
func unquoted(piece string) string {
	inner, opened := strings.CutPrefix(strings.TrimSpace(piece), `"`)
	inner, closed := strings.CutSuffix(inner, `"`)
	if !opened || !closed || !strings.Contains(inner, " ") || strings.Contains(strings.ReplaceAll(inner, `\"`, ""), `"`) {
		return piece
	}
	return strings.ReplaceAll(inner, `\"`, `"`)
}

// mostParts is how many parts of one piece are told apart.
const mostParts = 64

// splitting takes one piece apart, from both ends.
type splitting struct {
	forms   []form
	rest    string // of the person, as far as it is known
	parts   []Part
	behind  []Part   // those at the end, the last first
	wrapped []string // words that a host marks as the person's
	called  string   // a command by its name
	given   string   // what stands behind it
	lone    bool     // something was there that a host says alone
}

func (s *splitting) run() {
	whole := s.rest
	for s.step() && strings.TrimSpace(s.rest) != "" {
		if len(s.parts)+len(s.behind) == mostParts { // no person says anything in between
			s.take(form{what: "more of the same"}, s.rest, false)
			s.rest = ""
			break
		}
	}
	for i := len(s.behind) - 1; i >= 0; i-- {
		s.parts = append(s.parts, s.behind[i])
	}
	if s.called != "" && s.given != "" {
		s.rest = strings.TrimSpace(s.called + " " + s.given + "\n" + s.rest)
	}
	if len(s.wrapped) == 0 {
		return
	}
	left, inner := strings.TrimSpace(s.rest), strings.Join(s.wrapped, "\n")
	switch {
	case s.lone: // the host marks its own words so, too
		s.take(form{what: "what the agent is to do about it"}, inner+"\n"+left, false)
		s.rest = ""
	case left != "" && left != inner && !strings.HasPrefix(left, "<"):
		s.rest, s.parts = whole, nil // somebody wrote the tag
	default:
		if s.rest = inner; left != "" && left != inner {
			s.parts = append(s.parts, Part{By: Host, Text: left, What: "words around the person's"})
		}
	}
}

// step takes one part off, if there is one.
func (s *splitting) step() bool {
	for _, f := range s.forms {
		var done bool
		switch f.where {
		case opens:
			done = s.opening(f)
		case line:
			done = s.line(f)
		case before:
			done = s.before(f)
		case after:
			done = s.after(f)
		case alone:
			done = s.alone(f)
		case command:
			done = s.command(f)
		default:
			done = s.block(f)
		}
		if done {
			return true
		}
	}
	return false
}

// take says that some words are not the person's.
func (s *splitting) take(f form, text string, behind bool) {
	by := f.by
	if by == Person {
		by = Host
	}
	part := Part{By: by, Text: strings.TrimSpace(text), What: f.what, Drop: f.drop}
	if part.Text == "" {
		return
	}
	if behind {
		s.behind = append(s.behind, part)
	} else {
		s.parts = append(s.parts, part)
	}
}

func (s *splitting) opening(f form) bool {
	if !strings.HasPrefix(strings.TrimSpace(s.rest), f.begin) {
		return false
	}
	s.take(f, s.rest, false)
	s.rest = ""
	return true
}

func (s *splitting) line(f form) bool {
	text := strings.TrimLeft(s.rest, blanks)
	first, others, _ := strings.Cut(text, "\n")
	if like(strings.TrimSpace(first), f.begin) {
		s.take(f, first, false)
		s.rest = strings.TrimLeft(others, "\r\n")
		return true
	}
	text = strings.TrimRight(s.rest, blanks)
	i := strings.LastIndexByte(text, '\n')
	if i < 0 || !like(strings.TrimSpace(text[i:]), f.begin) {
		return false
	}
	s.take(f, text[i:], true)
	s.rest = strings.TrimRight(text[:i], blanks)
	return true
}

// like reports whether words are those of a pattern, in which one * is any words.
func like(words, pattern string) bool {
	head, tail, open := strings.Cut(pattern, "*")
	if !open {
		return words == pattern
	}
	if mid, more, two := strings.Cut(tail, "*"); two { // words on both sides
		return len(words) > len(mid) && strings.Contains(words, mid) && strings.HasPrefix(words, head) &&
			strings.HasSuffix(words, more)
	}
	return len(words) >= len(head)+len(tail) && strings.HasPrefix(words, head) && strings.HasSuffix(words, tail) &&
		!strings.Contains(words[len(head):len(words)-len(tail)], "]")
}

func (s *splitting) before(f form) bool {
	text := strings.TrimLeft(s.rest, blanks)
	if !strings.HasPrefix(text, f.begin) {
		return false
	}
	end := -1
	for _, last := range f.ends { // files may hold such a line, the person's words hardly ever
		if i := lastLine(text, last); i >= 0 {
			end = max(end, i+len(last))
		}
	}
	if end < 0 && !strings.Contains(strings.TrimSpace(text), "\n") {
		return false // somebody wrote of it
	}
	if end < 0 {
		s.take(f, text, false)
		s.rest = ""
		return true
	}
	own := strings.TrimLeft(text[end:], "\r\n")
	if f.till != "" {
		if i := lastLine(own, f.till); i >= 0 {
			s.take(f, own[i:], true)
			own = strings.TrimRight(own[:i], blanks)
		}
	}
	s.take(f, text[:end], false)
	s.rest = own
	return true
}

func (s *splitting) after(f form) bool {
	begin, end := firstLine(s.rest, f.begin), -1
	for _, last := range f.ends {
		if i := lastLine(s.rest, last); i > begin {
			end = max(end, i+len(last))
		}
	}
	if begin < 0 || end < 0 {
		return false // somebody wrote of it
	}
	s.take(f, s.rest[begin:end], true)
	s.rest = strings.TrimRight(s.rest[:begin], blanks) + s.rest[end:]
	return true
}

func (s *splitting) alone(f form) bool {
	text := strings.TrimSpace(s.rest)
	t, begins := tagAt(text, f.begin)
	if !begins {
		return false
	}
	i := strings.LastIndex(text, t.close)
	if i < 0 {
		if !strings.HasPrefix(text[t.open:], "\n") { // its end is missing, unless somebody writes of the tag
			return false
		}
		i = len(text)
	}
	end := min(i+len(t.close), len(text))
	own := strings.TrimLeft(text[end:], blanks)
	if own != "" && !endsLine(text[end:]) {
		return false
	}
	for _, more := range f.ends {
		if strings.HasPrefix(own, more) {
			end, own = len(text), ""
		}
	}
	s.take(f, text[:end], false)
	s.rest, s.lone = own, true
	return true
}

// command reads the tags in which a command is told: its name, a message, and what was written behind it.
func (s *splitting) command(f form) bool {
	text := strings.TrimLeft(s.rest, blanks)
	for _, name := range []string{f.begin, "command-message", "command-args", "command-contents"} {
		t, begins := tagAt(text, name)
		i := strings.Index(text, t.close)
		if !begins || i < t.open || name == "command-args" && s.called == "" && !strings.Contains(s.rest, "<"+f.begin) {
			continue
		}
		if name == "command-args" { // the person wrote it, tags and all
			for _, next := range []string{"\n<" + f.begin + ">", "\n<command-message>", "\n<local-command-stdout>"} {
				if k := strings.Index(text, next); k > 0 && strings.LastIndex(text[:k], t.close) > 0 {
					i = strings.LastIndex(text[:k], t.close)
				}
			}
		}
		end := i + len(t.close)
		if !endsLine(text[end:]) && !strings.HasPrefix(strings.TrimLeft(text[end:], blanks), "<") {
			continue
		}
		switch inner := strings.TrimSpace(text[t.open:i]); name {
		case f.begin:
			s.called = "/" + strings.TrimPrefix(inner, "/")
		case "command-args":
			s.given = inner
		}
		s.take(f, text[:end], false)
		s.rest = strings.TrimLeft(text[end:], blanks)
		return true
	}
	return false
}

// block takes what stands between two tags off the beginning or the end.
func (s *splitting) block(f form) bool {
	text := strings.TrimLeft(s.rest, blanks)
	t, begins := tagAt(text, f.begin)
	if begins {
		parted := func(rest string) bool { return f.says != "" || endsLine(rest) || s.begins(rest) }
		if end := t.end(text, parted); end > 0 && t.says(text, f.says) {
			s.inner(f, text[:end], text[t.open:end-len(t.close)], false)
			s.rest = strings.TrimLeft(text[end:], blanks)
			return true
		}
	}
	text = strings.TrimRight(s.rest, blanks)
	t, begin := tagEnding(text, f.begin, f.says != "")
	if begin <= 0 || !t.says(text[begin:], f.says) {
		return false
	}
	s.inner(f, text[begin:], text[begin+t.open:len(text)-len(t.close)], true)
	s.rest = strings.TrimRight(text[:begin], blanks)
	return true
}

// begins reports whether a text begins with the tag of another form.
func (s *splitting) begins(text string) bool {
	return slices.ContainsFunc(s.forms, func(f form) bool {
		_, is := tagAt(text, f.begin)
		return f.where == beside && is
	})
}

// inner keeps the words of the person that a host puts between tags, and takes all else.
func (s *splitting) inner(f form, block, words string, behind bool) {
	if f.where == wraps {
		s.wrapped = append(s.wrapped, strings.Trim(words, blanks))
		return
	}
	s.take(f, block, behind)
}

// Doubtful reports whether words may be those of a host of which no row knows: they are nothing but one block
// between tags, named as hosts name them. Whoever asks for a witness does not take them for the person's.
func Doubtful(words string) bool {
	text := strings.TrimSpace(words)
	end := strings.IndexAny(text, "> \t\r\n")
	if end < 0 || !strings.HasPrefix(text, "<") || !strings.ContainsAny(text[:end], "-_") {
		return false
	}
	t, is := tagAt(text, text[1:end])
	return is && strings.HasSuffix(text, t.close)
}
