package pack

import (
	"slices"
	"strconv"
	"strings"
)

// A Format is a way to print a pack.
type Format string

// The formats. What is no format is printed as Text.
const (
	Text     Format = "text"
	Markdown Format = "markdown"
	JSON     Format = "json"
)

// How much is said of the pack itself; a budget too small for all of it gets less.
const (
	inFull    = iota // omissions by section and reason
	byReason         // omissions by reason
	inOne            // one number of omissions, nothing at the sections
	nameless         // and neither the query nor the estimator's name
	terseness        // the number of steps
)

// A form prints the pieces of a pack in one format. What is printed is the pieces one behind the other.
type form interface {
	// open begins the pack, close ends it.
	open(h heading) string
	close() string
	// section begins a section, end ends it; next says that it is not the first.
	section(s *Section, next bool) string
	end() string
	// entry prints one entry with what is shown of it; next says that it is not the first of its section.
	entry(s *Section, e *Entry, all []said, next bool) string
	// shell prints what is said of a conversation beside its turns, and turn one of them: together they take about
	// what the entry takes.
	shell(s *Section, e *Entry) string
	turn(w *said) string
	// missed says at a section how many of its entries did not fit and what budget would hold them, if known.
	missed(s *Section, count, needs int) string
	// left says what is not shown, at one step of terseness.
	left(list []Omission, terse int) string
}

// said is a turn as it is shown.
type said struct {
	turn *Turn
	text string
	cut  bool
	of   int  // words that it has in full, where it is cut
	skip bool // something stands between it and the one before
}

// line returns the words as they are printed among marks of ours, with who said them.
func (w *said) line(set bool) string {
	text := w.text
	if set {
		return text
	}
	if w.turn.By != "" {
		text = w.turn.By + ": " + text
	}
	return Quote(text)
}

// howMuch says of words that were cut how many there are.
func (w *said) howMuch() string {
	if !w.cut {
		return ""
	}
	return HowMuch(w.of)
}

// HowMuch says of words that were cut how many there are.
func HowMuch(of int) string { return "of " + thousands(of) + " words; `why` has all" }

// thousands writes a number as it is read: 1,830.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// main is the turn that answers best.
func main(all []said) int {
	best := 0
	for i := range all {
		if all[i].turn.Score > all[best].turn.Score {
			best = i
		}
	}
	return best
}

// heading is what a pack says of itself.
type heading struct {
	query        string
	level        Level
	used, budget int
	empty        bool // nothing was given
	nameless     bool // no room for the query, nor for the estimator's name
	notice       string
	waits        string
	zone         string
	gathered     string
}

// lines is the form for terminals and for models.
type lines struct {
	name  string
	fancy bool
}

func (f lines) open(h heading) string {
	var b strings.Builder
	b.WriteString("=== " + f.name)
	if h.query != "" {
		b.WriteString(`: "` + h.query + `"`)
	}
	b.WriteString(" · " + strconv.Itoa(h.used) + " of " + strconv.Itoa(h.budget) + " tokens" + zoned(h.zone) + " ===\n")
	if h.notice != "" {
		b.WriteString("! " + h.notice + "\n")
	}
	if h.waits != "" {
		b.WriteString(h.waits + "\n")
	}
	if h.empty {
		b.WriteString("\nnothing found\n")
	}
	return b.String()
}

func (lines) close() string { return "" }
func (lines) end() string   { return "" }

func (f lines) section(s *Section, _ bool) string {
	if f.fancy && s.Emoji != "" {
		return "\n" + s.Emoji + " " + s.Title + ":\n"
	}
	return "\n" + s.Title + ":\n"
}

func (f lines) entry(s *Section, e *Entry, all []said, _ bool) string {
	var b strings.Builder
	b.WriteString("   ")
	label := labelOf(s, e)
	if f.fancy {
		b.WriteString(markOf(s, e) + " ")
	} else if label == "" {
		b.WriteString("- ")
	}
	if label != "" {
		b.WriteString("[" + label + "] ")
	}
	if len(all) > 1 {
		b.Reset()
		b.WriteString(f.shell(s, e))
		for i := range all {
			b.WriteString(f.turn(&all[i]))
		}
		return b.String()
	}
	b.WriteString(all[0].line(e.Set))
	if e.Path != "" {
		b.WriteString(" - " + e.Path)
	}
	if about := e.about(&all[0]); about != "" {
		b.WriteString(" (" + about + ")")
	}
	b.WriteByte('\n')
	return b.String()
}

