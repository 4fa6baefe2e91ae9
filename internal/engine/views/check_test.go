package views_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A memory of code goes through its life: verified, changed, verified again,
// gone. It stays grounded, and stands among the verified only while it is.
func TestLifeOfAMemoryOfCode(t *testing.T) {
	w := newWorkshop(t)
	ref := w.Note("decision", "the store opens without a lock", true, "store.go#Open")
	if got := show(t, w.Owner, ref).Tier; got != "observed" {
		t.Errorf("approved and not verified it is %s, want observed", got)
	}
	verify(t, w.Owner, ref)
	expect := func(what string, e *engine.Engine, state, section, reason string) {
		t.Helper()
		c := w.CodeState(e, ref)
		if c.State != state || c.Tier != "grounded" {
			t.Errorf("%s: %s and %s, want %s and grounded", what, c.State, c.Tier, state)
		}
		if said := strings.Join(c.Reasons, " "); !strings.Contains(said, reason) || (reason == "") != (said == "") {
			t.Errorf("%s: the reasons %q do not say %q", what, said, reason)
		}
		in, p, body := w.Pack(e, api.ContextRequest{Query: "store lock"})
		for name, refs := range in {
			if slices.Contains(refs, shortRef(ref)) != (name == section) {
				t.Errorf("%s: the pack has %v in %s, want it in %s alone", what, refs, name, section)
			}
		}
		if got := strings.Contains(body, "✅"); got != (state == "verified") {
			t.Errorf("%s: a tick %v\n%s", what, got, body)
		}
		if section != "needs" {
			return
		}
		if e := p.Sections[0].Entries[0]; e.State != state || !strings.Contains(e.Why, reason) || e.Path != "store.go#Open" {
			t.Errorf("%s: the pack says %+v, want %s because of %s", what, e, state, reason)
		}
		load, err := w.Agent.Load(t.Context(), api.LoadRequest{})
		if err != nil {
			t.Fatal(err)
		}
		wantShort(t, what+": load", readPage(t, load).Refs()["needs"], ref)
	}
	expect("new", w.Owner, "verified", "verified", "")

	w.Write("store.go", strings.Replace(storeCode, "Close() error {\n", "Close() error {\n\t// nothing\n", 1))
	w.Commit("elsewhere in the file")
	expect("changed elsewhere", w.Owner, "verified", "verified", "")

	changed := strings.Replace(storeCode, "return nil", "return lock()", 1)
	w.Write("store.go", changed)
	expect("changed, not committed", w.Owner, "verified", "verified", "")
	if in, _, _ := w.Pack(
		w.Owner, api.ContextRequest{Query: "store lock", Uncommitted: true},
	); !slices.Contains(in["needs"], shortRef(ref)) {
		t.Errorf("uncommitted: the pack has %v, want it under needs", in)
	}
	commit := w.Commit("lock the store")
	expect("changed", w.Owner, "needs_review", "needs", commit)
	expect("changed, for the agent", w.Agent, "needs_review", "needs", commit)

	if v := verify(t, w.Owner, ref); !slices.Equal(v.CodeRefs, []string{"store.go#Open"}) || v.VerificationCount != 2 ||
		len(v.Missing) != 0 {
		t.Errorf("verified again: %+v", v)
	}
	expect("pinned again", w.Owner, "verified", "verified", "")
	w.Git("mv", "store.go", "kept.go")
	w.Commit("another name")
	expect("moved", w.Owner, "verified", "verified", "")

	w.Git("rm", "-q", "kept.go")
	w.Commit("gone")
	expect("gone", w.Owner, "stale", "needs", "store.go")
	if _, err := w.Owner.Verify(t.Context(), api.VerifyRequest{Ref: ref}); !errors.Is(err, api.ErrConflict) {
		t.Errorf("verify what is gone: %v, want a conflict", err)
	}
	if _, err := w.Owner.Verify(t.Context(), api.VerifyRequest{Ref: ref, Files: []string{"other.go#Other"}}); err != nil {
		t.Fatal(err)
	}
	if c := w.CodeState(w.Owner, ref); c.State != "verified" || c.Files[0].Ref != "other.go#Other" {
		t.Errorf("with other code it is %s: %+v", c.State, c.Files)
	}
}

