package evolve

import (
	"strings"
	"time"
	"unicode"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// A Memory is what is compared: its words, and what they are known to be about.
type Memory struct {
	Text     string
	Kind     memory.Kind
	Type     string   // within the kind: preference, decision, …
	About    []string // names
	At       time.Time
	External bool // it came from outside, and nobody independent confirms it
}

// A Relation says how a new memory relates to one of the candidates it was compared
// with.
type Relation struct {
	Type       string  // memory.Update, Extend, Derive or Contradict
	Candidate  int     // its place in the list, from 0
	Confidence float64 // 0 to 1
	Reason     string  // one line
	Detector   string  // which rule or question found it
	Model      string  // where a model did
	Prompt     string  // the version of the question
	Seed       int64

	plain bool // said in so many words
}

// Threshold is the least confidence of a relation, inclusive.
const Threshold = 0.3

// DefaultCandidates is how many memories a new one is compared with unless told
// otherwise, MostCandidates how many at most.
const (
	DefaultCandidates = 5
	MostCandidates    = 10
)

// mostReason bounds a reason, in characters.
const mostReason = 280

// Allowed returns the relation, or nil where it may not be: it is none of the four, names
// no candidate, is not sure enough, or is of an external memory and does more than
// contradict.
func Allowed(r *Relation, new Memory, candidates int) *Relation {
	switch {
	case r == nil || r.Candidate < 0 || r.Candidate >= candidates:
	case !(r.Confidence >= Threshold && r.Confidence <= 1): // not a number is neither
	case r.Type != memory.Contradict && (new.External || r.Type != memory.Update && r.Type != memory.Extend &&
		r.Type != memory.Derive):
	default:
		r.Reason = oneLine(r.Reason)
		return r
	}
	return nil
}

// oneLine brings a reason to one line of printable characters.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if chars := []rune(s); len(chars) > mostReason {
		return string(chars[:mostReason-1]) + "…"
	}
	return s
}

// told makes a relation of the words that a new statement has in the place of the old ones.
func told(kind, why string, was, now []token) *Relation {
	sure := 0.5
	if kind == memory.Update {
		sure = 0.6
	}
	said := func(ts []token) string {
		var all []string
		for _, t := range ts[:min(6, len(ts))] {
			all = append(all, shorten.To(t.text, 40))
		}
		return strings.Join(all, " ")
	}
	return &Relation{Type: kind, Confidence: sure, Reason: why + ": " + said(was) + " → " + said(now)}
}
