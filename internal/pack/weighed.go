package pack

import (
	"encoding/json"
	"strings"
)

// Formats for callers that print entries themselves: what they print beside the words of an entry is its Shell.
const (
	Weighed Format = "weighed" // words are printed as indented JSON
	Short   Format = "short"   // as compact JSON, with short refs
	Lined   Format = "lined"   // as lines, with short refs
)

// A Chosen is what is shown of an entry.
type Chosen struct {
	Section string
	Ref     string // of the turn that answers best
	Said    []Said // turn by turn, in their order; one for what is no conversation
	Main    int    // the turn that answers best
}

// A Said is a turn as it is shown.
type Said struct {
	Ref, By, Text string
	Cut           bool
	Words         int // that it has in full, where it is cut
	Gap           bool
	Marks         []string
}

// Choose returns what is shown in a format, section by section and the best first, with all that is left out.
func (p *Pack) Choose(f Format) ([]Chosen, []Omission) {
	c := newChooser(p, p.form(f))
	s := c.choose(p.budget)
	var out []Chosen
	for sec, of := range c.order {
		for _, e := range of {
			v := s.views[e]
			if len(v.turns) == 0 {
				continue
			}
			one := Chosen{Section: c.layout.Sections[sec].Name}
			all := c.turns(e, v)
			one.Main = main(all)
			for _, w := range all {
				one.Said = append(one.Said, Said{w.turn.Ref, w.turn.By, w.text, w.cut, w.countCut(), w.skip, w.turn.Marks})
			}
			one.Ref = one.Said[one.Main].Ref
			out = append(out, one)
		}
	}
	return out, c.left(&s)
}

// weighed is the form of callers that print entries themselves.
type weighed struct {
	as    Format
	about string // what stands around the entries
}

func (f weighed) open(heading) string               { return f.about }
func (weighed) close() string                       { return "" }
func (weighed) section(*Section, bool) string       { return "" }
func (weighed) end() string                         { return "" }
func (weighed) missed(*Section, int, int) string    { return "" }
func (f weighed) shell(_ *Section, e *Entry) string { return e.Shell }

func (f weighed) left(list []Omission, _ int) string {
	if len(list) == 0 {
		return ""
	}
	return `"left_out": 100,`
}

func (f weighed) entry(_ *Section, e *Entry, all []said, _ bool) string {
	var b strings.Builder
	b.WriteString(e.Shell)
	if len(all) == 1 {
		b.WriteString(f.words(&all[0]))
		if all[0].cut {
			b.WriteString(f.howMuch(&all[0]))
		}
		return b.String()
	}
	for i := range all {
		b.WriteString(f.turn(&all[i]))
	}
	return b.String()
}

func (f weighed) howMuch(w *said) string {
	if f.as == Lined {
		return w.howMuch()
	}
	return `"cut":true,"words":` + thousands(w.of)
}

func (f weighed) words(w *said) string {
	if f.as == Lined {
		return w.line(false)
	}
	text, _ := json.Marshal(w.asSaid())
	return string(text)
}

// asSaid is what a turn says, line by line where it is whole.
func (w *said) asSaid() string {
	if w.cut {
		return w.text
	}
	return w.turn.Text
}

func (f weighed) turn(w *said) string {
	one := *w
	if f.as != Lined {
		one.text = w.asSaid()
	}
	t := *w.turn
	one.turn = &t
	if kind, id, ok := strings.Cut(t.Ref, ":"); ok && f.as != Weighed {
		t.Ref = kind + ":" + id[:min(len(id), 8)]
	}
	switch f.as {
	case Lined:
		return lines{}.turn(&one)
	case Short:
		return object{}.turn(&one)
	}
	const deep = "        "
	text, _ := json.MarshalIndent(parts([]said{one})[0], deep, "  ")
	return "\n" + deep + string(text) + ","
}