// What cannot be told gets no tick, and is not called changed.
func TestCodeThatCannotBeSeen(t *testing.T) {
	w := newWorkshop(t)
	ref := w.Note("decision", "the store opens without a lock", true, "store.go#Open")
	verify(t, w.Owner, ref)
	nowhere := w.As(memory.OriginAgent, func(c *engine.Config) { c.Dir = "" })
	in, p, body := w.Pack(nowhere, api.ContextRequest{Query: "store lock"})
	if !slices.Contains(in["verified"], shortRef(ref)) || strings.Contains(body, "✅") {
		t.Errorf("without any code: %v, want it among the verified without a tick\n%s", in, body)
	}
	if got := p.Sections[0].Entries[0].Tier; got != "grounded, not checked" {
		t.Errorf("tier %q, want that it was not checked", got)
	}
	if _, err := nowhere.Check(t.Context(), api.CheckRequest{}); !isInvalid(err) {
		t.Errorf("check without any code: %v, want it invalid", err)
	}
	if _, err := nowhere.Verify(t.Context(), api.VerifyRequest{Ref: ref}); !isInvalid(err) {
		t.Errorf("verify without any code: %v, want it invalid", err)
	}
}

// What is gone comes before what changed, a constraint before a decision before
// the rest.
func TestCheckPutsTheUrgentFirst(t *testing.T) {
	w := newWorkshop(t)
	for i := range 6 {
		w.Write(fmt.Sprintf("f%d.go", i), fmt.Sprintf("package f\n\nfunc F%d() {}\n", i))
	}
	w.Commit("six")
	var refs []string
	for i, kind := range []string{"insight", "decision", "constraint", "insight", "decision", "constraint"} {
		refs = append(refs, w.Note(kind, fmt.Sprint("of f", i), true, fmt.Sprintf("f%d.go", i)))
	}
	sound := w.Note("constraint", "of other", true, "other.go")
	for i := range 6 {
		if i < 3 {
			w.Write(fmt.Sprintf("f%d.go", i), "package changed\n")
		} else {
			w.Git("rm", "-q", fmt.Sprintf("f%d.go", i))
		}
	}
	w.Commit("changed and gone")
	want := []string{refs[5], refs[4], refs[3], refs[2], refs[1], refs[0]}
	r, err := w.Agent.Check(t.Context(), api.CheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range r.Memories {
		got = append(got, m.Ref)
	}
	if !slices.Equal(got, want) {
		t.Errorf("check gives %v, want %v", shortened(got), shortened(want))
	}
	if r.Checked != 7 || r.Refs != 7 || r.Counts["stale"] != 3 || r.Counts["needs_review"] != 3 ||
		r.Counts["verified"] != 1 || r.Plain != "" {
		t.Errorf("check says %+v", r)
	}
	in, _, _ := w.Pack(w.Agent, api.ContextRequest{Query: "of other", Level: "deep"})
	short := make([]string, len(want))
	for i, ref := range want {
		short[i] = shortRef(ref)
	}
	if !slices.Equal(in["needs"], short) || !slices.Equal(in["constraints"], []string{shortRef(sound)}) {
		t.Errorf("the pack needs %v and binds by %v, want %v and %v", in["needs"], in["constraints"], short, shortRef(sound))
	}
	all, err := w.Agent.Check(t.Context(), api.CheckRequest{All: true})
	if err != nil || len(all.Memories) != 7 || all.Memories[6].Ref != sound {
		t.Errorf("check of all: %d, %v, want 7, the sound one last", len(all.Memories), err)
	}
}

// A verification moves confidence a quarter of the way to certainty, once a day
// for one author.
func TestVerifyRaisesConfidenceOnceADay(t *testing.T) {
	p := newPeople(t)
	ref := write(
		t, p.Agent,
		api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "words"}, Meta: api.Meta{Confidence: number(0.4)}},
	)
	for _, step := range []struct {
		what  string
		by    *engine.Engine
		ahead time.Duration
		want  float64
	}{
		{"the agent", p.Agent, 0, 0.55},
		{"the agent again", p.Agent, time.Hour, 0.55},
		{"the owner, the same day", p.Owner, 0, 0.663}, // .55 + .1125
		{"the owner again", p.Owner, time.Minute, 0.663},
		{"the agent the next day", p.Agent, 24 * time.Hour, 0.747}, // .663 + .08425
		{"the owner the day after", p.Owner, 24 * time.Hour, 0.810},
	} {
		p.Ahead(step.ahead)
		v := verify(t, step.by, ref)
		if v.Confidence != step.want {
			t.Errorf("%s: confidence %v after %v, want %v", step.what, v.Confidence, v.ConfidenceBefore, step.want)
		}
		if v.ByAgent != (step.by == p.Agent) {
			t.Errorf("%s: by an agent %v", step.what, v.ByAgent)
		}
	}
	m := show(t, p.Owner, ref)
	if m.VerificationCount != 6 || m.Confidence != 0.810 || m.ConfidenceAsserted != 0.4 {
		t.Errorf("verified %d times, confidence %v of %v", m.VerificationCount, m.Confidence, m.ConfidenceAsserted)
	}
	prov, err := p.Owner.Provenance(t.Context(), api.RefRequest{Ref: ref})
	if err != nil || len(prov.ConfidenceHistory) < 4 ||
		prov.ConfidenceHistory[len(prov.ConfidenceHistory)-1].After != 0.810 {
		t.Errorf("history %+v, %v, want every step", prov.ConfidenceHistory, err)
	}
}

