package cli

import (
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/brief"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// clean makes text harmless to a terminal: control, bidirectional, tag and
// invisible characters are shown as escapes.
func clean(s string) string { return plain.Text(s) }

// line makes text one harmless line of at most width columns: what a person typed, in an error, and
// what is no memory. Words of a memory are given whole.
func line(s string, width int) string {
	return plain.Line(s, max(width, 8))
}

// whole makes text one harmless line, however long it is. At a terminal it wraps.
func whole(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// about is whole of what is said in brackets beside words. At a terminal it takes at most width columns, so
// that the words have the room.
func (a *app) about(s string, width int) string {
	if a.wraps() {
		return line(s, width)
	}
	return whole(s)
}

// saidBy is cited with who said it before it, where somebody is named.
func (a *app) saidBy(speaker, s string) string { return a.speaker(speaker) + cited(s) }

// speaker is the name before what somebody said, "" for no name. Our marks are in brackets, so that those of a
// name are escaped.
func (a *app) speaker(name string) string {
	if name == "" {
		return ""
	}
	return strings.NewReplacer("[", `\[`, "]", `\]`).Replace(whole(name)) + ": "
}

// mostSpeaker is how many columns a name may take in an error.
const mostSpeaker = 30

// ofMemory is saidBy of all that a memory says, with its marks.
func (a *app) ofMemory(m api.Memory) string {
	speaker, _ := m.Content["speaker"].(string)
	return a.saidBy(speaker, brief.Words(&m)) + marksAside(&m)
}

// headMemory is ofMemory for the head of an answer about one memory.
func (a *app) headMemory(m api.Memory) string {
	speaker, _ := m.Content["speaker"].(string)
	return a.saidBy(speaker, brief.Words(&m)) + headAside(&m)
}

func (a *app) ofMemoryAlone(m api.Memory) string {
	speaker, _ := m.Content["speaker"].(string)
	return a.saidBy(speaker, m.Headline)
}

// cited is whole in quotation marks. What stands between them ends at none of its own, so
// that words cannot go on as a date and marks of ours.
func cited(s string) string { return `"` + inQuotes(whole(s)) + `"` }

// quoted is cited of at most width columns, for errors.
func quoted(s string, width int) string { return `"` + inQuotes(line(s, width-2)) + `"` }

// inQuotes escapes quotation marks, and a backslash that would escape one.
func inQuotes(s string) string {
	if !strings.ContainsAny(s, "\"＂\\") {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		rest := s[i+1:]
		switch {
		case r == '"', r == '＂', r == '\\' && (rest == "" || rest[0] == '"' || rest[0] == '\\'):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// day and minute give a time of a reply as people read it, in their zone; the replies hold UTC.
func day(s string) string    { return reformat(s, time.DateOnly) }
func minute(s string) string { return reformat(s, "2006-01-02 15:04") }

func reformat(s, layout string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	return t.In(zone()).Format(layout)
}

// count is a number of things with the word for them.
func count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// short returns the digits of an id that people read.
func short(id string) string { return shorten.To(id, 8) }

// shortRef does the same for a ref.
func shortRef(ref string) string {
	kind, id, ok := strings.Cut(ref, ":")
	if !ok {
		return short(ref)
	}
	return kind + ":" + short(id)
}

// decimal is a confidence as people read it.
func decimal(f float64) string {
	c, err := memory.ParseConfidence(f)
	if err != nil {
		return fmt.Sprint(f)
	}
	return c.String()
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

func shortRefs(refs []string) string {
	const most = 12
	out := make([]string, 0, most)
	for i, r := range refs {
		if i == most {
			out = append(out, fmt.Sprintf("… %d more", len(refs)-most))
			break
		}
		out = append(out, shortRef(r))
	}
	return strings.Join(out, ", ")
}

func shortPath(path []string) string {
	out := make([]string, len(path))
	for i, p := range path {
		out[i] = shortRef(p)
	}
	return strings.Join(out, " → ")
}

// shortTarget cuts the id of a ref; other targets stay as they are.
func shortTarget(target string) string {
	if kind, _, _ := strings.Cut(target, ":"); memory.Kind(kind).Known() {
		return shortRef(target)
	}
	return target
}

// filled joins words by blanks, in lines of at most so many columns. All lines but the first
// are indented.
func filled(words []string, indent, columns int) string {
	var b strings.Builder
	at := indent
	for i, word := range words {
		n := utf8.RuneCountInString(word)
		switch {
		case i > 0 && at+1+n > columns:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		case i > 0:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