func (f lines) shell(s *Section, e *Entry) string {
	begin := "   "
	if f.fancy {
		begin += markOf(s, e) + " "
	} else if labelOf(s, e) == "" {
		begin += "- "
	}
	if label := labelOf(s, e); label != "" {
		begin += "[" + label + "] "
	}
	return begin + conversation(e) + ":\n"
}

func (lines) turn(w *said) string {
	line := "      " + w.line(false) + " (" + aboutTurn(w) + ")\n"
	if w.skip {
		return "      " + gap + "\n" + line
	}
	return line
}

// conversation is what is said above the turns of one.
func conversation(e *Entry) string {
	about := e.about(nil)
	if about == "" {
		return "conversation"
	}
	return "conversation (" + about + ")"
}

// aboutTurn is what stands in brackets behind a turn of a conversation.
func aboutTurn(w *said) string {
	return joined(slices.Concat([]string{w.turn.Ref, w.howMuch()}, w.turn.Marks)...)
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// zoned names the zone of the days in a pack.
func zoned(zone string) string {
	if zone == "" {
		return ""
	}
	return " · days in " + zone
}

func (lines) missed(_ *Section, count, needs int) string {
	return "   " + missed(count, needs, "raise budget to ") + "\n"
}

func (lines) left(list []Omission, terse int) string {
	if len(list) == 0 {
		return ""
	}
	return "\n" + leftOut(list, terse) + "\n"
}

func labelOf(s *Section, e *Entry) string {
	switch {
	case e.State != "":
		return e.State
	case e.Said:
		return "as said"
	case e.Place != "":
		return e.Place
	}
	return e.Tier
}

func markOf(s *Section, e *Entry) string {
	if s.Mark != "" {
		return s.Mark
	}
	return tierMark(e.Tier)
}

// about is what stands in brackets behind an entry, or above the turns of one where only is nil.
func (e *Entry) about(only *said) string {
	var parts []string
	if only != nil {
		parts = append(parts, only.turn.Ref)
	}
	parts = append(parts, e.Store)
	at := e.At
	if only != nil {
		parts = append(parts, only.howMuch())
		if only.turn.At != "" {
			at = only.turn.At
		}
	}
	parts = append(parts, e.Marks...)
	if only != nil {
		for _, m := range only.turn.Marks {
			if !slices.Contains(e.Marks, m) {
				parts = append(parts, m)
			}
		}
	}
	if e.bare {
		at = ""
	}
	parts = append(parts, e.Why, at)
	if e.By != "" {
		parts = append(parts, "by "+e.By)
	}
	if e.Agent {
		parts = append(parts, "verified by an agent")
	}
	if e.Level != "" && e.Level != "unverified" {
		parts = append(parts, e.Level)
	}
	return joined(parts...)
}

func missed(count, needs int, raise string) string {
	s := strconv.Itoa(count) + " more did not fit"
	if needs > 0 {
		s += ": " + raise + strconv.Itoa(needs)
	}
	return s
}

// leftOut says what is not shown, in words.
func leftOut(list []Omission, terse int) string {
	var b strings.Builder
	b.WriteString("… left out: ")
	asks := false
	if terse >= inOne {
		b.WriteString(strconv.Itoa(total(list)))
		return b.String()
	}
	for i, o := range byReasons(list) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(o.Count) + " ")
		if o.Reason != ForBudget {
			b.WriteString(o.Reason)
			continue
		}
		b.WriteString("for the budget")
		if terse > inFull {
			continue
		}
		open := " ("
		for _, of := range list {
			if of.Reason == ForBudget {
				b.WriteString(open + strconv.Itoa(of.Count) + " " + noun(of.Section))
				open, asks = ", ", asks || of.Section == "decisions" || of.Section == "known" // a start: a question was not asked
			}
		}
		b.WriteString(")")
	}
	if asks {
		b.WriteString("; recall finds them")
	}
	return b.String()
}

// noun is how a count of a section's entries is said.
func noun(section string) string {
	if section == "needs" {
		return "to verify"
	}
	return section
}

func total(list []Omission) int {
	n := 0
	for _, o := range list {
		n += o.Count
	}
	return n
}

// byReasons adds up omissions of one reason, in the order in which reasons first appear.
func byReasons(list []Omission) []Omission {
	var sums []Omission
next:
	for _, o := range list {
		for i := range sums {
			if sums[i].Reason == o.Reason {
				sums[i].Count += o.Count
				continue next
			}
		}
		sums = append(sums, Omission{Reason: o.Reason, Count: o.Count})
	}
	return sums
}
