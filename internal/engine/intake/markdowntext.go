package intake

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// A part is one section of a memory's words in a file: a text or a list.
type part struct {
	title string
	text  func(*api.Draft) *string
	list  func(*api.Draft) *[]string
}

// mainOf is what stands in a file before any section.
func mainOf(d *api.Draft) *string {
	if d.Kind == string(memory.KindValue) {
		return &d.Name
	}
	return &d.Text
}

func description(d *api.Draft) *string { return &d.Description }

// parts are the sections of each kind, in their order.
var parts = map[memory.Kind][]part{
	memory.KindEpisode: {
		{title: "Outcome", text: func(d *api.Draft) *string { return &d.Outcome }},
		{title: "Lessons", list: func(d *api.Draft) *[]string { return &d.Lessons }},
		{title: "Repeat", list: func(d *api.Draft) *[]string { return &d.Repeat }},
		{title: "Avoid", list: func(d *api.Draft) *[]string { return &d.Avoid }},
	},
	memory.KindNote: {
		{title: "Reason", text: func(d *api.Draft) *string { return &d.Reason }},
		{title: "Alternatives", list: func(d *api.Draft) *[]string { return &d.Alternatives }},
	},
	memory.KindValue:        {{title: "Statement", text: func(d *api.Draft) *string { return &d.Text }}},
	memory.KindGoal:         {{title: "Description", text: description}},
	memory.KindDrive:        {{title: "Focus", list: func(d *api.Draft) *[]string { return &d.Focus }}},
	memory.KindRelationship: {{title: "Description", text: description}},
	memory.KindPlaybook: {
		{title: "When", text: func(d *api.Draft) *string { return &d.When }},
		{title: "Steps", list: func(d *api.Draft) *[]string { return &d.Steps }},
		{title: "Failure modes", list: func(d *api.Draft) *[]string { return &d.FailureModes }},
		{title: "Recovery", list: func(d *api.Draft) *[]string { return &d.Recovery }},
	},
}

// layOut returns the words of a draft as they stand in a file.
func layOut(d api.Draft) string { return layOutWith(d, harmless) }

func layOutWith(d api.Draft, words func(string) string) string {
	escaped := func(kind memory.Kind, text string) string { return escaped(kind, words(text)) }
	kind := memory.Kind(d.Kind)
	var b strings.Builder
	b.WriteString(escaped(kind, *mainOf(&d)) + "\n")
	for _, p := range parts[kind] {
		if p.text != nil {
			if text := *p.text(&d); text != "" {
				b.WriteString("\n## " + p.title + "\n\n" + escaped(kind, text) + "\n")
			}
			continue
		}
		for i, item := range *p.list(&d) {
			if i == 0 {
				b.WriteString("\n## " + p.title + "\n\n")
			}
			b.WriteString("- " + strings.ReplaceAll(escaped(kind, item), "\n", "\n  ") + "\n")
		}
	}
	return b.String()
}

// readText puts the words of a file in the place of a draft's. What a draft has
// no words for, such as a priority, it keeps.
func readText(d api.Draft, text string) api.Draft {
	kind := memory.Kind(d.Kind)
	into := mainOf(&d)
	*into = ""
	for _, p := range parts[kind] {
		if p.text != nil {
			*p.text(&d) = ""
		} else {
			*p.list(&d) = nil
		}
	}
	var in *part // nil is before any section
	var lines []string
	end := func() {
		switch {
		case in == nil:
			*mainOf(&d) = joinLines(kind, lines)
		case in.text != nil:
			*in.text(&d) = joinLines(kind, lines)
		default:
			*in.list(&d) = items(kind, lines)
		}
		lines = nil
	}
	for line := range strings.SplitSeq(plainLines(text), "\n") {
		if p := heading(kind, line); p != nil {
			end()
			in = p
			continue
		}
		lines = append(lines, line)
	}
	end()
	return d
}

// heading returns the section that a line begins; nil if it begins none.
func heading(kind memory.Kind, line string) *part {
	title, ok := strings.CutPrefix(line, "## ")
	if !ok {
		return nil
	}
	for i := range parts[kind] {
		if p := &parts[kind][i]; strings.EqualFold(strings.TrimSpace(title), p.title) {
			return p
		}
	}
	return nil
}

// escaped keeps lines of a text from being taken for a section: such a line gets
// one backslash more.
func escaped(kind memory.Kind, text string) string {
	if !strings.Contains(text, "## ") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if heading(kind, strings.TrimLeft(l, `\`)) != nil {
			lines[i] = `\` + l
		}
	}
	return strings.Join(lines, "\n")
}

func joinLines(kind memory.Kind, lines []string) string {
	out := slices.Clone(lines)
	for i, l := range out {
		if strings.HasPrefix(l, `\`) && heading(kind, strings.TrimLeft(l, `\`)) != nil {
			out[i] = l[1:]
		}
	}
	return strings.TrimSpace(harmful(strings.Join(out, "\n")))
}

// items reads a list: what stands below an item belongs to it.
func items(kind memory.Kind, lines []string) []string {
	var out []string
	var item []string
	end := func() {
		if text := joinLines(kind, item); text != "" {
			out = append(out, text)
		}
		item = nil
	}
	for _, l := range lines {
		if first, ok := bullet(l); ok {
			end()
			item = []string{first}
			continue
		}
		item = append(item, strings.TrimPrefix(l, "  "))
	}
	end()
	return out
}

// bullet reads "- item", "* item" and "1. item".
func bullet(line string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "+ "} {
		if item, ok := strings.CutPrefix(line, mark); ok {
			return item, true
		}
	}
	if number, item, ok := strings.Cut(line, ". "); ok && number != "" && len(number) < 4 &&
		strings.Trim(number, "0123456789") == "" {
		return item, true
	}
	return "", false
}

// plainLines returns a text with one kind of line end.
func plainLines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// sameText compares two texts of files without what editors change by
// themselves: line ends, blanks at the end of lines, empty lines around.
func sameText(a, b string) bool {
	return bare(a) == bare(b)
}

func bare(text string) string {
	lines := strings.Split(plainLines(text), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
