package engine_test

import (
	"context"
	"iter"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// storeCalls is a store that counts how often it is asked.
type storeCalls struct {
	store.Store
	spaces, gets, lists, rings int
	got                        map[memory.ID]int
}

func (c *storeCalls) Spaces(ctx context.Context) ([]store.Space, error) {
	c.spaces++
	return c.Store.Spaces(ctx)
}

func (c *storeCalls) Get(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	c.gets++
	for _, id := range ids {
		c.got[id]++
	}
	return c.Store.Get(ctx, ids...)
}

func (c *storeCalls) List(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	c.lists++
	return c.Store.List(ctx, q)
}

func (c *storeCalls) Keyring(ctx context.Context) (*state.Keyring, error) {
	c.rings++
	return c.Store.Keyring(ctx)
}

// callsOf makes an engine count what it asks of its store.
func callsOf(e *engine.Engine) *storeCalls {
	c := &storeCalls{Store: e.Store, got: make(map[memory.ID]int)}
	e.Store = c
	return c
}

// TestStoreCallsOfOneRequest holds how often one request asks its store. These figures may only fall.
func TestStoreCallsOfOneRequest(t *testing.T) {
	p := newPeople(t)
	ctx := t.Context()
	ref := ""
	for _, text := range []string{"the mill runs on diesel", "the saw runs on wind", "the mill was built in 1911"} {
		ref = add(t, p.Owner, "belief", text)
	}
	for _, text := range []string{"the mill was built in 1912", "the mill was built in 1913"} {
		ref = correct(t, p.Owner, api.CorrectRequest{Ref: ref, Text: text}).Ref
	}
	why := func(e *engine.Engine) error {
		_, err := e.Why(ctx, api.WhyRequest{Ref: ref})
		return err
	}
	for _, tt := range []struct {
		name string
		do   func(e *engine.Engine) error
		gets int
	}{
		{"why", why, 4},
		{"search", func(e *engine.Engine) error {
			_, err := e.Search(ctx, api.SearchRequest{Query: "when was the mill built"})
			return err
		}, 4},
		{"context", func(e *engine.Engine) error {
			_, err := e.Context(ctx, api.ContextRequest{Query: "when was the mill built"})
			return err
		}, 4},
		{"load", func(e *engine.Engine) error {
			_, err := e.Load(ctx, api.LoadRequest{})
			return err
		}, 3},
	} {
		e := p.As(memory.OriginAgent)
		if err := tt.do(e); err != nil {
			t.Fatal(err)
		}
		c := callsOf(e)
		if err := tt.do(e); err != nil {
			t.Fatal(err)
		}
		most := 0
		for _, n := range c.got {
			most = max(most, n)
		}
		if c.spaces > 1 || c.rings > 1 || most > 1 || c.gets > tt.gets {
			t.Errorf("%s: Spaces %d, want 1; Keyring %d, want 1; Get %d, want %d; one record %d times, want once",
				tt.name, c.spaces, c.rings, c.gets, tt.gets, most)
		}
	}
}

// TestAVoiceIsMadeOfLittle holds how many objects a voice of an engine is made of, which each call of a face makes.
func TestAVoiceIsMadeOfLittle(t *testing.T) {
	e := newPeople(t).Owner
	var err error
	made := testing.AllocsPerRun(100, func() {
		_, err = e.As(engine.Caller{Origin: memory.OriginAgent, Agent: "ada"})
	})
	if err != nil || made > 20 {
		t.Errorf("a voice is made of %.0f objects, at most 20: %v", made, err)
	}
}

// TestAReadingIsOfOneMoment: what is written after a reading began is not in it, and is in the next one.
func TestAReadingIsOfOneMoment(t *testing.T) {
	p := newPeople(t)
	ref := add(t, p.Owner, "belief", "the mill runs on diesel")
	id := refOf(t, ref).ID
	rd := p.Owner.Reading(t.Context())
	if _, err := rd.Get(id); err != nil {
		t.Fatal(err)
	}
	correct(t, p.Owner, api.CorrectRequest{Ref: ref, Text: "the mill runs on wind"})
	was, err := rd.Get(id)
	if err != nil || !was[0].State.SupersededBy.IsZero() {
		t.Errorf("the reading has what was written after it began: %v", err)
	}
	was[0].State.Forgotten = true
	if again, err := rd.Get(id); err != nil || again[0].State.Forgotten {
		t.Errorf("one caller's item is another's: %v", err)
	}
	rd.Drop()
	if late, err := rd.Get(id); err != nil || late[0].State.SupersededBy.IsZero() {
		t.Errorf("a record that was dropped is still kept: %v", err)
	}
	if now, err := rd.Again().Get(id); err != nil || now[0].State.SupersededBy.IsZero() {
		t.Errorf("the next reading has not what was written before: %v", err)
	}
}
