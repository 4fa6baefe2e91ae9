package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// An account is a principal: the key that began its owner's history. Which key speaks
// for it now follows from the signed records in its own spaces here, by the same rules
// by which every reader judges, and from nothing that a caller says.

// mostShown bounds the key records that somebody shows who wants to be let in.
const mostShown = 64

// ringOf returns the key records of an account that are stored here.
func (s *Server) ringOf(ctx context.Context, account string) (*state.Keyring, error) {
	own, err := s.o.Store.SpacesOf(ctx, account)
	if err != nil {
		return nil, err
	}
	if len(own) == 0 {
		return new(state.Keyring), nil
	}
	v, err := s.o.Store.Within(ctx, store.Sight{Reads: own})
	if err != nil {
		return nil, err
	}
	ring, err := v.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	return ring.Clone(), nil
}

// errEnded says that a key does not speak for an account.
var errEnded = errors.New("does not speak for the account")

// speaks returns an error unless a key speaks for an account: it is the account's key or a
// successor, and was neither replaced nor revoked. Shown are the key records that a joining
// client sent. They count after the stored ones, so that nobody can get ahead of the account's
// owner.
func (s *Server) speaks(ctx context.Context, account, key string, shown []peer.Line) error {
	if len(shown) > mostShown {
		return fmt.Errorf("%w: %d key records, the most is %d", errEnded, len(shown), mostShown)
	}
	ring, err := s.ringOf(ctx, account)
	if err != nil {
		return err
	}
	for _, v := range envelope.ReadAll(shown) {
		if v.Err == nil {
			ring.Add(v.Record)
		}
	}
	switch {
	case ring.Principal(key) != account:
		return fmt.Errorf("%w: nothing shows that it follows the account's key", errEnded)
	case ring.Current(account) != key:
		return fmt.Errorf("%w: it was replaced by another", errEnded)
	case ring.Revoked(key, account) != nil:
		return fmt.Errorf("%w: it was taken back", errEnded)
	}
	return nil
}

// owns reports whether a record was signed by the owner of its space: with the key in the
// space's name, or a successor by the stored records and those before it.
func (s *Server) owns(ctx context.Context, r *memory.Record, came []*memory.Record) (bool, error) {
	owner := store.OwnerOf(r.Header.Space)
	if owner == r.Header.Author {
		return true, nil
	}
	ring, err := s.ringOf(ctx, owner)
	if err != nil {
		return false, err
	}
	for _, k := range came {
		ring.Add(k)
	}
	return ring.Principal(r.Header.Author) == owner, nil
}

// tokenNote is where it is kept which key a token was given to.
func tokenNote(id string) string { return "token/" + id }

// notes returns where notes about an account are kept.
func (s *Server) notes(ctx context.Context, account string) (store.Store, error) {
	return s.o.Store.Within(ctx, store.Sight{Reads: []string{account + "/main"}})
}

// noteToken keeps which key a token was given to.
func (s *Server) noteToken(ctx context.Context, t store.Token, key string) error {
	v, err := s.notes(ctx, t.Account)
	if err == nil {
		err = v.SwapNote(ctx, tokenNote(t.ID), nil, []byte(key))
	}
	return err
}

// noteGiven notes which key a token was given to. Where that fails, the token ends with any stolen key.
func (s *Server) noteGiven(r *http.Request, t store.Token, key string) {
	if err := s.noteToken(r.Context(), t, key); err != nil {
		s.o.Log.Warn("not noted whose token it is", "token", t.ID, "error", err.Error())
	}
}

// heard logs what newly stored records changed about the keys of accounts, and ends the tokens
// that a stolen key received.
func (s *Server) heard(ctx context.Context, about []*memory.Record, acks peer.Acks) error {
	for _, r := range about {
		k := r.Body.(*memory.Key)
		if k.Op != memory.OpRotate && k.Op != memory.OpRevoke || !slices.Contains(acks.Stored, r.ID) &&
			!slices.Contains(acks.Held, r.ID) {
			continue
		}
		account := store.OwnerOf(r.Header.Space)
		ring, err := s.ringOf(ctx, account)
		if err != nil {
			return err
		}
		if k.Op == memory.OpRotate {
			if past := ring.History(account); slices.Contains(past, k.Previous) && slices.Contains(past, k.Key) {
				s.o.Log.Info("key replaced", "account", account, "from", k.Previous, "to", k.Key, "record", r.ID.String())
			} else {
				s.o.Log.Warn(
					"a rotation does not count", "account", account, "from", k.Previous, "to", k.Key, "by",
					r.Header.Author, "record", r.ID.String(),
				)
			}
			continue
		}
		if v := ring.Revoked(k.Key, account); k.Of == nil && (v == nil || v.ID != r.ID) {
			s.o.Log.Warn(
				"a revocation does not count", "account", account, "key", k.Key, "by", r.Header.Author, "record",
				r.ID.String(),
			)
			continue
		}
		s.o.Log.Info("key taken back", "account", account, "key", k.Key, "reason", k.Reason, "record", r.ID.String())
		if k.Of == nil && k.Reason == memory.Compromised && slices.Contains(ring.History(account), k.Key) {
			if err := s.endTokens(ctx, account, k.Key); err != nil {
				return err
			}
		}
	}
	return nil
}

// endTokens ends the tokens of an account that a key was given, or no one knows which.
func (s *Server) endTokens(ctx context.Context, account, key string) error {
	all, err := s.o.Store.Tokens(ctx, account)
	if err != nil || len(all) == 0 {
		return err
	}
	v, err := s.notes(ctx, account)
	if err != nil {
		return err
	}
	now := s.o.Now()
	for _, t := range all {
		if !t.Revoked.IsZero() {
			continue
		}
		given, err := v.Note(ctx, tokenNote(t.ID))
		if err != nil {
			return err
		}
		if len(given) > 0 && string(given) != key {
			continue
		}
		if err := s.o.Store.RevokeToken(ctx, t.ID, account, now); err != nil && !errors.Is(err, store.ErrAbsent) {
			return err
		}
		s.o.Log.Warn("token ended, its key was stolen", "account", account, "token", t.ID, "key", key)
	}
	return nil
}
