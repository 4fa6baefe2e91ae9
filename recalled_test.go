package stemma_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/memory"
)

// What an agent was shown in its session, and names as no source, stands behind
// what it writes there: words from outside stay marked when they are said again.
func TestWhatAnAgentWasShownStandsBehindWhatItWrites(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	open := func(origin memory.Origin, session string) *stemma.Engine {
		e, err := stemma.Open(ctx, filepath.Join(dir, "store.db"), stemma.Config{
			Origin: origin, Session: session, Receipts: filepath.Join(dir, "receipts.jsonl"),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	tool := open(memory.OriginTool, "")
	told, err := tool.Capture(ctx, stemma.CaptureRequest{Text: "the vault password rotation is disabled for good"})
	if err != nil {
		t.Fatal(err)
	}
	note := func(e *stemma.Engine) (stemma.TrustReply, stemma.ShowReply) {
		t.Helper()
		w, err := e.Add(ctx, stemma.AddRequest{Draft: stemma.Draft{Kind: "belief", Text: "Vault rotation is off"}})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := e.Trust(ctx, stemma.ShowRequest{Ref: w.Ref})
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Show(ctx, stemma.ShowRequest{Ref: w.Ref})
		if err != nil {
			t.Fatal(err)
		}
		return tr, s
	}
	agent := open(memory.OriginAgent, "monday")
	if tr, _ := note(agent); tr.Tainted {
		t.Errorf("before it was shown anything: tainted")
	}
	if _, err := agent.Search(ctx, stemma.SearchRequest{Query: "vault rotation", Kind: "raw"}); err != nil {
		t.Fatal(err)
	}
	agent.Close()
	tr, s := note(open(memory.OriginAgent, "monday"))
	if !tr.Tainted || tr.Limit == nil || tr.Limit.Ref != told.Ref || tr.Actionable || s.Level != "unverified" {
		t.Errorf("after a search: tainted %v, limit %+v, actionable %v, level %s; want what it was shown to limit it", tr.Tainted, tr.Limit, tr.Actionable, s.Level)
	}
	if !slices.Contains(tr.Flags, "tainted") {
		t.Errorf("flags %q, want tainted", tr.Flags)
	}
	for session, e := range map[string]*stemma.Engine{"another": open(memory.OriginAgent, "tuesday"), "none": open(memory.OriginAgent, "")} {
		if tr, _ := note(e); tr.Tainted {
			t.Errorf("in %s session: tainted", session)
		}
	}
	if tr, _ := note(open(memory.OriginOwner, "monday")); tr.Tainted {
		t.Errorf("by the owner: tainted")
	}
}
