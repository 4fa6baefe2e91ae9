package stemma

import (
	"context"
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/internal/peer"
)

// NotTaken is a record that one of two stores did not take from the other. What this
// store did not take is asked for again at every sync.
type NotTaken struct {
	Remote string `json:"remote"`
	Peer   string `json:"peer,omitempty"` // the store behind it, of a folder
	Space  string `json:"space"`
	ID     string `json:"id"`
	Why    string `json:"why"`
	There  bool   `json:"there,omitempty"` // the remote did not take it from here
}

// notTaken lists what the remotes of today gave and was refused, and what they
// refused. Places are the names of what is remembered of peers.
func (e *Engine) notTaken(ctx context.Context, reply *DoctorReply, places []string) error {
	if len(places) == 0 {
		return nil
	}
	remotes, err := e.Remotes(ctx, RemoteRequest{})
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
		raw, err := e.first().Note(ctx, name)
		if err != nil {
			return sorted(err)
		}
		place, err := peer.PlaceOf(raw)
		if err != nil {
			reply.Problems = append(reply.Problems, Problem{What: remote + ": " + oneLine(err), Fix: "stemma remote accept " + remote})
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
				reply.Waiting = append(reply.Waiting, NotTaken{Remote: remote, Peer: behind, Space: space, ID: r.ID.String(), Why: r.Why, There: there})
			}
		}
	}
	return nil
}

// notSynced tells of remotes with which the last exchange did not go through. To be
// away for weeks is normal, so that it is no problem.
func (e *Engine) notSynced(ctx context.Context, reply *DoctorReply) error {
	remotes, err := e.Remotes(ctx, RemoteRequest{})
	for _, r := range remotes.Remotes {
		if r.Sync == nil || r.Sync.Problem == "" {
			continue
		}
		last := "has not gone through yet, and failed " + plural(r.Sync.Failures, "time")
		if r.Sync.Last != "" {
			last = "went through last at " + r.Sync.Last + ", and failed " + plural(r.Sync.Failures, "time") + " since"
		}
		reply.Notes = append(reply.Notes, fmt.Sprintf("sync with %s %s: %s", r.Name, last, r.Sync.Problem))
	}
	return err
}
