// Package index is the full-text index: how the words of records are kept in
// segments, and how records are scored for a question. It does no I/O; a store
// keeps the parts of segments and hands them back. The same bytes and the same
// arithmetic serve every database.
package index

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// Version says how records are turned into terms and segments into bytes. An
// index of another version is made again.
const Version = 5

// Marked is the first version of which segments have all marks.
const Marked = 5

// Weights of a term's places, in halves.
const (
	wordWeight  = 2 // in the words of a record
	dateWeight  = 1 // in the date at which it happened
	labelWeight = 1 // in what its author said of it
)

// subjectMark begins the terms that say of whom a record speaks, and who spoke.
// No word begins so.
const subjectMark = "@"

// Marks are terms that no question has: what a list of some records is made from
// without reading the others.
const (
	CodeMark   = "=code"   // it names a piece of code as evidence
	TimeMark   = "=time"   // it has a word of time
	NumberMark = "=number" // it has a number
	NamedMark  = "=named"  // it is about somebody or something with a name
	UnsureMark = "=unsure" // its author was less sure of it than Usual, in thousandths

	typeMark = "=type:"
	tagMark  = "=tag:"
	hereMark = "=here:"
	readMark = "=after:"
)

// Usual is how sure an author is who said nothing of it.
const Usual = 800

// TypeMark is the mark of a type within a kind, such as constraint.
func TypeMark(t string) string { return typeMark + t }

// HereMark is the mark of memories of a kind of which a person or an agent is the origin: no import, and nothing that
// a tool printed.
func HereMark(k memory.Kind) string { return hereMark + string(k) }

// AfterMark is the mark of memories that an agent wrote after it was shown outside words.
func AfterMark(what ext.Exposure) string { return readMark + string(what) }

// allLate returns the marks that segments of older versions have not.
func allLate() []string {
	out := []string{NamedMark, UnsureMark}
	for _, k := range memory.Memories() {
		out = append(out, HereMark(k))
	}
	return out
}

// TagMark is the mark of a tag.
func TagMark(tag string) string { return tagMark + tag }

// SubjectMark is the mark of a term in a name that a record speaks of, or of who said it.
func SubjectMark(term string) string { return subjectMark + term }

// marks returns the marks of a record.
func marks(r *memory.Record) []string {
	var out []string
	if r.HasCode() && r.Header.Kind.IsMemory() {
		out = append(out, CodeMark)
	}
	switch b := r.Body.(type) {
	case *memory.Drive: // its type is what it says
		out = append(out, TypeMark(b.Type))
	default:
		if t, has := r.Header.Kind.Form().At("type", b).(*string); has {
			out = append(out, TypeMark(*t))
		}
	}
	for _, tag := range r.Header.Tags {
		out = append(out, TagMark(tag))
	}
	if what := ext.ExposureOf(r); what != ext.NotExposed && r.Header.Kind.IsMemory() {
		out = append(out, AfterMark(what))
	}
	return append(out, lateMarks(r)...)
}

// lateMarks returns those of a record that segments of older versions have not.
func lateMarks(r *memory.Record) (out []string) {
	if !r.Header.Kind.IsMemory() {
		return nil
	}
	if _, person := r.Body.(*memory.Relationship); person || len(r.Header.About) > 0 {
		out = append(out, NamedMark)
	}
	if r.Header.Confidence < Usual {
		out = append(out, UnsureMark)
	}
	made := r.Header.Origin == memory.OriginOwner || r.Header.Origin == memory.OriginAgent
	if k := r.Header.Kind; made && k != memory.KindRaw {
		out = append(out, HereMark(k))
	}
	return out
}

// An Entry is a record as it goes into the index.
type Entry struct {
	Key     int64  // the row of the record
	Kind    int    // the store's number of its kind
	Session uint64 // which conversation; 0 is none
	Asks    bool   // it is a question
	Length  int    // how many words
	Terms   []Term // sorted, each once

	past past // how it came, and when what it says happened
}

// A Term is one word of a record.
type Term struct {
	Text   string
	Weight int // how often it stands there, in halves; 0 of a subject
}

// Describe returns what the index knows of a record. An entry without terms
// cannot be found and need not be indexed.
func Describe(key int64, kind int, session uint64, r *memory.Record) Entry {
	e := Entry{Key: key, Kind: kind, Session: session, Asks: asks(r), past: pastOfRecord(r)}
	said := words.AppendTerms(nil, r.Words())
	at := when(r)
	weights := make(map[string]int, len(said)/6+8)
	timed, numbered := false, false
	for t := range strings.SplitSeq(string(said), " ") {
		if t == "" {
			break // no words: what it is marked with is all there is of it
		}
		weights[t] += wordWeight
		e.Length++
		timed, numbered = timed || words.OfTime(t), numbered || words.OfNumber(t)
	}
	if !at.IsZero() && e.Length > 0 {
		for _, t := range words.Terms(at.Time().Format("2 January 2006")) {
			weights[t] += dateWeight
		}
	}
	if e.Length > 0 {
		for _, t := range labels(r) {
			weights[t] += labelWeight
		}
	}
	for _, m := range marks(r) {
		weights[m] = 0
	}
	if timed {
		weights[TimeMark] = 0
	}
	if numbered {
		weights[NumberMark] = 0
	}
	for _, name := range subjects(r) {
		if e.Length == 0 {
			break
		}
		for _, t := range words.Terms(name) {
			weights[subjectMark+t] = 0
		}
	}
	e.Terms = make([]Term, 0, len(weights))
	for t, n := range weights {
		e.Terms = append(e.Terms, Term{t, n})
	}
	sorting.By(e.Terms, func(a, b Term) int { return strings.Compare(a.Text, b.Text) })
	return e
}

// labels returns the terms of what an author said of a memory beside its words: tags, why it was remembered, what was
// felt, the type of a goal.
func labels(r *memory.Record) []string {
	if !r.Header.Kind.IsMemory() || r.Header.Kind == memory.KindRaw {
		return nil
	}
	all := append(slices.Clip(r.Header.Tags), r.Header.Trigger)
	switch b := r.Body.(type) {
	case *memory.Episode:
		if b.Emotion != nil {
			all = append(all, b.Emotion.Labels...)
		}
	case *memory.Goal:
		all = append(all, b.Type)
	}
	return words.Terms(strings.Join(all, "\n"))
}

// subjects returns who spoke and of whom a record speaks.
func subjects(r *memory.Record) []string {
	names := r.Header.About
	switch b := r.Body.(type) {
	case *memory.Raw:
		names = append(slices.Clip(names), b.Speaker)
	case *memory.Note:
		names = append(slices.Clip(names), b.Speaker)
	case *memory.Relationship:
		names = append(slices.Clip(names), b.Name)
	}
	return names
}

// when returns the time a record speaks of, if it says one.
func when(r *memory.Record) memory.Time {
	if b, ok := r.Body.(*memory.Raw); ok && !b.OccurredAt.IsZero() {
		return b.OccurredAt
	}
	return r.Header.ValidFrom
}

// asks reports whether a raw is a question: what follows it is likely to be the
// answer, and the answer is what is looked for.
func asks(r *memory.Record) bool {
	b, ok := r.Body.(*memory.Raw)
	if !ok {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(b.Said(), " \t\r\n\"'”’)*_"))
	return last == '?' || last == '？' || last == '؟'
}
