package hub

import (
	"errors"
	"net/http"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/hub/signin"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// joinPerson lets in a person whom the OpenID provider signed in. The ID token was made for this account and for the
// key that proves the request; the account's key signed the ID token.
func (s *Server) joinPerson(
	w http.ResponseWriter, r *http.Request, in client.Join, a store.Account, t store.Token, text string,
) {
	denied := func(reason string) {
		s.o.Log.Warn("not let in", "account", a.DID, "key", in.Key, "error", reason, "address", address(r))
		access.Refuse(w, http.StatusForbidden, "denied", reason)
	}
	set, err := s.signIn.settings(r.Context(), s.o.Store, s.o.Now())
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case set.Issuer == "":
		denied("people do not sign in at this hub: use an invitation")
		return
	case t.Key == "":
		denied("a sign-in needs a request that is signed by the key of the machine")
		return
	}
	nonce := peer.SignInNonce(s.o.Name, in.Challenge, in.Account, t.Key)
	who, err := s.signIn.verifier.Verify(r.Context(), set, in.IDToken, nonce)
	switch {
	case errors.Is(err, signin.ErrToken):
		denied(err.Error())
		return
	case errors.Is(err, signin.ErrProvider):
		s.o.Log.Warn("not let in", "account", a.DID, "error", err.Error())
		w.Header().Set("Retry-After", "10")
		access.Refuse(w, http.StatusServiceUnavailable, "unavailable", "the hub cannot get the OpenID provider's keys")
		return
	case err != nil:
		s.fail(w, r, err)
		return
	}
	a.Subject, a.Email = who.Subject, who.Email
	if err := s.o.Store.SignIn(r.Context(), a, t); errors.Is(err, store.ErrSubject) {
		denied(err.Error())
		return
	} else if err != nil {
		s.fail(w, r, err)
		return
	}
	s.noteGiven(r, t, in.Key)
	s.o.Log.Info("signed in", "account", a.DID, "key", in.Key, "subject", a.Subject, "token", t.ID)
	s.admitted(r, joinTurns)
	s.reply(w, r, client.Joined{
		Hub: s.o.Name, Account: a.DID, Token: text, TokenID: t.ID, Expires: t.Expires, Ends: t.Ends, Bound: true,
	})
}

// exchange gets the ID token of somebody who signs in from a provider that wants the secret of the application. It is
// of use to no one else: its nonce names the account and the machine. The secret stays here.
func (s *Server) exchange(w http.ResponseWriter, r *http.Request) {
	var in client.Exchange
	if !s.readUpTo(w, r, &in, mostStranger, mostStranger) {
		return
	}
	denied := func(reason string) {
		s.o.Log.Warn("not let in", "error", reason, "address", address(r))
		access.Refuse(w, http.StatusForbidden, "denied", reason)
	}
	set, err := s.signIn.settings(r.Context(), s.o.Store, s.o.Now())
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case !s.challenged(in.Challenge, challengeLasts+signin.Waits):
		denied("the challenge is not one of this hub, or too old: ask for another")
		return
	case set.Issuer == "" || set.ClientSecret == "":
		denied("this hub exchanges no codes")
		return
	}
	token, err := set.Exchange(r.Context(), s.o.Web, in.Code)
	switch {
	case errors.Is(err, signin.ErrRefused):
		denied(err.Error())
		return
	case err != nil:
		s.o.Log.Warn("not let in", "error", err.Error())
		w.Header().Set("Retry-After", "10")
		access.Refuse(w, http.StatusServiceUnavailable, "unavailable", "the OpenID provider does not answer the hub")
		return
	}
	s.admitted(r, 1)
	s.reply(w, r, client.Exchanged{IDToken: token})
}
