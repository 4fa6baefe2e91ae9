package removal

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Forget leaves memories out of lists, searches and packs, whatever rests on them. Nothing is
// removed: they stay readable by ref, traces show that they were forgotten, and Recover
// restores them. Protected memories are refused.
func (e *Removal) Forget(ctx context.Context, in api.ForgetRequest) (api.ForgetReply, error) {
	s := &saying{e: e, verb: memory.Forget, contrary: memory.Recover, reason: in.Reason, may: state.MayHide}
	s.takesOut = true
	reply, err := s.of(ctx, in.Refs, func(it *store.Item) (bool, error) {
		if it.State.Protected {
			return false, standing.Protected(it)
		}
		return it.State.Forgotten && s.said(ctx, it), nil
	})
	if err == nil && reply.Claim != "" {
		reply.Hint, err = e.restsStill(ctx, core.IDsOf(core.RefsOf(s.todo)))
	}
	return reply, err
}

// Recover restores forgotten memories. One mark of a run may have forgotten many; it is
// reversed for the named ones. Restoring counts as an access, since somebody asked for them.
func (e *Removal) Recover(ctx context.Context, in api.ForgetRequest) (api.ForgetReply, error) {
	refs, err := e.forgottenBy(ctx, in.Refs)
	if err != nil {
		return api.ForgetReply{Memories: []api.Memory{}}, err
	}
	s := &saying{e: e, verb: memory.Recover, contrary: memory.Forget, reason: in.Reason, may: state.MayHide}
	reply, err := s.of(ctx, refs, func(it *store.Item) (bool, error) { return !it.State.Forgotten, nil })
	if err != nil {
		return reply, err
	}
	e.Touch(ctx, core.IDsOf(core.RefsOf(s.todo))...)
	reply.Hint, err = e.hiddenStill(ctx, refs)
	return reply, err
}

// Protect keeps memories from being forgotten until Unprotect.
func (e *Removal) Protect(ctx context.Context, in api.ForgetRequest) (api.ForgetReply, error) {
	s := &saying{e: e, verb: memory.Protect, contrary: memory.Unprotect, reason: in.Reason, may: state.May}
	return s.of(ctx, in.Refs, func(it *store.Item) (bool, error) { return it.State.Protected, nil })
}

// Unprotect takes a protection back. Of a value or a drive it lets Forget forget
// it; no run ever does.
func (e *Removal) Unprotect(ctx context.Context, in api.ForgetRequest) (api.ForgetReply, error) {
	s := &saying{e: e, verb: memory.Unprotect, contrary: memory.Protect, reason: in.Reason, may: state.May}
	return s.of(ctx, in.Refs, func(it *store.Item) (bool, error) { return !it.State.Protected, nil })
}

// saying is one verb being said of memories.
type saying struct {
	e              *Removal
	verb, contrary string
	reason         string
	may            func(state.Voice, *memory.Record, state.Voices) bool
	takesOut       bool          // out of what is current
	todo           []*store.Item // those of which it is new
}

// of marks those memories of which it is not so already: all, or none.
func (s *saying) of(ctx context.Context, refs []string, is func(*store.Item) (bool, error)) (api.ForgetReply, error) {
	reply := api.ForgetReply{Memories: []api.Memory{}}
	if len(refs) == 0 {
		return reply, core.Invalid("refs: name at least one memory")
	}
	items, err := s.e.ResolveAll(ctx, refs)
	if err != nil {
		return reply, err
	}
	v, err := s.e.Voice()
	if err != nil {
		return reply, err
	}
	who, err := s.e.Keyring(ctx)
	if err != nil {
		return reply, err
	}
	for _, it := range items {
		short := it.Ref.Short()
		switch {
		case !it.Ref.Kind.IsMemory():
			return reply, core.Invalid("%s is not a memory but a %s", short, it.Ref.Kind)
		case it.Record == nil:
			return reply, core.Conflict("%s was purged", short)
		}
		if s.takesOut {
			if err := s.e.standing.TakesOut(s.e.trust.Reading(ctx), it, s.verb+" it"); err != nil {
				return reply, err
			}
		}
		if !s.may(v, it.Record, who) {
			return reply, &core.Failure{
				Kind: api.ErrForbidden,
				Text: short + " is not yours to " + s.verb + "; its owner does it, at a terminal",
			}
		}
		done, err := is(it)
		if err != nil {
			return reply, err
		}
		if !done {
			s.todo = append(s.todo, it)
		}
	}
	if len(s.todo) > 0 {
		claims, err := s.mark(ctx, v, who)
		if err != nil {
			return reply, err
		}
		reply.Claim = claims[0].Ref().String()
	}
	after, err := s.e.Store.Get(ctx, core.IDsOf(core.RefsOf(items))...)
	if err != nil {
		return reply, core.Classify(err)
	}
	reply.Memories, err = s.e.views.Views(s.e.trust.Reading(ctx), after...)
	return reply, err
}

