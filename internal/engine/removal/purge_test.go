package removal_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// What was purged stays so, though others bring it again; who may speak, and what was
// purged, cannot be.
func TestPurgedIsPurgedForEver(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	ref, rests := add(t, p.Owner, "belief", "the combination of the safe"), ""
	rests = write(t, p.Owner, api.AddRequest{Draft: api.Draft{Kind: "note", Text: "on the safe"}, From: []string{ref}})
	var b bytes.Buffer
	if _, err := p.Owner.Export(ctx, &b, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	n := records(t, p.Owner)
	dry, err := p.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{ref}, DryRun: true})
	if err != nil || len(dry.Goes) != 1 || len(dry.RestsOnThem) != 1 || dry.RestsOnThem[0].Ref != rests ||
		records(t, p.Owner) != n {
		t.Errorf("a dry run: %+v, %v", dry, err)
	}
	for what, refs := range map[string][]string{"none": {}, "a key": {p.KeyOf("agent").Delegation}} {
		if _, err := p.Owner.Purge(ctx, api.PurgeRequest{Refs: refs}); !isInvalid(err) {
			t.Errorf("%s: %v, want it invalid", what, err)
		}
	}
	done, err := p.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{ref}, Reason: "written down by mistake"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{done.Claim}}); !isInvalid(err) {
		t.Errorf("the mark: %v, want it invalid", err)
	}
	if _, err := p.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{ref}}); !errors.Is(err, api.ErrConflict) {
		t.Errorf("again: %v, want a conflict", err)
	}
	if r, err := p.Owner.Import(ctx, &b, nil); err != nil || r.Added != 0 {
		t.Errorf("brought again: %+v, %v", r, err)
	}
	if m := show(t, p.Owner, ref); m.Content != nil {
		t.Errorf("its words are back: %+v", m)
	}
	for what, err := range map[string]error{
		"trust":   errOf(p.Owner.Trust(ctx, api.RefRequest{Ref: ref})),
		"witness": errOf(p.Owner.Witness(ctx, api.WitnessRequest{Ref: ref, Attestation: "dispute"})),
		"anchor":  errOf(p.Owner.Anchor(ctx, api.AnchorRequest{Ref: ref, Type: "blockchain", Reference: "x"})),
	} {
		if !errors.Is(err, api.ErrConflict) {
			t.Errorf("%s of what is purged: %v, want a conflict", what, err)
		}
	}
	if tr := trustIn(t, p.Owner, rests); !tr.Tainted || tr.Limit == nil || tr.Limit.Level != "unverified" {
		t.Errorf("what rests on it: %+v, want it limited: nobody can say any more what was behind it", tr.Limit)
	}
	if r, err := p.Owner.Audit(ctx, api.AuditRequest{}); err != nil || r.Exit != 0 {
		t.Errorf("audit: exit %d, %v, %+v %+v", r.Exit, err, r.Offenders, r.Logs)
	}
}

// A bundle brings a purge along: what an older copy of the store still holds goes
// with its mark, as in a sync.
func TestImportedPurgeIsCarriedOut(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	ref := add(t, p.Owner, "belief", "the combination of the safe")
	bundle := func(e *engine.Engine) *bytes.Buffer {
		var b bytes.Buffer
		if _, err := e.Export(ctx, &b, api.ExportRequest{}); err != nil {
			t.Fatal(err)
		}
		return &b
	}
	before := bundle(p.Owner)
	older := open(t, "mem", engine.Config{})
	if _, err := older.Import(ctx, bytes.NewReader(before.Bytes()), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{ref}}); err != nil {
		t.Fatal(err)
	}
	if r, err := older.Import(ctx, bundle(p.Owner), nil); err != nil || r.Added != 1 || r.Purged != 1 {
		t.Errorf("the purge: %+v, %v, want one record added, the mark", r, err)
	}
	if m := show(t, older, ref); m.Content != nil {
		t.Errorf("its words are there still: %+v", m)
	}
	if r, err := older.Import(ctx, before, nil); err != nil || r.Added != 0 || show(t, older, ref).Content != nil {
		t.Errorf("brought again: %+v, %v", r, err)
	}
}

func errOf[T any](_ T, err error) error { return err }
