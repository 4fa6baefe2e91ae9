package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/brief"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/markdown"
	"github.com/stemma-memory/stemma/memory"
)

// markedStore is a store with a memory, and words, in every state that is marked.
type markedStore struct {
	*people
	want map[string]string // by ref, the mark that it must have; "" is none
}

// newMarked makes that store.
func newMarked(t *testing.T) *markedStore {
	t.Helper()
	w := newWorkshop(t)
	m := &markedStore{people: w.People, want: map[string]string{}}
	ctx, friend := t.Context(), m.Friend("Ada")
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	said := func(e *engine.Engine, text string) (raw, made string) {
		t.Helper()
		r := remember(t, e, text)
		if len(r.Memories) != 1 {
			t.Fatalf("%q became %+v", text, r.Memories)
		}
		return r.Ref, r.Memories[0].Ref
	}
	one := func(ref string) api.DecideRequest { return api.DecideRequest{Refs: []string{ref}} }

	raw, old := said(m.Owner, "The harbour bell rings at ten")
	now := revise(t, m.Owner, old, "The harbour bell rings at eleven")
	m.want[old], m.want[raw], m.want[now] = "replaced by "+short(now), "replaced by "+short(now), ""

	raw, old = said(m.Owner, "The harbour cat is black")
	now = revise(t, m.Owner, old, "The harbour cat is white")
	again, latest := said(m.Owner, "The harbour cat is black") // it holds again, and so do the words
	m.want[old], m.want[raw], m.want[again] = "replaced by "+short(now), "", ""
	m.want[latest] = "perhaps replaces " + short(now)

	raw, old = said(m.Owner, "The harbour moon is a lamp")
	m.want[old], m.want[raw] = "rejected", short(old)+", which says this, was decided against"
	rests, err := m.Owner.Consolidate(ctx, api.ConsolidateRequest{
		From: []string{old}, Draft: api.Draft{Text: "A lamp lights the harbour"},
	})
	must(rests, err)
	must(m.Owner.Reject(ctx, one(old)))
	m.want[rests.Ref] = "none of its sources counts any more"

	raw, old = said(m.Owner, "The harbour master sleeps in the tower")
	must(m.Owner.Forget(ctx, api.ForgetRequest{Refs: []string{old}}))
	m.want[old], m.want[raw] = "forgotten", short(old)+", which says this, was decided against"

	raw, old = said(m.Owner, "Herons in the harbour sleep in the reeds")
	must(m.Owner.Quarantine(ctx, api.QuarantineRequest{Target: old}))
	m.want[old], m.want[raw] = "quarantined", short(old)+", made of this, is quarantined"

	old = add(t, m.Owner, "belief", "The harbour gate is shut")
	take(t, m.Owner, friend.Confirms(old, "dispute"))
	m.want[old] = "disputed"

	stranger := newForger(t, m.Now()).Says(&memory.Belief{Statement: "The harbour pays each visitor", Type: "fact"})
	take(t, m.Owner, stranger)
	m.want[stranger.Ref().String()] = "external"

	_, old = said(m.Owner, "Alice works at the harbour of Acme")
	_, now = said(m.Owner, "Alice left the harbour of Acme and joined StartupX")
	m.want[old], m.want[now] = "perhaps replaced by "+short(now), "perhaps replaces "+short(old)

	_, old = said(m.Owner, "The harbour ferry costs 4 euros")
	r, err := m.Agent.Revise(ctx, api.ReviseRequest{Ref: old, Draft: api.Draft{Text: "The harbour ferry costs 5 euros"}})
	must(r, err)
	m.want[old], m.want[r.Ref] = "update proposed by "+short(r.Ref), "proposed as an update of "+short(old)

	_, old = said(m.Owner, "The harbour of Bob likes hiking visitors")
	_, now = said(m.Owner, "The harbour of Bob hates hiking visitors")
	m.want[old], m.want[now] = "contradicts "+short(now), "contradicts "+short(old)

	old = write(t, m.Owner, api.AddRequest{
		Draft: api.Draft{Kind: "belief", Text: "The harbour was closed"}, Meta: api.Meta{ValidUntil: "2020-02-03"},
	})
	m.want[old] = "until 2020-02-03"
	old = write(t, m.Owner, api.AddRequest{
		Draft: api.Draft{Kind: "belief", Text: "The harbour will be a park"}, Meta: api.Meta{ValidFrom: "2090-02-03"},
	})
	m.want[old] = "holds from 2090-02-03"

	old = w.Note("decision", "Open of the harbour returns nil", true, "store.go")
	w.Write("store.go", strings.Replace(storeCode, "return nil", "return errHarbour", 1))
	w.Commit("second")
	m.want[old] = "code changed"
	old = w.Note("decision", "Other of the harbour does nothing", true, "other.go")
	m.want[old] = ""
	return m
}

