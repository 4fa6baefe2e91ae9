package peer

import (
	"context"
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// joining is a hub to which others come after it said whose keys wrote there.
type joining struct {
	Remote
	join       func()
	keys, hold int
}

func (j *joining) Hello(ctx context.Context, in Hello) (Welcome, error) {
	w, err := j.Remote.Hello(ctx, in)
	if j.hold == 0 {
		j.join()
	}
	return w, err
}

func (j *joining) Keys(ctx context.Context, in KeysRequest) (KeyList, error) {
	j.keys++
	k, err := j.Remote.Keys(ctx, in)
	if j.keys == j.hold {
		j.join()
	}
	return k, err
}

// Members of a space join and write while another is at his first exchange, or at a later one:
// the peer is asked for their keys before a record of theirs is refused, once for each page.
func TestWhoJoinsDuringAnExchange(t *testing.T) {
	t.Parallel()
	const members, each, page = 7, 200, 300
	for hold, when := range []string{"after the greeting", "after the keys were read"} {
		ann := newPerson(t, "ann")
		bot := ann.agent(t, "bot of ann")
		team := ann.key.DID() + "/team"
		hub, to := newSite(t, "hub"), newSite(t, "to")
		hub.add(t, append(bot.identity[:2:2], bot.belief(t, team, "the first"))...)
		j := &joining{Remote: hub.hub().For(Caller{Account: "all", Any: true}), hold: hold}
		j.join = func() {
			j.join = func() {}
			for m := range members {
				member := newPerson(t, fmt.Sprint("member ", m)).agent(t, fmt.Sprint("bot of ", m))
				all := append([]*memory.Record{}, member.identity...)
				for n := range each {
					all = append(all, member.belief(t, team, fmt.Sprint(m, " says ", n)))
				}
				hub.add(t, all...)
			}
		}
		chosen := func(o *Options) { o.Page, o.Choose = page, func(s string) bool { return s == team } }
		report := to.mustSync(t, j, chosen)
		s := report.Spaces[0]
		if s.Pulled != 1+members*each || len(s.Refused) > 0 {
			t.Errorf("%s: %d came, want %d; refused: %d, %.1v", when, s.Pulled, 1+members*each, len(s.Refused), s.Refused)
		}
		if most := 2 + members*each/page + 1; j.keys > most {
			t.Errorf("%s: the keys were asked for %d times, want at most %d", when, j.keys, most)
		}
		if report = to.mustSync(t, j, chosen); report.Spaces[0].Pulled+report.Spaces[0].Pushed > 0 {
			t.Errorf("%s: again %+v", when, report.Spaces[0])
		}
	}
}
