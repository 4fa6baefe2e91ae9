package engine_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// A team is people who share a space of the first at a hub.
type team struct {
	*clock
	hub   *peer.Hub
	all   []*people
	space string
	roles []map[string]peer.Role
}

// newTeam makes a hub and its people. All may write in the first one's space "team".
func newTeam(t *testing.T, n int) *team {
	t.Helper()
	at, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "hub.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { at.Close() })
	none := func(_, _ *keys.Key) ([]byte, error) { return nil, nil }
	ring, err := keys.OpenWith(filepath.Join(t.TempDir(), "hubkeys"), rand.Reader, none, keys.Options{})
	if err != nil {
		t.Fatal(err)
	}
	team := &team{clock: newClock()}
	team.hub = peer.NewHub(at, ring.Agent, team.Now)
	for i := range n {
		roles := make(map[string]peer.Role)
		team.roles = append(team.roles, roles)
		remotes := filepath.Join(t.TempDir(), "remotes.json")
		p := newPeople(t, func(c *engine.Config) {
			c.Now, c.Remotes = team.Now, remotes
			c.Dial = func(context.Context, string, peer.Self) ([]peer.Endpoint, func() error, error) {
				there := team.hub.For(peer.Caller{Account: fmt.Sprint(i), Roles: roles})
				return []peer.Endpoint{{Remote: there, Gives: true, Takes: true}}, nil, nil
			}
		})
		if _, err := p.owner.Init(t.Context(), api.Nothing{}); err != nil {
			t.Fatal(err)
		}
		roles[p.principal()+"/main"] = peer.Writer
		if i == 0 {
			team.space = p.principal() + "/team"
		}
		roles[team.space] = peer.Writer
		if _, err := p.owner.RemoteAdd(
			t.Context(), api.RemoteRequest{Name: "hub", Address: "https://hub.test", Whose: "mine"},
		); err != nil {
			t.Fatal(err)
		}
		team.all = append(team.all, p)
	}
	return team
}

// in returns the engine of a person, or their agent, in the shared space.
func (t *team) in(i int, o memory.Origin) *engine.Engine {
	return t.all[i].as(o, func(c *engine.Config) { c.Space = t.space })
}

// settle has everybody exchange what there is.
func (t *team) settle(tb *testing.T) {
	tb.Helper()
	for range 4 { // what differs is found when it comes, and goes with the next exchange
		syncs(tb, t.all...)
	}
}

// keeper has the first appoint another as a keeper of the space.
func (t *team) keeper(tb *testing.T, i int) {
	tb.Helper()
	if _, err := t.in(0, memory.OriginOwner).AppointKeeper(tb.Context(), t.space, t.all[i].principal()); err != nil {
		tb.Fatal(err)
	}
}

func currentIn(t *testing.T, e *engine.Engine) map[string]api.Memory {
	t.Helper()
	out := make(map[string]api.Memory)
	r, err := e.List(t.Context(), api.ListRequest{Limit: -1, Brief: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Memories {
		if m.Type != "raw" {
			out[m.Ref] = m
		}
	}
	return out
}

func conflicts(t *testing.T, e *engine.Engine) (api.ConflictsReply, map[string]bool) {
	t.Helper()
	r, err := e.Conflicts(t.Context(), api.OpenRequest{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	named := make(map[string]bool)
	for _, l := range r.Conflicts {
		named[l.Old.Ref], named[l.New.Ref] = true, true
	}
	for _, f := range r.Forks {
		named[f.Shown.Ref] = true
		for _, s := range f.Siblings {
			named[s.Ref] = true
		}
	}
	return r, named
}
