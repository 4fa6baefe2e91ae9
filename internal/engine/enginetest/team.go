package enginetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/carrier"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// Meeting returns somebody whose stores meet others in a folder.
func Meeting(t *testing.T, folder string, change ...func(*engine.Config)) *People {
	t.Helper()
	remotes := filepath.Join(t.TempDir(), "remotes.json")
	p := NewPeople(t, append(change, func(c *engine.Config) {
		c.Remotes = remotes
		c.Dial = func(ctx context.Context, _ string, self peer.Self) ([]peer.Endpoint, func() error, error) {
			ends, err := carrier.Folder(ctx, folder, self)
			return ends, nil, err
		}
	})...)
	if _, err := p.Owner.Init(t.Context(), api.Nothing{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Owner.RemoteAdd(
		t.Context(), api.RemoteRequest{Name: "folder", Address: folder, Whose: "mine"},
	); err != nil {
		t.Fatal(err)
	}
	return p
}

// Syncs has people exchange with their remotes, in order.
func Syncs(t *testing.T, ps ...*People) {
	t.Helper()
	for _, p := range ps {
		if r, err := p.Owner.Sync(t.Context(), api.SyncRequest{}); err != nil || r.Failed > 0 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
}

// Problems is what doctor and audit find, in one text each.
func Problems(t *testing.T, e *engine.Engine) (doctor, audit string) {
	t.Helper()
	d, err := e.Doctor(t.Context(), api.DoctorRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Problems {
		doctor += p.What + "\n"
	}
	a, err := e.Audit(t.Context(), api.AuditRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range a.Offenders {
		audit += o.Ref + ": " + o.Why + "\n"
	}
	return doctor, audit
}

// Vouch has a person vouch for others in the shared space.
func (t *Team) Vouch(tb *testing.T, i int, withdraw bool, whom ...int) error {
	tb.Helper()
	var members []string
	for _, w := range whom {
		members = append(members, t.All[w].Principal())
	}
	in := api.RemoteMemberRequest{Account: strings.Join(members, ","), Role: "vouched"}
	if withdraw {
		in.Role = "unvouched"
	}
	_, err := t.In(i, memory.OriginOwner).RemoteMemberSet(tb.Context(), in)
	return err
}

// Accepts has a person accept another as keeper, or drop them.
func (t *Team) Accepts(tb *testing.T, i, keeper int) {
	tb.Helper()
	in := api.RemoteMemberRequest{Account: t.All[keeper].Principal(), Role: "accepted"}
	if _, err := t.All[i].Owner.RemoteMemberSet(tb.Context(), in); err != nil {
		tb.Fatal(err)
	}
}

// HandOver has one person hand the shared space over to another.
func (t *Team) HandOver(tb *testing.T, by, to int, o memory.Origin) error {
	tb.Helper()
	in := api.RemoteMemberRequest{Account: t.All[to].Principal(), Role: "owner"}
	_, err := t.In(by, o).RemoteMemberSet(tb.Context(), in)
	return err
}

// Owner is who owns the shared space, as a person's list of keepers says.
func (t *Team) Owner(tb *testing.T, i int) string {
	tb.Helper()
	r, err := t.In(i, memory.OriginOwner).RemoteMembers(tb.Context(), api.RemoteMembersRequest{Keepers: true})
	if err != nil {
		tb.Fatal(err)
	}
	for _, m := range r.Members {
		if m.Space == t.Space && m.Role == "owner" {
			return m.Account
		}
	}
	return t.All[i].Principal() // who alone keeps their own space is not listed
}

// A Team is people who share a space of the first at a hub.
type Team struct {
	*Clock
	hub   *peer.Hub
	All   []*People
	Space string
	roles []map[string]peer.Role
}

// NewTeam makes a hub and its people. All may write in the first one's space "team".
func NewTeam(t *testing.T, n int) *Team {
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
	team := &Team{Clock: NewClock()}
	team.hub = peer.NewHub(at, ring.Agent, team.Now)
	for i := range n {
		roles := make(map[string]peer.Role)
		team.roles = append(team.roles, roles)
		remotes := filepath.Join(t.TempDir(), "remotes.json")
		p := NewPeople(t, func(c *engine.Config) {
			c.Now, c.Remotes = team.Now, remotes
			c.Dial = func(context.Context, string, peer.Self) ([]peer.Endpoint, func() error, error) {
				there := team.hub.For(peer.Caller{Account: fmt.Sprint(i), Roles: roles})
				return []peer.Endpoint{{Remote: there, Gives: true, Takes: true}}, nil, nil
			}
		})
		if _, err := p.Owner.Init(t.Context(), api.Nothing{}); err != nil {
			t.Fatal(err)
		}
		roles[p.Principal()+"/main"] = peer.Writer
		if i == 0 {
			team.Space = p.Principal() + "/team"
		}
		roles[team.Space] = peer.Writer
		if _, err := p.Owner.RemoteAdd(
			t.Context(), api.RemoteRequest{Name: "hub", Address: "https://hub.test", Whose: "mine"},
		); err != nil {
			t.Fatal(err)
		}
		team.All = append(team.All, p)
	}
	return team
}

// In returns the engine of a person, or their agent, in the shared space.
func (t *Team) In(i int, o memory.Origin) *engine.Engine {
	return t.All[i].As(o, func(c *engine.Config) { c.Space = t.Space })
}

// Settle has everybody exchange what there is.
func (t *Team) Settle(tb *testing.T) {
	tb.Helper()
	for range 4 { // what differs is found when it comes, and goes with the next exchange
		Syncs(tb, t.All...)
	}
}

// Keeper has the first appoint another as a keeper of the space.
func (t *Team) Keeper(tb *testing.T, i int) {
	tb.Helper()
	if _, err := t.In(0, memory.OriginOwner).AppointKeeper(tb.Context(), t.Space, t.All[i].Principal()); err != nil {
		tb.Fatal(err)
	}
}

// CurrentIn lists the current memories of a store by their refs.
func CurrentIn(t *testing.T, e *engine.Engine) map[string]api.Memory {
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
