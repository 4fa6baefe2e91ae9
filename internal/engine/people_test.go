package engine_test

import (
	"errors"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A clock goes a second each time it is asked, and ahead when it is told to.
type clock struct {
	at      atomic.Int64
	stopped atomic.Bool
}

func newClock() *clock {
	c := new(clock)
	c.at.Store(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Unix())
	return c
}

func (c *clock) Now() time.Time {
	if !c.stopped.Load() {
		c.at.Add(1)
	}
	return time.Unix(c.at.Load(), 0).UTC()
}

// stop makes it stand still.
func (c *clock) stop() { c.stopped.Store(true) }

func (c *clock) ahead(d time.Duration) { c.at.Add(int64(d / time.Second)) }

// people are a person and an agent of theirs at one store.
type people struct {
	*clock
	t            testing.TB
	path         string
	config       engine.Config // of both but for the origin
	owner, agent *engine.Engine
}

// newPeople opens a store for both; change says what else their configuration is.
func newPeople(t testing.TB, change ...func(*engine.Config)) *people {
	t.Helper()
	dir := t.TempDir()
	p := &people{clock: newClock(), t: t, path: filepath.Join(dir, "memory.db")}
	p.config = engine.Config{KeyDir: filepath.Join(dir, "keys"), Now: p.Now}
	for _, f := range change {
		f(&p.config)
	}
	p.owner = p.as(memory.OriginOwner)
	p.agent = p.as(memory.OriginAgent)
	return p
}

// as opens the store once more, for another channel.
func (p *people) as(o memory.Origin, change ...func(*engine.Config)) *engine.Engine {
	p.t.Helper()
	c := p.config
	c.Origin = o
	for _, f := range change {
		f(&c)
	}
	return open(p.t, p.path, c)
}

// search returns what is found, or ends the test.
func search(t testing.TB, e *engine.Engine, in api.SearchRequest) api.SearchReply {
	t.Helper()
	r, err := e.Search(t.Context(), in)
	if err != nil {
		t.Fatalf("search %+v: %v", in, err)
	}
	return r
}

// refs names results in their order.
func refs(r api.SearchReply) []string {
	out := []string{}
	for _, one := range r.Results {
		out = append(out, one.Ref)
	}
	return out
}

// wantRefs compares what was found with what should be, in any order.
func wantRefs(t testing.TB, what string, r api.SearchReply, want ...string) {
	t.Helper()
	got := refs(r)
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s: found %d %v, want %d %v", what, len(got), shortened(got), len(want), shortened(want))
	}
}

func shortened(refs []string) []string {
	var out []string
	for _, r := range refs {
		out = append(out, r[:min(len(r), 16)])
	}
	return out
}

// write adds a memory with what is said of it.
func write(t testing.TB, e *engine.Engine, in api.AddRequest) string {
	t.Helper()
	r, err := e.Add(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r.Ref
}

func approve(t testing.TB, e *engine.Engine, refs ...string) {
	t.Helper()
	if _, err := e.Approve(t.Context(), api.DecideRequest{Refs: refs}); err != nil {
		t.Fatal(err)
	}
}

func reject(t testing.TB, e *engine.Engine, reason string, refs ...string) {
	t.Helper()
	if _, err := e.Reject(t.Context(), api.DecideRequest{Refs: refs, Reason: reason}); err != nil {
		t.Fatal(err)
	}
}

func mark(t testing.TB, e *engine.Engine, verb, reason string, refs ...string) {
	t.Helper()
	if err := e.Mark(t.Context(), verb, reason, refs...); err != nil {
		t.Fatal(err)
	}
}

func show(t testing.TB, e *engine.Engine, ref string) api.ShowReply {
	t.Helper()
	r, err := e.Show(t.Context(), api.RefRequest{Ref: ref})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func isInvalid(err error) bool { return errors.Is(err, api.ErrInvalid) }
