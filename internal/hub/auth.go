package hub

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// The prefixes of the hub's secrets, by which people and secret scanners recognize them.
const (
	tokenPrefix = "stemma-hub-"
	codePrefix  = "stemma-invitation-"
)

// NewToken and NewCode make secrets that cannot be guessed, and return the hashes to store.
func NewToken() (text string, kept store.Secret) { return newSecret(tokenPrefix) }

// NewCode makes the code of an invitation.
func NewCode() (text string, kept store.Secret) { return newSecret(codePrefix) }

func newSecret(prefix string) (string, store.Secret) {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	text := prefix + base64.RawURLEncoding.EncodeToString(b)
	return text, sha256.Sum256([]byte(text))
}

// NewID makes a public id of a token or an invitation.
func NewID() string {
	b := make([]byte, 6)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// fullName reports whether a space is named with its owner.
func fullName(space string) bool {
	owner, name, full := strings.Cut(space, "/")
	return full && strings.HasPrefix(owner, "did:key:") && memory.CheckSpaceName(name) == nil
}

// unknown is the one answer to a token that is malformed, revoked, expired or of another hub.
func unknown(w http.ResponseWriter) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	access.Refuse(w, http.StatusUnauthorized, access.KindUnauthorized, "no token that this hub knows")
}

// newDoors bounds how often strangers at one address ask, in requests a second. Who joins gives both turns back, so
// that a crowd of machines behind one address joins one after the other. now is nil for the clock.
func newDoors(now func() time.Time) *access.Limiter {
	return access.NewLimiter(access.Limit{Rate: 20, Burst: 100, Now: now})
}

// address returns from where a request came. Behind a proxy it is the proxy's.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// admitted gives back the turns of somebody who proved to be no stranger.
func (s *Server) admitted(r *http.Request, turns int) { s.doors.Give(address(r), turns) }

// door lets in those who are not known yet, not too often.
func (s *Server) door(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if wait := s.doors.Take(address(r)); wait > 0 {
			access.RefuseFor(w, wait, "too many requests from accounts that have not joined")
			return
		}
		next(w, r)
	}
}

// answersWithin is how long the database may take to say whose a token is. One that takes longer is away.
const answersWithin = 10 * time.Second

// a call is a request of somebody who is known.
type call func(w http.ResponseWriter, r *http.Request, who *account)

// known asks who is asking, and bounds how much and how often.
func (s *Server) known(next call) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || len(text) > 256 {
			unknown(w)
			return
		}
		busy := func() {
			w.Header().Set("Retry-After", "1")
			access.Refuse(w, http.StatusServiceUnavailable, "unavailable", "the hub has as much to do as it can")
		}
		// it is not known yet who takes up this room, so that it is another one
		select {
		case s.lobby <- struct{}{}:
		default:
			busy()
			return
		}
		known, cancel := context.WithTimeout(r.Context(), answersWithin)
		asked := r.WithContext(known)
		who, err := s.account(asked, text)
		r.Body = asked.Body // it is compared with what was proven while it is read
		cancel()
		<-s.lobby
		if errors.Is(err, store.ErrAbsent) {
			unknown(w)
			return
		}
		if errors.Is(err, errClock) {
			s.clockOff(w)
			return
		}
		if err != nil {
			s.fail(w, r, err)
			return
		}
		tell(r, who)
		s.note(r, who)
		if wait := s.limit.Take(who.DID); wait > 0 {
			access.RefuseFor(w, wait, "too many requests by one account")
			return
		}
		if !s.enters(who.DID) {
			access.RefuseFor(w, time.Second, "too many requests at once by one account")
			return
		}
		defer s.leaves(who.DID)
		select {
		case s.room <- struct{}{}:
			defer func() { <-s.room }()
		default:
			busy()
			return
		}
		next(w, r, who)
	}
}

// account returns who asks with a token; store.ErrAbsent for one that opens nothing, or that is bound to a key which
// did not sign the request.
func (s *Server) account(r *http.Request, text string) (*account, error) {
	ctx := r.Context()
	t, err := s.o.Store.Token(ctx, sha256.Sum256([]byte(text)))
	if err != nil {
		return nil, err
	}
	if !t.Good(s.o.Name, s.o.Now()) {
		return nil, store.ErrAbsent
	}
	if t.Key != "" {
		key, err := s.proven(r, text)
		if errors.Is(err, errClock) {
			return nil, err
		}
		if err != nil || key != t.Key {
			s.o.Log.Warn("a token was shown without a proof of its key", "token", t.ID, "account", t.Account,
				"address", address(r))
			return nil, store.ErrAbsent
		}
	}
	return s.accountWith(ctx, t)
}

// accountWith returns the account of a token that is good.
func (s *Server) accountWith(ctx context.Context, t store.Token) (*account, error) {
	a, err := s.o.Store.Account(ctx, t.Account)
	if err != nil {
		return nil, err
	}
	if !a.Live(s.o.Now()) {
		return nil, store.ErrAbsent
	}
	places, err := s.o.Store.Members(ctx, "", a.DID)
	if err != nil {
		return nil, err
	}
	who := &account{Account: a, token: t, roles: make(map[string]peer.Role)}
	for _, m := range places {
		who.roles[m.Space] = peer.Role(m.Role)
	}
	who.owners, err = s.owners.all(ctx, s.o.Store, s.o.Now())
	return who, err
}

// enters lets an account ask one thing more at once. It has an eighth of the room, so
// that none keeps the others out.
func (s *Server) enters(did string) bool {
	const part = 8
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inside[did] >= max(2, cap(s.room)/part) {
		return false
	}
	s.inside[did]++
	return true
}

func (s *Server) leaves(did string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inside[did]--; s.inside[did] == 0 {
		delete(s.inside, did)
	}
}
