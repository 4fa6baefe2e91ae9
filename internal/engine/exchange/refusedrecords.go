package exchange

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/sorting"
)

// NotTaken lists records that the current remotes sent and this store refused, and records
// that they refused. Places are the names of the notes about peers.
func (e *Exchange) NotTaken(ctx context.Context, reply *api.DoctorReply, places []string) error {
	if len(places) == 0 {
		return nil
	}
	remotes, err := Named(ctx, e)
	if err != nil {
		return err
	}
	today := make(map[string]bool)
	for _, r := range remotes.Remotes {
		today[r.Name] = true
	}
	for _, name := range places {
		who, space, ok := peer.PlaceName(name)
		remote, behind, _ := strings.Cut(who, ".")
		if !ok || !today[remote] {
			continue // who a peer is, or one that is asked no more
		}
		raw, err := e.First().Note(ctx, name)
		if err != nil {
			return core.Classify(err)
		}
		place, err := peer.PlaceOf(raw)
		if err != nil {
			reply.Problems = append(
				reply.Problems,
				api.Problem{What: remote + ": " + core.OneLine(err), Fix: "`remote_accept " + remote + "`"},
			)
			continue
		}
		if err := e.noteWithheld(ctx, reply, remote, place); err != nil {
			return err
		}
		like := api.NotTaken{Remote: remote, Peer: behind, Space: space}
		reply.Waiting = append(
			reply.Waiting, reasons(nil, like, peer.SpaceReport{Refused: place.Refused, Back: place.Back})...,
		)
	}
	return nil
}

// mostRefusals bounds the records of a space that are named one by one, and mostReasons the
// reasons that are told apart.
const (
	mostRefusals = 20
	mostReasons  = 10
)

func refusals(rs []peer.Refusal) []api.SyncRefuse {
	var out []api.SyncRefuse
	for _, r := range rs[:min(len(rs), mostRefusals)] {
		out = append(out, api.SyncRefuse{ID: r.ID.String(), Why: r.Why})
	}
	return out
}

// reasons counts the records of a space that were not taken among others, by reason. Like says
// where they are.
func reasons(all []api.NotTaken, like api.NotTaken, s peer.SpaceReport) []api.NotTaken {
	for _, there := range []bool{false, true} {
		list := s.Refused
		if there {
			list = s.Back
		}
		for _, r := range list {
			x := like
			x.ID, x.Why, x.There = r.ID.String(), reasonOf(r), there
			same := func(y api.NotTaken) bool { return y.Why == x.Why && y.There == there && y.Space == x.Space }
			at := slices.IndexFunc(all, same)
			if at < 0 && len(all) >= mostReasons {
				x.Why = "other reasons"
				at = slices.IndexFunc(all, same)
			}
			if at < 0 {
				all, at = append(all, x), len(all)
			}
			if all[at].Count++; all[at].Peer != x.Peer {
				all[at].Peer = "" // several peers sent such records
			}
		}
	}
	sorting.By(all, func(a, b api.NotTaken) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Why, b.Why))
	})
	return all
}

// reasonOf returns why a record was not taken, without its name, so that others have the same.
func reasonOf(r peer.Refusal) string {
	if ref, why, ok := strings.Cut(r.Why, ": "); ok && strings.HasSuffix(ref, ":"+r.ID.Short()) {
		return why
	}
	return r.Why
}

// NotSynced notes the remotes with which the last exchange failed. It is no problem, since
// being offline for weeks is normal.
func (e *Exchange) NotSynced(ctx context.Context, reply *api.DoctorReply) error {
	remotes, err := Named(ctx, e)
	for _, r := range remotes.Remotes {
		if r.Sync == nil || r.Sync.Problem == "" {
			continue
		}
		last := "has not gone through yet, and failed " + core.Plural(r.Sync.Failures, "time")
		if r.Sync.Last != "" {
			last = "went through last at " + r.Sync.Last + ", and failed " + core.Plural(r.Sync.Failures, "time") + " since"
		}
		reply.Notes = append(reply.Notes, fmt.Sprintf("sync with %s %s: %s", r.Name, last, r.Sync.Problem))
	}
	return err
}
