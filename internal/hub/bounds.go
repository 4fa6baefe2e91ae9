package hub

import (
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// The limits of an account without a quota.
const (
	GivenSpaces       = 1000     // that bear its key
	GivenMessages     = 100      // of it that wait to be fetched
	GivenMessageBytes = 64 << 20 // in them
)

// at returns the part of the hub that serves one space, as a caller may use it.
func (s *Server) at(
	ctx context.Context, who *account, space string, need peer.Role, more ...string,
) (peer.Remote, error) {
	return s.checked(ctx, who, space, need, nil, more...)
}

// checked is at with a check of each record that is stored; nil checks nothing.
func (s *Server) checked(
	ctx context.Context, who *account, space string, need peer.Role, check func(*memory.Record) error, more ...string,
) (peer.Remote, error) {
	role := who.role(space)
	if !role.May(need) || !fullName(space) {
		return nil, errDenied
	}
	archived, err := s.archived.has(ctx, s.o.Store, space, s.o.Now())
	if err != nil {
		return nil, err
	}
	writes := need.May(peer.Writer)
	if archived {
		if role = peer.Reader; writes {
			return nil, errArchived
		}
	}
	if writes {
		if err := s.begin(ctx, who, space); err != nil {
			return nil, err
		}
	}
	keyed, err := s.o.Store.Keyed(ctx, space)
	if err != nil {
		return nil, err
	}
	keyed = slices.DeleteFunc(
		slices.Compact(slices.Sorted(slices.Values(append(keyed, more...)))),
		func(k string) bool { return k == space },
	)
	in := store.Sight{Reads: []string{space}, Keys: keyed}
	if writes {
		in.Writes = in.Reads
	}
	h, err := s.hub(ctx, in)
	if err != nil {
		return nil, err
	}
	return h.For(peer.Caller{Account: who.DID, Roles: map[string]peer.Role{space: role}, Check: check}), nil
}

// given is what a bound is: what the quota says, none where that is below 0, and
// otherwise what everybody has.
func given(quota, everybody int64) (most int64, bound bool) {
	if quota == 0 {
		return everybody, true
	}
	return quota, quota > 0
}

// quotaOf returns the quota of an account; without one it is zero.
func (s *Server) quotaOf(ctx context.Context, did string) (store.Quota, error) {
	all, err := s.o.Store.Quotas(ctx, did)
	if err != nil || len(all) == 0 {
		return store.Quota{}, err
	}
	return all[0], nil
}

// begin begins a space unless it has begun, if its owner has room for one more.
func (s *Server) begin(ctx context.Context, who *account, space string) error {
	if begun, err := s.o.Store.Begun(ctx, space); begun || err != nil {
		return err
	}
	s.begins.Lock()
	defer s.begins.Unlock()
	owner := store.OwnerOf(space)
	q, err := s.quotaOf(ctx, owner)
	if err != nil {
		return err
	}
	if most, bound := given(q.Spaces, GivenSpaces); bound {
		have, err := s.o.Store.SpacesOf(ctx, owner)
		if err != nil {
			return err
		}
		if int64(len(have)) >= most {
			whose := "your account has"
			if owner != who.DID {
				whose = "whose space it is has"
			}
			return fmt.Errorf("%w: %s %d of %d spaces here, and begins no more", peer.ErrQuota, whose, len(have), most)
		}
	}
	return s.o.Store.AddSpace(ctx, space)
}

// checkMessageQuota returns peer.ErrQuota where a message is more than its sender may have
// waiting. One that was sent before is counted once.
func (s *Server) checkMessageQuota(ctx context.Context, l store.Message) error {
	q, err := s.quotaOf(ctx, l.From)
	if err != nil {
		return err
	}
	n, size, err := s.o.Store.MessagesFrom(ctx, l, s.o.Now())
	if err != nil {
		return err
	}
	if most, bound := given(q.Messages, GivenMessages); bound && n >= most {
		return fmt.Errorf("%w: %d of your letters of %d have not been fetched yet", peer.ErrQuota, n, most)
	}
	if most, bound := given(q.MessageBytes, GivenMessageBytes); bound && size+int64(len(l.Body)) > most {
		return fmt.Errorf(
			"%w: your letters that have not been fetched yet have %d bytes, this one %d, of %d", peer.ErrQuota,
			size, len(l.Body), most,
		)
	}
	return nil
}
