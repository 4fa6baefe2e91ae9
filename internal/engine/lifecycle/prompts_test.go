package lifecycle_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// says hands over what a person typed in a session, as a host's hook does, and returns what was kept of each.
func says(t testing.TB, e *engine.Engine, session string, texts ...string) (refs []string) {
	t.Helper()
	var seen []engine.Observed
	for i, text := range texts {
		seen = append(seen, engine.Observed{
			ID: fmt.Sprintf("%s/%d/%x", session, i, sha256.Sum256([]byte(text))), Text: text, Event: "user_prompt",
			Speaker: "user", Session: session, Platform: "claude-code",
		})
	}
	reply, err := e.Observe(t.Context(), seen)
	if err != nil || len(reply.Refs) != len(texts) {
		t.Fatalf("%+v, %v", reply, err)
	}
	return reply.Refs
}

// promptsOf returns the refs of what waits, in order, and with notKept what was settled.
func promptsOf(t testing.TB, e *engine.Engine, notKept bool) (refs []string) {
	t.Helper()
	reply, err := e.Recent(t.Context(), api.RecentRequest{Waiting: true, NotKept: notKept, Limit: -1, Budget: 50000})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range reply.Waiting {
		for _, p := range g.Prompts {
			refs = append(refs, p.Ref)
		}
	}
	return refs
}

// wantWaiting asks every reading what waits: the list, the counts of status and review, and the line of a start.
func wantWaiting(t testing.TB, after string, e *engine.Engine, want ...string) {
	t.Helper()
	if got := promptsOf(t, e, false); !slices.Equal(got, want) {
		t.Errorf("after %s: %v wait, want %v", after, shortened(got), shortened(want))
	}
	s, err := e.Status(t.Context(), api.Nothing{})
	if err != nil || s.PromptsWaiting.Count != len(want) {
		t.Errorf("after %s: status counts %+v, %v, want %d", after, s.PromptsWaiting, err, len(want))
	}
	r, err := e.Review(t.Context(), api.KindRequest{})
	if err != nil || r.PromptsWaiting != s.PromptsWaiting || r.PromptsNotKept != s.PromptsNotKept {
		t.Errorf("after %s: review counts %+v and %+v, %v, want what status does",
			after, r.PromptsWaiting, r.PromptsNotKept, err)
	}
	if n := len(promptsOf(t, e, true)); n != s.PromptsNotKept.Count {
		t.Errorf("after %s: status counts %d not kept, and %d are listed", after, s.PromptsNotKept.Count, n)
	}
	line := ""
	if len(want) > 0 {
		line = fmt.Sprintf("%d prompts since ", len(want))
	}
	if len(want) == 1 {
		line = "1 prompt since "
	}
	for _, start := range starts(t, e) {
		if has := strings.Count(start, "`recent waiting=true`"); has != min(len(want), 1) || !strings.Contains(start, line) {
			t.Errorf("after %s: a start says\n%s\nwant %q", after, start, line)
		}
	}
}

