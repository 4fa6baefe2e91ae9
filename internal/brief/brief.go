// Package brief shortens replies for a model that pays for each word of them: refs of eight
// digits, the words, the day, and one mark where a memory is not the ordinary case. What is ordinary is
// not said: a memory of the person's own agents, without a dispute. What a memory says is given whole while
// there is room.
package brief

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/tokens"
	"github.com/stemma-memory/stemma/memory"
)

// Of returns the short form of a reply, its days in a zone; nil is UTC. ok is false for one that has none.
func Of(reply any, in *time.Location) (short any, ok bool) {
	days := zoneOf(in)
	switch r := reply.(type) {
	case api.RecallReply:
		return days.recalled(&r), true
	case api.RememberReply:
		return days.remembered(&r), true
	case api.CorrectReply:
		return days.corrected(&r), true
	case api.WhyReply:
		return days.reasons(&r), true
	case api.ListReply:
		if len(r.Waiting) > 0 {
			return days.waiting(&r), true
		}
		return days.listed(&r), true
	case api.StatusReply:
		return counted(&r), true
	}
	return nil, false
}

func zoneOf(in *time.Location) zone {
	if in == nil {
		in = time.UTC
	}
	return zone{in}
}

// A One is a memory in a short reply.
type One struct {
	Group string `json:"group,omitempty"` // where everything was gathered: what this one and those after it are
	Ref   string `json:"ref"`
	Text  string `json:"text,omitempty"`
	Cut   string `json:"cut,omitempty"`  // how long the text is and where all of it is, if it ends early
	At    string `json:"at,omitempty"`   // the day on which it was said or happened
	By    string `json:"by,omitempty"`   // who said it, where that is not an agent of the reader
	Mark  string `json:"mark,omitempty"` // why it is not the ordinary case

	Before []api.Turn `json:"before,omitempty"` // what was said before it, and after it
	After  []api.Turn `json:"after,omitempty"`

	Proof *api.EntryProof `json:"proof,omitempty"`
}

