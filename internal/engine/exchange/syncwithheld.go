package exchange

import (
	"context"
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// withheld returns the records that a peer called purged although no purge of them is known
// here and they are not here either. It is computed on each call, since the mark or the record
// may have arrived from somewhere else.
func (e *Exchange) withheld(ctx context.Context, gone []memory.Ref) ([]string, error) {
	if len(gone) == 0 {
		return nil, nil
	}
	left, err := peer.Unmarked(ctx, e.First(), gone)
	var out []string
	for _, r := range left {
		out = append(out, r.String())
	}
	return out, core.Classify(err)
}

// findWithheld finds the withheld records of each space after all peers behind a remote sent
// what they have. In a folder, the mark may come from another store than the record.
func (e *Exchange) findWithheld(ctx context.Context, reply *api.SyncReply) error {
	for i := range reply.Peers {
		for j := range reply.Peers[i].Spaces {
			s := &reply.Peers[i].Spaces[j]
			var err error
			if s.Withheld, err = e.withheld(ctx, s.Gone); err != nil {
				return err
			}
			s.WithheldMore = s.GoneMore && len(s.Withheld) > 0
			reply.Withheld += len(s.Withheld)
		}
	}
	return nil
}

// noteWithheld adds a note about what the peer of a place withholds.
func (e *Exchange) noteWithheld(ctx context.Context, reply *api.DoctorReply, remote string, p *peer.Place) error {
	ids, err := e.withheld(ctx, p.Gone)
	if len(ids) > 0 {
		reply.Notes = append(reply.Notes, fmt.Sprintf("%s says of %s that they were purged, and gives no purge by an "+
			"owner (%s): `remote_view %s` names what it keeps back",
			remote, core.Plural(len(ids), "record"), shortOf(ids[0]), remote))
	}
	return err
}

// shortOf shortens a ref that was written out.
func shortOf(ref string) string {
	r, err := memory.ParseRef(ref)
	if err != nil {
		return shorten.To(ref, 80)
	}
	return r.Short()
}
