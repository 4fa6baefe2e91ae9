package peer

import (
	"context"
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// growing is a hub to which others write as fast as it is read.
type growing struct {
	Remote
	grow  func()
	pages int
}

func (g *growing) Log(ctx context.Context, in LogRequest) (LogPage, error) {
	g.pages++
	p, err := g.Remote.Log(ctx, in)
	g.grow()
	return p, err
}

// An exchange ends though the peer's log grows as fast as it is read: it takes what was
// there when it came to the log, and what was pushed, and the rest the next time.
func TestLogThatGrows(t *testing.T) {
	t.Parallel()
	ann := newPerson(t, "ann")
	team := ann.key.DID() + "/team"
	hub, to := newSite(t, "hub"), newSite(t, "to")
	const there, mine, page = 20, 6, 2
	var first []*memory.Record
	for i := range there {
		first = append(first, ann.belief(t, team, fmt.Sprint("words ", i)))
	}
	hub.add(t, append(ann.identity[:1:1], first...)...)
	to.add(t, ann.identity[0])
	for i := range mine {
		to.add(t, ann.belief(t, team, fmt.Sprint("of mine ", i)))
	}
	g := &growing{Remote: hub.hub().For(Caller{Account: "all", Any: true})}
	g.grow = func() {
		if g.pages > 100 { // or the test has no end either
			return
		}
		hub.add(
			t, ann.belief(t, team, fmt.Sprint("meanwhile ", g.pages)),
			ann.belief(t, team, fmt.Sprint("and then ", g.pages)),
		)
	}
	paged := func(o *Options) { o.Page = page }
	small := func(r Report) SpaceReport {
		for _, s := range r.Spaces {
			if s.Space == team {
				return s
			}
		}
		t.Fatalf("%+v", r)
		return SpaceReport{}
	}
	s := small(to.mustSync(t, g, paged))
	if most := (there+mine)/page + 2; g.pages > most { // of both spaces
		t.Errorf("%d pages were read, want no more than %d", g.pages, most)
	}
	if s.Pushed != mine || s.Pulled < there {
		t.Errorf("%d were given and %d taken, want %d and at least %d", s.Pushed, s.Pulled, mine, there)
	}
	before := g.pages
	small(to.mustSync(t, g, paged)) // goes on from there, and ends too
	if g.pages == before {
		t.Error("nothing more was read")
	}
	g.grow = func() {}
	to.mustSync(t, g, paged)
	if here, all := len(to.ids(t, team)), len(hub.ids(t, team)); here != all {
		t.Errorf("in the end %d are here of %d", here, all)
	}
}

// What a growing hub acknowledged and does not hold is noticed when it is read, and not
// waited for.
func TestLogThatGrowsAndLies(t *testing.T) {
	t.Parallel()
	c := newCon(t, 3)
	c.a.mustSync(t, c.remote)
	c.a.add(t, c.agent.belief(t, c.space, "do not lose me"))
	c.remote.acks = func(a Acks) Acks { return a }
	c.more(5)
	pages := 0
	c.remote.log = func(_ LogRequest, p LogPage) LogPage {
		if pages++; pages < 100 { // or the test has no end either
			c.more(3)
		}
		return p
	}
	report, err := c.a.sync(t, c.remote, func(o *Options) { o.Page = 2 })
	if err != nil {
		t.Fatal(err)
	}
	if pages > 20 {
		t.Errorf("%d pages were read before it was", pages)
	}
	for _, s := range report.Spaces {
		if s.Space == c.space && s.Code != "history_rewritten" {
			t.Errorf("%+v, want the record missed that was acknowledged", s)
		}
	}
}
