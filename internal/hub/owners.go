package hub

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Who owns a space follows from the signed records that are stored in it, by the rules by which
// every reader judges. What the hub keeps of it is a copy, so that each request need not judge.

// spaceRing returns the key records of those who wrote in a space.
func (s *Server) spaceRing(ctx context.Context, space string) (*state.Keyring, error) {
	keyed, err := s.o.Store.Keyed(ctx, space)
	if err != nil {
		return nil, err
	}
	keyed = slices.DeleteFunc(keyed, func(k string) bool { return k == space })
	v, err := s.o.Store.Within(ctx, store.Sight{Reads: []string{space}, Keys: keyed})
	if err != nil {
		return nil, err
	}
	ring, err := v.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	return ring.Clone(), nil
}

// tooLate returns the lines that name a next owner of a space, and that its owner here did not sign.
// Of two handovers by one person the earlier date counts in every store, so that whoever handed
// over could take the space back with an old date. Here the first to come keeps others out.
func (s *Server) tooLate(
	ctx context.Context, in peer.Push, heirs []int, about []*memory.Record,
) (late []int, err error) {
	if begun, err := s.o.Store.Begun(ctx, in.Space); err != nil || !begun {
		return nil, err
	}
	ring, err := s.spaceRing(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	before := ring.Tenures(in.Space)
	for _, r := range about {
		ring.Add(r)
	}
	after := ring.Tenures(in.Space)
	kept := len(after) >= len(before)
	for i := range before {
		kept = kept && (before[i].By == after[i].By || before[i].By != nil && after[i].By != nil &&
			before[i].By.ID == after[i].By.ID)
	}
	v, err := s.o.Store.Within(ctx, store.Sight{Reads: []string{in.Space}})
	if err != nil {
		return nil, err
	}
	for _, i := range heirs {
		r, err := envelope.Read(in.Lines[i])
		if err != nil {
			continue
		}
		items, err := v.Get(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		owns := kept && slices.ContainsFunc(after[len(before)-1:], func(t state.Tenure) bool {
			return t.Owner == ring.Principal(r.Header.Author)
		})
		if !owns && items[0] == nil { // what is held is asked again when an answer was lost
			late = append(late, i)
		}
	}
	return late, nil
}

// handedOver keeps who owns a space if a record about that came.
func (s *Server) handedOver(ctx context.Context, space string, about []*memory.Record) error {
	if !slices.ContainsFunc(about, func(r *memory.Record) bool {
		k, ok := r.Body.(*memory.Key)
		return ok && r.Header.Space == space && k.Op == memory.OpRevoke && k.Of != nil
	}) {
		return nil
	}
	return s.learnOwner(ctx, space, "")
}

// learnFor is learnOwner before somebody manages a space: what they may do there follows from it.
func (s *Server) learnFor(ctx context.Context, who *account, space string) error {
	known := who.owners[space]
	if err := s.learnOwner(ctx, space, known); err != nil {
		return err
	}
	all, err := s.owners.all(ctx, s.o.Store, s.o.Now())
	if who.owners = all; err != nil || all[space] == known {
		return err
	}
	places, err := s.o.Store.Members(ctx, space, who.DID)
	delete(who.roles, space)
	for _, m := range places {
		who.roles[space] = peer.Role(m.Role)
	}
	return err
}

// learnOwner keeps who owns a space by the records held, unless it is known. An earlier version of
// the hub stored handovers and kept nothing of them.
func (s *Server) learnOwner(ctx context.Context, space, known string) error {
	ring, err := s.spaceRing(ctx, space)
	if err != nil {
		return err
	}
	owner, handed := ring.Owner(space)
	if !handed || owner == known {
		return nil
	}
	if err := s.o.Store.SetOwner(ctx, store.Member{
		Space: space, Account: owner, Role: store.Owner, Made: s.o.Now(),
	}); err != nil {
		return err
	}
	s.owners.again()
	s.o.Log.Info("space handed over", "space", space, "owner", owner)
	return nil
}
