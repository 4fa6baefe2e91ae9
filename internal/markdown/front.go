package markdown

import (
	"encoding/json"
	"math"
	"strings"
)

// maxFront bounds a front matter, in bytes. What is longer is text.
const maxFront = 64 << 10

// A Front is the front matter of a file: its members in the order in which they
// stand. Of YAML it knows what people write there: texts, quoted or not, lists
// of them, and texts of several lines. What is deeper is kept as it is written.
type Front struct {
	Members []Member
}

// A Member is one name of a front matter with what stands under it.
type Member struct {
	Name string
	Text string   // of a text, or of what is kept as it is written
	List []string // of a list
	Is   Form
}

// A Form is how a member was written.
type Form int

// The forms of a member.
const (
	Plain Form = iota // a text without quotes: a number or a date may be meant
	Quoted
	Listed
	Nested // deeper than we read
)

// Split divides a file into its front matter and its text. A file without a
// front matter is all text.
func Split(file string) (Front, string) {
	file = strings.TrimPrefix(file, "\ufeff")
	first, rest, _ := strings.Cut(file, "\n")
	if strings.TrimRight(first, " \t\r") != "---" {
		return Front{}, file
	}
	front := rest
	for at := 0; at < len(front) && at < maxFront; {
		line, _, more := strings.Cut(front[at:], "\n")
		if l := strings.TrimRight(line, " \t\r"); l == "---" || l == "..." {
			text := ""
			if more {
				text = front[at+len(line)+1:]
			}
			return parseFront(front[:at]), text
		}
		if !more {
			break
		}
		at += len(line) + 1
	}
	return Front{}, file
}

// Get returns the member of a name, compared without regard to case; nil if there is none.
func (f Front) Get(name string) *Member {
	for i := range f.Members {
		if strings.EqualFold(f.Members[i].Name, name) {
			return &f.Members[i]
		}
	}
	return nil
}

// Text returns the text of a member, or of the first in its list.
func (f Front) Text(name string) string {
	m := f.Get(name)
	switch {
	case m == nil:
		return ""
	case m.Is == Listed && len(m.List) > 0:
		return m.List[0]
	default:
		return m.Text
	}
}

// List returns the texts of a member: those of its list, or its text as a list
// written with commas.
func (f Front) List(name string) []string {
	m := f.Get(name)
	if m == nil {
		return nil
	}
	if m.Is == Listed {
		return m.List
	}
	var out []string
	for part := range strings.SplitSeq(m.Text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// parseFront reads the lines between the fences. It takes everything: what it
// does not understand is left out, or kept as text.
func parseFront(s string) Front {
	var f Front
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		i++
		name, value, ok := member(line)
		if !ok {
			continue
		}
		begin := i
		for i < len(lines) && (indented(lines[i]) || strings.HasPrefix(lines[i], "- ") || lines[i] == "-") {
			i++
		}
		under := lines[begin:i]
		for len(under) > 0 && strings.TrimSpace(under[len(under)-1]) == "" {
			under = under[:len(under)-1]
		}
		f.Members = append(f.Members, read(name, value, under))
	}
	return f
}

// member reads "name: value" at the beginning of a line.
func member(line string) (name, value string, ok bool) {
	if indented(line) || line[0] == '#' || line[0] == '-' {
		return "", "", false
	}
	if line[0] == '"' { // a name in quotes
		end := strings.Index(line[1:], `":`)
		if end < 1 {
			return "", "", false
		}
		return line[1 : end+1], strings.TrimSpace(line[end+3:]), true
	}
	at := strings.Index(line, ":")
	if at <= 0 || at+1 < len(line) && line[at+1] != ' ' && line[at+1] != '\t' {
		return "", "", false
	}
	return strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+1:]), true
}

func indented(line string) bool {
	return line == "" || line[0] == ' ' || line[0] == '\t'
}

// read returns a member from what stands behind its name and on the lines below.
func read(name, value string, under []string) Member {
	value = uncommented(value)
	switch {
	case len(value) > 0 && (value[0] == '|' || value[0] == '>'):
		return Member{Name: name, Text: block(value[0] == '>', under), Is: Quoted}
	case strings.HasPrefix(value, "["):
		whole := strings.Join(append([]string{value}, under...), " ")
		if list, ok := flow(whole); ok {
			return Member{Name: name, List: list, Is: Listed}
		}
		return Member{Name: name, Text: whole, Is: Nested}
	case value == "" && len(under) > 0:
		if list, ok := dashes(under); ok {
			return Member{Name: name, List: list, Is: Listed}
		}
		return Member{Name: name, Text: strings.Join(under, "\n"), Is: Nested}
	case strings.HasPrefix(value, "{") || strings.HasPrefix(value, "&") || strings.HasPrefix(value, "*") ||
		strings.HasPrefix(value, "!"):
		return Member{Name: name, Text: value, Is: Nested}
	}
	if text, quoted := unquote(value); quoted {
		return Member{Name: name, Text: text, Is: Quoted}
	}
	for _, l := range under { // a plain text that goes on
		value += " " + strings.TrimSpace(l)
	}
	return Member{Name: name, Text: strings.TrimSpace(value), Is: Plain}
}

