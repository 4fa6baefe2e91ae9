package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// statusHub answers what a purge's status asks.
type statusHub struct {
	peer.Remote
	lines  []peer.Line
	hello  error
	fetch  error
	purged func(peer.PurgedRequest) (peer.Purged, error)
}

func (h statusHub) Hello(context.Context, peer.Hello) (peer.Welcome, error) {
	return peer.Welcome{Version: peer.Version}, h.hello
}

func (h statusHub) Fetch(context.Context, peer.Fetch) (peer.Lines, error) {
	return peer.Lines{Lines: h.lines}, h.fetch
}

func (h statusHub) Took(_ context.Context, in peer.Taken) (peer.Taken, error) { return in, nil }

func (h statusHub) Purged(_ context.Context, in peer.PurgedRequest) (peer.Purged, error) {
	return h.purged(in)
}

// A hub that cannot tell, does not answer, or answers something else is never taken for one that erased the words.
func TestThePurgeStatusOfAHubIsNeverBetterThanItsAnswer(t *testing.T) {
	t.Parallel()
	var hub statusHub
	dial := func(context.Context, string, peer.Self) ([]peer.Endpoint, func() error, error) {
		return []peer.Endpoint{{Remote: hub, Gives: true, Takes: true}}, nil, nil
	}
	h := newHome(t, filepath.Join(t.TempDir(), "keys"), dial)
	defer h.close()
	ctx := t.Context()
	if _, err := h.Owner.RemoteAdd(ctx, api.RemoteRequest{
		Name: "team", Address: "https://hub.test", Whose: "mine",
	}); err != nil {
		t.Fatal(err)
	}
	ref := add(t, h.Owner, "belief", "the password is swordfish")
	if _, err := h.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{ref}}); err != nil {
		t.Fatal(err)
	}
	answers := func(there []peer.PurgedThere, all ...peer.Machine) func(peer.PurgedRequest) (peer.Purged, error) {
		return func(in peer.PurgedRequest) (peer.Purged, error) {
			for i := range there {
				if there[i].ID.IsZero() {
					there[i].ID = in.Purges[0].ID
				}
			}
			return peer.Purged{Records: there, Machines: all}, nil
		}
	}
	fails := func(err error) func(peer.PurgedRequest) (peer.Purged, error) {
		return func(peer.PurgedRequest) (peer.Purged, error) { return peer.Purged{}, err }
	}
	gone := []peer.PurgedThere{{Mark: true}}
	for _, c := range []struct {
		name    string
		hub     statusHub
		state   string
		pending int
	}{
		{"erased", statusHub{purged: answers(gone)}, "erased", 0},
		{"who left", statusHub{purged: answers(gone, peer.Machine{State: peer.MachineLeft})}, "erased", 0},
		{"not yet", statusHub{purged: answers(gone, peer.Machine{State: peer.MachinePending})}, "erased", 1},
		{"a state of a later version", statusHub{purged: answers(gone, peer.Machine{State: "perhaps"})}, "erased", 1},
		{"no keeper", statusHub{purged: fails(peer.ErrDenied)}, "erased", 0},
		{"an earlier version", statusHub{purged: fails(peer.ErrAbsent)}, "erased", 1},
		{"it has the words", statusHub{lines: []peer.Line{peer.Line("{}")}, purged: answers(gone)}, "words", 1},
		{"it says that it has them", statusHub{purged: answers([]peer.PurgedThere{{Words: true}})}, "words", 1},
		{"no mark", statusHub{purged: answers([]peer.PurgedThere{{}})}, "waiting", 1},
		{"nothing of the record", statusHub{purged: answers(nil)}, "waiting", 1},
		{"another record", statusHub{purged: answers([]peer.PurgedThere{{ID: memory.ID{1}, Mark: true}})}, "waiting", 1},
		{"no answer", statusHub{purged: fails(errors.New("cut off"))}, "away", 1},
		{"no hello", statusHub{hello: errors.New("cut off"), purged: answers(gone)}, "away", 1},
		{"no such token", statusHub{hello: peer.ErrDenied, purged: answers(gone)}, "denied", 1},
		{"no such space", statusHub{fetch: peer.ErrDenied, purged: answers(gone)}, "denied", 1},
	} {
		hub = c.hub
		r, err := h.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{ref}, Status: true})
		if err != nil || len(r.Remotes) != 1 || r.Remotes[0].State != c.state || r.Pending != c.pending {
			t.Errorf("%s: %+v, %v, want %s and %d pending", c.name, r, err, c.state, c.pending)
		}
	}
	if _, err := h.Agent.Purge(ctx, api.PurgeRequest{Refs: []string{ref}, Status: true}); !errors.Is(err,
		api.ErrForbidden) {
		t.Errorf("an agent is told: %v, want ErrForbidden", err)
	}
}
