package hub

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// Bounds on messages.
const (
	maxMessage   = 4 << 20
	messageLasts = 30 * 24 * time.Hour
)

// longestMessageID is the length of the longest name of a message.
const longestMessageID = 100

// messageID reports whether a text is a name for a message.
func messageID(s string) bool {
	return len(s) > 0 && len(s) <= longestMessageID && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '_' || r == '-')
	}) < 0
}

// send stores a message for an account that shares a space with the caller. The hub does not
// read it: the recipient verifies it.
func (s *Server) send(w http.ResponseWriter, r *http.Request, who *account) {
	var l store.Message
	if !s.read(w, r, &l) {
		return
	}
	if !messageID(l.ID) || l.Re != "" && !messageID(l.Re) || len(l.Body) == 0 ||
		len(l.Body) > maxMessage {
		access.Refuse(
			w, http.StatusUnprocessableEntity, "request",
			"a message needs an ID of letters and digits, and a text of up to 4 MiB",
		)
		return
	}
	ctx, now := r.Context(), s.o.Now()
	shares, err := s.share(ctx, who, l.To)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if !shares {
		access.Refuse(w, http.StatusNotFound, "not_found", "no account with that key shares a space with you")
		return
	}
	l.From, l.Made = who.DID, now
	s.begins.Lock()
	defer s.begins.Unlock()
	if err := s.checkMessageQuota(ctx, l); err != nil {
		s.fail(w, r, err)
		return
	}
	if last := now.Add(messageLasts); l.Expires.IsZero() || l.Expires.After(last) {
		l.Expires = last
	}
	if err := s.o.Store.PutMessage(ctx, l); err != nil {
		s.fail(w, r, err)
		return
	}
	s.counts.inbox.Add(1)
	w.WriteHeader(http.StatusNoContent)
}

// share reports whether two accounts are members of one space, or one of a space of
// the other.
func (s *Server) share(ctx context.Context, who *account, other string) (bool, error) {
	places, err := s.o.Store.Members(ctx, "", other)
	if err != nil || other == who.DID {
		return false, err
	}
	for _, m := range places {
		if who.role(m.Space).May(peer.Reader) {
			return true, nil
		}
	}
	for space := range who.roles {
		if who.owner(space) == other {
			_, err := s.o.Store.Account(ctx, other)
			return err == nil, nil
		}
	}
	return false, nil
}

func (s *Server) inbox(w http.ResponseWriter, r *http.Request, who *account) {
	all, err := s.o.Store.Messages(r.Context(), who.DID, s.o.Now())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.reply(w, r, peer.Inbox{Messages: all})
}

func (s *Server) message(w http.ResponseWriter, r *http.Request, who *account) {
	l, err := s.o.Store.Message(r.Context(), r.PathValue("id"), who.DID, s.o.Now())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.reply(w, r, l)
}

func (s *Server) drop(w http.ResponseWriter, r *http.Request, who *account) {
	if err := s.o.Store.DropMessage(r.Context(), r.PathValue("id"), who.DID); err != nil {
		s.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