// OneOf is a memory that answers, its day in a zone; nil is UTC.
func OneOf(r *api.Recalled, in *time.Location) One {
	one := One{
		Ref: Ref(r.Ref), Text: r.Text, By: r.Speaker, At: zoneOf(in).day(r.At), Mark: Mark(r),
		Before: turns(r.Before), After: turns(r.After), Proof: r.Proof,
	}
	if r.Cut {
		one.Cut = pack.HowMuch(r.Words)
	}
	return one
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
	Zone     string   `json:"zone,omitempty"` // of the days
	Start    string   `json:"start,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Without  *Without `json:"without,omitempty"`

	Proofs string `json:"proofs,omitempty"`
}

func (z zone) recalled(r *api.RecallReply) Recall {
	out := Recall{
		Left: r.LeftOut, Start: r.Start, Warnings: r.Warnings, Note: r.Note, Without: z.without(r.Without), Proofs: r.Proofs,
	}
	group, days := "", z.days(len(r.Results), func(i int) (string, string, string) {
		return r.Results[i].Text, r.Results[i].At, r.Results[i].Type
	})
	for i := range r.Results {
		one := OneOf(&r.Results[i], z.Location)
		one.At = days[i]
		if g := r.Results[i].Group; g != group {
			one.Group, group = g, g
		}
		out.Results = append(out.Results, one)
	}
	for i := range r.Constraints {
		binds := r.Constraints[i]
		binds.Review, binds.Weak, binds.Perhaps = "", false, false // it binds because it was approved, whatever is asked
		out.Always = append(out.Always, OneOf(&binds, z.Location))
	}
	if len(r.Results)+len(r.Constraints) > 0 {
		out.Zone = z.String()
	}
	if len(r.Results) == 0 && r.Start == "" && r.LeftOut == 0 {
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
	say(r.Perhaps, "perhaps, in other words")
	say(r.Perhaps, "perhaps, in other words")
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
	Near     []One    `json:"near,omitempty"` // about the same thing: still so?
	Left     string   `json:"left_out,omitempty"`
	Judge    any      `json:"judge,omitempty"`
	Kept     string   `json:"kept,omitempty"` // the words, where no memory was made of them
	Settled  int      `json:"not_kept,omitempty"`
	Note     string   `json:"note,omitempty"`
}

func (z zone) remembered(r *api.RememberReply) Remember {
	out := Remember{Note: r.Hint, Settled: len(r.NotKept)}
	all := make([]*One, len(r.Memories))
	for i := range r.Memories {
		m := &r.Memories[i]
		all[i] = &One{Ref: Ref(m.Ref)}
		if len(r.Memories) > 1 { // of one, the caller has just said the words
			all[i].Text = Words(m)
		}
	}
	n := fill(all, room, whyHasAll)
	for i, one := range all {
		if i >= n {
			one.Text = "" // a memory that was made is named
		}
		out.Memories = append(out.Memories, *one)
	}
	for i := range r.SaidAgain {
		out.Said = append(out.Said, Ref(r.SaidAgain[i].Ref))
	}
	for i := range r.RejectedBefore {
		out.Rejected = append(out.Rejected, z.rejection(&r.RejectedBefore[i]))
	}
	if r.Rejected != nil {
		out.Rejected = append(out.Rejected, z.rejection(r.Rejected))
		out.Note = ""
	}
	out.Links, out.Left = links(r.Links, "")
	out.Near = z.near(r.Near)
	if len(r.Judge) > 0 {
		out.Judge = r.Judge
	}
	if len(r.Memories)+len(r.SaidAgain) == 0 && r.Type == string(memory.KindRaw) {
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

// near are memories about the same thing, in few words each.
func (z zone) near(all []api.Memory) (out []One) {
	for i := range all {
		m := &all[i]
		text, _, _ := strings.Cut(Words(m), "\n")
		out = append(out, One{Ref: Ref(m.Ref), Text: tokens.Cut(text, nearRoom, "…"), At: z.at(m), By: by(m)})
	}
	return out
}

func (z zone) rejection(r *api.Rejection) string {
	if r.Alike {
		said, _ := lines([]quoting{{"like " + Ref(r.Ref) + " %q, which a person rejected", or(r.Text, r.Headline)}}, linkRoom)
		return said[0]
	}
	if r.Quarantined {
		return Ref(r.Ref) + " says so, and a person quarantined it on " + z.day(r.RejectedAt)
	}
	return Ref(r.Ref) + " says so, and a person rejected it on " + z.day(r.RejectedAt)
}

func redacted(all []api.Redaction) string {
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("secrets taken out: %d", len(all))
}

func (z zone) corrected(r *api.CorrectReply) Correct {
	out := Correct{Done: r.Done, Of: Ref(r.Of), Note: shortRefs(r.Hint)}
	if ref, err := memory.ParseRef(r.Ref); err == nil && ref.Kind.IsMemory() {
		out.Ref = ref.Short()
	}
	if r.Rejected != nil {
		out.Note = z.rejection(r.Rejected)
	}
	if n := redacted(r.Redacted); n != "" {
		out.Note = strings.TrimPrefix(out.Note+"; "+n, "; ")
	}
	return out
}

// leftOut says how many things a reply has no room for, "" for none.
func leftOut(n int, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// List is memories, the newest first.
type List struct {
	Memories []One  `json:"memories"`
	More     bool   `json:"more,omitempty"`
	Left     string `json:"left_out,omitempty"` // how many of what was found there was no room for
	Zone     string `json:"zone"`               // of the days
}

// whyHasAll says where all words of a memory are that a list cut.
const whyHasAll = "; `why` has all"

func (z zone) listed(r *api.ListReply) List {
	all := make([]*One, len(r.Memories))
	days := z.days(len(all), func(i int) (string, string, string) {
		return Words(&r.Memories[i]), saidAt(&r.Memories[i]), r.Memories[i].Type
	})
	for i := range r.Memories {
		m := &r.Memories[i]
		all[i] = &One{Ref: Ref(m.Ref), Text: Words(m), At: days[i], By: by(m), Mark: markOf(m)}
	}
	n := fill(all, room, whyHasAll)
	out := List{
		Memories: []One{}, More: r.More || n < len(all), Left: leftOut(len(all)-n, "memory", "memories"),
		Zone: z.String(),
	}
	for _, one := range all[:n] {
		out.Memories = append(out.Memories, *one)
	}
	return out
}

// by is who said a memory, "" for an agent of the reader. What another person wrote, the mark says.
func by(m *api.Memory) string {
	if speaker, _ := m.Content["speaker"].(string); speaker != "" {
		return speaker
	}
	if m.Origin == string(memory.OriginOwner) && m.By == "" {
		return "user"
	}
	return ""
}

// markOf is Mark of a memory that was listed.
func markOf(m *api.Memory) string {
	r := api.Recalled{}
	r.Marks, r.By, r.Status, r.Review, r.Tier = m.Marks, m.By, m.Status, m.Review, m.Tier
	return Mark(&r)
}

// Words returns all that a memory says.
func Words(m *api.Memory) string {
	if m.Text != "" {
		return m.Text
	}
	if said, _ := m.Content["text"].(string); m.Type == string(memory.KindRaw) && strings.TrimSpace(said) != "" {
		return said
	}
	return m.Headline
}

// Ref is a ref with eight digits.
func Ref(ref string) string {
	if r, err := memory.ParseRef(ref); err == nil {
		return r.Short()
	}
	return ref
}

// A zone is where the days of a reply are.
type zone struct{ *time.Location }

// at is the day on which a memory was said or happened.
func (z zone) at(m *api.Memory) string { return z.day(saidAt(m)) }

func saidAt(m *api.Memory) string { return or(m.At, or(m.OccurredAt, m.CreatedAt)) }

// days are the days of what is given together, with the time where only that says what was said last.
func (z zone) days(n int, of func(int) (text, at, kind string)) []string {
	out, said, at := make([]string, n), make([]pack.Dated, 0, n), make([]int, 0, n)
	for i := range n {
		text, when, kind := of(i)
		if t, err := time.Parse(time.RFC3339Nano, when); err == nil {
			said, at = append(said, pack.Dated{Text: text, At: t.In(z.Location), Kind: kind}), append(at, i)
		}
		out[i] = z.day(when)
	}
	for i, day := range pack.Days(said) {
		out[at[i]] = day
	}
	return out
}

// day is the day of a time.
func (z zone) day(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	return t.In(z.Location).Format(time.DateOnly)
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
