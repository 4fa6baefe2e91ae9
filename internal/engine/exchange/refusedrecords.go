package exchange

import (
	"context"
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
)

// NotTaken lists records that the current remotes sent and this store refused, and records
// that they refused. Places are the names of the notes about peers.
func (e *Exchange) NotTaken(ctx context.Context, reply *api.DoctorReply, places []string) error {
	if len(places) == 0 {
		return nil
	}
	remotes, err := e.Remotes(ctx, api.RemoteRequest{})
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
		for _, there := range []bool{false, true} {
			list := place.Refused
			if there {
				list = place.Back
			}
			for _, r := range list {
				reply.Waiting = append(
					reply.Waiting,
					api.NotTaken{Remote: remote, Peer: behind, Space: space, ID: r.ID.String(), Why: r.Why, There: there},
				)
			}
		}
	}
	return nil
}

// NotSynced notes the remotes with which the last exchange failed. It is no problem, since
// being offline for weeks is normal.
func (e *Exchange) NotSynced(ctx context.Context, reply *api.DoctorReply) error {
	remotes, err := e.Remotes(ctx, api.RemoteRequest{})
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
