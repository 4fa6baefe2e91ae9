package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// serviceVersion is that of the file with which a machine joins.
const serviceVersion = 1

// RemoteServiceAdd makes service accounts at a hub, for spaces that its person keeps there. The private keys are made
// here, and are in the reply alone.
func (e *Exchange) RemoteServiceAdd(
	ctx context.Context, in api.RemoteInviteRequest,
) (api.RemoteMembersReply, error) {
	if err := e.OwnerOnly("let a machine into a space"); err != nil {
		return remoteServices(api.Remote{}, peer.Services{}, err)
	}
	role, err := hubRole(core.Or(in.Role, string(store.Writer)))
	if err != nil {
		return remoteServices(api.Remote{}, peer.Services{}, err)
	}
	if role.AtLeast(store.Keeper) {
		return remoteServices(api.Remote{}, peer.Services{}, core.Invalid(
			"role: a machine decides for no one and manages no members; give it reader or writer, got %q", in.Role,
		))
	}
	names, err := serviceNames(in)
	if err != nil {
		return remoteServices(api.Remote{}, peer.Services{}, err)
	}
	var files []peer.ServiceFile
	r, got, err := keeping(ctx, e, in.Remote, func(hub peer.Servicing, space string) (peer.Services, error) {
		spaces, err := e.fullNames(in.Spaces, space)
		if err != nil {
			return peer.Services{}, err
		}
		asked, at := peer.NewServices{Spaces: spaces, Role: role, Hours: in.Hours}, hub.Where()
		for _, name := range names {
			ring, did, err := e.NewRing()
			if err != nil {
				return peer.Services{}, err
			}
			asked.Services = append(asked.Services, peer.NewService{Account: did, Name: name})
			files = append(files, peer.ServiceFile{
				Version: serviceVersion, Name: name, Address: at.Address, CA: at.CA, Insecure: at.Insecure, Account: did,
				Spaces: spaces, Role: role, Owner: ring.Owner, Agent: ring.Agent, Identity: ring.Identity,
			})
		}
		return hub.AddServices(ctx, asked)
	})
	if err == nil && len(got.Services) != len(files) {
		err = &core.Failure{Kind: api.ErrUnavailable, Text: fmt.Sprintf("remote %s: the hub made %d of %d services", r.Name,
			len(got.Services), len(files))}
	}
	reply, err := remoteServices(r, got, err)
	if err != nil {
		return reply, err
	}
	for i, f := range files {
		f.Hub, f.Expires = got.Hub, reply.Services[i].Expires
		raw, err := json.Marshal(f)
		if err != nil {
			return reply, err
		}
		reply.Files = append(reply.Files, raw)
	}
	return reply, nil
}

// serviceNames returns the names of the services that are asked for.
func serviceNames(in api.RemoteInviteRequest) ([]string, error) {
	const most = 60
	if in.Service == "" || len(in.Service) > most || strings.ContainsFunc(in.Service, func(c rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_.", c)
	}) || strings.HasPrefix(in.Service, ".") {
		return nil, core.Invalid("service: want up to %d small letters, digits, -, _ and ., got %q", most,
			shorten.To(in.Service, 80))
	}
	if in.Count < 0 || in.Count > peer.MostServices {
		return nil, core.Invalid("count: must be 1 to %d, got %d", peer.MostServices, in.Count)
	}
	if in.Hours < 0 {
		return nil, core.Invalid("hours: must not be below 0, got %d", in.Hours)
	}
	if in.Count == 0 {
		return []string{in.Service}, nil
	}
	names := make([]string, in.Count)
	for i := range names {
		names[i] = fmt.Sprintf("%s-%03d", in.Service, i+1)
	}
	return names, nil
}

// fullNames returns the full names of spaces; none are the one that writes go to.
func (e *Exchange) fullNames(spaces []string, otherwise string) ([]string, error) {
	if len(spaces) == 0 {
		return []string{otherwise}, nil
	}
	me, err := e.OwnKeys()
	if err != nil {
		return nil, err
	}
	out := make([]string, 0, len(spaces))
	for _, s := range spaces {
		if err := core.CheckSpace(s); err != nil || s == core.AllSpaces {
			return nil, core.Invalid("spaces: %q is not the name of a space", shorten.To(s, 80))
		}
		if !strings.Contains(s, "/") {
			s = me.Principal + "/" + s
		}
		out = append(out, s)
	}
	return out, nil
}

// services lists service accounts at a hub: those that its person made, and those in a space that they keep.
func (e *Exchange) services(ctx context.Context, in api.RemoteMembersRequest) (api.RemoteMembersReply, error) {
	r, got, err := keeping(ctx, e, in.Remote, func(hub peer.Servicing, space string) (peer.Services, error) {
		return hub.Services(ctx, peer.ServicesRequest{Space: space})
	})
	return remoteServices(r, got, err)
}

// RemoteServiceRevoke ends a service account at once: its tokens open nothing any more, and it gets no new ones. What
// it stored stays, and is counted.
func (e *Exchange) RemoteServiceRevoke(
	ctx context.Context, in api.RemoteMemberRequest,
) (api.RemoteMembersReply, error) {
	if err := e.OwnerOnly("revoke a service account"); err != nil {
		return remoteServices(api.Remote{}, peer.Services{}, err)
	}
	if in.Account == "" {
		return remoteServices(
			api.Remote{}, peer.Services{}, core.Invalid("account: give the name or the did:key of a service"),
		)
	}
	if in.Role != "" {
		return remoteServices(api.Remote{}, peer.Services{}, core.Invalid("a service is revoked as a whole: name it alone"))
	}
	r, got, err := keeping(ctx, e, in.Remote, func(hub peer.Servicing, space string) (peer.Services, error) {
		return hub.EndService(ctx, peer.EndService{Service: in.Account, Space: space})
	})
	return remoteServices(r, got, err)
}

func remoteServices(r api.Remote, got peer.Services, err error) (api.RemoteMembersReply, error) {
	reply, _ := noMembers(nil)
	reply.Remote = r.Name
	if err != nil {
		return reply, err
	}
	said := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return memory.At(t).String()
	}
	for _, s := range got.Services {
		one := api.RemoteService{
			Name: s.Account.Name, Account: s.Account.DID, By: s.Account.Maker,
			Made: said(s.Account.Made), Expires: said(s.Account.Expires), Revoked: said(s.Account.Ended),
			Places: []api.ServicePlace{}, Tokens: []api.ServiceToken{}, Stored: []api.SpaceCount{},
		}
		for _, m := range s.Places {
			one.Places = append(one.Places, api.ServicePlace{Space: m.Space, Role: string(m.Role)})
		}
		for _, t := range s.Tokens {
			one.Tokens = append(one.Tokens, api.ServiceToken{
				ID: t.ID, Label: t.Label, Used: said(t.Used), Address: t.Address, Revoked: !t.Revoked.IsZero(),
			})
		}
		for _, w := range s.Stored {
			one.Stored = append(one.Stored, api.SpaceCount{Space: w.Space, Records: w.Records})
		}
		reply.Services = append(reply.Services, one)
	}
	return reply, nil
}
