package brief

import (
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/pack"
)

// A Style colours the parts of lines; its zero value colours nothing.
type Style struct {
	Ref func(kind, ref string) string
	Dim func(string) string // what stands beside words
	In  *time.Location      // the zone of days; nil is UTC
}

// Line is one result as it is printed.
func (s Style) Line(r *api.Recalled) string { return s.line(r, zoneOf(s.In).day(r.At), false) }

// Lines are a recall as it is printed.
func (s Style) Lines(r *api.RecallReply) string {
	var b strings.Builder
	if r.Start != "" {
		return r.Start + "\n"
	}
	if r.Note != "" {
		b.WriteString(r.Note + "\n")
	}
	group, in := "", zoneOf(s.In)
	days := in.days(len(r.Results), func(i int) (string, string, string) {
		return r.Results[i].Text, r.Results[i].At, r.Results[i].Type
	})
	for i := range r.Results {
		if g := r.Results[i].Group; g != group {
			if group = g; i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(heading(g) + ":\n")
		}
		b.WriteString(s.line(&r.Results[i], days[i], i == 0))
	}
	if len(r.Constraints) > 0 {
		b.WriteString("\nAlways apply:\n")
		for i := range r.Constraints {
			b.WriteString(s.line(&r.Constraints[i], in.day(r.Constraints[i].At), i == 0 && len(r.Results) == 0))
		}
	}
	return b.String()
}

// heading is a word as it begins a line.
func heading(word string) string {
	if word == "" {
		return "Others"
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// line is one result with its day; the first names the zone of the days.
func (s Style) line(r *api.Recalled, day string, first bool) string {
	mark := Mark(r)
	if r.Cut {
		mark = strings.TrimPrefix(mark+"; "+pack.HowMuch(r.Words), "; ")
	}
	words := s.ref(r.Ref) + " " + said(r.Speaker, r.Text) + "  " + s.dim(s.day(day, first))
	if mark != "" {
		words += "  [" + mark + "]"
	}
	if len(r.Before)+len(r.After) == 0 {
		return words + "\n"
	}
	var b strings.Builder
	for _, t := range r.Before {
		b.WriteString(s.turn(t))
	}
	b.WriteString(words + "\n")
	for _, t := range r.After {
		b.WriteString(s.turn(t))
	}
	return b.String()
}

// day is a day as the first one names its zone.
func (s Style) day(day string, first bool) string {
	if first {
		return day + " " + zoneOf(s.In).String()
	}
	return day
}

// turn is what was said before or after a result.
func (s Style) turn(t api.Turn) string {
	line := "  " + s.ref(t.Ref) + " " + said(t.By, t.Text)
	var marks []string
	if t.Cut {
		marks = append(marks, pack.HowMuch(t.Words))
	}
	if marks = append(marks, t.Marks...); len(marks) > 0 {
		line += "  [" + strings.Join(marks, "; ") + "]"
	}
	if t.Gap {
		return "  …\n" + line + "\n"
	}
	return line + "\n"
}

// said are words with who said them.
func said(by, text string) string {
	text = pack.Quote(pack.OneLine(text))
	if by == "" {
		return text
	}
	return pack.OneLine(by) + ": " + text
}

func (s Style) ref(ref string) string {
	short := Ref(ref)
	if s.Ref == nil {
		return short
	}
	kind, _, _ := strings.Cut(short, ":")
	return s.Ref(kind, short)
}

func (s Style) dim(text string) string {
	if s.Dim == nil {
		return text
	}
	return s.Dim(text)
}
