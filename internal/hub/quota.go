package hub

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// waitsFor is how long a push waits for others that may yet leave it room.
const waitsFor = 5 * time.Second

// spare returns peer.ErrQuota where a push might bring more than is allowed, with all
// that is under way. What it counts for the push is held until done is called. Pushes
// under way count for all they might bring, and for a moment for what was charged
// too: where there would be room without them, their end is waited for, and who has
// none then is refused.
func (s *Server) spare(ctx context.Context, who *account, in peer.Push) (done func(), err error) {
	done = func() {}
	quotas, err := s.o.Store.Quotas(ctx, in.Space, who.DID)
	quotas = slices.DeleteFunc(quotas, func(q store.Quota) bool { return q.Records == 0 && q.Bytes == 0 })
	if err != nil || len(quotas) == 0 {
		return done, err
	}
	records, size := int64(len(in.Lines)), int64(0)
	for _, l := range in.Lines {
		size += int64(len(l))
	}
	timer := time.NewTimer(waitsFor)
	defer timer.Stop()
	for {
		ended, err := s.admit(ctx, quotas, records, size, in.Space, who.DID)
		if err == nil {
			return func() { s.coming(-records, -size, in.Space, who.DID) }, nil
		}
		if ended == nil {
			return done, err
		}
		select {
		case <-ended:
		case <-timer.C:
			return done, fmt.Errorf("%w: what others bring fills the quota, and may not stay", store.ErrBusy)
		case <-ctx.Done():
			return done, ctx.Err()
		}
	}
}

// admit counts a push in if it fits, one at a time. If only running pushes prevent that, it
// returns a channel that is closed when one of them ends.
func (s *Server) admit(
	ctx context.Context, quotas []store.Quota, records, size int64, space, did string,
) (ended <-chan struct{}, err error) {
	s.admits.Lock()
	defer s.admits.Unlock()
	under, next := s.underWay(space, did)
	// read after: what was charged meanwhile counts twice rather than not at all
	ofSpace, ofAccount, err := s.o.Store.Used(ctx, space, did)
	if err != nil {
		return nil, err
	}
	for _, q := range quotas {
		used, what := ofAccount, "your account"
		if q.Of == space {
			used, what = ofSpace, "the space"
		}
		beyond := func(c store.Quota) bool {
			return q.Records > 0 && used.Records+c.Records+records > q.Records || q.Bytes > 0 &&
				used.Bytes+c.Bytes+size > q.Bytes
		}
		if !beyond(under[q.Of]) {
			continue
		}
		err := fmt.Errorf(
			"%w: %s has %d records of %d and %d bytes of %d", peer.ErrQuota, what, used.Records, q.Records,
			used.Bytes, q.Bytes,
		)
		if under[q.Of] == (store.Quota{}) {
			return nil, err
		}
		return next, err
	}
	s.coming(records, size, space, did)
	return nil, nil
}

// underWay returns how much running pushes may store, and a channel that is closed when one of
// them ends.
func (s *Server) underWay(of ...string) (map[string]store.Quota, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]store.Quota)
	for _, name := range of {
		out[name] = s.under[name]
	}
	if s.ended == nil {
		s.ended = make(chan struct{})
	}
	return out, s.ended
}

// coming adds to what pushes that are under way may bring. Below 0, one has ended.
func (s *Server) coming(records, size int64, of ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range of {
		c := s.under[name]
		c.Records, c.Bytes = c.Records+records, c.Bytes+size
		if c == (store.Quota{}) {
			delete(s.under, name)
		} else {
			s.under[name] = c
		}
	}
	if records < 0 && s.ended != nil {
		close(s.ended)
		s.ended = nil
	}
}

// charge notes what an account brought. The records are there already: where it
// fails, the caller asks again, and is charged for nothing. Which of them were new is not
// known where some were there before, and the largest count.
func (s *Server) charge(ctx context.Context, who *account, in peer.Push, acks peer.Acks) error {
	if acks.Added == 0 {
		return nil
	}
	var sizes []int
	for i, l := range in.Lines {
		if !slices.ContainsFunc(acks.Refused, func(r peer.Refusal) bool { return r.Line == i }) {
			sizes = append(sizes, len(l))
		}
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	size := 0
	for _, n := range sizes[:min(len(sizes), acks.Added)] {
		size += n
	}
	err := s.o.Store.Charge(context.WithoutCancel(ctx), in.Space, who.DID, int64(acks.Added), int64(size))
	if err != nil {
		s.o.Log.Warn("not charged", "account", who.DID, "space", in.Space, "records", acks.Added, "error", err.Error())
	}
	return nil
}
