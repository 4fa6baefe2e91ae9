package pack

import (
	"strconv"
	"strings"
)

// markdown is the form for pages and for files that agents read.
type markdown struct{ name string }

func (f markdown) open(h heading) string {
	var b strings.Builder
	b.WriteString("## " + f.name)
	if h.query != "" {
		b.WriteString(`: "` + escape(h.query) + `"`)
	}
	b.WriteString("\n\n" + strconv.Itoa(h.used) + " of " + strconv.Itoa(h.budget) + " tokens" + zoned(h.zone) + "\n")
	if h.notice != "" {
		b.WriteString("\n**" + escape(h.notice) + "**\n")
	}
	if h.waits != "" {
		b.WriteString("\n" + h.waits + "\n") // ours: no memory is in it
	}
	if h.empty {
		b.WriteString("\nnothing found\n")
	}
	return b.String()
}

func (markdown) close() string { return "" }
func (markdown) end() string   { return "" }

func (markdown) section(s *Section, _ bool) string {
	title := s.Title
	if s.Emoji != "" {
		title = s.Emoji + " " + title
	}
	return "\n### " + title + "\n\n"
}

func (f markdown) entry(s *Section, e *Entry, all []said, _ bool) string {
	var b strings.Builder
	b.WriteString("- " + markOf(s, e) + " ")
	if label := labelOf(s, e); label != "" {
		b.WriteString("**" + escape(label) + "** ")
	}
	if len(all) > 1 {
		b.Reset()
		b.WriteString(f.shell(s, e))
		for i := range all {
			b.WriteString(f.turn(&all[i]))
		}
		return b.String()
	}
	b.WriteString(escape(all[0].line(e.Set)))
	if e.Path != "" {
		b.WriteString(" - " + escape(e.Path))
	}
	if about := e.about(&all[0]); about != "" {
		b.WriteString(" (" + escape(about) + ")")
	}
	b.WriteByte('\n')
	return b.String()
}

func (markdown) shell(s *Section, e *Entry) string {
	begin := "- " + markOf(s, e) + " "
	if label := labelOf(s, e); label != "" {
		begin += "**" + escape(label) + "** "
	}
	return begin + escape(conversation(e)) + ":\n"
}

func (markdown) turn(w *said) string {
	line := "  - " + escape(w.line(false)) + " (" + escape(aboutTurn(w)) + ")\n"
	if w.skip {
		return "  - " + gap + "\n" + line
	}
	return line
}

func (markdown) missed(_ *Section, count, needs int) string {
	return "- **" + missed(count, needs, "raise the budget to ") + "**\n"
}

func (markdown) left(list []Omission, terse int) string {
	if len(list) == 0 {
		return ""
	}
	named := make([]Omission, len(list))
	for i, o := range list {
		named[i] = o
		named[i].Section, named[i].Reason = escape(o.Section), escape(o.Reason)
	}
	return "\n" + leftOut(named, terse) + "\n"
}

// escape makes a harmless line mean nothing in Markdown: no emphasis, code, link, address, image, heading,
// table, HTML or entity begins in it. It may not begin a line: there a list or a quotation could begin.
func escape(s string) string {
	if !strings.ContainsAny(s, "\\`*_[]<>&#|~!:@.$") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := range len(s) {
		switch c := s[i]; c {
		case '<':
			b.WriteString("&lt;")
			continue
		case '&':
			b.WriteString("&amp;")
			continue
		case '\\', '`', '*', '[', ']', '#', '|', '~', '$':
			b.WriteByte('\\')
		case '!':
			if i+1 < len(s) && s[i+1] == '[' {
				b.WriteByte('\\')
			}
		case '_', '@':
			if c == '@' || !inWord(s, i) {
				b.WriteByte('\\')
			}
		case ':':
			if strings.HasPrefix(s[i+1:], "//") || mailto(s[:i]) {
				b.WriteByte('\\')
			}
		case '.':
			if i >= 3 && strings.EqualFold(s[i-3:i], "www") {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// inWord reports whether a letter or digit stands on both sides of i.
func inWord(s string, i int) bool {
	return i > 0 && i+1 < len(s) && wordly(s[i-1]) && wordly(s[i+1])
}

func wordly(c byte) bool { return asciiLetter(c) || c >= '0' && c <= '9' }

func mailto(s string) bool {
	const scheme = "mailto"
	return len(s) >= len(scheme) && strings.EqualFold(s[len(s)-len(scheme):], scheme)
}
