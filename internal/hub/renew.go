package hub

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/store"
)

// renew gives a token another secret, to whoever has the key that it is bound to, and binds one of an earlier release.
// A token that expired is renewed like any other, until it ends for good: a machine may have been off.
func (s *Server) renew(w http.ResponseWriter, r *http.Request) {
	text, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	key, err := s.proven(r, text)
	if errors.Is(err, errClock) {
		s.clockOff(w)
		return
	}
	var in client.Renew
	if err != nil || len(text) > 256 {
		unknown(w)
		return
	}
	if !s.readUpTo(w, r, &in, mostStranger, mostStranger) {
		return
	}
	t, who, err := s.renewable(r.Context(), text, in.TokenID, key)
	if errors.Is(err, store.ErrAbsent) {
		unknown(w)
		return
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	var kept store.Secret
	text, kept = NewToken()
	t.Secret, t.Expires = kept, s.until(who, t)
	if err := s.o.Store.RenewToken(r.Context(), t); errors.Is(err, store.ErrAbsent) {
		unknown(w) // it was revoked at this moment
		return
	} else if err != nil {
		s.fail(w, r, err)
		return
	}
	tell(r, who)
	s.note(r, who)
	s.admitted(r, 1)
	s.reply(w, r, client.Renewed{Token: text, TokenID: t.ID, Expires: t.Expires, Ends: t.Ends})
}

// renewable returns the token that a key may renew, and its account; store.ErrAbsent where there is none.
func (s *Server) renewable(ctx context.Context, text, id, key string) (store.Token, *account, error) {
	none := func(err error) (store.Token, *account, error) { return store.Token{}, nil, err }
	t, err := s.o.Store.Token(ctx, sha256.Sum256([]byte(text)))
	switch {
	case errors.Is(err, store.ErrAbsent): // its secret was replaced: the id and the key say which it is
		if t, err = s.o.Store.TokenOf(ctx, id); err != nil {
			return none(err)
		}
	case err != nil:
		return none(err)
	case t.Key == "" && t.Good(s.o.Name, s.o.Now()):
		if err := s.o.Store.BindToken(ctx, t.ID, key); err != nil && !errors.Is(err, store.ErrAbsent) {
			return none(err)
		}
		s.o.Log.Info("token bound to a key", "account", t.Account, "token", t.ID, "key", key)
		if t, err = s.o.Store.TokenOf(ctx, t.ID); err != nil {
			return none(err)
		}
	}
	if t.Key != key || !t.Renewable(s.o.Name, s.o.Now()) {
		return none(store.ErrAbsent)
	}
	who, err := s.accountWith(ctx, t)
	return t, who, err
}

// until returns when a token expires that is given now.
func (s *Server) until(who *account, t store.Token) time.Time {
	lasts := s.o.Person
	if who.Service() {
		lasts = s.o.Service
	}
	at := s.o.Now().Add(lasts)
	for _, end := range []time.Time{t.Ends, who.Expires} {
		if !end.IsZero() && end.Before(at) {
			at = end
		}
	}
	return at
}

// mostMachines is how many tokens of one service are good at once: its key makes a new one each time it joins.
const mostMachines = 200

// joinService lets the machine of a service account in: its key is all it needs.
func (s *Server) joinService(w http.ResponseWriter, r *http.Request, t store.Token, text string) {
	a, err := s.o.Store.Account(r.Context(), t.Account)
	switch {
	case errors.Is(err, store.ErrAbsent) || err == nil && !a.Service():
		access.Refuse(w, http.StatusForbidden, "denied", store.ErrSpent.Error())
		return
	case err != nil:
		s.fail(w, r, err)
		return
	case !a.Live(t.Made):
		s.o.Log.Warn("not let in", "account", t.Account, "service", a.Name, "address", address(r))
		access.Refuse(w, http.StatusForbidden, "denied", "the service account was revoked, or has expired")
		return
	}
	all, err := s.o.Store.Tokens(r.Context(), a.DID)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	live := slices.DeleteFunc(all, func(t store.Token) bool { return !t.Good(s.o.Name, s.o.Now()) })
	if len(live) >= mostMachines {
		access.RefuseFor(w, time.Minute, "too many machines joined as this service within its token's time")
		return
	}
	who := &account{Account: a}
	t.Ends = a.Expires
	t.Expires = s.until(who, t)
	if err := s.o.Store.JoinService(r.Context(), t); errors.Is(err, store.ErrAbsent) {
		access.Refuse(w, http.StatusForbidden, "denied", "the service account was revoked, or has expired")
		return
	} else if err != nil {
		s.fail(w, r, err)
		return
	}
	// it is not noted which key it was given to: it ends with any stolen key of the service
	s.o.Log.Info("joined", "account", a.DID, "service", a.Name, "token", t.ID, "address", address(r))
	s.admitted(r, joinTurns)
	s.reply(w, r, client.Joined{
		Hub: s.o.Name, Account: a.DID, Token: text, TokenID: t.ID, Expires: t.Expires, Ends: t.Ends,
		Bound: true,
	})
}
