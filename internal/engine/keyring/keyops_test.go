package keyring_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// The first revocation counts: what came before it stays, what comes after speaks for
// no one, and no one moves it by revoking again.
func TestARevokedKeySpeaksNoMore(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	hired := newForger(t, p.Now())
	d, err := p.Owner.KeyDelegate(ctx, api.KeyRequest{Key: hired.Key.DID(), Name: "hired", Origins: []string{"agent"}})
	if err != nil {
		t.Fatal(err)
	}
	hired.Space, hired.Delegation, hired.Origin = p.Principal()+"/main", refOf(t, d.Claim).ID, memory.OriginAgent
	belief := func(text string) *memory.Record { return hired.Says(&memory.Belief{Type: "fact", Statement: text}) }
	before, after := belief("written before"), belief("written before, and handed over after")
	take(t, p.Owner, before)
	first, err := p.Owner.KeyRevoke(ctx, api.KeyRequest{Key: hired.Key.DID(), Reason: "lost"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Owner.KeyRevoke(
		ctx, api.KeyRequest{Key: hired.Key.DID(), Reason: "compromised", Since: "1000h"},
	); !errors.Is(err, api.ErrConflict) {
		t.Errorf("revoked again: %v, want a conflict", err)
	}
	take(t, p.Owner, after)
	for what, want := range map[*memory.Record]bool{before: true, after: false} {
		tr := trustIn(t, p.Owner, what.Ref().String())
		if sound := len(tr.Flags) == 0; sound != want || !want && tr.Score >= 0.3 {
			t.Errorf("%q: %v, flags %v, want it to speak for its owner: %v", tr.Headline, tr.Score, tr.Flags, want)
		}
	}
	all, err := p.Owner.KeyList(ctx, api.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all.Keys {
		if k.Key == hired.Key.DID() && k.Ended != first.Ended {
			t.Errorf("listed as %q, want %q", k.Ended, first.Ended)
		}
	}
}

// A key that follows another is the same person, by the old key's word or that of the
// recovery key it committed to, and no one else's.
func TestAPersonOutlivesHisKeys(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	ref, principal := add(t, p.Owner, "belief", "written with the first key"), p.Principal()
	made, err := p.Owner.KeyRecovery(ctx, api.Nothing{})
	if err != nil || made.Phrase == "" {
		t.Fatalf("%+v, %v", made, err)
	}
	if _, err := p.Owner.KeyRecovery(ctx, api.Nothing{}); !errors.Is(err, api.ErrConflict) {
		t.Errorf("a second recovery key: %v, want a conflict", err)
	}
	with := func(phrase string) (api.KeyReply, error) {
		e := p.As(memory.OriginOwner, func(c *engine.Config) { c.Recovery = func() (string, error) { return phrase, nil } })
		return e.KeyRotate(ctx, api.KeyRequest{})
	}
	other, err := newPeople(t).Owner.KeyRecovery(ctx, api.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	for what, phrase := range map[string]string{"none": "", "another's": other.Phrase, "torn": made.Phrase[:40]} {
		if _, err := with(phrase); !isInvalid(err) {
			t.Errorf("rotated with a phrase that is %s: %v, want it invalid", what, err)
		}
	}
	k, err := with(made.Phrase)
	if err != nil || k.Principal != principal || k.Key == principal {
		t.Fatalf("rotated: %+v, %v, want another key of %s", k, err, principal)
	}
	later := p.As(memory.OriginOwner)
	if tr := trustIn(t, later, ref); tr.Controller != principal || tr.Level != "unverified" || len(tr.Flags) != 0 {
		t.Errorf("what the first key wrote: %+v", tr)
	}
	if tr := trustIn(t, later, add(t, later, "belief", "written with the second")); tr.Controller != principal ||
		len(tr.Flags) != 0 || tr.Author != k.Key {
		t.Errorf("what the second key wrote: %+v", tr)
	}
	if _, err := later.KeyRevoke(ctx, api.KeyRequest{Key: k.Key, Reason: "lost"}); !errors.Is(err, api.ErrConflict) {
		t.Errorf("the key in use revoked: %v, want a conflict", err)
	}
}

func TestKeysAreAPersonsAffair(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	add(t, p.Owner, "belief", "words")
	did := newForger(t, time.Now()).Key.DID()
	for what, do := range map[string]func(e *engine.Engine) error{
		"rotate": func(e *engine.Engine) error { _, err := e.KeyRotate(ctx, api.KeyRequest{}); return err },
		"revoke": func(e *engine.Engine) error {
			_, err := e.KeyRevoke(ctx, api.KeyRequest{Key: did, Reason: "lost"})
			return err
		},
		"recovery": func(e *engine.Engine) error { _, err := e.KeyRecovery(ctx, api.Nothing{}); return err },
		"delegate": func(e *engine.Engine) error { _, err := e.KeyDelegate(ctx, api.KeyRequest{Key: did}); return err },
		"add": func(e *engine.Engine) error {
			_, err := e.KeyAdd(ctx, api.KeyRequest{Key: did, Name: "x"})
			return err
		},
		"introduce": func(e *engine.Engine) error {
			_, err := e.Introduce(ctx, api.IntroduceRequest{Key: did, Name: "x"})
			return err
		},
		"distrust": func(e *engine.Engine) error {
			_, err := e.Distrust(ctx, api.DistrustRequest{Key: did, Since: "1h"})
			return err
		},
		"quarantine": func(e *engine.Engine) error {
			_, err := e.Quarantine(ctx, api.QuarantineRequest{Target: "author:" + did})
			return err
		},
	} {
		before := records(t, p.Owner)
		for _, o := range []memory.Origin{memory.OriginAgent, memory.OriginTool, memory.OriginImport} {
			if err := do(p.As(o)); !errors.Is(err, api.ErrForbidden) {
				t.Errorf("%s by %s: %v, want it forbidden", what, o, err)
			}
		}
		if n := records(t, p.Owner); n != before {
			t.Errorf("%s: %d records, want %d", what, n, before)
		}
	}
	for _, in := range []api.KeyRequest{
		{Key: did, Expires: "-1h"}, {Key: did, Expires: "2001-01-01"}, {Key: did, Expires: "soon"},
		{Key: did, Origins: []string{"owner"}}, {Key: "did:key:z6Mk"}, {},
	} {
		if _, err := p.Owner.KeyDelegate(ctx, in); !isInvalid(err) {
			t.Errorf("delegate %+v: %v, want it invalid", in, err)
		}
	}
}
