package hub

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
)

// mostMade is how many live service accounts one account may have made.
const mostMade = 5000

// addServices lets a keeper make accounts for machines, with at most the keeper's own role.
func (s *Server) addServices(ctx context.Context, who *account, in peer.NewServices) (peer.Services, error) {
	none := peer.Services{}
	if who.Service() {
		return none, refuseDenied("a service account makes no other")
	}
	if len(in.Spaces) == 0 || len(in.Services) == 0 || len(in.Services) > peer.MostServices {
		return none, refuseWrong("name 1 to %d services, and their spaces", peer.MostServices)
	}
	if in.Hours < 0 {
		return none, refuseWrong("a service cannot end before it begins")
	}
	for _, space := range in.Spaces {
		may, err := s.keeps(ctx, who, space)
		if err == nil {
			err = gives(may, in.Role)
		}
		if err != nil {
			return none, err
		}
	}
	before, err := s.o.Store.Services(ctx, who.DID)
	if err != nil {
		return none, err
	}
	now, live := s.o.Now(), map[string]bool{}
	for _, a := range before {
		if a.Live(now) {
			live[a.Name] = true
		}
	}
	if len(live)+len(in.Services) > mostMade {
		return none, refuseWrong("your account has %d service accounts, the most is %d", len(live), mostMade)
	}
	var all []store.Account
	var places []store.Member
	for _, one := range in.Services {
		if _, err := keys.ParseDID(one.Account); err != nil {
			return none, refuseWrong("a service is named by its did:key")
		}
		if one.Name == "" || one.Name != shorten.To(one.Name, mostName) {
			return none, refuseWrong("a service has a name of up to %d characters", mostName)
		}
		if live[one.Name] {
			return none, refuseWrong("you have a service named %s already: revoke it, or use another name", one.Name)
		}
		live[one.Name] = true
		a := store.Account{DID: one.Account, Name: one.Name, Made: now, Maker: who.DID}
		if in.Hours > 0 {
			a.Expires = now.Add(time.Duration(in.Hours) * time.Hour)
		}
		all = append(all, a)
		for _, space := range in.Spaces {
			places = append(places, store.Member{Space: space, Account: one.Account, Role: in.Role, Made: now})
		}
	}
	if err := s.o.Store.AddServices(ctx, all, places); errors.Is(err, store.ErrSpent) {
		return none, refuseWrong("one of those keys has an account already")
	} else if err != nil {
		return none, err
	}
	s.o.Log.Info("services made", "by", who.DID, "services", len(all), "spaces", in.Spaces, "role", in.Role)
	out := peer.Services{Hub: s.o.Name}
	for _, a := range all {
		one, err := s.service(ctx, who, a)
		if err != nil {
			return none, err
		}
		out.Services = append(out.Services, one)
	}
	return out, nil
}

// services lists what somebody made, and what is in a space that they keep.
func (s *Server) services(ctx context.Context, who *account, in peer.ServicesRequest) (peer.Services, error) {
	out := peer.Services{Hub: s.o.Name, Services: []peer.Service{}}
	seen, err := s.seenServices(ctx, who, in.Space)
	if err != nil {
		return out, err
	}
	for _, a := range seen {
		one, err := s.service(ctx, who, a)
		if err != nil {
			return out, err
		}
		out.Services = append(out.Services, one)
	}
	return out, nil
}

// seenServices returns the service accounts that somebody may see.
func (s *Server) seenServices(ctx context.Context, who *account, space string) ([]store.Account, error) {
	if who.Service() {
		return nil, refuseDenied("a service account manages no other")
	}
	made, err := s.o.Store.Services(ctx, who.DID)
	if err != nil || space == "" || !who.keeper(space) {
		return made, err
	}
	members, err := s.o.Store.Members(ctx, space, "")
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		a, err := s.accountOf(ctx, m.Account)
		if err != nil {
			return nil, err
		}
		if a.Service() && a.Maker != who.DID {
			made = append(made, a)
		}
	}
	return made, nil
}

// keeper reports whether an account decides who is in a space.
func (a *account) keeper(space string) bool { return fullName(space) && a.role(space).May(peer.Keeper) }

// service returns what is known of a service account, and to who did not make it what concerns their spaces.
func (s *Server) service(ctx context.Context, who *account, a store.Account) (peer.Service, error) {
	out := peer.Service{Account: a, Places: []store.Member{}, Tokens: []store.Token{}, Stored: []peer.Stored{}}
	mine := a.Maker == who.DID
	places, err := s.o.Store.Members(ctx, "", a.DID)
	if err != nil {
		return out, err
	}
	for _, m := range places {
		if mine || who.keeper(m.Space) {
			out.Places = append(out.Places, m)
		}
	}
	tokens, err := s.o.Store.Tokens(ctx, a.DID)
	if err != nil {
		return out, err
	}
	out.Tokens = append(out.Tokens, tokens...)
	stored, err := s.o.Store.Brought(ctx, a.DID)
	for _, q := range stored {
		if mine || who.keeper(q.Of) {
			out.Stored = append(out.Stored, peer.Stored{Space: q.Of, Records: q.Records, Bytes: q.Bytes})
		}
	}
	return out, err
}

// endService ends a service account at once: its tokens, its roles and its invitations. Ended twice, it is one. What it
// stored stays, and is counted in the answer.
func (s *Server) endService(ctx context.Context, who *account, in peer.EndService) (peer.Services, error) {
	out := peer.Services{Hub: s.o.Name, Services: []peer.Service{}}
	seen, err := s.seenServices(ctx, who, in.Space)
	if err != nil {
		return out, err
	}
	named := slices.DeleteFunc(seen, func(a store.Account) bool { return a.DID != in.Service && a.Name != in.Service })
	ended := func(a store.Account) bool { return !a.Ended.IsZero() }
	if live := slices.DeleteFunc(slices.Clone(named), ended); len(live) > 0 {
		named = live // earlier ones of the same name were revoked before
	}
	switch {
	case len(named) == 0:
		return out, refuseAbsent("no service of that name or key")
	case len(named) > 1 && named[0].Ended.IsZero():
		return out, refuseWrong("%d services are named so: name the key of one", len(named))
	}
	a := named[len(named)-1]
	if a.Maker != who.DID {
		places, err := s.o.Store.Members(ctx, "", a.DID)
		if err != nil {
			return out, err
		}
		if slices.ContainsFunc(places, func(m store.Member) bool { return !who.keeper(m.Space) }) {
			return out, refuseDenied("that service is in spaces that you do not keep: remove it from yours as a member")
		}
	}
	if err := s.o.Store.EndAccount(ctx, a.DID, s.o.Now()); err != nil && !errors.Is(err, store.ErrAbsent) {
		return out, err
	}
	s.o.Log.Info("service ended", "by", who.DID, "account", a.DID, "service", a.Name)
	if a, err = s.o.Store.Account(ctx, a.DID); err != nil {
		return out, err
	}
	one, err := s.service(ctx, who, a)
	out.Services = append(out.Services, one)
	return out, err
}
