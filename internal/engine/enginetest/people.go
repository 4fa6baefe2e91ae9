package enginetest

import (
	"bytes"
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

// AsOf writes the time that a clock shows, without moving it.
func (c *Clock) AsOf() string { return time.Unix(c.At.Load(), 0).UTC().Format(time.RFC3339) }

// EveryKind names the kinds that a search may ask for.
const EveryKind = "raw,episode,note,belief,value,goal,drive,relationship,playbook"

// ConfigOf is what both of two people have in common, for another store.
func (p *People) ConfigOf(o memory.Origin) engine.Config {
	c := p.Config
	c.Origin = o
	return c
}

// Carry takes everything from one store to another.
func Carry(t testing.TB, from, to *engine.Engine) {
	t.Helper()
	var b bytes.Buffer
	if _, err := from.Export(t.Context(), &b, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Import(t.Context(), &b, nil); err != nil {
		t.Fatal(err)
	}
}

// A Clock goes a second each time it is asked, and ahead when it is told to.
type Clock struct {
	At      atomic.Int64
	stopped atomic.Bool
}

// NewClock makes a clock that shows the second of January 2026.
func NewClock() *Clock {
	c := new(Clock)
	c.At.Store(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Unix())
	return c
}

// Now moves the clock a second on, unless it was stopped.
func (c *Clock) Now() time.Time {
	if !c.stopped.Load() {
		c.At.Add(1)
	}
	return time.Unix(c.At.Load(), 0).UTC()
}

// Stop makes it stand still.
func (c *Clock) Stop() { c.stopped.Store(true) }

// Ahead moves the clock on.
func (c *Clock) Ahead(d time.Duration) { c.At.Add(int64(d / time.Second)) }

// People are a person and an agent of theirs at one store.
type People struct {
	*Clock
	T            testing.TB
	Path         string
	Config       engine.Config // of both but for the origin
	Owner, Agent *engine.Engine
}

// NewPeople opens a store for both; change says what else their configuration is.
func NewPeople(t testing.TB, change ...func(*engine.Config)) *People {
	t.Helper()
	dir := t.TempDir()
	p := &People{Clock: NewClock(), T: t, Path: filepath.Join(dir, "memory.db")}
	p.Config = engine.Config{Databases: Databases, KeyDir: filepath.Join(dir, "keys"), Now: p.Now}
	for _, f := range change {
		f(&p.Config)
	}
	p.Owner = p.As(memory.OriginOwner)
	p.Agent = p.As(memory.OriginAgent)
	return p
}

// As opens the store once more, for another channel.
func (p *People) As(o memory.Origin, change ...func(*engine.Config)) *engine.Engine {
	p.T.Helper()
	c := p.Config
	c.Origin = o
	for _, f := range change {
		f(&c)
	}
	return Open(p.T, p.Path, c)
}

// Search returns what is found, or ends the test.
func Search(t testing.TB, e *engine.Engine, in api.SearchRequest) api.SearchReply {
	t.Helper()
	r, err := e.Search(t.Context(), in)
	if err != nil {
		t.Fatalf("search %+v: %v", in, err)
	}
	return r
}

// Refs names results in their order.
func Refs(r api.SearchReply) []string {
	out := []string{}
	for _, one := range r.Results {
		out = append(out, one.Ref)
	}
	return out
}

// WantRefs compares what was found with what should be, in any order.
func WantRefs(t testing.TB, what string, r api.SearchReply, want ...string) {
	t.Helper()
	got := Refs(r)
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s: found %d %v, want %d %v", what, len(got), Shortened(got), len(want), Shortened(want))
	}
}

// Shortened cuts refs, for messages.
func Shortened(refs []string) []string {
	var out []string
	for _, r := range refs {
		out = append(out, r[:min(len(r), 16)])
	}
	return out
}

// Write adds a memory with what is said of it.
func Write(t testing.TB, e *engine.Engine, in api.AddRequest) string {
	t.Helper()
	r, err := e.Add(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r.Ref
}

// Approve approves memories, or ends the test.
func Approve(t testing.TB, e *engine.Engine, refs ...string) {
	t.Helper()
	if _, err := e.Approve(t.Context(), api.DecideRequest{Refs: refs}); err != nil {
		t.Fatal(err)
	}
}

// Reject rejects memories, or ends the test.
func Reject(t testing.TB, e *engine.Engine, reason string, refs ...string) {
	t.Helper()
	if _, err := e.Reject(t.Context(), api.DecideRequest{Refs: refs, Reason: reason}); err != nil {
		t.Fatal(err)
	}
}

// Mark signs a mark of records, or ends the test.
func Mark(t testing.TB, e *engine.Engine, verb, reason string, refs ...string) {
	t.Helper()
	if err := SignMark(t.Context(), e, verb, reason, refs...); err != nil {
		t.Fatal(err)
	}
}

// Show shows a memory, or ends the test.
func Show(t testing.TB, e *engine.Engine, ref string) api.ShowReply {
	t.Helper()
	r, err := e.Show(t.Context(), api.RefRequest{Ref: ref})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// IsInvalid reports whether a request was refused as invalid.
func IsInvalid(err error) bool { return errors.Is(err, api.ErrInvalid) }

// Day is a day.
const Day = 24 * time.Hour

// Live lists the refs that a list shows, in order.
func Live(t testing.TB, e *engine.Engine) []string {
	t.Helper()
	out := []string{}
	for _, kind := range []string{"", "raw"} {
		r, err := e.List(t.Context(), api.ListRequest{Kind: kind, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Memories {
			out = append(out, m.Ref)
		}
	}
	return out
}

// Do keeps the error of a call.
func Do[T any](_ T, err error) error { return err }
