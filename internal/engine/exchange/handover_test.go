package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// From a handover on the new owner decides, appoints and purges for all; the old one is a member,
// also in a store of theirs that was restored from a backup.
func TestAHandedOverSpaceObeysItsNewOwner(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	team := newTeam(t, 4)
	var refs []string
	for i, text := range []string{"the mill opens at 6", "the quarry opens at 7", "the ferry goes at 8", "bees fly at 9"} {
		refs = append(refs, add(t, team.In(i, memory.OriginOwner), "belief", text))
	}
	reject := func(i, ref int) error {
		_, err := team.In(i, memory.OriginOwner).Reject(ctx, api.DecideRequest{Refs: []string{refs[ref]}})
		return err
	}
	purge := func(i, ref int) error {
		_, err := team.In(i, memory.OriginOwner).Purge(ctx, api.PurgeRequest{Refs: []string{refs[ref]}, Reason: "law"})
		return err
	}
	if err := team.HandOver(t, 0, 1, memory.OriginOwner); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("handed over what nobody reads: %v", err)
	}
	team.Settle(t)
	for i, who := range []string{1: "a member", 2: "another member"} {
		if who == "" {
			continue
		}
		if err := team.HandOver(t, i, i, memory.OriginOwner); !errors.Is(err, api.ErrForbidden) {
			t.Errorf("%s takes the space: %v", who, err)
		}
	}
	if err := team.HandOver(t, 0, 1, memory.OriginAgent); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("the owner's agent hands the space over: %v", err)
	}
	if err := team.HandOver(t, 0, 0, memory.OriginOwner); !errors.Is(err, api.ErrConflict) {
		t.Errorf("handed over to its owner: %v", err)
	}
	stranger := newPeople(t)
	if _, err := stranger.Owner.Init(ctx, api.Nothing{}); err != nil {
		t.Fatal(err)
	}
	in := api.RemoteMemberRequest{Account: stranger.Principal(), Role: "owner"}
	if _, err := team.In(0, memory.OriginOwner).RemoteMemberSet(ctx, in); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("handed over to a stranger: %v", err)
	}
	if err := reject(0, 2); err != nil { // Cleo's, by the owner
		t.Fatal(err)
	}
	team.Keeper(t, 3)
	if err := team.HandOver(t, 0, 1, memory.OriginOwner); err != nil {
		t.Fatal(err)
	}
	if err := reject(0, 3); err == nil {
		t.Error("the old owner rejects another's memory in their own store")
	}
	if err := purge(0, 3); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("the old owner purges another's words: %v", err)
	}
	if err := team.HandOver(t, 0, 2, memory.OriginOwner); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("the old owner hands the space over once more: %v", err)
	}
	team.Settle(t)
	if refs, err := team.In(0, memory.OriginOwner).DismissKeeper(ctx, team.Space, team.All[3].Principal()); err != nil ||
		len(refs) > 0 {
		t.Errorf("the old owner dismisses a keeper: %v, %v", refs, err)
	}
	if err := reject(1, 0); err != nil { // the old owner's, by the new one
		t.Fatal(err)
	}
	if err := purge(1, 3); err != nil {
		t.Fatal(err)
	}
	if got, err := team.In(1, memory.OriginOwner).DismissKeeper(ctx, team.Space, team.All[3].Principal()); err != nil ||
		len(got) != 1 {
		t.Errorf("the new owner dismisses a keeper: %v, %v", got, err)
	}
	team.Settle(t)
	for i, p := range team.All {
		e := team.In(i, memory.OriginOwner)
		if got := slices.Sorted(maps.Keys(currentIn(t, e))); !slices.Equal(got, refs[1:2]) {
			t.Errorf("store %d gives %v, want %s alone", i, got, refs[1])
		}
		if text := packText(t, e, "bees"); strings.Contains(text, "bees fly") {
			t.Errorf("store %d has words that the new owner purged", i)
		}
		if got := team.Owner(t, i); got != team.All[1].Principal() {
			t.Errorf("store %d: the owner is %s", i, got)
		}
		r, err := p.Owner.Sync(ctx, api.SyncRequest{})
		if err != nil || r.Withheld > 0 {
			t.Errorf("store %d: withheld %d, %v", i, r.Withheld, err)
		}
		if doctor, audit := problems(t, p.Owner); doctor+notMissing(audit) != "" {
			t.Errorf("store %d: doctor %q, audit %q", i, doctor, audit)
		}
	}
}

