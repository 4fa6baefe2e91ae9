package stemma_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/memory"
)

// One opened store speaks in the voice of whoever asks: what a person and an
// agent write through it differs as if each had opened it.
func TestOneStoreManyVoices(t *testing.T) {
	e, err := stemma.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), stemma.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	as := func(c stemma.Caller) *stemma.Engine {
		t.Helper()
		voice, err := e.As(c)
		if err != nil {
			t.Fatal(err)
		}
		return voice
	}
	agent := as(stemma.Caller{Agent: "one", Session: "tuesday"})
	owner := as(stemma.Caller{Origin: memory.OriginOwner})
	wrote, err := agent.Capture(t.Context(), stemma.CaptureRequest{Text: "said by an agent"})
	if err != nil {
		t.Fatal(err)
	}
	shown, err := owner.Show(t.Context(), stemma.ShowRequest{Ref: wrote.Ref})
	if err != nil || shown.Origin != "agent" || shown.Session != "tuesday" {
		t.Errorf("what an agent wrote shows origin %q, session %q, %v; want agent, tuesday", shown.Origin, shown.Session, err)
	}
	belief := stemma.AddRequest{Draft: stemma.Draft{Kind: "belief", Text: "it holds"}, Meta: stemma.Meta{Approve: true}}
	tier := func(by *stemma.Engine) string {
		t.Helper()
		if wrote, err = by.Add(t.Context(), belief); err != nil {
			t.Fatal(err)
		}
		if shown, err = owner.Show(t.Context(), stemma.ShowRequest{Ref: wrote.Ref}); err != nil {
			t.Fatal(err)
		}
		return shown.Tier
	}
	if got := tier(agent); got != "inferred" {
		t.Errorf("what an agent approves of its own is %q, want inferred", got)
	}
	if got := tier(owner); got != "observed" {
		t.Errorf("what a person approves is %q, want observed", got)
	}
	if shown, err = agent.Show(t.Context(), stemma.ShowRequest{Ref: wrote.Ref}); err != nil || shown.Origin != "owner" || shown.Session != "" {
		t.Errorf("what the owner wrote shows origin %q, session %q, %v; want owner and none", shown.Origin, shown.Session, err)
	}
	for space, want := range map[string]int{"": 2, "work": 0} {
		if list, err := as(stemma.Caller{Space: space}).List(t.Context(), stemma.ListRequest{Kind: "belief"}); err != nil || len(list.Memories) != want {
			t.Errorf("a voice on the shelf %q lists %d beliefs, %v; want %d", space, len(list.Memories), err, want)
		}
	}
	if _, err := e.As(stemma.Caller{Space: "no such/../shelf"}); !errors.Is(err, stemma.ErrInvalid) {
		t.Errorf("a voice for no shelf: %v, want invalid", err)
	}
}
