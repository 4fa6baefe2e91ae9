package engine_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A body is words in one place of a record.
type placed struct {
	what   string
	header memory.Header
	body   memory.Body
}

// placesOf puts words wherever a record has room for words.
func placesOf(words string) []placed {
	note := &memory.Note{Type: "observation", Summary: "the gate was painted again"}
	return []placed{
		{"a raw", memory.Header{}, &memory.Raw{Text: "so " + words, Source: "api"}},
		{"bytes", memory.Header{}, &memory.Raw{
			Base64: base64.StdEncoding.EncodeToString([]byte("\xff\xfe so " + words)), Source: "api",
		}},
		{"a caption", memory.Header{}, &memory.Raw{Text: "look", Source: "api", Caption: "a picture of " + words}},
		{"a name of a picture", memory.Header{}, &memory.Raw{
			Text: "see img/" + strings.ReplaceAll(words, " ", "_") + "-2.png", Source: "api",
		}},
		{"a speaker", memory.Header{}, &memory.Raw{Text: "good day", Source: "api", Speaker: words}},
		{"a name", memory.Header{About: []string{words}}, note},
		{"a tag", memory.Header{Tags: []string{words}}, note},
		{"an alias", memory.Header{Alias: []string{"chat:" + words}}, note},
		{"a session", memory.Header{Session: "with " + words}, note},
		{"a trigger", memory.Header{Trigger: words + " asked"}, note},
		{"a file", memory.Header{Provenance: memory.Provenance{Evidence: []memory.Evidence{
			{Type: "file", Path: "people/" + strings.ReplaceAll(words, " ", "-") + ".md"},
		}}}, note},
		{"code", memory.Header{}, &memory.Note{
			Type: "observation", Summary: "call notify" + strings.ReplaceAll(words, " ", "") + "() first",
		}},
		{"a reason", memory.Header{}, &memory.Note{
			Type: "decision", Summary: "the gate is blue", Reason: words + " wanted it",
		}},
		{"an alternative", memory.Header{}, &memory.Note{
			Type: "decision", Summary: "the gate is blue", Alternatives: []string{"ask " + words},
		}},
		{"a goal", memory.Header{}, &memory.Goal{Title: "meet " + words}},
		{"a value", memory.Header{}, &memory.Value{Name: "care", Statement: "be kind to " + words}},
		{"a drive", memory.Header{}, &memory.Drive{Type: "connection", Focus: []string{words}}},
		{"an episode", memory.Header{}, &memory.Episode{Objective: "went out", Lessons: []string{"listen to " + words}}},
		{"a relationship", memory.Header{}, &memory.Relationship{Name: "the clerk", Description: "knows " + words}},
		{"a playbook", memory.Header{}, &memory.Playbook{
			Name: "on call", Steps: []string{"phone " + words},
		}},
	}
}

// signed stores a record as it is.
func signed(t *testing.T, e *engine.Engine, h memory.Header, b memory.Body) string {
	t.Helper()
	if h.Confidence = memory.Certain; h.Provenance.Via == "" {
		h.Provenance.Via = memory.ViaDirect
	}
	r, err := e.Sign(h, b)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Append(t.Context(), store.Batch{Records: []*memory.Record{r}}); err != nil {
		t.Fatal(err)
	}
	return r.Ref().String()
}

