package memory

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A part is one member of a body as a reader is given it. The first one has no label.
type part struct {
	Label string
	Texts []string // in their order; more than one are numbered
}

// partsOf returns all that b says in words, in the order in which its kind lists its fields.
func partsOf(b Body) []part {
	switch b := b.(type) {
	case *Raw:
		return rawParts(b)
	case *Note:
		if line := oneLine(strings.TrimRight(b.Summary, "…. ")); line != "" && strings.HasPrefix(oneLine(b.Body), line) {
			return parted(b, part{Texts: []string{b.Body}}) // its summary is how it begins
		}
		return parted(b, part{Texts: []string{b.Summary}}, part{"", []string{b.Body}})
	case *Value:
		return parted(b, part{Texts: []string{named(b.Name, b.Statement)}})
	case *Relationship:
		return parted(b, part{Texts: []string{named(b.Name, b.Description)}})
	case *Playbook:
		return parted(b, part{Texts: []string{named(b.Name, b.When)}})
	}
	first := b.headline()
	if text, ok := b.kind().Form().At("text", b).(*string); ok {
		first = *text
	}
	return parted(b, part{Texts: []string{first}})
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func rawParts(b *Raw) []part {
	said := b.Said()
	if strings.TrimSpace(said) == "" {
		said = b.headline()
	}
	out := []part{{Texts: []string{said}}}
	if b.Caption != "" {
		out = append(out, part{"Picture", []string{b.Caption}})
	}
	return out
}

// parted adds to the parts that begin a body those of its other fields.
func parted(b Body, first ...part) []part {
	out := slices.DeleteFunc(first, func(p part) bool { return strings.TrimSpace(p.Texts[0]) == "" })
	shown := make(map[string]bool)
	for _, p := range out {
		for _, text := range p.Texts {
			shown[text] = true
		}
	}
	fields := b.kind().Form().Fields
	if _, unknown := b.(*Opaque); unknown {
		fields = nil
	}
	for i := range fields {
		f := &fields[i]
		_, goal := b.(*Goal) // its type is the author's own word
		if f.In == nil || f.Name == "text" || f.Name == "type" && !goal || f.Name == "speaker" || f.Decimal() {
			continue
		}
		label := f.Section
		if label == "" {
			label = labelled(f.Name)
		}
		switch v := f.In(b).(type) {
		case *string:
			if *v != "" && !shown[*v] && !told(b, f.Name) && !stated(out, *v) {
				out = append(out, part{label, []string{*v}})
			}
		case *[]string:
			if len(*v) > 0 {
				out = append(out, part{label, *v})
			}
		}
	}
	if e, ok := b.(*Episode); ok && e.Emotion != nil && len(e.Emotion.Labels) > 0 {
		out = append(out, part{"Felt", []string{strings.Join(e.Emotion.Labels, ", ")}})
	}
	return out
}

// stated reports whether the first text has a clause word for word: "because SQLite locked under load" needs no reason
// beside it.
func stated(parts []part, clause string) bool {
	const least = 3 // words: fewer may be there by chance
	clause = strings.TrimRight(clause, ".!?… ")
	if len(parts) == 0 || len(strings.Fields(clause)) < least {
		return false
	}
	_, after, ok := strings.Cut(parts[0].Texts[0], " "+clause)
	next, _ := utf8.DecodeRuneInString(after)
	return ok && !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// told reports whether a field is part of the first text.
func told(b Body, field string) bool {
	switch b.(type) {
	case *Relationship:
		return field == "description"
	case *Playbook:
		return field == "when"
	}
	return false
}

// named is "name: text" in full.
func named(name, text string) string {
	if strings.TrimSpace(text) == "" {
		return name
	}
	return name + ": " + text
}

// labelled is the name of a field as a label: failure_modes is "Failure modes".
func labelled(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + strings.ReplaceAll(name[n:], "_", " ")
}

// Whole returns all that b says as one text: its first words, then each other field after its label.
func Whole(b Body) string {
	parts := partsOf(b)
	if len(parts) == 1 && len(parts[0].Texts) == 1 && parts[0].Label == "" {
		return parts[0].Texts[0]
	}
	var w strings.Builder
	for i, p := range parts {
		if i > 0 {
			end(&w)
		}
		if p.Label != "" {
			w.WriteString(p.Label + ": ")
		}
		for n, text := range p.Texts {
			if n > 0 {
				w.WriteByte('\n')
			}
			if len(p.Texts) > 1 {
				w.WriteString(strconv.Itoa(n+1) + ". ")
			}
			w.WriteString(strings.TrimRightFunc(text, unicode.IsSpace))
		}
	}
	return w.String()
}

// end ends a part, with a full stop unless it has its own.
func end(w *strings.Builder) {
	s := strings.TrimRightFunc(w.String(), unicode.IsSpace)
	r, _ := utf8.DecodeLastRuneInString(s)
	if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`)"'`, r) {
		w.WriteByte('.')
	}
	w.WriteByte('\n')
}