// starts returns how a session begins, by the ways to ask for it.
func starts(t testing.TB, e *engine.Engine) (out []string) {
	t.Helper()
	for _, format := range []string{"text", "markdown", "json"} {
		pack, err := e.Load(t.Context(), api.LoadRequest{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		text, err := pack.Render(format, false)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	r, err := e.Recall(t.Context(), api.RecallRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return append(out, r.Start)
}

// Only a person's own prompts wait of which nothing was made, until something is, or they are settled.
func TestWhichPromptsWait(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		e.C.Origin, e.C.Platform = memory.OriginAgent, "claude-code"
		wantWaiting(t, "nothing", e)
		all := says(t, e, "monday", "The offer goes to Ada on Mondays.", "Book the small room for the review.",
			"<system-reminder>\nx\n</system-reminder>", "<new-notice>\nx\n</new-notice>", "Ferries leave from pier four.")
		capture(t, e, "words of nobody") // no prompt
		if _, err := e.Observe(t.Context(), []engine.Observed{
			{ID: "1", Text: "The room is booked.", Event: "assistant_response", Speaker: "assistant", Session: "monday"},
			{ID: "2", Text: "Do the review.", Event: "turn", Speaker: "agent-host", Session: "monday"},
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Capture(t.Context(), api.CaptureRequest{ // an agent says that the user said it
			Text: "I like tabs", Source: "mcp", Event: "user_prompt", Speaker: "user",
		}); err != nil {
			t.Fatal(err)
		}
		offer, room, ferry := all[0], all[1], all[4]
		wantWaiting(t, "five prompts", e, offer, room, ferry)

		made := promote(t, e, "Ada gets offers on Mondays", offer)
		wantWaiting(t, "a promotion", e, room, ferry)
		if _, err := e.Forget(t.Context(), api.ForgetRequest{Refs: []string{made}}); err != nil {
			t.Fatal(err)
		}
		wantWaiting(t, "its memory was forgotten", e, offer, room, ferry)
		undo(t, e)
		if _, err := e.Forget(t.Context(), api.ForgetRequest{Refs: []string{ferry}}); err != nil {
			t.Fatal(err)
		}
		wantWaiting(t, "one was forgotten", e, room)

		r, err := e.Remember(t.Context(), api.RememberRequest{NotKept: []string{room, room}})
		if err != nil || !slices.Equal(r.NotKept, []string{room}) || r.Type != "mark" {
			t.Errorf("not_kept: %+v, %v", r, err)
		}
		wantWaiting(t, "the last was not kept", e)
		if got := promptsOf(t, e, true); !slices.Equal(got, []string{room}) {
			t.Errorf("not kept: %v, want %s", shortened(got), room)
		}
		again, err := e.Remember(t.Context(), api.RememberRequest{NotKept: []string{room, offer}})
		if err != nil || len(again.NotKept) > 0 || again.Ref != "" {
			t.Errorf("not_kept of what is settled, and of a memory: %+v, %v", again, err)
		}
		if u := undo(t, e); !strings.Contains(u.Act, "not kept") || !slices.Equal(u.Of, []string{room}) {
			t.Errorf("undo: %+v", u)
		}
		wantWaiting(t, "undo", e, room)
	})
}

// What an agent remembered in the conversation is tied to what was said there, and does not wait.
func TestWhatWasRememberedInTheSessionDoesNotWait(t *testing.T) {
	c := talking(t, "s1")
	said := c.Prompts("Orders go into PostgreSQL from now on, SQLite locked under ten writers.")
	other := c.Prompts("Paint the fence on the north side.")
	wantWaiting(t, "two prompts", c.Agent, said, other)
	r, err := c.Agent.Remember(t.Context(), api.RememberRequest{Text: "Orders go into PostgreSQL; SQLite locked.",
		Meta: api.Meta{Session: "later"}})
	if err != nil {
		t.Fatal(err)
	}
	wantWaiting(t, "one was remembered", c.Agent, other)
	if u := undo(t, c.Agent); !slices.Contains(u.Of, r.Ref) {
		t.Fatalf("undo: %+v", u)
	}
	wantWaiting(t, "it was taken back", c.Agent, said, other)
}

// What is kept of prompts has them as its sources, and stands no higher for that.
func TestRememberFrom(t *testing.T) {
	p := newPeople(t)
	prompts := says(t, p.Agent, "monday", "ok do that with tabs from now on", "and the same in the docs")
	r, err := p.Agent.Remember(t.Context(), api.RememberRequest{
		Text: "Code and docs are indented with tabs.", From: []string{prompts[0], prompts[1], prompts[0]},
	})
	if err != nil || len(r.Memories) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	wantWaiting(t, "both were kept", p.Agent)
	m := show(t, p.Agent, r.Memories[0].Ref)
	if want := []string{r.Ref, prompts[0], prompts[1]}; !slices.Equal(m.DerivedFrom, want) {
		t.Errorf("derived from %v, want %v", shortened(m.DerivedFrom), shortened(want))
	}
	plain, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: "The fence is painted green."})
	if err != nil {
		t.Fatal(err)
	}
	as := show(t, p.Agent, plain.Memories[0].Ref)
	if m.Tier != as.Tier || m.Tier != "inferred" || m.Review != "pending" || m.Review != as.Review {
		t.Errorf("tier %q, review %q; of what names no source %q, %q", m.Tier, m.Review, as.Tier, as.Review)
	}
	why, err := p.Agent.Why(t.Context(), api.WhyRequest{Ref: m.Ref})
	if err != nil || len(why.Sources) != 3 {
		t.Errorf("why shows %d sources, %v, want 3", len(why.Sources), err)
	}
	for _, name := range prompts {
		if into := show(t, p.Agent, name).ProcessedInto; !slices.Equal(into, []string{m.Ref}) {
			t.Errorf("%s was processed into %v", name, into)
		}
	}
	if _, err := p.Owner.Purge(t.Context(), api.PurgeRequest{Refs: []string{prompts[0]}, Reason: "a secret"}); err != nil {
		t.Fatal(err)
	}
	if got := show(t, p.Agent, m.Ref).Tier; got != m.Tier {
		t.Errorf("after a purge of a prompt the tier is %q, want %q", got, m.Tier)
	}
	undo(t, p.Agent) // the fence
	undo(t, p.Agent)
	wantWaiting(t, "undo", p.Agent, prompts[1])
	approved := remember(t, p.Agent, "Code is indented with tabs.") // now a person vouches
	approve(t, p.Owner, approved.Memories[0].Ref)
	if got := show(t, p.Agent, approved.Memories[0].Ref).Tier; got != "observed" {
		t.Errorf("approved: %q", got)
	}
}

// Refs that cannot be meant change nothing, and the answer says which, in a line.
func TestKeepingRefusesRefs(t *testing.T) {
	ann, other := newPeople(t), newPeople(t)
	agent, bob := ann.Agent, other.Agent
	mine := says(t, agent, "monday", "Ferries leave from pier four.", "Paint the fence.", "Forget this one.", "And that.")
	theirs := says(t, bob, "tuesday", "Bob's harbour is closed.")[0]
	carry(t, bob, agent)
	note := add(t, agent, "note", "a note")
	if _, err := agent.Forget(t.Context(), api.ForgetRequest{Refs: []string{mine[2]}}); err != nil {
		t.Fatal(err)
	}
	mark(t, ann.Owner, memory.Reject, "no", mine[3])
	answer := capture(t, agent, "no prompt")
	before := promptsOf(t, agent, false)
	for _, tt := range []struct {
		in   api.RememberRequest
		kind error
		says string
	}{
		{api.RememberRequest{From: []string{mine[0], "raw:0123456789"}}, api.ErrNotFound, "0123456789"},
		{api.RememberRequest{From: []string{mine[0], note}}, api.ErrInvalid, "is a note; name captures"},
		{api.RememberRequest{From: []string{mine[2]}}, api.ErrConflict, "is forgotten; leave it out"},
		{api.RememberRequest{From: []string{mine[3]}}, api.ErrConflict, "is rejected; leave it out"},
		{api.RememberRequest{From: []string{theirs}}, api.ErrForbidden, "is another person's; leave it out"},
		{api.RememberRequest{From: []string{mine[0]}, NotKept: []string{mine[1], mine[0]}}, api.ErrInvalid, "name it once"},
		{api.RememberRequest{NotKept: []string{mine[0], theirs}}, api.ErrForbidden, "another person's"},
		{api.RememberRequest{NotKept: []string{mine[0], answer}}, api.ErrInvalid, "is no prompt of the user"},
		{api.RememberRequest{NotKept: []string{mine[0], "zzzz"}}, api.ErrInvalid, "zzzz"},
	} {
		for _, text := range []string{"Ferries leave from pier four, always.", ""} {
			if tt.in.Text = text; text == "" && len(tt.in.NotKept) == 0 {
				continue
			}
			_, err := agent.Remember(t.Context(), tt.in)
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%+v: %v, want %v and %q", tt.in, err, tt.kind, tt.says)
			}
		}
	}
	if _, err := agent.Remember(t.Context(), api.RememberRequest{From: mine[:1]}); !isInvalid(err) {
		t.Errorf("from without text: %v", err)
	}
	wantWaiting(t, "refusals", agent, before...)
	list, err := agent.List(t.Context(), api.ListRequest{})
	if err != nil || len(list.Memories) != 1 {
		t.Errorf("%d memories, %v, want the note", len(list.Memories), err)
	}
	wantWaiting(t, "an import: the other's do not wait", agent, mine[:2]...)
	wantWaiting(t, "an import: theirs do", bob, theirs)
}

// What was settled in one store of a person is settled in the other, and so is what was kept there. What somebody
// else says of it changes nothing.
func TestWhatWasSettledElsewhere(t *testing.T) {
	p, stranger := newPeople(t), newPeople(t)
	second := open(t, filepath.Join(t.TempDir(), "second.db"), p.ConfigOf(memory.OriginAgent))
	all := says(t, p.Agent, "monday", "Ferries leave from pier four.", "Paint the fence.", "Thanks!")
	carry(t, p.Agent, second)
	wantWaiting(t, "an import", second, all...)
	if _, err := p.Agent.Remember(t.Context(), api.RememberRequest{
		Text: "Ferries leave from pier four, in winter too.", From: all[:1], NotKept: all[2:],
	}); err != nil {
		t.Fatal(err)
	}
	wantWaiting(t, "a day's work", p.Agent, all[1])
	carry(t, p.Agent, second)
	wantWaiting(t, "the import of it", second, all[1])
	undo(t, p.Agent)
	wantWaiting(t, "undo of both", p.Agent, all...)
	carry(t, p.Agent, second)
	wantWaiting(t, "the import of that", second, all...)

	carry(t, p.Agent, stranger.Owner)
	mark(t, stranger.Owner, memory.Done, "", all...)
	carry(t, stranger.Owner, second)
	wantWaiting(t, "a stranger's mark", second, all...)
}

// A person brings back a prompt that an agent did not keep, by its ref; an agent does not bring back what a person
// settled. Only what is named is settled.
func TestAPersonBringsAPromptBack(t *testing.T) {
	p := newPeople(t)
	all := says(t, p.Agent, "monday", "Ferries leave from pier four.",
		"We decided to deploy on Tuesdays, Fridays are risky.", "Thanks!")
	settle := func(e *engine.Engine, refs ...string) {
		t.Helper()
		if _, err := e.Remember(t.Context(), api.RememberRequest{NotKept: refs}); err != nil {
			t.Fatal(err)
		}
	}
	settle(p.Agent, all[:2]...)
	add(t, p.Agent, "note", "something else") // undo would take this back
	wantWaiting(t, "two were settled", p.Agent, all[2])
	if r, err := p.Owner.Undo(t.Context(), api.UndoRequest{Ref: all[0], DryRun: true}); err != nil || !r.DryRun {
		t.Errorf("a dry run: %+v, %v", r, err)
	}
	wantWaiting(t, "a dry run", p.Agent, all[2])
	r, err := p.Owner.Undo(t.Context(), api.UndoRequest{Ref: all[0]})
	if err != nil || !slices.Equal(r.Of, all[:1]) || !strings.Contains(r.Did, "waits again") {
		t.Errorf("undo: %+v, %v", r, err)
	}
	wantWaiting(t, "one was brought back", p.Agent, all[0], all[2])
	if _, err := p.Owner.Undo(t.Context(), api.UndoRequest{Ref: all[2]}); !errors.Is(err, api.ErrConflict) {
		t.Errorf("undo of one that waits: %v, want a conflict", err)
	}
	settle(p.Owner, all[2])
	if _, err := p.Agent.Undo(t.Context(), api.UndoRequest{Ref: all[2]}); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent brings back what a person settled: %v", err)
	}
	settle(p.Agent, all[0])
	if _, err := p.Agent.Undo(t.Context(), api.UndoRequest{Ref: all[0]}); err != nil {
		t.Errorf("an agent brings back its own: %v", err)
	}
	wantWaiting(t, "all that", p.Agent, all[0])
	if _, err := p.Agent.Process(t.Context(), api.ProcessRequest{}); err != nil { // drafts nothing of what is settled
		t.Fatal(err)
	}
	for _, ref := range all[1:] {
		if made := show(t, p.Agent, ref).ProcessedInto; len(made) > 0 {
			t.Errorf("%s was settled, and processed into %v", ref, made)
		}
	}
}
