package exchange

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// keepers lists who keeps the spaces that a remote exchanges, by the signed words of their
// owners, and whom the reader accepted.
func (e *Exchange) keepers(ctx context.Context, in api.RemoteMembersRequest) (api.RemoteMembersReply, error) {
	reply := nobody()
	r, err := e.remote(ctx, in.Remote)
	if err != nil {
		return reply, err
	}
	reply.Remote = r.Name
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return reply, err
	}
	spaces, err := e.remoteSpaces(ctx, r.Name)
	if err != nil {
		return reply, err
	}
	for _, space := range spaces {
		all := keepersOf(v, space)
		if len(all) == 1 && aloneOwns(v, all[0]) {
			continue
		}
		for _, k := range all {
			said, err := e.trust.Vouched(e.trust.Reading(ctx), v.Ring, v.Ring.Principal(k.Account), space)
			if err != nil {
				return reply, err
			}
			k.Vouches = len(said)
			reply.Members = append(reply.Members, k)
		}
	}
	return reply, nil
}

func nobody() api.RemoteMembersReply {
	reply, _ := noMembers(nil)
	return reply
}

// The roles that remote_member_set gives in this store, and not at a hub.
const (
	roleVouched   = "vouched"   // a keeper says that they are who they say
	roleUnvouched = "unvouched" // and takes it back
	roleAccepted  = "accepted"  // the reader lets a keeper say so
	roleDropped   = "dropped"   // and takes it back
	roleOwner     = "owner"     // the owner hands the space over
)

// signedRole does what a role asks that is a person's signed word; ok is false for the hub's roles.
func (e *Exchange) signedRole(
	ctx context.Context, in api.RemoteMemberRequest,
) (reply api.RemoteMembersReply, ok bool, err error) {
	switch in.Role {
	case roleVouched, roleUnvouched:
		reply, err = e.vouch(ctx, in, in.Role == roleUnvouched)
	case roleOwner:
		reply, err = e.handOver(ctx, in)
	case roleAccepted, roleDropped:
		reply, err = e.keeperDecided(ctx, in, in.Role == roleAccepted)
	default:
		return reply, false, nil
	}
	return reply, true, err
}

// keeperDecided lets a keeper of a space say who its members are, for this reader: what those write
// in that space may be listed as observed. It is a person's act and a signed record.
func (e *Exchange) keeperDecided(
	ctx context.Context, in api.RemoteMemberRequest, accept bool,
) (api.RemoteMembersReply, error) {
	none := nobody()
	if err := e.OwnerOnly("decide whose word about members counts"); err != nil {
		return none, err
	}
	if !strings.HasPrefix(in.Account, "did:key:") {
		return none, core.Invalid("account: want a keeper's key, did:key:…, got %q", shorten.To(in.Account, 80))
	}
	r, err := e.remote(ctx, in.Remote)
	if err != nil {
		return none, err
	}
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return none, err
	}
	only := "" // each that the keeper keeps
	if strings.Contains(e.C.Space, "/") {
		only = e.C.Space
	}
	whom := v.Ring.Principal(in.Account)
	if whom == v.Root {
		return none, core.Conflict("%s is your own key", shorten.To(in.Account, 80))
	}
	var records []*memory.Record
	sign := func(k *memory.Key) error {
		rec, err := e.Sign(core.KeyHeader("keeper"), k)
		records = append(records, rec)
		return err
	}
	known := v.Ring.Acceptances(v.Root)
	if accept {
		spaces, err := e.remoteSpaces(ctx, r.Name)
		if err != nil {
			return none, err
		}
		found := false
		for _, space := range spaces {
			if only != "" && only != space || !trust.KeepsSpace(v.Ring, whom, space) {
				continue
			}
			found = true
			if slices.ContainsFunc(known, func(a state.Acceptance) bool { return a.Whom == whom && a.Space == space }) {
				continue
			}
			k := &memory.Key{Op: memory.OpIntroduce, Key: in.Account, Name: state.AcceptanceName(space)}
			if err := sign(k); err != nil {
				return none, err
			}
		}
		if !found {
			return none, core.NotFound("%s keeps no space that %s exchanges; the list of keepers says who does",
				shorten.To(in.Account, 80), r.Name)
		}
	} else {
		for _, a := range known {
			if a.Whom != whom || only != "" && only != a.Space {
				continue
			}
			of := a.Record.Ref()
			if err := sign(&memory.Key{Op: memory.OpRevoke, Key: a.Key, Of: &of, Reason: memory.Superseded}); err != nil {
				return none, err
			}
		}
		if len(records) == 0 {
			return none, core.NotFound("%s is no keeper that you accepted; the list of keepers says whom you did",
				shorten.To(in.Account, 80))
		}
	}
	if len(records) > 0 {
		if err := e.Append(ctx, store.Batch{Records: records}); err != nil {
			return none, err
		}
	}
	return e.keepers(ctx, api.RemoteMembersRequest{Remote: r.Name})
}