// An agent may say that what its owner wrote still holds. It moves no
// confidence, and is shown as an agent's word until a person verifies.
func TestAgentVerifiesTheOwners(t *testing.T) {
	w := newWorkshop(t)
	ref := w.Note("decision", "the store opens without a lock", true, "store.go#Open")
	before := show(t, w.Owner, ref).Confidence
	w.Write("store.go", strings.Replace(storeCode, "return nil", "return lock()", 1))
	w.Commit("lock")
	v := verify(t, w.Agent, ref)
	if v.Confidence != before || v.ConfidenceBefore != before || !v.ByAgent || v.VerificationCount != 1 {
		t.Errorf("by the agent: %+v, want the confidence %v", v, before)
	}
	c := w.CodeState(w.Owner, ref)
	if c.State != "verified" || !c.VerifiedByAgent {
		t.Errorf("it is %s, by an agent %v, want verified by an agent", c.State, c.VerifiedByAgent)
	}
	if _, _, body := w.Pack(w.Agent, api.ContextRequest{Query: "store lock"}); !strings.Contains(body, "agent") {
		t.Errorf("the pack does not say that an agent verified it:\n%s", body)
	}
	if v := verify(t, w.Owner, ref); v.ByAgent || v.Confidence <= before {
		t.Errorf("by the owner: %+v, want more than %v and no agent's mark", v, before)
	}
}

// An agent's verification does not hide a person's of the same code: both are shown, and no mark says that no person
// did. Of code that changed since it does.
func TestAnAgentsVerificationDoesNotHideAPersons(t *testing.T) {
	w := newWorkshop(t)
	ref := w.Note("decision", "the store opens without a lock", true, "store.go#Open")
	says := func() string {
		t.Helper()
		for _, c := range show(t, w.Owner, ref).Conditions {
			if c.Name == "verified" {
				return c.Says
			}
		}
		return ""
	}
	verify(t, w.Owner, ref)
	w.Ahead(48 * time.Hour)
	verify(t, w.Agent, ref)
	if got := says(); !strings.HasPrefix(got, "by a person on 2026-01-") ||
		!strings.Contains(got, ", and by an agent on ") {
		t.Errorf("it is verified %q, want by both", got)
	}
	if c := w.CodeState(w.Owner, ref); c.State != "verified" || c.VerifiedByAgent {
		t.Errorf("it is %s, by an agent alone %v", c.State, c.VerifiedByAgent)
	}
	if _, _, body := w.Pack(w.Agent, api.ContextRequest{Query: "store lock"}); strings.Contains(body, "by an agent") {
		t.Errorf("the pack says that only an agent verified it:\n%s", body)
	}
	w.Write("store.go", strings.Replace(storeCode, "return nil", "return lock()", 1))
	w.Commit("lock")
	verify(t, w.Agent, ref)
	if got := says(); !strings.Contains(got, "before its code changed, and by an agent on ") {
		t.Errorf("after a change it is verified %q", got)
	}
	if c := w.CodeState(w.Owner, ref); c.State != "verified" || !c.VerifiedByAgent {
		t.Errorf("after a change it is %s, by an agent alone %v", c.State, c.VerifiedByAgent)
	}
}

