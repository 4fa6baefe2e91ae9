package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// beliefs returns records of one who needs no key records but his first.
func beliefs(t testing.TB, p *person, space string, n int) []*memory.Record {
	t.Helper()
	var out []*memory.Record
	for i := range n {
		out = append(out, p.belief(t, space, fmt.Sprint("belief ", i)))
	}
	return out
}

// effects runs an exchange, and says how often each kind of effect was asked for.
func effects(t testing.TB, s *site, r Remote, o Options) (Report, map[string]int) {
	t.Helper()
	o.Peer, o.Store = "hub", s.name
	x, n := New(o), make(map[string]int)
	for e := range x.Effects() {
		if _, hint := e.(*Begin); hint {
			continue
		}
		n[fmt.Sprintf("%T", e)]++
		if !Ask(t.Context(), r, e) {
			s.local().Do(t.Context(), e)
		}
	}
	if x.Err() != nil {
		t.Fatal(x.Err())
	}
	return x.Report(), n
}

// beliefsAt returns a site that holds the beliefs of one person, and those.
func beliefsAt(t testing.TB, n int) (hub *site, team string, all []*memory.Record) {
	t.Helper()
	ann := newPerson(t, "ann")
	team = ann.key.DID() + "/team"
	all = beliefs(t, ann, team, n)
	hub = newSite(t, "hub")
	hub.add(t, append(ann.identity[:1:1], all...)...)
	return hub, team, all
}

// forAll lets whoever asks do all at a site.
func forAll(hub *site) Remote { return hub.hub().For(Caller{Account: "all", Any: true}) }

func typeOf[E Effect]() string { var e E; return fmt.Sprintf("%T", e) }

// A peer that lacked all of the first pages is not asked about each of the rest, until it
// turns out to have some of it. What it has goes to it no more than with the pages that were
// under way or ready by then.
func TestOfferedNoMore(t *testing.T) {
	t.Parallel()
	from, _, all := beliefsAt(t, 40)
	hub := newSite(t, "another")
	hub.add(t, all[20:32]...) // they came by another way
	const page = 2
	remote := &watched{Remote: forAll(hub), pushed: make(map[memory.ID]int)}
	report, n := effects(t, from, remote, Options{Push: true, Pull: true, Page: page})
	if got := report.Spaces[0].Pushed; got != 28 {
		t.Errorf("%d records were new to the hub, want 28", got)
	}
	twice := 0
	for _, r := range all[20:32] {
		twice += remote.pushed[r.ID]
	}
	if twice == 0 || twice > (mostFlights+1)*page {
		t.Errorf("%d records went that the hub had, want some, and no more than in %d pages", twice, mostFlights+1)
	}
	// four pages, one that is held, another three and one or two for keys
	if got := n[typeOf[*CallOffer]()]; got >= len(all)/page || got < enoughEmpty {
		t.Errorf("%d offers for %d pages", got, len(all)/page)
	}
}

// altered is a remote that gives what stands in its log otherwise than it holds it.
type altered struct {
	Remote
	spoilt memory.ID
}

func (a altered) Log(ctx context.Context, in LogRequest) (LogPage, error) {
	page, err := a.Remote.Log(ctx, in)
	for i, l := range page.Lines {
		if r, err := envelope.Parse(l); err == nil && r.ID == a.spoilt {
			page.Lines[i] = json.RawMessage(`{}`)
		}
	}
	return page, err
}

func (a altered) Fetch(ctx context.Context, in Fetch) (Lines, error) {
	in.IDs = slices.DeleteFunc(slices.Clone(in.IDs), func(id memory.ID) bool { return id == a.spoilt })
	return a.Remote.Fetch(ctx, in)
}

// Whoever lacked all of the last page does not look for what he has of the next. What he
// has nevertheless is not counted as taken, nor held against the peer that gives it badly.
func TestLookedForNoMore(t *testing.T) {
	t.Parallel()
	hub, team, all := beliefsAt(t, 40)
	to := newSite(t, "to")
	to.add(t, all[20:32]...)
	report, n := effects(t, to, altered{forAll(hub), all[21].ID}, Options{Pull: true, Page: 4})
	for _, s := range report.Spaces {
		if s.Space == team && (s.Pulled != 28 || len(s.Refused) > 0) {
			t.Errorf("%d records were new, want 28; refused: %v", s.Pulled, s.Refused)
		}
	}
	if got := n[typeOf[*CallUnheld]()]; got >= len(all)/4 {
		t.Errorf("it was looked for what is held %d times in %d pages", got, len(all)/4)
	}
	for _, r := range all {
		if it, err := to.Get(t.Context(), r.ID); err != nil || it[0] == nil {
			t.Fatalf("%s did not come: %v", r.ID.Short(), err)
		}
	}
}

// One who lacks a record that the peer gives badly is told so, also where nothing was
// looked for.
func TestLookedForNoMoreAndBad(t *testing.T) {
	t.Parallel()
	hub, team, all := beliefsAt(t, 40)
	to := newSite(t, "to")
	report, _ := effects(t, to, altered{forAll(hub), all[21].ID}, Options{Pull: true, Page: 4})
	for _, s := range report.Spaces {
		if s.Space == team && (s.Pulled != 39 || len(s.Refused) != 1 || s.Refused[0].ID != all[21].ID) {
			t.Errorf("%d records came, want 39; refused: %v", s.Pulled, s.Refused)
		}
	}
}

// A page of a log that is asked for in advance is verified in advance.
func TestVerifiedAhead(t *testing.T) {
	t.Parallel()
	hub, team, _ := beliefsAt(t, 3)
	c := &CallLog{In: LogRequest{Space: team, Limit: 3, Lines: true}}
	b := launch(t.Context(), forAll(hub), c)
	<-b.done
	if c.Err != nil || len(c.Out.read) != 3 || c.Out.read[0].Record == nil || c.Out.read[0].Err != nil {
		t.Errorf("read in advance: %v, %v", c.Out.read, c.Err)
	}
}

// slow is a store whose first append takes until nothing else can go on.
type slow struct {
	store.Store
	first atomic.Bool
}

func (s *slow) Append(ctx context.Context, b store.Batch) (int, error) {
	if !s.first.Swap(true) {
		synctest.Wait()
	}
	return s.Store.Append(ctx, b)
}

// Who wrote is known of pushes that came at the same time, too, without reading them again.
func TestWroteAtOnce(t *testing.T) {
	ann := newPerson(t, "ann")
	team := ann.key.DID() + "/team"
	all := beliefs(t, ann, team, 2)
	synctest.Test(t, func(t *testing.T) {
		at := newSite(t, "hub")
		hub := NewHub(&slow{Store: at.named}, at.key, nil)
		done := make(chan error)
		for _, r := range all {
			go func() {
				lines, err := linesOf([]*memory.Record{r}, MostLines)
				if err == nil {
					_, err = hub.For(Caller{Account: "all", Any: true}).Push(t.Context(), Push{team, lines})
				}
				done <- err
			}()
		}
		for range all {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
		if got := hub.space(team).read; got != 2 {
			t.Errorf("who wrote is known up to %d of 2", got)
		}
	})
}
