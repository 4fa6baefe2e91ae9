package views_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

func TestATreeEndsInWhatWasSaid(t *testing.T) {
	c := talking(t, "s1")
	other := c.Says("user_prompt", "user", "Can you look at the failing login page?")
	first := c.Says("user_prompt", "user", "Orders go into PostgreSQL from now on, SQLite locked under ten writers.")
	c.Says("assistant_response", "assistant", "Orders go into PostgreSQL from now on. I will change the compose file.")
	c.Says("turn", "agent-host", "Orders go into PostgreSQL: a notice of the host.")
	c.Says("tool_output", "tool", "orders PostgreSQL port 5432 is open")
	for text, want := range map[string][]string{
		"Orders are kept in PostgreSQL.":                   {first},
		"SQLite locked under ten writers.":                 {first},
		"The failing login page is being looked at.":       {other},
		"Bananas grow in Ecuador.":                         nil,
		"The port is open.":                                nil, // a tool printed it
		"Staging has two replicas behind a load balancer.": nil,
	} {
		_, turns, own := c.Remembers(text)
		if !slices.Equal(turns, want) || own != (want == nil) {
			t.Errorf("%s: %v, own words %v, want %v", text, turns, own, want)
		}
	}
}

func TestTurnsOfAnotherConversationAreNone(t *testing.T) {
	c := talking(t, "s1")
	c.Says("user_prompt", "user", "Orders go into PostgreSQL from now on.")
	c.Agent.C.Session = "s2"
	if _, turns, own := c.Remembers("Orders are kept in PostgreSQL."); len(turns) > 0 || !own {
		t.Errorf("turns %v, own words %v", turns, own)
	}
}

func TestAnswersStandBehindWhatNobodyElseSaid(t *testing.T) {
	c := talking(t, "s1")
	c.Says("user_prompt", "user", "Why does the nightly export fail?")
	answer := c.Says("assistant_response", "assistant", "The export fails because the disk of backup-2 is full.")
	_, turns, _ := c.Remembers("The disk of backup-2 is full.")
	if !slices.Contains(turns, answer) {
		t.Errorf("%v, want %s", turns, answer)
	}
}

func TestSaidInIsNoLineage(t *testing.T) {
	c := talking(t, "s1")
	said := c.Says("user_prompt", "user", "Orders go into PostgreSQL from now on.")
	ref, turns, _ := c.Remembers("Orders are kept in PostgreSQL.")
	if len(turns) != 1 {
		t.Fatal(turns)
	}
	show, err := c.Agent.Show(c.Context(), api.RefRequest{Ref: ref})
	if err != nil || show.Tier != "inferred" {
		t.Errorf("tier %q, %v", show.Tier, err)
	}
	ev, err := c.Agent.Evidence(c.Context(), api.RefRequest{Ref: ref})
	if err != nil || ev.TotalEvidenceCount != 1 || len(ev.SaidIn) != 1 || "raw:"+ev.SaidIn[0].ID != said {
		t.Errorf("%+v, %v", ev, err)
	}
	raws, err := c.Agent.RawSources(c.Context(), api.RefRequest{Ref: ref})
	if err != nil || len(raws.Related) != 2 || raws.Related[1].Relationship != "said_in" {
		t.Errorf("%+v, %v", raws, err)
	}
	from, err := c.Agent.FromRaw(c.Context(), api.RefRequest{Ref: said})
	if err != nil || !slices.ContainsFunc(from.Related, func(r api.Related) bool { return r.Type+":"+r.ID == ref }) {
		t.Errorf("%+v, %v", from, err)
	}
	trace, err := c.Agent.Trace(c.Context(), api.TraceRequest{Ref: said})
	if err != nil || len(trace.Forward.Derived) != 1 || !trace.Forward.Derived[0].SaidIn ||
		len(trace.Forward.Derived[0].Derived) != 1 {
		t.Errorf("%+v, %v", trace.Forward, err)
	}
	if _, err := c.Agent.Undo(c.Context(), api.UndoRequest{}); err != nil {
		t.Fatal(err)
	}
	if it, err := c.Agent.Show(c.Context(), api.RefRequest{Ref: ref}); err != nil || it.Hidden == "" {
		t.Errorf("after an undo: %q, %v", it.Hidden, err)
	}
}

func TestCorrectionsEndInWhatWasSaid(t *testing.T) {
	c := talking(t, "s1")
	ref, _, _ := c.Remembers("Orders are kept in SQLite.")
	said := c.Says("user_prompt", "user", "No: the orders are in PostgreSQL since Monday.")
	reply, err := c.Agent.Correct(c.Context(), api.CorrectRequest{Ref: ref, Text: "Orders are kept in PostgreSQL."})
	if err != nil {
		t.Fatal(err)
	}
	ev, err := c.Agent.Evidence(c.Context(), api.RefRequest{Ref: reply.Ref})
	if err != nil || len(ev.SaidIn) != 1 || "raw:"+ev.SaidIn[0].ID != said {
		t.Errorf("%+v, %v", ev.SaidIn, err)
	}
	live := api.Draft{Kind: "belief", Text: "Orders live in PostgreSQL"}
	added, err := c.Agent.Add(c.Context(), api.AddRequest{Draft: live})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := c.Agent.Trace(c.Context(), api.TraceRequest{Ref: added.Ref})
	if err != nil || len(tree.Backward.Sources) != 1 || !tree.Backward.Sources[0].SaidIn ||
		!strings.Contains(tree.Backward.Sources[0].Blob, "since Monday") {
		t.Errorf("%+v, %v", tree.Backward, err)
	}
}
