package exchange_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// What the agent of a member wrote in a shared space is sound wherever it comes to, also
// once its key was taken back; what comes later is not, and a forgery never is.
func TestMembersAgentsAreCheckedByTheWholeKeyRing(t *testing.T) {
	t.Parallel()
	ctx, folder := t.Context(), t.TempDir()
	ada := meeting(t, folder)
	note(t, ada.Owner, "herons fish at dawn")
	syncs(t, ada)
	bob := meeting(t, folder)
	syncs(t, bob)
	space := func(c *engine.Config) { c.Space = ada.Principal() + "/main" }
	agent := bob.As(memory.OriginAgent, space)
	first := note(t, agent, "Bob's agent saw the herons")
	sound := func(when string, es ...*people) {
		t.Helper()
		for i, p := range es {
			if doctor, audit := problems(t, p.Owner); doctor+audit != "" {
				t.Errorf("%s, store %d: doctor %q, audit %q, want nothing", when, i, doctor, audit)
			}
		}
	}
	syncs(t, bob, ada)
	sound("a member's agent", ada, bob)

	// what is exported explains itself, in whatever order the logs began
	takes := func(when string, e *engine.Engine) {
		t.Helper()
		var b bytes.Buffer
		if _, err := e.Export(ctx, &b, api.ExportRequest{}); err != nil {
			t.Fatal(err)
		}
		other := newPeople(t)
		if _, err := other.Owner.Import(ctx, bytes.NewReader(b.Bytes()), nil); err != nil {
			t.Fatalf("%s: the export cannot be imported: %v", when, err)
		}
		doctor, audit := problems(t, other.Owner)
		if audit = notMissing(audit); doctor+audit != "" {
			t.Errorf("%s, imported: doctor %q, audit %q", when, doctor, audit)
		}
		if tr := trustIn(t, other.Owner, first); slices.ContainsFunc(
			tr.Flags, func(f string) bool { return f != "unknown_key" },
		) {
			t.Errorf("%s, imported: %v", when, tr.Flags)
		}
	}
	all := func(c *engine.Config) { c.Space = engine.AllSpaces }
	for _, p := range []*people{ada, bob} {
		takes("all", p.As(memory.OriginOwner, all))
		takes("the shared space alone", p.As(memory.OriginOwner, space))
	}

	// a newcomer misses nothing that was purged before he came, whoever cites it
	said := note(t, ada.Owner, "what Ada would rather not have said")
	syncs(t, ada, bob)
	write(
		t, bob.As(memory.OriginOwner, space),
		api.AddRequest{Draft: api.Draft{Kind: "note", Text: "on that"}, From: []string{said}},
	)
	syncs(t, bob, ada)
	if _, err := ada.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{said}}); err != nil {
		t.Fatal(err)
	}
	syncs(t, ada, bob)
	cleo := meeting(t, folder)
	syncs(t, cleo)
	if doctor, _ := problems(t, cleo.Owner); doctor != "" {
		t.Errorf("a newcomer: %q", doctor)
	}

	// Bob takes his agent's key back: what it wrote before stands
	late := bob.Stolen(false)
	late.Space = ada.Principal() + "/main"
	if _, err := bob.Owner.KeyRevoke(ctx, api.KeyRequest{Key: late.Key.DID(), Reason: "lost"}); err != nil {
		t.Fatal(err)
	}
	syncs(t, bob, ada, ada, bob) // what ends a key waits for what the key may have written elsewhere
	sound("its key was taken back", ada, bob)
	for _, p := range []*people{ada, bob} {
		takes("all, of a key that ended", p.As(memory.OriginOwner, all))
		takes("the shared space alone, of a key that ended", p.As(memory.OriginOwner, space))
	}

	// what comes after is no one's, and neither is what was never signed by whom it names
	after := late.Says(&memory.Belief{Type: "fact", Statement: "handed over too late"})
	thief := newForger(t, ada.Now())
	thief.Space, thief.Origin, thief.Delegation = ada.Principal()+"/main", memory.OriginAgent, late.Delegation
	uncovered := thief.Says(&memory.Belief{Type: "fact", Statement: "under the delegation of another"})
	owner := ada.Stolen(true)
	owner.Space = ada.Principal() + "/main"
	forged := owner.Says(
		&memory.Key{Op: memory.OpDelegate, Key: thief.Key.DID(), Name: "x", Origins: []memory.Origin{memory.OriginAgent}},
	)
	forged.Sigs[0].Sig = bytes.Repeat([]byte{1}, len(forged.Sigs[0].Sig))
	thief.Delegation = forged.ID
	under := thief.Says(&memory.Belief{Type: "fact", Statement: "under a delegation that nobody signed"})
	s, err := sqlstore.Open(ctx, ada.Path, sqlstore.Options{Now: ada.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Append(ctx, store.Batch{Records: []*memory.Record{after, uncovered, forged, under}}); err != nil {
		t.Fatal(err)
	}
	doctor, audit := problems(t, ada.Owner)
	if d, err := ada.Owner.Doctor(ctx, api.DoctorRequest{}); err != nil ||
		!strings.Contains(strings.Join(d.Notes, "\n"), after.Ref().Short()) ||
		!strings.Contains(audit, after.Ref().String()) {
		t.Errorf("what came after its key was taken back: notes %q, audit %q, %v", d.Notes, audit, err)
	}
	for what, r := range map[string]*memory.Record{
		"under another's delegation": uncovered,
		"a forged delegation":        forged, "under a forged delegation": under,
	} {
		if !strings.Contains(doctor, r.Ref().Short()) || !strings.Contains(audit, r.Ref().String()) {
			t.Errorf("%s (%s): doctor %q, audit %q, want both to name it", what, r.Ref().Short(), doctor, audit)
		}
	}
	if n := strings.Count(doctor, "\n"); strings.Contains(doctor, refOf(t, first).Short()) || n < 3 {
		t.Errorf("doctor: %q", doctor)
	}
}

// notMissing leaves out of offenders those that cite what was purged before it came.
func notMissing(audit string) string {
	var out []string
	for line := range strings.Lines(audit) {
		if !strings.Contains(line, "which is not here") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// note adds a note.
func note(t *testing.T, e *engine.Engine, text string) string {
	t.Helper()
	return add(t, e, "note", text)
}
