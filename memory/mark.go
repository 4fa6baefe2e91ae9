package memory

import (
	"errors"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// KindMark is a claim that says a verb of a record.
const KindMark Kind = "mark"

var markForm = Form{
	Kind: KindMark, Number: 106, Protected: true,
	New: func() Body { return new(Mark) },
}

// Mark is a verb said of a record: approve, protect, forget, … Verbs this
// binary does not know are kept and do nothing.
type Mark struct {
	Of     *Ref   `json:"of,omitempty"`
	Also   []Ref  `json:"also,omitempty"`   // further records, marked in the same act
	Target string `json:"target,omitempty"` // "author:…" or "source:…": marks all of them
	Verb   string `json:"verb"`
	Value  string `json:"value,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// The verbs this binary knows.
const (
	Approve    = "approve"
	Reject     = "reject"
	Protect    = "protect"
	Unprotect  = "unprotect"
	Forget     = "forget"
	Recover    = "recover"
	Dismiss    = "dismiss"
	Status     = "status"
	Progress   = "progress"
	Done       = "done"
	Intensity  = "intensity"
	Outcome    = "outcome"
	Quarantine = "quarantine"
	Release    = "release"
	Purge      = "purge"
	Assign     = "assign" // to a project: the value is its space; none is no project
	Said       = "said"   // the same words were said again: the value is the raw, in full
)

// kind is mark.
func (*Mark) kind() Kind { return KindMark }

// headline returns the verb and on what.
func (b *Mark) headline() string {
	h := b.Verb
	if b.Of != nil {
		h += " " + b.Of.Short()
	}
	if b.Target != "" {
		h += " " + shorten.FirstLine(b.Target)
	}
	if b.Value != "" && (b.Of == nil || b.Value != b.Of.String()) { // a quarantine is for what it names
		h += " " + shorten.FirstLine(b.Value)
	}
	return h
}

// words returns the reason.
func (b *Mark) words() string { return b.Reason }

// subjects returns the records marked.
func (b *Mark) subjects() []Ref {
	if b.Of == nil {
		return b.Also
	}
	return append([]Ref{*b.Of}, b.Also...)
}

// check asks for a verb and for something it is said of.
func (b *Mark) check() error {
	var err error
	if b.Of == nil && b.Target == "" {
		err = bad("of", "is missing: what is marked?")
	}
	if b.Of == nil && len(b.Also) > 0 {
		err = errors.Join(err, bad("also", "stands beside of, which is missing"))
	}
	if b.Verb == "" {
		err = errors.Join(err, bad("verb", "is missing"))
	}
	return errors.Join(err, word("verb", b.Verb), refs("of", b.subjects()),
		textUpTo("target", b.Target, MaxNameBytes), text("value", b.Value), text("reason", b.Reason))
}

func (*Mark) sealed() {}

func (b *Mark) write(w *writer) {
	w.refs("also", b.Also)
	w.ref("of", b.Of)
	w.text("reason", b.Reason)
	w.text("target", b.Target)
	w.text("value", b.Value)
	w.say("verb", b.Verb)
}

func (b *Mark) read(s *scan) {
	s.object(func(name []byte) {
		switch string(name) {
		case "also":
			s.array(func() { b.Also = append(b.Also, s.ref()) })
		case "of":
			of := s.ref()
			b.Of = &of
		case "reason":
			b.Reason = s.text()
		case "target":
			b.Target = s.text()
		case "value":
			b.Value = s.text()
		case "verb":
			b.Verb = s.text()
		}
	})
}
