package engine_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// tookHub is a store with full access that hears how far its callers are.
type tookHub struct {
	peer.Remote
	told []peer.Took
	fail error
}

func (h *tookHub) Took(_ context.Context, in peer.Taken) (peer.Taken, error) {
	if h.fail != nil {
		return peer.Taken{}, h.fail
	}
	h.told = append(h.told, in.Spaces...)
	return in, nil
}

func (h *tookHub) Purged(context.Context, peer.PurgedRequest) (peer.Purged, error) {
	return peer.Purged{}, peer.ErrAbsent
}

// A store says how far it took a log once for each place, again after half a day, and again where the hub did not hear
// it. No exchange fails for it, and a hub of an earlier version is not asked each time.
func TestAStoreSaysHowFarItTookALog(t *testing.T) {
	t.Parallel()
	keys := filepath.Join(t.TempDir(), "keys")
	there := newHome(t, keys, nil)
	defer there.close()
	remote, err := there.Owner.Hub()
	if err != nil {
		t.Fatal(err)
	}
	hub := &tookHub{Remote: remote}
	dial := func(context.Context, string, peer.Self) ([]peer.Endpoint, func() error, error) {
		return []peer.Endpoint{{Remote: hub, Gives: true, Takes: true}}, nil, nil
	}
	here := newHome(t, keys, dial)
	defer here.close()
	team := api.RemoteRequest{Name: "team", Address: "https://h.test", Whose: "mine"}
	if _, err := here.Owner.RemoteAdd(t.Context(), team); err != nil {
		t.Fatal(err)
	}
	says := func(when string, want int) {
		t.Helper()
		before := len(hub.told)
		r, err := here.Owner.Sync(t.Context(), api.SyncRequest{Remote: "team"})
		if err != nil || r.Failed > 0 {
			t.Fatalf("%s: %+v, %v", when, r, err)
		}
		if got := len(hub.told) - before; got != want {
			t.Errorf("%s: it says %d times how far it is, want %d: %+v", when, got, want, hub.told[before:])
		}
	}
	add(t, here.Owner, "belief", "herons fish at dawn")
	says("the first time", 1)
	says("nothing new", 0)
	add(t, there.Owner, "belief", "herons sleep at noon")
	hub.fail = context.DeadlineExceeded
	says("the hub does not hear it", 0)
	hub.fail = nil
	says("after that", 1)
	if last := hub.told[len(hub.told)-1]; last.Root == "" || last.Size < 2 || len(last.Waits) > 0 {
		t.Errorf("it said %+v", last)
	}
	here.Ahead(13 * time.Hour)
	says("half a day later", 1)
	add(t, there.Owner, "belief", "herons wake at dusk")
	hub.fail = peer.ErrAbsent
	says("an earlier version", 0)
	hub.fail = nil
	says("which is not asked again", 0)
}

// A purge by a clock that is fast is taken in before it counts. Until it is carried out the store says so of the
// mark, and its time comes without anything else: at the next opening, in a running server, or with the next sync.
func TestAPurgeThatIsDatedAheadIsCarriedOutWhenItComesDue(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, way := range []string{"opening", "server", "sync"} {
		keys := filepath.Join(t.TempDir(), "keys")
		there := newHome(t, keys, nil)
		defer there.close()
		remote, err := there.Owner.Hub()
		if err != nil {
			t.Fatal(err)
		}
		hub := &tookHub{Remote: remote}
		here := newHome(t, keys, func(context.Context, string, peer.Self) ([]peer.Endpoint, func() error, error) {
			return []peer.Endpoint{{Remote: hub, Gives: true, Takes: true}}, nil, nil
		})
		defer here.close()
		team := api.RemoteRequest{Name: "team", Address: "https://h.test", Whose: "mine"}
		if _, err := here.Owner.RemoteAdd(ctx, team); err != nil {
			t.Fatal(err)
		}
		waits := func(when string, want ...string) {
			t.Helper()
			if r, err := here.Owner.Sync(ctx, api.SyncRequest{}); err != nil || r.Failed > 0 {
				t.Fatal(r, err)
			}
			var got []string
			for _, id := range hub.told[len(hub.told)-1].Waits {
				got = append(got, id.String())
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: it says that %v wait, want %v", way, when, got, want)
			}
		}
		var slip string
		words := func(when string, want bool) {
			t.Helper()
			r, err := memory.ParseRef(slip)
			if err != nil {
				t.Fatal(err)
			}
			items, err := here.Owner.First().Get(ctx, r.ID)
			if err != nil || (items[0].Record != nil) != want {
				t.Errorf("%s, %s: the words are there: %v, want %v", way, when, items[0].Record != nil, want)
			}
		}
		slip = add(t, there.Owner, "belief", "the password is swordfish")
		waits("before")
		fast := there.As(memory.OriginOwner, func(c *engine.Config) {
			c.Now = func() time.Time { return there.Now().Add(2 * time.Hour) }
		})
		purged, err := fast.Purge(ctx, api.PurgeRequest{Refs: []string{slip}, Reason: "law"})
		if err != nil {
			t.Fatal(err)
		}
		_, mark, _ := strings.Cut(purged.Claim, ":")
		waits("dated ahead", mark)
		words("dated ahead", true)
		here.Ahead(3 * time.Hour)
		switch way {
		case "opening":
			here.As(memory.OriginAgent)
		case "server":
			if err := engine.CarryOutDue(ctx, here.Owner); err != nil {
				t.Fatal(err)
			}
		case "sync":
			waits("due")
		}
		words("due", false)
		waits("carried out")
	}
}
