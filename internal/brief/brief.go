// Package brief shortens replies for a model that pays for each word of them: refs of eight
// digits, the words, and one mark where a memory is not the ordinary case. What is ordinary is
// not said: a memory of the person's own agents, without a dispute.
package brief

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// Of returns the short form of a reply; ok is false for one that has none.
func Of(reply any) (short any, ok bool) {
	switch r := reply.(type) {
	case api.RecallReply:
		return recalled(&r), true
	case api.RememberReply:
		return remembered(&r), true
	case api.CorrectReply:
		return corrected(&r), true
	case api.WhyReply:
		return reasons(&r), true
	case api.ListReply:
		return listed(&r), true
	case api.StatusReply:
		return counted(&r), true
	}
	return nil, false
}

// A One is a memory in a short reply.
type One struct {
	Group string `json:"group,omitempty"` // where everything was gathered: what this one and those after it are
	Ref   string `json:"ref"`
	Text  string `json:"text,omitempty"`
	By    string `json:"by,omitempty"`   // who said it, of captured words
	At    string `json:"at,omitempty"`   // the day on which it was said or happened
	Mark  string `json:"mark,omitempty"` // why it is not the ordinary case

	Words  int        `json:"of_words,omitempty"` // how many it has in full, where it is cut
	Before []api.Turn `json:"before,omitempty"`   // what was said before it, and after it
	After  []api.Turn `json:"after,omitempty"`
}

// OneOf is a memory that answers.
func OneOf(r *api.Recalled) One {
	return One{
		Ref: Ref(r.Ref), Text: r.Text, By: r.Speaker, At: day(r.At), Mark: Mark(r), Words: r.Words,
		Before: turns(r.Before), After: turns(r.After),
	}
}

// turns have short refs.
func turns(all []api.Turn) []api.Turn {
	out := slices.Clone(all)
	for i := range out {
		out[i].Ref = Ref(out[i].Ref)
	}
	return out
}

