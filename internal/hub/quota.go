package hub

import (
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// spare returns peer.ErrQuota where a push might bring more than is allowed, with all
// that is under way. What it counts for the push is held until done is called.
func (s *Server) spare(ctx context.Context, who *account, in peer.Push) (done func(), err error) {
	done = func() {}
	quotas, err := s.o.Store.Quotas(ctx)
	quotas = slices.DeleteFunc(quotas, func(q store.Quota) bool { return q.Of != in.Space && q.Of != who.DID })
	if err != nil || len(quotas) == 0 {
		return done, err
	}
	records, size := int64(len(in.Lines)), int64(0)
	for _, l := range in.Lines {
		size += int64(len(l))
	}
	comes := s.coming(records, size, in.Space, who.DID)
	done = func() { s.coming(-records, -size, in.Space, who.DID) }
	// read after: what was charged meanwhile counts twice rather than not at all
	ofSpace, ofAccount, err := s.o.Store.Used(ctx, in.Space, who.DID)
	if err != nil {
		done()
		return func() {}, err
	}
	for _, q := range quotas {
		used, what := ofAccount, "your account"
		if q.Of == in.Space {
			used, what = ofSpace, "the space"
		}
		c := comes[q.Of]
		if q.Records > 0 && used.Records+c.Records > q.Records || q.Bytes > 0 && used.Bytes+c.Bytes > q.Bytes {
			done()
			return func() {}, fmt.Errorf("%w: %s has %d records of %d and %d bytes of %d", peer.ErrQuota, what, used.Records, q.Records, used.Bytes, q.Bytes)
		}
	}
	return done, nil
}

// coming adds to what pushes that are under way may bring, and gives what that is now.
func (s *Server) coming(records, size int64, of ...string) map[string]store.Quota {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]store.Quota)
	for _, name := range of {
		c := s.under[name]
		c.Records, c.Bytes = c.Records+records, c.Bytes+size
		if out[name] = c; c == (store.Quota{}) {
			delete(s.under, name)
		} else {
			s.under[name] = c
		}
	}
	return out
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
	slices.SortFunc(sizes, func(a, b int) int { return b - a })
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