// uncommented takes away a comment behind a value.
func uncommented(value string) string {
	if strings.HasPrefix(value, "#") {
		return ""
	}
	var quote rune
	for i, c := range value {
		switch {
		case quote != 0:
			if c == quote && (quote == '\'' || value[i-1] != '\\') {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.ContainsRune("[, ", rune(value[i-1]))):
			quote = c
		case c == '#' && value[i-1] == ' ':
			return strings.TrimSpace(value[:i])
		}
	}
	return value
}

// unquote reads a text in quotes.
func unquote(s string) (string, bool) {
	if len(s) < 2 || s[0] != s[len(s)-1] {
		return s, false
	}
	switch s[0] {
	case '\'':
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'"), true
	case '"':
		var out string
		if json.Unmarshal([]byte(s), &out) == nil {
			return out, true
		}
		return s[1 : len(s)-1], true
	}
	return s, false
}

// dashes reads a list of one text a line.
func dashes(lines []string) ([]string, bool) {
	var out []string
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '#' {
			continue
		}
		item, ok := strings.CutPrefix(l, "-")
		if !ok || item != "" && item[0] != ' ' {
			return nil, false
		}
		item = uncommented(strings.TrimSpace(item))
		text, quoted := unquote(item)
		if _, _, deeper := member(item); deeper && !quoted {
			return nil, false
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out, true
}

// flow reads what begins as [a, "b, c", [[d]]] does: a wikilink without quotes is one text.
func flow(s string) ([]string, bool) {
	s = strings.TrimSpace(s)
	if !strings.HasSuffix(s, "]") {
		return nil, false
	}
	var out []string
	var quote byte
	depth, begin := 0, 1
	add := func(end int) {
		if text, _ := unquote(strings.TrimSpace(s[begin:end])); text != "" {
			out = append(out, text)
		}
		begin = end + 1
	}
	for i := 1; i < len(s)-1; i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote && (quote == '\'' || s[i-1] != '\\') {
				quote = 0
			}
		case c == '"' || c == '\'' && strings.TrimSpace(s[begin:i]) == "":
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			add(i)
		}
	}
	add(len(s) - 1)
	return out, depth == 0 && quote == 0
}

// block reads the lines of a text of several lines.
func block(folded bool, lines []string) string {
	depth := math.MaxInt
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			depth = min(depth, len(l)-len(strings.TrimLeft(l, " ")))
		}
	}
	var out []string
	for _, l := range lines {
		out = append(out, l[min(depth, len(l)):])
	}
	if folded {
		return strings.Join(out, " ")
	}
	return strings.Join(out, "\n")
}

// Text writes the member of a text.
func Text(name, text string) Member { return Member{Name: name, Text: text} }

// List writes the member of a list.
func List(name string, list []string) Member { return Member{Name: name, List: list, Is: Listed} }

// String writes the front matter with its fences. Members without a text or a
// list are left out. What any reader of YAML could take for something else
// stands in quotes.
func (f Front) String() string {
	var b strings.Builder
	b.WriteString("---\n")
	for _, m := range f.Members {
		switch {
		case m.Is == Listed && len(m.List) > 0:
			b.WriteString(m.Name + ":\n")
			for _, s := range m.List {
				b.WriteString("  - " + scalar(s) + "\n")
			}
		case m.Is != Listed && m.Text != "":
			b.WriteString(m.Name + ": " + scalar(m.Text) + "\n")
		}
	}
	b.WriteString("---\n")
	return b.String()
}

// scalar writes a text so that it is read as that text.
func scalar(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("0123456789-_./: +", r)
	})
	if plain {
		first := s[0] | 0x20
		plain = first >= 'a' && first <= 'z' && !strings.Contains(s, ": ") && !strings.HasSuffix(s, ":") &&
			!strings.HasSuffix(s, " ") && !word(s)
	}
	if plain || number(s) {
		return s
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(strings.ToValidUTF8(s, "\ufffd")) // a string is always encoded
	// YAML breaks lines at some of these, JSON does not; programs that know no front
	// matter take it for Markdown, with its HTML, links and pictures.
	return strings.NewReplacer("<", `\u003c`, "](", `]\u0028`, "]:", `]\u003a`, "![", `!\u005b`,
		"\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`, "\u007f", `\u007f`).Replace(
		strings.TrimSuffix(b.String(), "\n"),
	)
}

// word says what YAML takes for something other than a text.
func word(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n":
		return true
	}
	return false
}

// number tells a number or a time as this program writes them.
func number(s string) bool {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return false
	}
	return strings.Trim(s, "0123456789.") == "" && strings.Count(s, ".") < 2 || len(s) >= 20 && s[10] == 'T' &&
		s[len(s)-1] == 'Z' && strings.Trim(s, "0123456789-:.TZ") == ""
}
