package hub

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/http"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/hub/signin"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
)

// challengeLasts is how long a challenge can be answered.
const challengeLasts = 5 * time.Minute

// A challenge is a time, random bytes and what only the hub can make of both: none
// is kept, and any process of the hub takes it.
const challengeBytes = 8 + 16 + sha256.Size

func (s *Server) newChallenge() string {
	b := binary.BigEndian.AppendUint64(nil, uint64(s.o.Now().UnixMilli()))
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	b = append(b, random...)
	return base64.RawURLEncoding.EncodeToString(append(b, s.mac(b)...))
}

func (s *Server) mac(b []byte) []byte {
	m := hmac.New(sha256.New, s.secret[:])
	m.Write(b)
	return m.Sum(nil)
}

// challenged reports whether a challenge is ours, and not too old.
func (s *Server) challenged(text string, lasts time.Duration) bool {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) != challengeBytes || !hmac.Equal(b[24:], s.mac(b[:24])) {
		return false
	}
	age := s.o.Now().Sub(time.UnixMilli(int64(binary.BigEndian.Uint64(b))))
	return age >= 0 && age < lasts
}

func (s *Server) challenge(w http.ResponseWriter, r *http.Request) {
	set, err := s.signIn.settings(r.Context(), s.o.Store, s.o.Now())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	out := client.Challenge{Hub: s.o.Name, Challenge: s.newChallenge()}
	if set.Issuer != "" {
		offer := set.Public()
		out.SignIn = &offer
	}
	s.reply(w, r, out)
}

// mostName bounds the names that accounts and tokens choose.
const mostName = 100

// joinTurns is how many requests joining takes: one for the challenge, and one to join.
const joinTurns = 2

// join admits a client with an invitation and the account's key. The reason of a refusal is
// sent only where it cannot help somebody who guesses.
func (s *Server) join(w http.ResponseWriter, r *http.Request) {
	var in client.Join
	if r.Header.Get(peer.ProofHeader) == "" {
		access.Refuse(w, http.StatusForbidden, "denied",
			"the request is not signed by the key of a machine: join with a newer version of stemma")
		return
	}
	machine, err := s.proven(r, "") // the token is bound to this key
	if errors.Is(err, errClock) {
		s.clockOff(w)
		return
	} else if err != nil {
		access.Refuse(w, http.StatusForbidden, "denied", "the request is not signed by the key that it names")
		return
	}
	if !s.readUpTo(w, r, &in, mostStranger, mostStranger) {
		return
	}
	in.Key = cmp.Or(in.Key, in.Account)
	for _, did := range []string{in.Account, in.Key} {
		if _, err := keys.ParseDID(did); err != nil {
			access.Refuse(w, http.StatusUnprocessableEntity, "request", "the account is not a valid did:key")
			return
		}
	}
	code, lasts := in.Invitation, challengeLasts
	if in.IDToken != "" {
		if code != "" {
			access.Refuse(w, http.StatusUnprocessableEntity, "request", "join with an invitation or an ID token, not both")
			return
		}
		code, lasts = in.IDToken, challengeLasts+signin.Waits // the person signs in between
	}
	if !s.challenged(in.Challenge, lasts) {
		access.Refuse(w, http.StatusForbidden, "denied", "the challenge is not one of this hub, or too old: ask for another")
		return
	}
	claim := peer.NewClaim(in.Account, in.Key, s.o.Name, in.Challenge, code, machine)
	if err := claim.Verify(in.Sig); err != nil {
		access.Refuse(
			w, http.StatusForbidden, "denied", "the account did not sign that it wants to join this hub with "+
				"this invitation and the machine's key that signs the request",
		)
		return
	}
	if err := s.speaks(r.Context(), in.Account, in.Key, in.Keys); err != nil {
		if !errors.Is(err, errEnded) {
			s.fail(w, r, err)
			return
		}
		s.o.Log.Warn("not let in", "account", in.Account, "key", in.Key, "error", err.Error())
		access.Refuse(w, http.StatusForbidden, "denied", "the key "+err.Error())
		return
	}
	now := s.o.Now()
	text, kept := NewToken()
	t := store.Token{
		ID: NewID(), Secret: kept, Account: in.Account, Audience: s.o.Name, Label: shorten.To(in.Label, mostName),
		Made: now, Expires: now.Add(s.o.Person), Key: machine, Ends: now.Add(s.o.Token),
	}
	a := store.Account{DID: in.Account, Name: shorten.To(in.Name, mostName), Made: now}
	if in.IDToken != "" {
		s.joinPerson(w, r, in, a, t, text)
		return
	}
	if in.Invitation == "" {
		s.joinService(w, r, t, text)
		return
	}
	i, err := s.o.Store.Join(r.Context(), sha256.Sum256([]byte(in.Invitation)), a, t)
	if errors.Is(err, store.ErrSpent) {
		access.Refuse(w, http.StatusForbidden, "denied", store.ErrSpent.Error())
		return
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.noteGiven(r, t, in.Key)
	s.o.Log.Info("joined", "account", a.DID, "key", in.Key, "space", i.Space, "role", i.Role, "token", t.ID)
	s.admitted(r, joinTurns)
	s.reply(w, r, client.Joined{
		Hub: s.o.Name, Account: a.DID, Space: i.Space, Role: i.Role, Token: text, TokenID: t.ID, Expires: t.Expires,
		Ends: t.Ends, Bound: true,
	})
}

// leave ends the token that was shown.
func (s *Server) leave(w http.ResponseWriter, r *http.Request, who *account) {
	if err := s.o.Store.RevokeToken(r.Context(), who.token.ID, who.DID, s.o.Now()); err != nil &&
		!errors.Is(err, store.ErrAbsent) {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
