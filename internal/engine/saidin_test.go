package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A talk is an agent's, in which a host's hooks capture what is said.
type talk struct {
	*testing.T
	agent *engine.Engine
}

func talking(t *testing.T, session string) *talk {
	t.Helper()
	return &talk{t, open(t, "mem", engine.Config{
		Origin: memory.OriginAgent, Agent: "coder", Session: session, Platform: "claude-code",
	})}
}

// says captures what a hook hands over.
func (c *talk) says(event, speaker, text string) string {
	c.Helper()
	reply, err := c.agent.Capture(c.Context(), api.CaptureRequest{
		Text: text, Source: "hook", Event: event, Speaker: speaker, Meta: api.Meta{Session: c.agent.C.Session},
	})
	if err != nil {
		c.Fatal(err)
	}
	return reply.Ref
}

// remembers returns the memory and the turns that its tree ends in.
func (c *talk) remembers(text string) (ref string, turns []string, own bool) {
	c.Helper()
	reply, err := c.agent.Remember(c.Context(), api.RememberRequest{Text: text})
	if err != nil || len(reply.Memories) == 0 {
		c.Fatalf("%+v, %v", reply, err)
	}
	why, err := c.agent.Why(c.Context(), api.RefRequest{Ref: reply.Memories[0].Ref})
	if err != nil || len(why.Sources) == 0 {
		c.Fatalf("%+v, %v", why, err)
	}
	for _, n := range why.Sources[0].Sources {
		if n.SaidIn {
			turns = append(turns, n.Type+":"+n.ID)
		}
	}
	return reply.Memories[0].Ref, turns, slices.Contains(why.Sources[0].Marks, "the agent's own words")
}

func TestATreeEndsInWhatWasSaid(t *testing.T) {
	c := talking(t, "s1")
	other := c.says("user_prompt", "user", "Can you look at the failing login page?")
	first := c.says("user_prompt", "user", "Orders go into PostgreSQL from now on, SQLite locked under ten writers.")
	c.says("assistant_response", "assistant", "Orders go into PostgreSQL from now on. I will change the compose file.")
	c.says("turn", "agent-host", "Orders go into PostgreSQL: a notice of the host.")
	c.says("tool_output", "tool", "orders PostgreSQL port 5432 is open")
	for text, want := range map[string][]string{
		"Orders are kept in PostgreSQL.":                   {first},
		"SQLite locked under ten writers.":                 {first},
		"The failing login page is being looked at.":       {other},
		"Bananas grow in Ecuador.":                         nil,
		"The port is open.":                                nil, // a tool printed it
		"Staging has two replicas behind a load balancer.": nil,
	} {
		_, turns, own := c.remembers(text)
		if !slices.Equal(turns, want) || own != (want == nil) {
			t.Errorf("%s: %v, own words %v, want %v", text, turns, own, want)
		}
	}
}

func TestTurnsOfAnotherConversationAreNone(t *testing.T) {
	c := talking(t, "s1")
	c.says("user_prompt", "user", "Orders go into PostgreSQL from now on.")
	c.agent.C.Session = "s2"
	if _, turns, own := c.remembers("Orders are kept in PostgreSQL."); len(turns) > 0 || !own {
		t.Errorf("turns %v, own words %v", turns, own)
	}
}

func TestAnswersStandBehindWhatNobodyElseSaid(t *testing.T) {
	c := talking(t, "s1")
	c.says("user_prompt", "user", "Why does the nightly export fail?")
	answer := c.says("assistant_response", "assistant", "The export fails because the disk of backup-2 is full.")
	_, turns, _ := c.remembers("The disk of backup-2 is full.")
	if !slices.Contains(turns, answer) {
		t.Errorf("%v, want %s", turns, answer)
	}
}

func TestSaidInIsNoLineage(t *testing.T) {
	c := talking(t, "s1")
	said := c.says("user_prompt", "user", "Orders go into PostgreSQL from now on.")
	ref, turns, _ := c.remembers("Orders are kept in PostgreSQL.")
	if len(turns) != 1 {
		t.Fatal(turns)
	}
	show, err := c.agent.Show(c.Context(), api.RefRequest{Ref: ref})
	if err != nil || show.Tier != "inferred" {
		t.Errorf("tier %q, %v", show.Tier, err)
	}
	ev, err := c.agent.Evidence(c.Context(), api.RefRequest{Ref: ref})
	if err != nil || ev.TotalEvidenceCount != 1 || len(ev.SaidIn) != 1 || "raw:"+ev.SaidIn[0].ID != said {
		t.Errorf("%+v, %v", ev, err)
	}
	raws, err := c.agent.RawSources(c.Context(), api.RefRequest{Ref: ref})
	if err != nil || len(raws.Related) != 2 || raws.Related[1].Relationship != "said_in" {
		t.Errorf("%+v, %v", raws, err)
	}
	from, err := c.agent.FromRaw(c.Context(), api.RefRequest{Ref: said})
	if err != nil || !slices.ContainsFunc(from.Related, func(r api.Related) bool { return r.Type+":"+r.ID == ref }) {
		t.Errorf("%+v, %v", from, err)
	}
	trace, err := c.agent.Trace(c.Context(), api.TraceRequest{Ref: said})
	if err != nil || len(trace.Forward.Derived) != 1 || !trace.Forward.Derived[0].SaidIn ||
		len(trace.Forward.Derived[0].Derived) != 1 {
		t.Errorf("%+v, %v", trace.Forward, err)
	}
	if _, err := c.agent.Undo(c.Context(), api.UndoRequest{}); err != nil {
		t.Fatal(err)
	}
	if it, err := c.agent.Show(c.Context(), api.RefRequest{Ref: ref}); err != nil || it.Hidden == "" {
		t.Errorf("after an undo: %q, %v", it.Hidden, err)
	}
}

func TestCorrectionsEndInWhatWasSaid(t *testing.T) {
	c := talking(t, "s1")
	ref, _, _ := c.remembers("Orders are kept in SQLite.")
	said := c.says("user_prompt", "user", "No: the orders are in PostgreSQL since Monday.")
	reply, err := c.agent.Correct(c.Context(), api.CorrectRequest{Ref: ref, Text: "Orders are kept in PostgreSQL."})
	if err != nil {
		t.Fatal(err)
	}
	ev, err := c.agent.Evidence(c.Context(), api.RefRequest{Ref: reply.Ref})
	if err != nil || len(ev.SaidIn) != 1 || "raw:"+ev.SaidIn[0].ID != said {
		t.Errorf("%+v, %v", ev.SaidIn, err)
	}
	live := api.Draft{Kind: "belief", Text: "Orders live in PostgreSQL"}
	added, err := c.agent.Add(c.Context(), api.AddRequest{Draft: live})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := c.agent.Trace(c.Context(), api.TraceRequest{Ref: added.Ref})
	if err != nil || len(tree.Backward.Sources) != 1 || !tree.Backward.Sources[0].SaidIn ||
		!strings.Contains(tree.Backward.Sources[0].Blob, "since Monday") {
		t.Errorf("%+v, %v", tree.Backward, err)
	}
}
