package brief

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// Why is what a memory rests on and how far it goes.
type Why struct {
	One
	Because  string    `json:"because,omitempty"` // the reason that its author gave
	Sources  []*Source `json:"rests_on,omitempty"`
	Links    []string  `json:"links,omitempty"`
	Evidence string    `json:"evidence,omitempty"`
	Trust    string    `json:"trust"`
	Sure     float64   `json:"confidence"`
	Code     string    `json:"code,omitempty"`
	Fallen   []string  `json:"no_longer_counts,omitempty"`
	Decided  []string  `json:"decided,omitempty"` // the last decisions about it
	Since    string    `json:"since"`
	More     bool      `json:"more,omitempty"`
	Left     string    `json:"left_out,omitempty"` // how many records and links there was no room for
	Zone     string    `json:"zone"`               // of the days
	Without  *Without  `json:"without,omitempty"`
}

// A Source is a record in the tree of what a memory rests on.
type Source struct {
	One
	Sources []*Source `json:"rests_on,omitempty"`
}

func (z zone) reasons(r *api.WhyReply) Why {
	out := Why{
		One: One{
			Ref: Ref(r.Ref), Text: Words(&r.Memory), Mark: markOf(&r.Memory), At: z.at(&r.Memory), By: by(&r.Memory),
		},
		Evidence: r.Tier, Sure: r.Memory.Confidence, Because: reasonOf(&r.Memory), Trust: r.Trust.Level,
		Code: r.CodeState, Since: z.day(r.CreatedAt), More: r.Deeper, Zone: z.String(),
	}
	if strings.Contains(out.Text, out.Because) {
		out.Because = "" // it is among the words
	}
	if !r.Trust.Actionable {
		out.Trust += ", not to be acted on without asking: " + r.Trust.NotActionable
	}
	if s := r.Support; s.Origins < s.Sources {
		out.Evidence += fmt.Sprintf(" (%d sources of %s)", s.Sources, leftOut(s.Origins, "origin", "origins"))
	}
	out.Without = z.whyWithout(r.Without)
	out.Sources = z.sources(r.Sources)
	all := []*One{&out.One}
	for level := out.Sources; len(level) > 0; { // what is nearest comes first
		var next []*Source
		for _, s := range level {
			all, next = append(all, &s.One), append(next, s.Sources...)
		}
		level = next
	}
	n := fill(all, room, "; `verbose` has all")
	given := make(map[*One]bool, n)
	for _, one := range all[:n] {
		given[one] = true
	}
	out.Sources = kept(out.Sources, given)
	out.More = out.More || n < len(all)
	out.Left = leftOut(len(all)-n, "record", "records")
	said, left := links(r.Links, r.Ref)
	out.Links, out.Left = said, strings.Trim(out.Left+", "+left, ", ")
	if out.Left != "" {
		out.Left += "; `verbose` has all"
	}
	for i := range r.Decisions[:min(len(r.Decisions), mostDecided)] {
		out.Decided = append(out.Decided, z.decided(&r.Decisions[i]))
	}
	for _, f := range r.NoLongerCounts {
		out.Fallen = append(out.Fallen, Ref(f.Ref)+": "+f.Why)
	}
	return out
}

// mostDecided is how many decisions a short answer has.
const mostDecided = 3

// decided says one decision, with the reason cut as other words are.
func (z zone) decided(d *api.Decision) string {
	text := d.Act
	if d.Detail != "" {
		text += " " + d.Detail
	}
	text += " by " + or(d.Agent, d.By) + " on " + z.day(d.At)
	if d.TakenBack {
		text += ", taken back"
	} else if !d.Counts {
		text += ", without effect here"
	}
	if d.Why != "" {
		text += ": " + shorten.To(d.Why, mostReason)
	}
	return text
}

// mostReason bounds the reason of one decision, in bytes.
const mostReason = 200

// kept returns the sources that are given.
func kept(all []*Source, given map[*One]bool) []*Source {
	var out []*Source
	for _, s := range all {
		if given[&s.One] {
			s.Sources = kept(s.Sources, given)
			out = append(out, s)
		}
	}
	return out
}

// reasonOf is the reason that the author of a memory gave for it.
func reasonOf(m *api.Memory) string {
	if reason, ok := m.Content["reason"].(string); ok && reason != "" {
		return reason
	}
	return m.Trigger
}

func (z zone) sources(nodes []*api.Node) []*Source {
	var out []*Source
	for _, n := range nodes {
		mark := shortRefs(strings.Join(n.Marks, "; "))
		s := &Source{One: One{Ref: Ref(n.Type + ":" + n.ID), By: or(n.By, n.Speaker), Mark: mark}}
		out = append(out, s)
		switch {
		case n.Seen:
			continue
		case n.Missing:
			s.Mark = "not held here"
		case n.Inferred && s.Mark == "":
			s.Mark = "a person said so later"
		}
		s.Text = or(n.Text, n.Blob+n.Title+n.Statement+n.Content) // a record has one of these
		s.At = z.day(or(n.At, or(n.OccurredAt, or(n.CapturedAt, n.CreatedAt))))
		s.Sources = z.sources(n.Sources)
	}
	return out
}