// everybody in place of keys is all members that the hub lists.
const everybody = "*"

// vouch says, as a keeper of the space that is written to, that people are who they say. It counts
// for readers who accepted this keeper, in this space alone.
func (e *Exchange) vouch(
	ctx context.Context, in api.RemoteMemberRequest, withdraw bool,
) (api.RemoteMembersReply, error) {
	reply := nobody()
	if err := e.OwnerOnly("vouch for members of a space"); err != nil {
		return reply, err
	}
	if in.Account == "" {
		return reply, core.Invalid("account: name members' keys, separated by commas, or * for all of them")
	}
	r, err := e.remote(ctx, in.Remote)
	if err != nil {
		return reply, err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	reply.Remote = r.Name
	if reply.Space, err = e.WriteSpace(me.Principal); err != nil {
		return reply, err
	}
	v, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return reply, err
	}
	if !trust.KeepsSpace(v.Ring, me.Principal, reply.Space) {
		return reply, &core.Failure{Kind: api.ErrForbidden, Text: "only the owner of " + reply.Space +
			" and keepers whom the owner appointed vouch there; `remote member set` by the owner appoints one"}
	}
	names := make(map[string]string)
	if in.Account == everybody {
		all, err := e.RemoteMembers(ctx, api.RemoteMembersRequest{Remote: r.Name})
		if err != nil {
			return reply, err
		}
		for _, m := range all.Members {
			names[m.Account] = core.Or(m.Name, m.Calls)
		}
	}
	for _, did := range strings.Split(in.Account, ",") {
		if did = strings.TrimSpace(did); in.Account == everybody {
			break
		}
		if !strings.HasPrefix(did, "did:key:") {
			return reply, core.Invalid("account: want keys, did:key:…, got %q", shorten.To(did, 80))
		}
		names[did] = v.NameOf(v.Ring.Principal(did))
	}
	said, err := e.trust.Vouched(e.trust.Reading(ctx), v.Ring, me.Principal, reply.Space)
	if err != nil {
		return reply, err
	}
	var records []*memory.Record
	for _, did := range sortedKeys(names) {
		p, name := v.Ring.Principal(did), shorten.To(names[did], 80)
		was, is := said[p]
		if p == me.Principal || withdraw && !is || !withdraw && is && (was == name || name == "") {
			continue
		}
		m := &memory.Mark{Target: "author:" + did, Verb: trust.VouchVerb, Value: name}
		if withdraw {
			m.Verb, m.Value = trust.UnvouchVerb, ""
		}
		rec, err := e.Sign(memory.Header{
			Space: reply.Space, Confidence: memory.Certain,
			Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "vouch"},
		}, m)
		if err != nil {
			return reply, err
		}
		records = append(records, rec)
	}
	if len(records) > 0 {
		if err := e.Append(ctx, store.Batch{Records: records}); err != nil {
			return reply, err
		}
	}
	if said, err = e.trust.Vouched(e.trust.Reading(ctx), v.Ring, me.Principal, reply.Space); err != nil {
		return reply, err
	}
	for _, p := range sortedKeys(said) {
		reply.Members = append(reply.Members, api.RemoteMember{Account: v.Ring.Current(p), Name: said[p], Role: "vouched"})
	}
	return reply, nil
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sorting.By(out, strings.Compare)
	return out
}
