package exchange

import (
	"context"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
)

// pullFirst fetches what a remote has before the owner of a space signs a record that names the
// decisions that hold: one that is not here would stop counting. If the remote does not answer, or gives
// the space only in part, it returns an error that says what is not signed.
func (e *Exchange) pullFirst(ctx context.Context, remote, space, what string) error {
	const tries = 3
	for try := 1; ; try++ {
		reply, err := e.sync(ctx, api.SyncRequest{Remote: remote, Pull: true}, false, nil)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		why := ""
		switch {
		case err != nil:
			why = core.OneLine(err)
		case reply.Busy && try < tries:
			if err := e.waitAgain(ctx, try); err != nil {
				return err
			}
			continue
		case reply.Busy:
			why = "remote " + remote + ": another sync of this store is running"
		default:
			why = missed(reply, space)
		}
		if why == "" {
			return nil
		}
		if err != nil && !errors.Is(err, api.ErrUnavailable) {
			return err
		}
		return &core.Failure{Kind: api.ErrUnavailable, Text: why + "; nothing was signed or changed: " + what +
			" names the decisions that hold, so it needs what is there first"}
	}
}

// missed says why a pull may lack something of a space; "" is that it does not.
func missed(r api.SyncReply, space string) string {
	for _, p := range r.Peers {
		if p.Problem != "" {
			return "remote " + r.Remote + ": " + p.Problem
		}
		for _, s := range p.Spaces {
			if s.Space == space && s.Problem != "" {
				return "remote " + r.Remote + ": " + s.Problem
			}
		}
	}
	return ""
}

// pullBeforeDismissal is pullFirst before a member of a space gets a role that decides nothing, if
// this person owns the space: only the owner signs a dismissal.
func (e *Exchange) pullBeforeDismissal(ctx context.Context, remote string, role store.Role) error {
	r, err := e.remote(ctx, remote)
	if err != nil || role.AtLeast(store.Keeper) {
		return err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return err
	}
	space, err := e.WriteSpace(me.Principal)
	if err != nil {
		return err
	}
	ring, err := e.Keyring(ctx)
	if err != nil {
		return err
	}
	spaces, err := e.remoteSpaces(ctx, r.Name)
	if owner, _ := ring.Owner(space); err != nil || owner != me.Principal || !slices.Contains(spaces, space) {
		return err
	}
	return e.pullFirst(ctx, r.Name, space, "a dismissal")
}
