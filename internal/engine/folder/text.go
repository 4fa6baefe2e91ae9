package folder

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/memory"
)

// mainOf is the text of a file before the first section.
func mainOf(d *api.Draft) *string {
	if d.Kind == string(memory.KindValue) {
		return &d.Name
	}
	return &d.Text
}

// sections returns the fields of a kind that have a section in a file, in their order.
func sections(kind memory.Kind) []*memory.Field {
	var out []*memory.Field
	fields := kind.Form().Fields
	for i := range fields {
		if fields[i].Section != "" {
			out = append(out, &fields[i])
		}
	}
	return out
}

// isList reports whether a field of a kind is a list of texts.
func isList(kind memory.Kind, f *memory.Field) bool {
	if f.In == nil {
		return false
	}
	_, list := f.In(kind.New()).(*[]string)
	return list
}

// layOut returns the words of a draft in the layout of a file.
func layOut(d api.Draft) string { return layOutWith(d, harmless) }

func layOutWith(d api.Draft, words func(string) string) string {
	escaped := func(kind memory.Kind, text string) string { return escaped(kind, words(text)) }
	kind := memory.Kind(d.Kind)
	var b strings.Builder
	b.WriteString(escaped(kind, *mainOf(&d)) + "\n")
	for _, f := range sections(kind) {
		switch says := core.DraftField(&d, f.Name).(type) {
		case string:
			b.WriteString("\n## " + f.Section + "\n\n" + escaped(kind, says) + "\n")
		case []string:
			b.WriteString("\n## " + f.Section + "\n\n")
			for _, item := range says {
				b.WriteString("- " + strings.ReplaceAll(escaped(kind, item), "\n", "\n  ") + "\n")
			}
		}
	}
	return b.String()
}

// readText puts the words of a file in the place of a draft's. What a draft has
// no words for, such as a priority, it keeps.
func readText(d api.Draft, text string) api.Draft {
	kind := memory.Kind(d.Kind)
	*mainOf(&d) = ""
	for _, f := range sections(kind) {
		core.SetDraftField(&d, f.Name, nil)
	}
	var in *memory.Field // nil is before any section
	var lines []string
	end := func() {
		switch {
		case in == nil:
			*mainOf(&d) = joinLines(kind, lines)
		case isList(kind, in):
			core.SetDraftField(&d, in.Name, items(kind, lines))
		default:
			core.SetDraftField(&d, in.Name, joinLines(kind, lines))
		}
		lines = nil
	}
	for line := range strings.SplitSeq(plainLines(text), "\n") {
		if f := heading(kind, line); f != nil {
			end()
			in = f
			continue
		}
		lines = append(lines, line)
	}
	end()
	return d
}

// heading returns the field whose section a line begins; nil if it begins none.
func heading(kind memory.Kind, line string) *memory.Field {
	title, ok := strings.CutPrefix(line, "## ")
	if !ok {
		return nil
	}
	for _, f := range sections(kind) {
		if strings.EqualFold(strings.TrimSpace(title), f.Section) {
			return f
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

// items reads a list: lines indented below an item belong to it.
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
