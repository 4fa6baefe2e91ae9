package peer

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// partly is a hub of which some spaces cannot be served now.
type partly struct {
	Remote
	away []Unserved
	seen []string // the spaces that it was asked about
}

func (p *partly) Hello(ctx context.Context, in Hello) (Welcome, error) {
	w, err := p.Remote.Hello(ctx, in)
	w.Away = p.away
	w.Spaces = slices.DeleteFunc(w.Spaces, func(s Shared) bool { _, is := w.away(s.Space); return is })
	return w, err
}

func (p *partly) Offer(ctx context.Context, in Offer) (Wanted, error) {
	p.seen = append(p.seen, in.Space)
	return p.Remote.Offer(ctx, in)
}

func (p *partly) Log(ctx context.Context, in LogRequest) (LogPage, error) {
	p.seen = append(p.seen, in.Space)
	return p.Remote.Log(ctx, in)
}

// A space that the peer cannot serve now is named and left as it is; the others are exchanged. Nothing is missed, and
// nothing is lost: once it is served again the exchange goes on where it was.
func TestASpaceIsAway(t *testing.T) {
	t.Parallel()
	ann, bob := newPerson(t, "ann"), newPerson(t, "bob")
	home, diary, team := ann.home(), ann.key.DID()+"/diary", bob.key.DID()+"/team"
	for what, away := range map[string][]Unserved{
		"one of another's": {{team, "shard 2 does not answer"}},
		"one's own, by name": {
			{home, "shard 2 does not answer"}, {diary, "shard 2 does not answer"}},
		"all of one's own, of which the names are not known": {
			{home, "shard 2 does not answer"}, {ann.key.DID() + "/", "shard 2 does not answer"}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			hub, to := newSite(t, "hub"), newSite(t, "to")
			hub.add(t, append(bob.identity[:1:1], bob.belief(t, team, "from bob"))...)
			to.add(t, ann.identity[0], ann.belief(t, home, "one"), ann.belief(t, diary, "two"))
			h := &partly{Remote: hub.hub().For(Caller{Account: "ann", Any: true})}
			to.mustSync(t, h)
			here, there := ann.belief(t, home, "three"), bob.belief(t, team, "four")
			more := ann.belief(t, diary, "five")
			to.add(t, here, more)
			hub.add(t, there)
			h.away, h.seen = away, nil
			report, err := to.sync(t, h)
			if err != nil {
				t.Fatal(err)
			}
			gone := func(space string) bool {
				_, is := (&Welcome{Away: away}).away(space)
				return is
			}
			for _, s := range report.Spaces {
				if (s.Code == Unreachable) != gone(s.Space) || (s.Problem != "") != gone(s.Space) {
					t.Errorf("space %s says %q (%s)", s.Space, s.Problem, s.Code)
				}
				if gone(s.Space) && (!strings.Contains(s.Problem, "shard 2") || s.Size == 0 || s.Role != Writer) {
					t.Errorf("of %s is left %+v, want what was known before and the reason", s.Space, s)
				}
			}
			for _, space := range []string{home, diary, team} {
				if n := len(slices.DeleteFunc(slices.Clone(report.Spaces), func(s SpaceReport) bool {
					return s.Space != space
				})); n != 1 {
					t.Errorf("%s is reported %d times", space, n)
				}
				if slices.Contains(h.seen, space) == gone(space) {
					t.Errorf("whether %s was asked for is wrong: %v", space, h.seen)
				}
			}
			for space, r := range map[string]*memory.Record{home: here, diary: more} {
				if slices.Contains(hub.ids(t, space), r.ID) == gone(space) {
					t.Errorf("whether the hub has what is new in %s is wrong", space)
				}
			}
			h.away = nil
			to.mustSync(t, h)
			for _, space := range []string{home, diary, team} {
				if !slices.Equal(hub.ids(t, space), to.ids(t, space)) {
					t.Errorf("once all is served, %s differs", space)
				}
			}
		})
	}
}
