package keyring_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// Keys are replaced while others write, and by two at once: what was acknowledged
// speaks for whom it names, and no key is lost.
func TestKeysTurnedWhileOthersWrite(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	p.Config.Now = nil // each engine has the machine's clock
	add(t, p.Owner, "belief", "the first words")
	var mu sync.Mutex
	var acked []string
	late, turned := 0, 0
	note := func(err error, ref string) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil && ref != "":
			acked = append(acked, ref)
		case err == nil:
			turned++
		case errors.Is(err, api.ErrConflict):
			late++
		default:
			t.Errorf("%v", err)
		}
	}
	const rounds = 12
	var work sync.WaitGroup
	for w := range 3 {
		who := p.As([]memory.Origin{memory.OriginAgent, memory.OriginOwner, memory.OriginAgent}[w])
		work.Go(func() {
			for n := range rounds * 6 {
				r, err := who.Capture(ctx, api.CaptureRequest{Text: fmt.Sprintf("said by %d, %d", w, n)})
				note(err, r.Ref)
			}
		})
	}
	for turner := range 2 {
		who := p.As(memory.OriginOwner)
		work.Go(func() {
			for n := range rounds {
				_, err := who.KeyRotate(ctx, api.KeyRequest{Agent: (n+turner)%2 == 0})
				note(err, "")
			}
		})
	}
	work.Wait()
	t.Logf("%d acknowledged, %d keys replaced, %d too late", len(acked), turned, late)
	if turned < 2 {
		t.Errorf("%d keys were replaced, want some", turned)
	}
	e := p.As(memory.OriginOwner)
	for _, ref := range acked {
		if _, err := e.Show(ctx, api.RefRequest{Ref: ref}); err != nil {
			t.Errorf("%s: %v", ref, err)
		}
	}
	allSpeak(t, e)
	if _, err := e.KeyRotate(ctx, api.KeyRequest{}); err != nil {
		t.Errorf("the keys afterwards: %v", err)
	}
}

// A doctor goes by when records came, not by their ids: whatever these are, what an
// agent writes after its owner's key was replaced counts.
func TestDoctorAfterKeysWereReplaced(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	for n := range 8 {
		capture(t, p.Agent, fmt.Sprintf("words %d", n))
		if _, err := p.Owner.KeyRotate(ctx, api.KeyRequest{Agent: n%3 == 2}); err != nil {
			t.Fatal(err)
		}
	}
	capture(t, p.Agent, "the last words")
	allSpeak(t, p.Owner)
}

// allSpeak asks that a doctor finds nothing, and no record that counts for no one.
func allSpeak(t *testing.T, e *engine.Engine) {
	t.Helper()
	d, err := e.Doctor(t.Context(), api.DoctorRequest{})
	if err != nil || len(d.Problems) > 0 {
		t.Errorf("%v %+v", err, d.Problems)
	}
	for _, n := range d.Notes {
		if strings.Contains(n, "has no effect") {
			t.Error(n)
		}
	}
}

// Whoever cannot sign for a rotation takes no key away that another goes on with.
func TestARotationOfAnotherIsNotCancelled(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	add(t, p.Owner, "belief", "words")
	made, err := p.Owner.KeyRecovery(ctx, api.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	dir := p.Config.KeyDir
	ring, err := keys.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	first, err := keys.Rotate(dir, "owner", strings.NewReader(strings.Repeat("\x07\x01x", 200)), nil, keys.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wrong := p.As(memory.OriginOwner, func(c *engine.Config) {
		c.Recovery = func() (string, error) { // just then the first one says so
			if err := first.Record(append(ring.Identity, ring.Identity...)); err != nil {
				t.Error(err)
			}
			return made.Phrase[:40], nil
		}
	})
	if _, err := wrong.KeyRotate(ctx, api.KeyRequest{}); !isInvalid(err) {
		t.Errorf("a torn phrase: %v, want it invalid", err)
	}
	if err := first.Commit(false); err != nil {
		t.Fatalf("the key of the first one is lost: %v", err)
	}
	if now, err := keys.Load(dir); err != nil || now.Owner.DID() != first.New.DID() {
		t.Errorf("%v %v, want %s of %s", now, err, first.New.DID(), filepath.Base(dir))
	}
}