// What somebody else wrote is not ours to verify.
func TestVerifyOfAStrangers(t *testing.T) {
	p, stranger := newPeople(t), newPeople(t)
	ref := add(t, stranger.Owner, "belief", "words")
	all := p.As(memory.OriginOwner, func(c *engine.Config) { c.Space = engine.AllSpaces })
	carry(t, stranger.Owner, p.Owner)
	if _, err := all.Verify(t.Context(), api.VerifyRequest{Ref: ref}); err == nil {
		t.Error("a stranger's belief was verified")
	}
	for _, e := range []*engine.Engine{p.Owner, p.Agent} {
		if _, err := e.Verify(t.Context(), api.VerifyRequest{Ref: ref}); !errors.Is(err, api.ErrForbidden) {
			t.Errorf("verify a stranger's: %v, want it forbidden", err)
		}
	}
	if m := show(t, p.Owner, ref); m.VerificationCount != 0 || m.Confidence != 0.8 {
		t.Errorf("verified %d times, confidence %v", m.VerificationCount, m.Confidence)
	}
}

// Code refs that leave the repository, or name what is not there, are refused,
// and nothing is stored.
func TestBadCodeRefs(t *testing.T) {
	w := newWorkshop(t)
	before, err := w.Owner.Stats(t.Context(), api.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{
		"../x.go", "/etc/passwd", "", "nothing.go", "store.go#Nothing", "store.go:5-2", "store.go:900-901",
		filepath.Join(w.Dir, "..", "x"),
	} {
		_, err := w.Owner.Add(
			t.Context(),
			api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "words"}, Meta: api.Meta{Files: []string{file}}},
		)
		if !isInvalid(err) && !errors.Is(err, api.ErrNotFound) {
			t.Errorf("file %q: %v, want it refused", file, err)
		}
	}
	ref := add(t, w.Owner, "belief", "words")
	if _, err := w.Owner.Check(t.Context(), api.CheckRequest{Refs: []string{ref}}); !isInvalid(err) {
		t.Errorf("check of what names no code: %v, want it invalid", err)
	}
	after, err := w.Owner.Stats(t.Context(), api.Nothing{})
	if err != nil || after.Records != before.Records+3 { // two of the keys
		t.Errorf("%d records, %v, want %d", after.Records, err, before.Records+3)
	}
}

// Outside git the files alone decide.
func TestCheckWithoutGit(t *testing.T) {
	r := &repo{T: t, Dir: t.TempDir()}
	r.Write("store.go", storeCode)
	w := &workshop{Repo: r, People: newPeople(t, func(c *engine.Config) { c.Dir = r.Dir })}
	ref := w.Note("decision", "the store opens without a lock", true, "store.go#Open")
	verify(t, w.Owner, ref)
	if c := w.CodeState(w.Owner, ref); c.State != "verified" {
		t.Errorf("as it was it is %s", c.State)
	}
	r.Write("store.go", strings.Replace(storeCode, "return nil", "return lock()", 1))
	if c := w.CodeState(w.Owner, ref); c.State != "needs_review" || len(c.Reasons) == 0 {
		t.Errorf("changed it is %s because of %v, want needs_review", c.State, c.Reasons)
	}
	r.Write("store.go", otherCode)
	if c := w.CodeState(w.Owner, ref); c.State != "stale" {
		t.Errorf("without the function it is %s, want stale", c.State)
	}
	all, err := w.Owner.Check(t.Context(), api.CheckRequest{})
	if err != nil || all.Plain == "" {
		t.Errorf("check says %q, %v, want why the files alone decided", all.Plain, err)
	}
}