// said reports whether somebody whose word is worth as much as this one's said the verb of a memory that it
// holds of: for a person a person did, since an agent can take back what only an agent said.
func (s *saying) said(ctx context.Context, it *store.Item) bool {
	if s.e.C.Origin != memory.OriginOwner {
		return true
	}
	who, err := s.e.Keyring(ctx)
	if err != nil {
		return true
	}
	before, err := s.e.saidOf(ctx, []memory.ID{it.Ref.ID}, who, s.verb)
	return err != nil || before.byOwner[it.Ref.ID]
}

// mark says the verb, later than whatever was said to the contrary, unless the
// owner decided and an agent speaks.
func (s *saying) mark(ctx context.Context, v state.Voice, who state.Voices) ([]*memory.Record, error) {
	said, err := s.e.saidOf(ctx, core.IDsOf(core.RefsOf(s.todo)), who, s.verb, s.contrary)
	if err != nil {
		return nil, err
	}
	for _, it := range s.todo {
		if !v.Owner && said.byOwner[it.Ref.ID] {
			return nil, &core.Failure{
				Kind: api.ErrForbidden,
				Text: "the owner decided about " + it.Ref.Short() + "; only a person can " + s.verb + " it now",
			}
		}
	}
	now, later := s.e.C.Now(), said.last.Add(time.Millisecond)
	if now.After(later) {
		later = now
	}
	marks, err := s.e.Marks(ctx, core.Marking{Verb: s.verb, Reason: s.reason, At: later}, s.todo...)
	if err != nil {
		return nil, err
	}
	return marks, s.e.Append(ctx, store.Batch{Records: marks})
}

// said is what marks said of records.
type said struct {
	last    time.Time          // when the last of them was said
	byOwner map[memory.ID]bool // those with a mark by the owner
}

// saidOf finds the marks of some verbs that speak of records.
func (e *Removal) saidOf(ctx context.Context, ids []memory.ID, who state.Voices, verbs ...string) (said, error) {
	out := said{byOwner: make(map[memory.ID]bool)}
	marks, err := e.trust.Reading(ctx).Speaking(ids, memory.KindMark)
	if err != nil {
		return out, err
	}
	soon := e.C.Now().Add(trust.AheadBy)
	for _, it := range marks {
		m, ok := it.Record.Body.(*memory.Mark)
		if !ok || !slices.Contains(verbs, m.Verb) {
			continue
		}
		if at := it.Record.Header.At.Time(); at.After(out.last) && !at.After(soon) {
			out.last = at
		}
		if who.Voice(it.Record).Owner {
			for _, ref := range memory.Subjects(m) {
				out.byOwner[ref.ID] = true
			}
		}
	}
	return out, nil
}

// restsStill says what goes on to rest on records alone that were forgotten; "" is
// nothing.
func (e *Removal) restsStill(ctx context.Context, ids []memory.ID) (string, error) {
	b, err := lineage.Radius(ctx, e.Store, ids...)
	if err != nil {
		return "", core.Classify(err)
	}
	items, err := e.Store.Get(ctx, slices.DeleteFunc(b.Order, func(id memory.ID) bool { return b.Survives[id] })...)
	if err != nil {
		return "", core.Classify(err)
	}
	live := 0
	for _, it := range items {
		if it != nil && it.State.Live() {
			live++
		}
	}
	if live == 0 {
		return "", nil
	}
	return "shown still, although on that alone rests what they say: " + core.Plural(live, "record"), nil
}