// Every reading of a record gives the same marks, and the marks are those of its state.
func TestEveryReadingGivesTheSameMarks(t *testing.T) {
	t.Parallel()
	m, ctx := newMarked(t), t.Context()
	first := make(map[string][]string)
	for ref, want := range m.want {
		r, err := m.Agent.Show(ctx, api.RefRequest{Ref: ref})
		if err != nil {
			t.Fatal(err)
		}
		first[ref] = r.Marks
		if want == "" && len(r.Marks) > 0 || want != "" && !slices.Contains(r.Marks, want) {
			t.Errorf("%s %q is marked %q, want %q", short(ref), r.Headline, r.Marks, want)
		}
	}
	given := make(map[string]int)
	same := func(reading, ref string, marks []string) {
		t.Helper()
		if want, asked := first[ref]; asked {
			given[reading]++
			if !slices.Equal(marks, want) {
				t.Errorf("%s marks %s %q, and show %q", reading, short(ref), marks, want)
			}
		}
	}
	for reading, list := range marksOfReadings(t, m) {
		for ref, marks := range list {
			same(reading, ref, marks)
		}
	}
	for reading, n := range given {
		t.Logf("%s: %d", reading, n)
	}
	for _, reading := range []string{
		"list", "raw list", "recent", "search", "search raws", "search as of now", "search valid now", "timeline",
		"timeline as of now",
		"picture", "trace", "trace of what was made", "evidence", "why", "history", "related", "context", "context text",
		"context markdown", "load", "recall", "identity", "markdown folder", "short list", "short recall", "relationship",
		"conflicts", "suggestions",
	} {
		if given[reading] == 0 {
			t.Errorf("%s gives none of the records", reading)
		}
	}
}

