package exchange

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// handOver signs, as the owner of a space, that another person owns it from now on: they decide,
// appoint keepers and purge there. What the owner decided holds as far as it is here after a pull: the
// handover names it. It cannot be taken back, only followed by a handover of the new owner.
func (e *Exchange) handOver(ctx context.Context, in api.RemoteMemberRequest) (api.RemoteMembersReply, error) {
	none := nobody()
	if err := e.OwnerOnly("hand a space over"); err != nil {
		return none, err
	}
	if !strings.HasPrefix(in.Account, "did:key:") {
		return none, core.Invalid("account: want a member's key, did:key:…, got %q", shorten.To(in.Account, 80))
	}
	r, err := e.remote(ctx, in.Remote)
	if err != nil {
		return none, err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return none, err
	}
	space, err := e.sharedSpace(me.Principal)
	if err != nil {
		return none, err
	}
	if _, err := e.mayHandOver(ctx, r.Name, space, me.Principal, in.Account); err != nil {
		return none, err
	}
	if err := e.pullFirst(ctx, r.Name, space, "a handover"); err != nil {
		return none, err
	}
	ring, err := e.mayHandOver(ctx, r.Name, space, me.Principal, in.Account)
	if err != nil {
		return none, err
	}
	whom := ring.Principal(in.Account)
	at, err := e.lastDecided(ctx, space, ring.History(me.Principal)...)
	if err != nil {
		return none, err
	}
	held, err := e.decisionsOf(ctx, ring, me.Principal, space)
	if err != nil {
		return none, err
	}
	h, heir := core.KeyHeader("handover"), ring.Current(whom)
	h.Space, h.At = space, at
	named, err := e.Sign(h, &memory.Key{Op: memory.OpIntroduce, Key: heir, Name: state.HeirName(space)})
	if err != nil {
		return none, err
	}
	of := named.Ref()
	handed, err := e.Sign(h, &memory.Key{
		Op: memory.OpRevoke, Key: heir, Of: &of, Reason: memory.Superseded, From: state.HeldLine(held),
	})
	if err != nil {
		return none, err
	}
	if err := e.Append(ctx, store.Batch{Records: []*memory.Record{named, handed}}); err != nil {
		return none, err
	}
	return e.keepers(ctx, api.RemoteMembersRequest{Remote: r.Name})
}

// mayHandOver returns the keys that are known here, or an error unless a person owns a space and can
// hand it over to a key.
func (e *Exchange) mayHandOver(
	ctx context.Context, remote, space, whose, account string,
) (*state.Keyring, error) {
	ring, err := e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	if owner, _ := ring.Owner(space); owner != whose {
		return nil, &core.Failure{
			Kind: api.ErrForbidden, Text: "only the owner of " + space + " can hand it over, and that is " + owner,
		}
	}
	return ring, e.mayInherit(ctx, ring, remote, space, whose, account)
}

// mayInherit returns an error unless a space can be handed over to a key: others read the space,
// and the key is another person's, in use, and known here or a member of the space at the hub.
func (e *Exchange) mayInherit(
	ctx context.Context, ring *state.Keyring, remote, space, owner, account string,
) error {
	short := shorten.To(account, 80)
	whom := ring.Principal(account)
	spaces, err := e.remoteSpaces(ctx, remote)
	switch {
	case err != nil:
		return err
	case !slices.Contains(spaces, space):
		return core.NotFound("%s does not exchange the space %s yet: `sync` first", remote, space)
	case whom == owner:
		return core.Conflict("%s is your own key", short)
	case ring.Revoked(ring.Current(whom), whom) != nil:
		return core.Conflict("the key %s was revoked: name the key that its owner uses now", short)
	case ring.Knows(whom):
		return nil
	}
	_, all, err := keeping(ctx, e, remote, func(hub peer.Keeping, space string) (peer.Members, error) {
		return hub.Members(ctx, peer.MembersRequest{Space: space})
	})
	if err == nil && slices.ContainsFunc(all.Members, func(m peer.Placed) bool { return m.Account == account }) {
		return nil
	}
	return core.NotFound("nothing from %s is held here, and no hub lists it as a member of %s: invite its owner first",
		short, space)
}
