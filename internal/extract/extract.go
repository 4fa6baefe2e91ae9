// Package extract drafts memories out of raw words: by rules, or by reading what a model answers.
//
// The rules know English and say nothing about other languages. They are pure functions: the same words
// give the same drafts. Few and right is better than many: what no rule is sure of gives no draft.
package extract

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// An Event is a raw as it was captured. Its place in a list of events is how drafts cite it, from 0.
type Event struct {
	Text, Speaker, Type, Session string // Type is one of memory.RawEvents, or empty
	At                           time.Time
	Exit                         *int // of a tool's output, where it says
}

// A Draft is a memory proposed, not yet signed. Its body passes memory's checks.
type Draft struct {
	Kind                         memory.Kind
	Type, Text, Body             string // Text of a relationship is what we know; its name is Who
	Outcome, OutcomeType         string // of an episode
	Lessons, About, Alternatives []string
	Reason                       string
	Speaker                      string // of a note: whose words it keeps
	Who                          string // of a relationship: with whom
	Confidence                   memory.Confidence
	ValidFrom                    memory.Time
	Emotion                      *memory.Emotion
	Priority                     *int   // of a value or a goal, where a model says one
	Intensity                    *int   // of a drive, in thousandths
	From                         []int  // the events it rests on, and no other; sorted
	Rule                         string // which rule found it, or which version of a question
}

// An Entity is something a text names.
type Entity struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // by rules as KindOf has it; a model chooses from entityKinds
}

// entityKinds are the kinds that a model is asked for.
var entityKinds = []string{"person", "organisation", "project", "place", "topic", "tool"}

// User is the name under which a speaker stands who is not named.
const User = "user"

const (
	maxDrafts   = 20        // of one answer of a model
	maxScan     = 256 << 10 // bytes of one text that rules read
	maxProse    = 64 << 10  // bytes of one text in which sentences are looked for
	maxSentence = 600       // bytes of a sentence that rules believe to be one
	maxSummary  = 200       // bytes of a note's summary: what is longer goes into its body
	maxAbout    = 16        // names one draft speaks of
)

// Memory returns the body of the record that d would become; nil for a kind that no rule makes.
func (d Draft) Memory() memory.Body {
	switch d.Kind {
	case memory.KindBelief:
		return &memory.Belief{Statement: d.Text, Type: d.Type}
	case memory.KindNote:
		return &memory.Note{
			Type: d.Type, Summary: d.Text, Body: d.Body, Speaker: d.Speaker, Reason: d.Reason, Alternatives: d.Alternatives,
		}
	case memory.KindEpisode:
		return &memory.Episode{
			Objective: d.Text, Outcome: d.Outcome, OutcomeType: d.OutcomeType, Lessons: d.Lessons, Emotion: d.Emotion,
		}
	case memory.KindGoal:
		return &memory.Goal{Title: d.Text, Description: d.Body, Type: d.Type, Priority: orMiddle(d.Priority, middlePriority)}
	case memory.KindRelationship:
		return &memory.Relationship{Name: d.Who, Type: d.Type, Description: d.Text}
	case memory.KindValue:
		return &memory.Value{Name: d.Text, Statement: d.Body, Priority: orMiddle(d.Priority, middlePriority)}
	case memory.KindDrive:
		return &memory.Drive{Type: d.Text, Intensity: orMiddle(d.Intensity, middleIntensity), Focus: lines([]string{d.Body})}
	}
	return nil
}

// What stands where no one said how much.
const (
	middlePriority  = 50
	middleIntensity = 500
)

func orMiddle(n *int, middle int) int {
	if n == nil {
		return middle
	}
	return *n
}

// fit brings what a rule found within the bounds of a record and reports whether something is left.
func (d *Draft) fit() bool {
	d.Text = line(d.Text)
	if d.Kind == memory.KindNote && len(d.Text) > maxSummary {
		switch {
		case d.Body == "":
			d.Body = d.Text
		case !strings.Contains(d.Body, d.Text):
			d.Body = d.Text + "\n\n" + d.Body
		}
		d.Text = strings.TrimSpace(shorten.To(d.Text, maxSummary)) + "…"
	}
	d.Body = plain(shorten.To(d.Body, memory.MaxText))
	d.Outcome, d.Reason = line(d.Outcome), line(d.Reason)
	d.Lessons, d.Alternatives = lines(d.Lessons), lines(d.Alternatives)
	d.Speaker, d.Who = name(d.Speaker), name(d.Who)
	d.About = names(d.About)
	d.From = slices.Clone(d.From)
	slices.Sort(d.From)
	d.From = slices.Compact(d.From)
	b := d.Memory()
	return b != nil && memory.Check(b) == nil && d.Confidence <= memory.Certain && validYear(d.ValidFrom)
}

func validYear(t memory.Time) bool {
	return t.IsZero() || t.Time().Year() >= 1 && t.Time().Year() <= 9999
}

// kept returns the drafts that fit, those said twice once.
func kept(drafts []Draft) []Draft {
	var out []Draft
	seen := map[string]bool{}
	for _, d := range drafts {
		if !d.fit() {
			continue
		}
		key := string(d.Kind) + "\x00" + d.Who + "\x00" + strings.ToLower(d.Text)
		if !seen[key] {
			seen[key] = true
			out = append(out, d)
		}
	}
	return out
}

// line is s on one line, without what cannot stand in a record.
func line(s string) string {
	return strings.Join(strings.Fields(plain(shorten.To(s, memory.MaxText))), " ")
}

// plain is s without what is not text.
func plain(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "")
	}
	return strings.TrimSpace(strings.ReplaceAll(s, "\x00", ""))
}

func lines(list []string) []string {
	var out []string
	for _, s := range list {
		if s = line(s); s != "" && len(out) < memory.MaxItems && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// name is s as a name: one line, short.
func name(s string) string {
	return strings.TrimSpace(shorten.To(line(s), memory.MaxNameBytes))
}

// names returns names sorted, each once.
func names(list []string) []string {
	var out []string
	for _, s := range list {
		if s = name(s); s != "" {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxAbout)]
}
