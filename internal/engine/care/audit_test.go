package care_test

import (
	"bytes"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// An audit changes nothing, begins where it is told to, and says how far a rewritten
// history would show.
func TestAuditOfAStore(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	raw := capture(t, p.Agent, "words")
	ref := promote(t, p.Agent, "an episode", raw)
	add(t, p.Owner, "belief", "beside it")
	reader := p.As(memory.OriginOwner, func(c *engine.Config) { c.ReadOnly = true })
	all, err := reader.Audit(ctx, api.AuditRequest{})
	if err != nil || all.Exit != 0 || all.Statements != 5 || all.Counts[report.OK] != 5 {
		t.Errorf("all: exit %d of %d statements, %v, %v", all.Exit, all.Statements, all.Counts, err)
	}
	one, err := p.Owner.Audit(ctx, api.AuditRequest{Ref: ref})
	if err != nil || one.Exit != 0 || one.Statements != 4 { // two of the keys
		t.Errorf("one: exit %d of %d statements, %v", one.Exit, one.Statements, err)
	}
	n := checkpoint(t, p.Owner)
	again, err := reader.Audit(ctx, api.AuditRequest{})
	if err != nil || again.Exit != 0 || len(again.Logs) != 1 || again.Logs[0].Size != n.Size {
		t.Errorf("with a checkpoint: %+v, %v", again.Logs, err)
	}
	if held(t, p.Owner, n.Note); again.Horizon == all.Horizon && again.Horizon != "" {
		t.Errorf("the horizon stays %v", again.Horizon)
	}
	for what, in := range map[string]api.AuditRequest{
		"a negative limit": {Limit: -1}, "a ref of nothing": {Ref: "belief:0000"},
	} {
		if r, err := p.Owner.Audit(ctx, in); err == nil {
			t.Errorf("%s: %+v, want it refused", what, r)
		}
	}
	for _, text := range []string{"", "hello\n", n.Note[:len(n.Note)/2]} {
		if r, err := p.Owner.Audit(ctx, api.AuditRequest{Checkpoints: []string{text}}); err == nil && r.Exit == 0 {
			t.Errorf("with the checkpoint %q all is well", text)
		}
	}
	// A stranger finds the same in the file alone.
	var b bytes.Buffer
	if _, err := p.Owner.Export(ctx, &b, api.ExportRequest{Proofs: true}); err != nil {
		t.Fatal(err)
	}
	if r, err := audit.Bundle(
		ctx, &b, audit.Options{Trusted: []string{p.Principal()}, Checkpoints: [][]byte{[]byte(n.Note)}},
	); err != nil || r.Exit() != 0 || r.Statements != all.Statements {
		t.Errorf("in the file: exit %d of %d statements, %v", r.Exit(), r.Statements, err)
	}
}