// A space goes to a person and not to a key: a person who replaced theirs owns it with the next one. A key
// that was revoked gets nothing.
func TestAHandoverGoesToAPerson(t *testing.T) {
	t.Parallel()
	ctx, team := t.Context(), newTeam(t, 3)
	owners := add(t, team.In(0, memory.OriginOwner), "belief", "the mill opens at 6")
	add(t, team.In(1, memory.OriginOwner), "belief", "the quarry opens at 7")
	add(t, team.In(2, memory.OriginOwner), "belief", "the ferry goes at 8")
	team.Settle(t)
	if _, err := team.All[1].Owner.KeyRotate(ctx, api.KeyRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := team.All[0].Owner.Distrust(
		ctx, api.DistrustRequest{Key: team.All[2].Principal(), Since: "2026-01-02T00:00:00Z"},
	); err != nil {
		t.Fatal(err)
	}
	add(t, team.In(1, memory.OriginOwner), "belief", "the bakery opens at 5")
	team.Settle(t)
	if err := team.HandOver(t, 0, 2, memory.OriginOwner); !errors.Is(err, api.ErrConflict) {
		t.Errorf("handed over to a key that was revoked: %v", err)
	}
	if err := team.HandOver(t, 0, 1, memory.OriginOwner); err != nil { // named by the first key
		t.Fatal(err)
	}
	team.Settle(t)
	if _, err := team.In(1, memory.OriginOwner).Reject(ctx, api.DecideRequest{Refs: []string{owners}}); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	for i := range 2 {
		if got := currentIn(t, team.In(i, memory.OriginOwner)); got[owners].Ref != "" {
			t.Errorf("store %d gives what the new owner rejected with a later key", i)
		}
	}
}

// A list of remotes shows who owns and keeps each space, also a person's own.
func TestRemotesShowWhoOwnsAndKeepsSpaces(t *testing.T) {
	t.Parallel()
	ctx, team := t.Context(), newTeam(t, 3)
	for i := range team.All {
		add(t, team.In(i, memory.OriginOwner), "belief", fmt.Sprintf("the mill opens at %d", i))
	}
	team.Settle(t)
	shown := func(i int) map[string][]string {
		r, err := team.In(i, memory.OriginOwner).Remotes(ctx, api.RemoteRequest{})
		if err != nil || len(r.Remotes) != 1 {
			t.Fatal(r, err)
		}
		got := make(map[string][]string)
		for _, k := range r.Remotes[0].Keepers {
			got[k.Space] = append(got[k.Space], k.Role+" "+k.Account)
		}
		return got
	}
	key := func(i int) string { return team.All[i].Principal() }
	for i := range team.All {
		if got, want := shown(i)[team.Space], []string{"owner " + key(0)}; !slices.Equal(got, want) {
			t.Errorf("store %d, before: %v, want %v", i, got, want)
		}
	}
	if _, err := team.In(0, memory.OriginOwner).AppointKeeper(ctx, team.Space, key(2)); err != nil {
		t.Fatal(err)
	}
	if err := team.HandOver(t, 0, 1, memory.OriginOwner); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	for i := range team.All {
		if got, want := shown(i)[team.Space], []string{"owner " + key(1), "keeper " + key(2)}; !slices.Equal(got, want) {
			t.Errorf("store %d, after: %v, want %v", i, got, want)
		}
	}
	if s, err := team.In(1, memory.OriginOwner).Status(ctx, api.Nothing{}); err != nil || len(s.Remotes) != 1 ||
		len(s.Remotes[0].Keepers) > 0 || s.Remotes[0].Lag == nil {
		t.Errorf("status: %+v, %v; want how far each remote is behind and no more", s.Remotes, err)
	}
}

// A handover pulls first: it names what its owner decided on another machine as well. A remote that does
// not answer leaves the space where it is.
func TestAHandoverPullsFirst(t *testing.T) {
	t.Parallel()
	ctx, team := t.Context(), newTeam(t, 2)
	ref := add(t, team.In(1, memory.OriginOwner), "belief", "the quarry opens at 7")
	add(t, team.In(0, memory.OriginOwner), "belief", "the mill opens at 6")
	team.Settle(t)
	path := filepath.Join(t.TempDir(), "laptop.db") // the owner's second machine
	laptop := open(t, path, team.All[0].ConfigOf(memory.OriginOwner))
	if _, err := laptop.RemoteAdd(ctx, api.RemoteRequest{
		Name: "hub", Address: "https://hub.test", Whose: "mine",
	}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if r, err := laptop.Sync(ctx, api.SyncRequest{}); err != nil || r.Failed > 0 {
			t.Fatal(r, err)
		}
	}
	there := team.All[0].ConfigOf(memory.OriginOwner)
	there.Space = team.Space
	if _, err := open(t, path, there).Reject(ctx, api.DecideRequest{Refs: []string{ref}}); err != nil {
		t.Fatal(err)
	}
	if _, err := laptop.Sync(ctx, api.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	away := team.All[0].As(memory.OriginOwner, func(c *engine.Config) {
		c.Space = team.Space
		c.Dial = func(context.Context, string, peer.Self) ([]peer.Endpoint, func() error, error) {
			return nil, nil, errors.New("no route to the hub")
		}
	})
	in := api.RemoteMemberRequest{Account: team.All[1].Principal(), Role: "owner"}
	if _, err := away.RemoteMemberSet(ctx, in); !errors.Is(err, api.ErrUnavailable) ||
		!strings.Contains(err.Error(), "nothing was signed") {
		t.Errorf("the hub is away: %v", err)
	}
	if err := team.HandOver(t, 0, 1, memory.OriginOwner); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	for i := range team.All {
		if got := currentIn(t, team.In(i, memory.OriginOwner)); got[ref].Ref != "" {
			t.Errorf("store %d gives %s, which its owner had rejected", i, ref)
		}
		if got := team.Owner(t, i); got != team.All[1].Principal() {
			t.Errorf("store %d: the owner is %s", i, got)
		}
	}
}
