package engine_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/carrier"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// meeting returns somebody whose stores meet others in a folder.
func meeting(t *testing.T, folder string, change ...func(*engine.Config)) *people {
	t.Helper()
	remotes := filepath.Join(t.TempDir(), "remotes.json")
	p := newPeople(t, append(change, func(c *engine.Config) {
		c.Remotes = remotes
		c.Dial = func(ctx context.Context, _ string, self peer.Self) ([]peer.Endpoint, func() error, error) {
			ends, err := carrier.Folder(ctx, folder, self)
			return ends, nil, err
		}
	})...)
	if _, err := p.owner.Init(t.Context(), api.Nothing{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.owner.RemoteAdd(
		t.Context(), api.RemoteRequest{Name: "folder", Address: folder, Whose: "mine"},
	); err != nil {
		t.Fatal(err)
	}
	return p
}

func syncs(t *testing.T, ps ...*people) {
	t.Helper()
	for _, p := range ps {
		if r, err := p.owner.Sync(t.Context(), api.SyncRequest{}); err != nil || r.Failed > 0 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
}

// problems is what doctor and audit find, in one text each.
func problems(t *testing.T, e *engine.Engine) (doctor, audit string) {
	t.Helper()
	d, err := e.Doctor(t.Context(), api.DoctorRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Problems {
		doctor += p.What + "\n"
	}
	a, err := e.Audit(t.Context(), api.AuditRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range a.Offenders {
		audit += o.Ref + ": " + o.Why + "\n"
	}
	return doctor, audit
}

// What the agent of a member wrote in a shared space is sound wherever it comes to, also
// once its key was taken back; what comes later is not, and a forgery never is.
func TestMembersAgentsAreCheckedByTheWholeKeyRing(t *testing.T) {
	t.Parallel()
	ctx, folder := t.Context(), t.TempDir()
	ada := meeting(t, folder)
	note(t, ada.owner, "herons fish at dawn")
	syncs(t, ada)
	bob := meeting(t, folder)
	syncs(t, bob)
	space := func(c *engine.Config) { c.Space = ada.principal() + "/main" }
	agent := bob.as(memory.OriginAgent, space)
	first := note(t, agent, "Bob's agent saw the herons")
	sound := func(when string, es ...*people) {
		t.Helper()
		for i, p := range es {
			if doctor, audit := problems(t, p.owner); doctor+audit != "" {
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
		if _, err := other.owner.Import(ctx, bytes.NewReader(b.Bytes()), nil); err != nil {
			t.Fatalf("%s: the export cannot be imported: %v", when, err)
		}
		doctor, audit := problems(t, other.owner)
		if audit = notMissing(audit); doctor+audit != "" {
			t.Errorf("%s, imported: doctor %q, audit %q", when, doctor, audit)
		}
		if tr := trustIn(t, other.owner, first); slices.ContainsFunc(
			tr.Flags, func(f string) bool { return f != "unknown_key" },
		) {
			t.Errorf("%s, imported: %v", when, tr.Flags)
		}
	}
	all := func(c *engine.Config) { c.Space = engine.AllSpaces }
	for _, p := range []*people{ada, bob} {
		takes("all", p.as(memory.OriginOwner, all))
		takes("the shared space alone", p.as(memory.OriginOwner, space))
	}

	// a newcomer misses nothing that was purged before he came, whoever cites it
	said := note(t, ada.owner, "what Ada would rather not have said")
	syncs(t, ada, bob)
	write(
		t, bob.as(memory.OriginOwner, space),
		api.AddRequest{Draft: api.Draft{Kind: "note", Text: "on that"}, From: []string{said}},
	)
	syncs(t, bob, ada)
	if _, err := ada.owner.Purge(ctx, api.PurgeRequest{Refs: []string{said}}); err != nil {
		t.Fatal(err)
	}
	syncs(t, ada, bob)
	cleo := meeting(t, folder)
	syncs(t, cleo)
	if doctor, _ := problems(t, cleo.owner); doctor != "" {
		t.Errorf("a newcomer: %q", doctor)
	}

	// Bob takes his agent's key back: what it wrote before stands
	late := bob.stolen(false)
	late.space = ada.principal() + "/main"
	if _, err := bob.owner.KeyRevoke(ctx, api.KeyRequest{Key: late.key.DID(), Reason: "lost"}); err != nil {
		t.Fatal(err)
	}
	syncs(t, bob, ada, ada, bob) // what ends a key waits for what the key may have written elsewhere
	sound("its key was taken back", ada, bob)
	for _, p := range []*people{ada, bob} {
		takes("all, of a key that ended", p.as(memory.OriginOwner, all))
		takes("the shared space alone, of a key that ended", p.as(memory.OriginOwner, space))
	}

	// what comes after is no one's, and neither is what was never signed by whom it names
	after := late.says(&memory.Belief{Type: "fact", Statement: "handed over too late"})
	thief := newForger(t, ada.Now())
	thief.space, thief.origin, thief.delegation = ada.principal()+"/main", memory.OriginAgent, late.delegation
	uncovered := thief.says(&memory.Belief{Type: "fact", Statement: "under the delegation of another"})
	owner := ada.stolen(true)
	owner.space = ada.principal() + "/main"
	forged := owner.says(
		&memory.Key{Op: memory.OpDelegate, Key: thief.key.DID(), Name: "x", Origins: []memory.Origin{memory.OriginAgent}},
	)
	forged.Sigs[0].Sig = bytes.Repeat([]byte{1}, len(forged.Sigs[0].Sig))
	thief.delegation = forged.ID
	under := thief.says(&memory.Belief{Type: "fact", Statement: "under a delegation that nobody signed"})
	s, err := sqlstore.Open(ctx, ada.path, sqlstore.Options{Now: ada.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Append(ctx, store.Batch{Records: []*memory.Record{after, uncovered, forged, under}}); err != nil {
		t.Fatal(err)
	}
	doctor, audit := problems(t, ada.owner)
	if d, err := ada.owner.Doctor(ctx, api.DoctorRequest{}); err != nil ||
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