// Recall is what is known about a question, best first.
type Recall struct {
	Note     string   `json:"note,omitempty"`
	Results  []One    `json:"results,omitempty"`
	Always   []One    `json:"constraints,omitempty"`
	Left     int      `json:"left_out,omitempty"`
	Start    string   `json:"start,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

func recalled(r *api.RecallReply) Recall {
	out := Recall{Left: r.Left, Start: r.Start, Warnings: r.Warnings, Note: r.Note}
	group := ""
	for i := range r.Results {
		one := OneOf(&r.Results[i])
		if g := r.Results[i].Group; g != group {
			one.Group, group = g, g
		}
		out.Results = append(out.Results, one)
	}
	for i := range r.Always {
		binds := r.Always[i]
		binds.Review = "" // it binds because it was approved
		out.Always = append(out.Always, OneOf(&binds))
	}
	if len(r.Results) == 0 && r.Start == "" && r.Left == 0 {
		out.Note = "nothing is known about that"
	}
	return out
}

// Mark says of a memory found what is not ordinary about it, "" where all is. What a person
// approved is not ordinary either: more can be built on it.
func Mark(r *api.Recalled) string {
	var all []string
	say := func(is bool, what string) {
		if is && what != "" && !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	say(r.Weak, "weak")
	for _, m := range r.Marks {
		say(true, shortRefs(m))
	}
	say(r.By != "", "by "+r.By)
	say(r.Tier == "hypothesis", "hypothesis")
	say(r.Status != "" && r.Status != "active", r.Status)
	say(r.Remote != "", "from "+r.Remote+", not verified")
	say(r.Review == "approved", "approved")
	return strings.Join(all, "; ")
}

// Remember is what became of words: the memories made of them, or why there are none.
type Remember struct {
	Memories []One    `json:"memories,omitempty"`
	Said     []string `json:"known_already,omitempty"`
	Rejected []string `json:"rejected_before,omitempty"`
	Links    []string `json:"links,omitempty"`
	Judge    any      `json:"judge,omitempty"`
	Kept     string   `json:"kept,omitempty"` // the words, where no memory was made of them
	Note     string   `json:"note,omitempty"`
}

func remembered(r *api.RememberReply) Remember {
	out := Remember{Note: r.Hint}
	for i := range r.Memories {
		m := &r.Memories[i]
		one := One{Ref: Ref(m.Ref)}
		if len(r.Memories) > 1 { // of one, the caller has just said the words
			one.Text = shorten.To(m.Headline, mostHeadline)
		}
		out.Memories = append(out.Memories, one)
	}
	for i := range r.Said {
		out.Said = append(out.Said, Ref(r.Said[i].Ref))
	}
	for i := range r.NotBy {
		out.Rejected = append(out.Rejected, rejection(&r.NotBy[i]))
	}
	if r.Rejected != nil {
		out.Rejected = append(out.Rejected, rejection(r.Rejected))
		out.Note = ""
	}
	for i := range r.Links {
		out.Links = append(out.Links, link(&r.Links[i], ""))
	}
	if len(r.Judge) > 0 {
		out.Judge = r.Judge
	}
	if len(r.Memories)+len(r.Said) == 0 {
		out.Kept = Ref(r.Ref)
	}
	if n := redacted(r.Redacted); n != "" {
		out.Note = strings.TrimPrefix(out.Note+"; "+n, "; ")
	}
	for _, n := range r.Notes {
		out.Note = strings.TrimPrefix(out.Note+"; "+n, "; ")
	}
	return out
}

// mostHeadline is how many bytes of what a memory says a short reply repeats.
const mostHeadline = 80

func rejection(r *api.Rejection) string {
	if r.Alike {
		return "like " + Ref(r.Ref) + ", which a person rejected"
	}
	if r.Quarantined {
		return Ref(r.Ref) + " says so, and a person quarantined it on " + day(r.RejectedAt)
	}
	return Ref(r.Ref) + " says so, and a person rejected it on " + day(r.RejectedAt)
}

func redacted(all []api.Redaction) string {
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("secrets taken out: %d", len(all))
}

// link is how one memory relates to another, in a line, with the words of the one that is not
// spoken of.
func link(l *api.LinkView, self string) string {
	verb := map[string]string{
		"update": "may replace", "contradict": "contradicts", "extend": "adds to", "derive": "follows from",
		"supports": "supports",
	}[l.Relation]
	if verb == "" {
		verb = l.Relation
	}
	if l.Relation == "update" && l.State == "accepted" {
		verb = "replaced"
	}
	if l.Old.Ref == self {
		return fmt.Sprintf("%s %q %s this", Ref(l.New.Ref), shorten.To(l.New.Headline, mostHeadline), verb)
	}
	return fmt.Sprintf("%s %s %s %q", Ref(l.New.Ref), verb, Ref(l.Old.Ref), shorten.To(l.Old.Headline, mostHeadline))
}

// Correct is what came of a correction.
type Correct struct {
	Ref  string `json:"ref,omitempty"`
	Done string `json:"done"`
	Of   string `json:"of"`
	Note string `json:"note,omitempty"`
}

func corrected(r *api.CorrectReply) Correct {
	out := Correct{Done: r.Done, Of: Ref(r.Of), Note: shortRefs(r.Hint)}
	if ref, err := memory.ParseRef(r.Ref); err == nil && ref.Kind.IsMemory() {
		out.Ref = ref.Short()
	}
	if r.Rejected != nil {
		out.Note = rejection(r.Rejected)
	}
	if n := redacted(r.Redacted); n != "" {
		out.Note = strings.TrimPrefix(out.Note+"; "+n, "; ")
	}
	return out
}

// Why is what a memory rests on and how far it goes.
type Why struct {
	One
	Because  string   `json:"because,omitempty"` // the reason that its author gave
	Sources  []Source `json:"rests_on,omitempty"`
	Links    []string `json:"links,omitempty"`
	Evidence string   `json:"evidence,omitempty"`
	Trust    string   `json:"trust"`
	Sure     float64  `json:"confidence"`
	Code     string   `json:"code,omitempty"`
	Fallen   []string `json:"no_longer_counts,omitempty"`
	Since    string   `json:"since"`
	More     bool     `json:"more,omitempty"`
}

// A Source is a record in the tree of what a memory rests on.
type Source struct {
	One
	At      string   `json:"at,omitempty"`
	Sources []Source `json:"rests_on,omitempty"`
}

// mostWords is how many bytes of captured words a reply gives.
const mostWords = 300

func reasons(r *api.WhyReply) Why {
	out := Why{
		One: One{Ref: Ref(r.Ref), Text: r.Headline, Mark: markOf(&r.Memory)}, Evidence: r.Tier, Sure: r.Memory.Confidence,
		Because: reasonOf(&r.Memory), Trust: r.Trust.Level, Code: r.CodeState, Since: day(r.CreatedAt), More: r.Deeper,
	}
	if !r.Trust.Actionable {
		out.Trust += ", not to be acted on without asking: " + r.Trust.WhyNot
	}
	left := mostSources
	out.Sources = sources(r.Sources, &left)
	out.More = out.More || left < 0
	for i := range r.Links {
		out.Links = append(out.Links, link(&r.Links[i], r.Ref))
	}
	for _, f := range r.Fallen {
		out.Fallen = append(out.Fallen, Ref(f.Ref)+": "+f.Why)
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

// mostSources is how many records of a tree a short reply gives.
const mostSources = 12

func sources(nodes []*api.Node, left *int) []Source {
	var out []Source
	for _, n := range nodes {
		if *left--; *left < 0 {
			return out
		}
		mark := shortRefs(strings.Join(n.Marks, "; "))
		s := Source{One: One{Ref: Ref(n.Type + ":" + n.ID), By: n.Speaker, Mark: mark}, At: day(n.CapturedAt)}
		switch {
		case n.Seen:
			out = append(out, s)
			continue
		case n.Missing:
			s.Mark = "not held here"
		case n.Inferred && s.Mark == "":
			s.Mark = "a person said so later"
		}
		s.Text = shorten.To(strings.Join(strings.Fields(n.Blob+n.Title+n.Statement+n.Content), " "), mostWords)
		s.Sources = sources(n.Sources, left)
		out = append(out, s)
	}
	return out
}

// List is memories, the newest first.
type List struct {
	Memories []One `json:"memories"`
	More     bool  `json:"more,omitempty"`
}

func listed(r *api.ListReply) List {
	out := List{Memories: []One{}, More: r.More}
	for i := range r.Memories {
		m := &r.Memories[i]
		speaker, _ := m.Content["speaker"].(string)
		out.Memories = append(out.Memories, One{
			Ref: Ref(m.Ref), Text: shorten.To(m.Headline, mostWords), By: speaker, Mark: markOf(m),
		})
	}
	return out
}

// markOf is Mark of a memory that was listed.
func markOf(m *api.Memory) string {
	r := api.Recalled{}
	r.Marks, r.By, r.Status, r.Review, r.Tier = m.Marks, m.By, m.Status, m.Review, m.Tier
	return Mark(&r)
}

// Ref is a ref with eight digits.
func Ref(ref string) string {
	if r, err := memory.ParseRef(ref); err == nil {
		return r.Short()
	}
	return ref
}

// day is the day of a time.
func day(t string) string {
	const date = len("2006-01-02")
	if len(t) > date {
		return t[:date]
	}
	return t
}
