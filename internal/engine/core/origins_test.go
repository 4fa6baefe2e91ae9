package core_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// One opened store speaks in the voice of whoever asks: what a person and an
// agent write through it differs as if each had opened it.
func TestOneStoreManyVoices(t *testing.T) {
	e, err := engine.Open(
		t.Context(), filepath.Join(t.TempDir(), "memory.db"), engine.Config{Databases: enginetest.Databases},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	as := func(c engine.Caller) *engine.Engine {
		t.Helper()
		voice, err := e.As(c)
		if err != nil {
			t.Fatal(err)
		}
		return voice
	}
	agent := as(engine.Caller{Agent: "one", Session: "tuesday"})
	owner := as(engine.Caller{Origin: memory.OriginOwner})
	wrote, err := agent.Capture(t.Context(), api.CaptureRequest{Text: "said by an agent"})
	if err != nil {
		t.Fatal(err)
	}
	shown, err := owner.Show(t.Context(), api.RefRequest{Ref: wrote.Ref})
	if err != nil || shown.Origin != "agent" || shown.Session != "tuesday" {
		t.Errorf("what an agent wrote shows origin %q, session %q, %v; want agent, tuesday", shown.Origin, shown.Session, err)
	}
	belief := api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "it holds"}, Meta: api.Meta{Approve: true}}
	if _, err := agent.Add(t.Context(), belief); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent approves what it adds: %v, want it forbidden", err)
	}
	belief.Approve = false
	tier := func(by *engine.Engine) string {
		t.Helper()
		if wrote, err = by.Add(t.Context(), belief); err != nil {
			t.Fatal(err)
		}
		if shown, err = owner.Show(t.Context(), api.RefRequest{Ref: wrote.Ref}); err != nil {
			t.Fatal(err)
		}
		return shown.Tier
	}
	if got := tier(agent); got != "inferred" {
		t.Errorf("what an agent adds is %q, want inferred", got)
	}
	belief.Approve = true
	if got := tier(owner); got != "observed" {
		t.Errorf("what a person approves is %q, want observed", got)
	}
	if shown, err = agent.Show(t.Context(), api.RefRequest{Ref: wrote.Ref}); err != nil || shown.Origin != "owner" ||
		shown.Session != "" {
		t.Errorf(
			"what the owner wrote shows origin %q, session %q, %v; want owner and none", shown.Origin,
			shown.Session, err,
		)
	}
	for space, want := range map[string]int{"": 2, "work": 0} {
		if list, err := as(engine.Caller{Space: space}).List(t.Context(), api.ListRequest{Kind: "belief"}); err != nil ||
			len(list.Memories) != want {
			t.Errorf("a voice in the space %q lists %d beliefs, %v; want %d", space, len(list.Memories), err, want)
		}
	}
	if _, err := e.As(engine.Caller{Space: "no such/../shelf"}); !errors.Is(err, api.ErrInvalid) {
		t.Errorf("a voice for no space: %v, want invalid", err)
	}
}