// marksOfReadings returns the marks that each reading gives, by ref.
func marksOfReadings(t *testing.T, m *markedStore) map[string]map[string][]string {
	t.Helper()
	ctx, e := t.Context(), m.Agent
	out := make(map[string]map[string][]string)
	say := func(reading, ref string, marks []string) {
		if out[reading] == nil {
			out[reading] = make(map[string][]string)
		}
		out[reading][ref] = marks
	}
	memories := func(reading string, all []api.Memory, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			say(reading, x.Ref, x.Marks)
		}
	}
	list, err := e.List(ctx, api.ListRequest{All: true, Limit: -1})
	memories("list", list.Memories, err)
	shortOf(t, list, func(ref, mark string) { say("short list", ref, unusual(mark)) }, m)
	list, err = e.List(ctx, api.ListRequest{Kind: "raw", All: true, Limit: -1})
	memories("raw list", list.Memories, err)
	recent, err := e.Recent(ctx, api.RecentRequest{Since: "720h", Limit: -1})
	memories("recent", recent.Memories, err)
	for reading, in := range map[string]api.SearchRequest{
		"search":           {Query: "harbour", All: true, Limit: 100},
		"search raws":      {Query: "harbour", All: true, Kind: "raw", Limit: 100},
		"search valid now": {Query: "harbour", ValidAt: m.Now().Format("2006-01-02T15:04:05Z07:00"), Limit: 100},
		"search as of now": {Query: "harbour", All: true, AsOf: m.Now().Format("2006-01-02T15:04:05Z07:00"), Limit: 100},
	} {
		for _, x := range search(t, e, in).Results {
			if in.AsOf != "" && slices.Contains(m.marksOf(x.Ref), "code changed") {
				continue // what code was at a time is not known
			}
			say(reading, x.Ref, x.Marks)
		}
	}
	for reading, in := range map[string]engine.TimelineRequest{
		"timeline": {Limit: 500}, "timeline as of now": {Limit: 500, AsOf: m.Now().Format("2006-01-02T15:04:05Z07:00")},
	} {
		line, err := e.Timeline(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range line.Entries {
			if in.AsOf == "" || !slices.Contains(m.marksOf(n.Ref), "code changed") {
				say(reading, n.Ref, n.Marks)
			}
		}
	}
	var all []string
	for ref := range m.want {
		all = append(all, ref)
	}
	pic, err := e.Picture(ctx, engine.PictureRequest{Only: all})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range pic.Nodes {
		say("picture", n.Ref, n.Marks)
	}
	for _, ref := range all {
		tr, err := e.Trace(ctx, api.TraceRequest{Ref: ref})
		if err != nil {
			t.Fatal(err)
		}
		say("trace", ref, tr.Memory.Marks)
		for _, n := range slices.Concat(tr.Backward.Sources, tr.Forward.Derived) {
			say("trace of what was made", n.Type+":"+n.ID, n.Marks)
		}
		rel, err := e.Derived(ctx, api.RefRequest{Ref: ref})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range rel.Related {
			say("related", n.Type+":"+n.ID, n.Marks)
		}
		if strings.HasPrefix(ref, "raw:") {
			continue
		}
		why, err := e.Why(ctx, api.WhyRequest{Ref: ref})
		memories("why", []api.Memory{why.Memory}, err)
		ev, err := e.Evidence(ctx, api.RefRequest{Ref: ref})
		if err != nil {
			t.Fatal(err)
		}
		say("evidence", ref, ev.Belief.Marks)
		for _, x := range ev.Evidence.RawEntries {
			say("evidence", "raw:"+x.ID, x.Marks)
		}
		h, err := e.History(ctx, api.RefRequest{Ref: ref})
		memories("history", h.Revisions, err)
	}
	id, err := e.Identity(ctx, api.LimitRequest{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range id.Beliefs {
		say("identity", x.Ref, x.Marks)
	}
	known, err := e.RelationshipHistory(ctx, api.NameRequest{Name: "Bob", Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range known.Entries {
		say("relationship", x.Ref, x.Marks)
	}
	rec, err := e.Recall(ctx, api.RecallRequest{Query: "harbour", All: true, Limit: 100, Budget: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range rec.Results {
		say("recall", x.Ref, x.Marks)
	}
	shortOf(t, rec, func(ref, mark string) { say("short recall", ref, unusual(mark)) }, m)
	packMarks(t, m, say)
	open, err := e.Conflicts(ctx, api.OpenRequest{All: true, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range open.Conflicts {
		say("conflicts", l.Old.Ref, l.Old.Marks)
		say("conflicts", l.New.Ref, l.New.Marks)
	}
	waits, err := e.Suggestions(ctx, api.KindRequest{All: true, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range waits.Suggestions {
		if s.Link != nil {
			say("suggestions", s.Link.Old.Ref, s.Link.Old.Marks)
			say("suggestions", s.Link.New.Ref, s.Link.New.Marks)
		}
	}
	dir := t.TempDir()
	if _, err := e.ExportMarkdown(ctx, dir, nil); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.md"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		front, _ := markdown.Split(string(text))
		say("markdown folder", front.Text("ref"), front.List("marks"))
	}
	return out
}

// marksOf returns what show says.
func (m *markedStore) marksOf(ref string) []string {
	r, err := m.Agent.Show(m.T.Context(), api.RefRequest{Ref: ref})
	if err != nil {
		m.T.Fatal(err)
	}
	return r.Marks
}

// shortOf gives the marks of the short form of a reply.
func shortOf(t *testing.T, reply any, say func(ref, mark string), m *markedStore) {
	t.Helper()
	of, _ := brief.Of(reply, nil)
	all := []brief.One{}
	switch r := of.(type) {
	case brief.List:
		all = r.Memories
	case brief.Recall:
		all = r.Results
	}
	for _, x := range all {
		for ref := range m.want {
			if short(ref) == x.Ref {
				say(ref, x.Mark)
			}
		}
	}
}

// unusual returns the marks of a short reply, without what it says of the ordinary axes.
func unusual(mark string) (marks []string) {
	for _, one := range strings.Split(mark, "; ") {
		if one != "" && one != "approved" && one != "hypothesis" && one != "weak" && !strings.HasPrefix(one, "by ") {
			marks = append(marks, one)
		}
	}
	return marks
}

// packMarks gives the marks of packs: in JSON, and whether the two other forms have each of them.
func packMarks(t *testing.T, m *markedStore, say func(reading, ref string, marks []string)) {
	t.Helper()
	c, err := m.Agent.Context(t.Context(), api.ContextRequest{Query: "harbour", Budget: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	start, err := m.Agent.Load(t.Context(), api.LoadRequest{Budget: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	for reading, r := range map[string]api.ContextReply{"context": c, "load": start} {
		body, err := r.Render("json", false)
		if err != nil {
			t.Fatal(err)
		}
		var pack struct {
			Sections []struct {
				Entries []struct {
					Ref   string
					Marks []string
				}
			}
		}
		if err := json.Unmarshal(body, &pack); err != nil {
			t.Fatal(err)
		}
		for _, s := range pack.Sections {
			for _, en := range s.Entries {
				for ref := range m.want {
					if short(ref) != en.Ref {
						continue
					}
					say(reading, ref, en.Marks)
					for _, form := range []string{"text", "markdown"} {
						text, err := r.Render(form, false)
						if err != nil {
							t.Fatal(err)
						}
						say(reading+" "+form, ref, in(string(text), en.Ref, en.Marks))
					}
				}
			}
		}
	}
}

// in returns those of some marks that the line of an entry has.
func in(text, ref string, marks []string) (out []string) {
	for line := range strings.Lines(text) {
		line = strings.NewReplacer(`\`, "", "&#58;", ":", "&#46;", ".").Replace(line)
		if !strings.Contains(line, "("+ref) {
			continue
		}
		for _, m := range marks {
			if strings.Contains(line, "; "+m) {
				out = append(out, m)
			}
		}
	}
	return out
}