// listOf is what a person's name finds now.
func listOf(t *testing.T, e *engine.Engine, p api.Person) *api.PersonList {
	t.Helper()
	r, err := e.Purge(t.Context(), api.PurgeRequest{Person: p, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	return r.Person
}

func recordsOf(rs []api.PersonRecord) (out []string) {
	for _, r := range rs {
		out = append(out, r.Ref)
	}
	return out
}

// Wherever in a record a name stands, in whatever form of Unicode, the record is found; and nothing else is.
func TestANameIsFoundWhereverItStands(t *testing.T) {
	t.Parallel()
	p := enginetest.NewPeople(t)
	for _, name := range []string{"Zoë Ångström", "Zoe\u0308 A\u030angstro\u0308m", "ZOË ÅNGSTRÖM"} {
		for _, one := range placesOf(name) {
			ref := signed(t, p.Owner, one.header, one.body)
			l := listOf(t, p.Owner, api.Person{About: "Zoë Ångström", Speaker: "Zoë Ångström"})
			if !slices.Contains(recordsOf(l.Records), ref) {
				t.Errorf("%s as %q is not found", one.what, name)
			}
		}
	}
	other := enginetest.NewPeople(t)
	var kept []string
	for _, words := range []string{"Zoëlogy Ångströmer", "Ångström Zoë", "Zoë and Ångström", "Joannazoë Ångström"} {
		for _, one := range placesOf(words) {
			kept = append(kept, signed(t, other.Owner, one.header, one.body))
		}
	}
	if l := listOf(t, other.Owner, api.Person{About: "Zoë Ångström"}); len(l.Records) > 0 || len(l.Unsure) > 0 {
		t.Errorf("of %d others' records it finds %+v", len(kept), l.Records)
	}
}

// A name of two people is refused with the refs of both. By the ref of one only what is tied to them goes; what merely
// has the name is told apart.
func TestANameOfTwoPeopleIsRefused(t *testing.T) {
	t.Parallel()
	p := enginetest.NewPeople(t)
	one := signed(t, p.Owner, memory.Header{}, &memory.Relationship{Name: "Ada Quill", Type: "person"})
	two := signed(t, p.Owner, memory.Header{}, &memory.Relationship{
		Name: "ada  QUILL", Type: "person", Description: "the other one",
	})
	tied := signed(t, p.Owner, memory.Header{Provenance: memory.Provenance{
		Via: memory.ViaInference, From: []memory.Ref{pointAt(t, one)},
	}}, &memory.Note{Type: "observation", Summary: "keeps bees"})
	loose := signed(t, p.Owner, memory.Header{}, &memory.Raw{Text: "Ada Quill came by", Source: "api"})
	_, err := p.Owner.Purge(t.Context(), api.PurgeRequest{Person: api.Person{About: "Ada Quill"}, DryRun: true})
	if !errors.Is(err, api.ErrConflict) || !strings.Contains(err.Error(), one[:len("relationship:")+8]) ||
		!strings.Contains(err.Error(), two[:len("relationship:")+8]) {
		t.Errorf("%v", err)
	}
	l := listOf(t, p.Owner, api.Person{About: one})
	if got := recordsOf(l.Records); !slices.Equal(got, []string{one, tied}) {
		t.Errorf("of the first: %v", got)
	}
	if got := recordsOf(l.Unsure); !slices.Contains(got, loose) || !slices.Contains(got, two) {
		t.Errorf("unsure: %v", got)
	}
	l = listOf(t, p.Owner, api.Person{About: one, Also: []string{loose}})
	if got := recordsOf(l.Records); !slices.Contains(got, loose) {
		t.Errorf("with what was named: %v", got)
	}
}

func pointAt(t *testing.T, text string) memory.Ref {
	t.Helper()
	r, err := memory.ParseRef(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is another's memory of the same talk stays; decisions that name the person stay and are said to.
func TestWhatIsOthersStays(t *testing.T) {
	t.Parallel()
	p := enginetest.NewPeople(t)
	ctx := t.Context()
	raw := signed(t, p.Owner, memory.Header{}, &memory.Raw{
		Text: "Ada Quill likes tea and Bob likes coffee", Source: "api",
	})
	from := memory.Provenance{Via: memory.ViaPromote, From: []memory.Ref{pointAt(t, raw)}}
	hers := signed(t, p.Owner, memory.Header{Provenance: from}, &memory.Note{
		Type: "preference", Summary: "tea, with milk",
	})
	his := signed(t, p.Owner, memory.Header{About: []string{"Bob"}, Provenance: from}, &memory.Note{
		Type: "preference", Summary: "Bob likes coffee",
	})
	gate := enginetest.Write(t, p.Agent, api.AddRequest{Draft: api.Draft{Kind: "note", Text: "the gate is blue"}})
	if _, err := p.Owner.Approve(ctx, api.DecideRequest{Refs: []string{gate}, Reason: "Ada Quill said so"}); err != nil {
		t.Fatal(err)
	}
	const comes = "yes, I will come tomorrow then"
	yes := signed(t, p.Owner, memory.Header{}, &memory.Raw{Text: comes, Source: "api", Speaker: "Ada Quill"})
	bobs := signed(t, p.Owner, memory.Header{}, &memory.Raw{Text: comes, Source: "api", Speaker: "Bob"})
	again := signed(t, p.Owner, memory.Header{}, &memory.Raw{Text: comes, Source: "hook", Event: "turn"})
	quoted := signed(t, p.Owner, memory.Header{}, &memory.Note{Type: "quote", Summary: comes})
	l := listOf(t, p.Owner, api.Person{About: "Ada Quill", Speaker: "Ada Quill"})
	got := recordsOf(l.Records)
	for _, ref := range []string{raw, hers, yes, again, quoted} {
		if !slices.Contains(got, ref) {
			t.Errorf("%s is not in %v", ref, got)
		}
	}
	for _, ref := range []string{his, bobs, gate} {
		if slices.Contains(got, ref) {
			t.Errorf("%s would go", ref)
		}
	}
	if len(l.Stays) != 1 || !strings.Contains(l.Stays[0].Why, "a decision") {
		t.Errorf("stays: %+v", l.Stays)
	}
	if !slices.Contains(recordsOf(l.Repeats), bobs) {
		t.Errorf("repeats: %+v", l.Repeats)
	}
	r, err := p.Owner.Purge(ctx, api.PurgeRequest{
		Person: api.Person{About: "Ada Quill", Speaker: "Ada Quill"}, List: l.Digest,
	})
	if err != nil || r.Outcome.Found > 0 {
		t.Fatalf("%+v, %v", r.Outcome, err)
	}
	c, err := audit.Certificate([]byte(r.Outcome.Certificate), audit.CertificateOptions{})
	if err != nil || c.Kept["decisions"] != 1 || c.Kept["repeats"] == 0 {
		t.Errorf("%+v, %v", c.Kept, err)
	}
}

// In a space that a teammate keeps, only one's own is erased; theirs is named as out of reach.
func TestATeammatesRecordsAreOutOfReach(t *testing.T) {
	t.Parallel()
	team := enginetest.NewTeam(t, 2)
	theirs := signed(t, team.In(0, memory.OriginOwner), memory.Header{}, &memory.Note{
		Type: "observation", Summary: "Ada Quill signed the lease of the mill",
	})
	mine := signed(t, team.In(1, memory.OriginOwner), memory.Header{}, &memory.Note{
		Type: "observation", Summary: "Ada Quill pays on Fridays",
	})
	team.Settle(t)
	e := team.In(1, memory.OriginOwner)
	l := listOf(t, e, api.Person{About: "Ada Quill"})
	if !slices.Equal(recordsOf(l.Records), []string{mine}) || !slices.Contains(recordsOf(l.Stays), theirs) {
		t.Fatalf("%+v, stays %+v", l.Records, l.Stays)
	}
	r, err := e.Purge(t.Context(), api.PurgeRequest{Person: api.Person{About: "Ada Quill"}, List: l.Digest})
	if err != nil {
		t.Fatal(err)
	}
	isTheirs := func(u api.PurgeUnreached) bool { return u.What == "theirs" && u.Count == 1 }
	if !slices.ContainsFunc(r.Outcome.Unreached, isTheirs) {
		t.Errorf("%+v", r.Outcome.Unreached)
	}
	// the owner of the space erases both, and the teammate's copy goes with the next sync
	team.Settle(t)
	owner := team.In(0, memory.OriginOwner)
	l = listOf(t, owner, api.Person{About: "Ada Quill"})
	in := api.PurgeRequest{Person: api.Person{About: "Ada Quill"}, List: l.Digest}
	if _, err := owner.Purge(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	if l := listOf(t, e, api.Person{About: "Ada Quill"}); len(l.Records)+len(l.Stays) > 0 {
		t.Errorf("the teammate has %+v, %+v", l.Records, l.Stays)
	}
}

// A bundle from before the act brings nothing back, a restored backup is erased again, and a clock that was set back
// changes nothing of this.
func TestWhatIsErasedStaysErased(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	var back time.Duration
	p := enginetest.NewPeople(t, func(c *engine.Config) {
		c.Data, c.Receipts = data, filepath.Join(data, "receipts")
		now := c.Now
		c.Now = func() time.Time { return now().Add(-back) }
	})
	ctx := t.Context()
	for range 2 {
		signed(t, p.Owner, memory.Header{}, &memory.Raw{
			Text: "Ada Quill keeps the xqzvplume in a jar behind the stairs", Source: "api",
		})
	}
	var bundle bytes.Buffer
	if _, err := p.Owner.Export(ctx, &bundle, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	lines := bundle.String()
	copyAt := filepath.Join(t.TempDir(), "copy.db")
	if _, err := p.Owner.Backup(ctx, copyAt); err != nil {
		t.Fatal(err)
	}
	back = 40 * 24 * time.Hour
	in := api.PurgeRequest{Person: api.Person{About: "Ada Quill"}}
	in.List = listOf(t, p.Owner, in.Person).Digest
	first, err := p.Owner.Purge(ctx, in)
	if err != nil || first.Outcome.Found > 0 {
		t.Fatalf("%+v, %v", first.Outcome, err)
	}
	check := func(e *engine.Engine, cert, list string) (bool, string) {
		r, err := e.Audit(ctx, api.AuditRequest{Certificate: cert, List: list})
		if err != nil {
			t.Fatal(err)
		}
		return r.Certificate.Checks, r.Certificate.Why
	}
	if is, why := check(p.Owner, first.Outcome.Certificate, ""); !is {
		t.Error(why)
	}
	for range 2 {
		if _, err := p.Owner.Import(ctx, strings.NewReader(lines), nil); err != nil {
			t.Fatal(err)
		}
	}
	if l := listOf(t, p.Owner, in.Person); len(l.Records) > 0 {
		t.Errorf("the bundle brings %+v", l.Records)
	}
	for _, e := range []*engine.Engine{p.Owner, p.Agent} {
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	c := p.Config
	c.Origin = memory.OriginOwner
	if _, err := engine.Restore(ctx, p.Path, c, api.RestoreRequest{From: copyAt, Force: true}); err != nil {
		t.Fatal(err)
	}
	again, err := engine.Open(ctx, p.Path, c)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if is, why := check(again, first.Outcome.Certificate, in.List); is || !strings.Contains(why, "does not have the act") {
		t.Errorf("after a restore the certificate checks: %v, %q", is, why)
	}
	second, err := again.Purge(ctx, in)
	if err != nil || second.Outcome.Before || second.Outcome.Found > 0 {
		t.Fatalf("%+v, %v", second.Outcome, err)
	}
	if is, why := check(again, second.Outcome.Certificate, ""); !is {
		t.Error(why)
	}
	if is, _ := check(again, first.Outcome.Certificate, in.List); is {
		t.Error("the certificate of the act that was lost checks")
	}
}

// Of two stores that are read together both lose the words, of a record that both hold too; a question that names the
// person leaves the receipts, and a space that is called so is named.
func TestTwoStoresLoseAPersonsWords(t *testing.T) {
	t.Parallel()
	ctx, data := t.Context(), t.TempDir()
	p := enginetest.NewPeople(t, func(c *engine.Config) {
		c.Data, c.Receipts = data, filepath.Join(data, "receipts.jsonl")
	})
	signed(t, p.Owner, memory.Header{}, &memory.Raw{
		Text: "Ada Quill hid the xqzvplume beneath the third stair", Source: "api",
	})
	mine := p.As(memory.OriginOwner, func(c *engine.Config) { c.Space = "ada-quill" })
	signed(t, mine, memory.Header{}, &memory.Note{Type: "observation", Summary: "the gate was painted"})
	own := *p
	own.Path = filepath.Join(t.TempDir(), "own.db")
	second := own.As(memory.OriginOwner)
	enginetest.Carry(t, p.Owner, second)
	signed(t, second, memory.Header{}, &memory.Raw{
		Text: "a xqzvplume of Ada Quill is worth nine herrings", Source: "api",
	})
	both := p.As(memory.OriginOwner, func(c *engine.Config) { c.SecondStore = own.Path })
	agent := p.As(memory.OriginAgent, func(c *engine.Config) { c.SecondStore = own.Path })
	if _, err := agent.Search(ctx, api.SearchRequest{Query: "where is Ada Quill now"}); err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Receipts(ctx, api.ReceiptsRequest{}); err != nil {
		t.Fatal(err)
	}
	in := api.PurgeRequest{Person: api.Person{About: "Ada Quill"}}
	l := listOf(t, both, in.Person)
	called := func(r api.PersonRecord) bool { return r.Headline == "the space ada-quill" }
	if len(l.Records) != 2 || !slices.ContainsFunc(l.Stays, called) {
		t.Fatalf("%+v, stays %+v", l.Records, l.Stays)
	}
	in.List = l.Digest
	r, err := both.Purge(ctx, in)
	if err != nil || r.Outcome.Found > 0 {
		t.Fatalf("%+v, %v", r.Outcome, err)
	}
	got, err := both.Audit(ctx, api.AuditRequest{Certificate: r.Outcome.Certificate})
	if err != nil || !got.Certificate.Checks {
		t.Errorf("%+v, %v", got.Certificate, err)
	}
	for _, dir := range []string{filepath.Dir(p.Path), filepath.Dir(own.Path), data} {
		if in := filesHolding(t, dir, "xqzvplume", "Ada Quill"); len(in) > 0 {
			t.Errorf("the words stand in %v", in)
		}
	}
}

// What cannot be a request of a person's data is refused in one line, and does nothing.
func TestBadRequestsOfAPersonsDataAreRefused(t *testing.T) {
	t.Parallel()
	p := enginetest.NewPeople(t)
	note := signed(t, p.Owner, memory.Header{}, &memory.Note{Type: "observation", Summary: "Ada Quill left"})
	ada := api.Person{About: "Ada Quill"}
	digest := listOf(t, p.Owner, ada).Digest
	for what, in := range map[string]api.PurgeRequest{
		"no look":          {Person: ada},
		"refs too":         {Person: ada, Refs: []string{note}, DryRun: true},
		"a path":           {Person: ada, List: "../../../etc/passwd"},
		"a list and a dry": {Person: ada, List: digest, DryRun: true},
		"nobody":           {List: digest},
		"no letters":       {Person: api.Person{About: "…!"}, DryRun: true},
		"a long name":      {Person: api.Person{About: strings.Repeat("a", 300)}, DryRun: true},
		"a note":           {Person: api.Person{About: note}, DryRun: true},
		"a status":         {Person: ada, Status: true},
		"keep alone":       {Person: api.Person{Keep: []string{note}}, DryRun: true},
	} {
		if _, err := p.Owner.Purge(t.Context(), in); !errors.Is(err, api.ErrInvalid) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, in := range []api.PurgeRequest{{Person: ada, DryRun: true}, {Person: ada, List: digest}} {
		if _, err := p.Agent.Purge(t.Context(), in); !errors.Is(err, api.ErrForbidden) {
			t.Errorf("an agent: %v", err)
		}
	}
	if l := listOf(t, p.Owner, ada); l.Digest != digest {
		t.Error("something was done")
	}
}

// Another's word joins no two people: neither their revision of one's relationship, nor a name that they give a key.
func TestAnothersWordMakesNoPersonOfTwo(t *testing.T) {
	t.Parallel()
	team := enginetest.NewTeam(t, 2)
	mine := team.In(0, memory.OriginOwner)
	ada := signed(t, mine, memory.Header{}, &memory.Relationship{Name: "Ada Quill", Type: "person"})
	tea := signed(t, mine, memory.Header{About: []string{"Ada Quill"}}, &memory.Note{Type: "preference", Summary: "tea"})
	team.Settle(t)
	signed(t, team.In(1, memory.OriginOwner), memory.Header{Provenance: memory.Provenance{
		Via: memory.ViaRevision, From: []memory.Ref{pointAt(t, ada)}, Supersedes: []memory.Ref{pointAt(t, ada)},
	}}, &memory.Relationship{Name: "Bob Marsh", Type: "person"})
	if _, err := team.In(1, memory.OriginOwner).KeyAdd(t.Context(), api.KeyRequest{
		Key: team.All[0].Principal(), Name: "Bob Marsh",
	}); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	for _, p := range []api.Person{{About: "Bob Marsh"}, {Speaker: "Bob Marsh"}} {
		if got := recordsOf(listOf(t, mine, p).Records); slices.Contains(got, tea) || slices.Contains(got, ada) {
			t.Errorf("%+v finds %v", p, got)
		}
	}
}

// A person's export has what is theirs, also what others wrote of them, and neither others' sources nor what the
// request leaves out; a stranger can check it.
func TestAnExportOfAPersonsDataIsTheirsAlone(t *testing.T) {
	t.Parallel()
	team := enginetest.NewTeam(t, 2)
	theirs := signed(t, team.In(0, memory.OriginOwner), memory.Header{}, &memory.Note{
		Type: "observation", Summary: "Ada Quill signed the lease of the mill",
	})
	e := team.In(1, memory.OriginOwner)
	bees := signed(t, e, memory.Header{About: []string{"Bob Marsh"}}, &memory.Note{
		Type: "observation", Summary: "Bob Marsh keeps bees",
	})
	mine := signed(t, e, memory.Header{Provenance: memory.Provenance{
		Via: memory.ViaInference, From: []memory.Ref{pointAt(t, bees)},
	}}, &memory.Note{Type: "observation", Summary: "Ada Quill buys honey"})
	kept := signed(t, e, memory.Header{}, &memory.Raw{Text: "Ada Quill and Bob Marsh quarrel", Source: "api"})
	team.Settle(t)
	for _, reader := range []*engine.Engine{e, team.In(1, memory.OriginAgent)} {
		var b bytes.Buffer
		r, err := reader.Export(t.Context(), &b, api.ExportRequest{
			Person: api.Person{About: "Ada Quill", Keep: []string{kept}}, Proofs: reader == e,
		})
		if err != nil {
			t.Fatal(err)
		}
		found, err := audit.Bundle(t.Context(), &b, audit.Options{Lines: -1, Now: time.Now})
		if err != nil || found.Exit() == 1 {
			t.Fatalf("%+v, %v", found, err)
		}
		var got []string
		for _, l := range found.Lines {
			if !strings.HasPrefix(l.Ref, "key:") {
				got = append(got, l.Ref)
			}
		}
		want := []string{theirs, mine}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || len(r.Person.Records) != 2 {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
