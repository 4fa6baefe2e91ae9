package hub

import (
	"context"
	"errors"
	"slices"

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

// handing are the lines of a push that may hand spaces over, by space: in which space they come decides nothing.
type handing map[string]map[int]*memory.Record

// add adds a line if its record names a next owner, or takes back what may name one.
func (h handing) add(line int, r *memory.Record) {
	k, ok := r.Body.(*memory.Key)
	if !ok || state.NamesHeir(r) == "" && (k.Op != memory.OpRevoke || k.Of == nil) {
		return
	}
	if h[r.Header.Space] == nil {
		h[r.Header.Space] = make(map[int]*memory.Record)
	}
	h[r.Header.Space][line] = r
}

// tooLate returns the lines that hand a space over, and that its owner here did not sign.
// Of two handovers by one person the earlier date counts in every store, so that a person who handed
// over could take the space back with an old date. Here the first to come keeps others out, also
// where only the name of another heir came before it.
func (s *Server) tooLate(ctx context.Context, heirs handing, about []*memory.Record) (late []int, err error) {
	for space, lines := range heirs {
		some, err := s.tooLateIn(ctx, space, lines, about)
		if err != nil {
			return nil, err
		}
		late = append(late, some...)
	}
	slices.Sort(late)
	return late, nil
}

func (s *Server) tooLateIn(
	ctx context.Context, space string, lines map[int]*memory.Record, about []*memory.Record,
) (late []int, err error) {
	if begun, err := s.o.Store.Begun(ctx, space); err != nil || !begun {
		return nil, err
	}
	ring, err := s.spaceRing(ctx, space)
	if err != nil {
		return nil, err
	}
	before := ring.Tenures(space)
	for _, r := range about {
		ring.Add(r)
	}
	after := ring.Tenures(space)
	kept := len(after) >= len(before)
	for i := range before {
		kept = kept && (before[i].By == after[i].By || before[i].By != nil && after[i].By != nil &&
			before[i].By.ID == after[i].By.ID)
	}
	v, err := s.o.Store.Within(ctx, store.Sight{Reads: []string{space}})
	if err != nil {
		return nil, err
	}
	for i, r := range lines {
		if ring.HandsOver(r) == "" {
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

// errOvertaken says that a space was handed over after a push that hands it over was judged.
var errOvertaken = errors.New("the space was handed over at the same moment")

// mostOvertaken is how often one push is judged by what is stored then.
const mostOvertaken = 5

// stillInTime returns what asks of each new record, in the transaction that stores it, whether its signer
// may still hand the space over. Of two pushes that were judged at once only one may be stored.
func (s *Server) stillInTime(
	ctx context.Context, heirs handing, about []*memory.Record,
) func(*memory.Record) error {
	if len(heirs) == 0 {
		return nil
	}
	asked, judged := make(map[memory.ID]bool), false
	return func(r *memory.Record) error {
		if asked[r.ID] { // the transaction is tried again
			clear(asked)
			judged = false
		}
		if asked[r.ID] = true; judged || !heirs.has(r) {
			return nil
		}
		judged = true // once for all: each judging reads the keys of a space
		late, err := s.tooLate(ctx, heirs, about)
		if err == nil && len(late) > 0 {
			err = errOvertaken
		}
		return err
	}
}

// has reports whether a record is one of the lines.
func (h handing) has(r *memory.Record) bool {
	for _, l := range h[r.Header.Space] {
		if l.ID == r.ID {
			return true
		}
	}
	return false
}

// drop leaves lines out.
func (h handing) drop(lines []int) {
	for space, of := range h {
		for _, i := range lines {
			delete(of, i)
		}
		if len(of) == 0 {
			delete(h, space)
		}
	}
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
