package lifecycle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// againstDecided returns the link between a new memory of an agent and the memory by which a person decided
// otherwise, nil if there is none. `remember` compares new memories with all others; the other ways to write one
// compare with decisions only.
func (e *Lifecycle) againstDecided(ctx context.Context, r *memory.Record) (*memory.Record, error) {
	until := r.Header.ValidUntil
	if e.isPerson() || !states(r) || !until.IsZero() && !e.C.Now().Before(until.Time()) {
		return nil, nil
	}
	new := &store.Item{Ref: r.Ref(), Record: r}
	old, again, err := e.replacedByPerson(ctx, r)
	if err != nil {
		return nil, err
	}
	if again == nil {
		if old, again, err = e.decidedOtherwise(ctx, nil, new); err != nil || again == nil {
			return nil, err
		}
	}
	var out Outcome
	if err := e.Relate(ctx, &out, new, old, again, memory.OriginAgent); err != nil {
		return nil, err
	}
	return out.Records[0], nil
}

// states reports whether a memory states what is so. An episode tells what happened, and contradicts no decision.
func states(r *memory.Record) bool { return slices.Contains(ComparedKinds, r.Header.Kind) }

// decidedOtherwise finds by rules the memory of a person that a new one updates or contradicts, and how.
func (e *Lifecycle) decidedOtherwise(
	ctx context.Context, l *looked, new *store.Item,
) (*store.Item, *evolve.Relation, error) {
	base, err := e.trust.Reading(ctx).Voices()
	if err != nil {
		return nil, nil, err
	}
	items, hits, err := e.alike(ctx, l, new.Record, true)
	if err != nil {
		return nil, nil, err
	}
	more, also, err := e.alike(ctx, l, new.Record, false)
	if err != nil {
		return nil, nil, err
	}
	had := make(map[memory.ID]bool)
	old, err := e.comparable(ctx, l, new.Record, append(items, more...), append(hits, also...), e.shown(), func(
		it *store.Item,
	) bool {
		was := had[it.Ref.ID]
		had[it.Ref.ID] = true
		return was || !states(it.Record) || !base.PersonSays(it)
	})
	if err != nil || len(old) == 0 {
		return nil, nil, err
	}
	it, all := standing.Seen(new.Record), seenOf(old)
	found := evolve.Allowed(evolve.Rules(it, all), it, len(all))
	if found == nil || found.Type != memory.Update && found.Type != memory.Contradict {
		return nil, nil, nil
	}
	return old[found.Candidate], found, nil
}

// withDecided adds to a batch, whose first record is a new memory, what ties it to a person's decision. What a person
// writes and approves in one act is one: it is tied to what agents wrote before and which it goes against.
func (e *Lifecycle) withDecided(ctx context.Context, b *store.Batch) error {
	if e.isPerson() {
		return e.overrules(ctx, b)
	}
	link, err := e.againstDecided(ctx, b.Records[0])
	if err != nil || link == nil {
		return err
	}
	b.Records = append(b.Records, link)
	return nil
}

// overrules adds the links between a person's new memory and those of agents, and of a decision with other decisions,
// that it updates or contradicts.
func (e *Lifecycle) overrules(ctx context.Context, b *store.Batch) error {
	r := b.Records[0]
	if !slices.ContainsFunc(b.Records, func(r *memory.Record) bool {
		m, ok := r.Body.(*memory.Mark)
		return ok && m.Verb == memory.Approve
	}) {
		return nil
	}
	until := r.Header.ValidUntil
	if !states(r) || !until.IsZero() && !e.C.Now().Before(until.Time()) {
		return nil
	}
	base, err := e.trust.Reading(ctx).Voices()
	if err != nil {
		return err
	}
	said := make(map[string]bool) // one link is enough for all that state the same
	old, err := e.candidatesBut(ctx, nil, r, func(it *store.Item) bool {
		line := standing.Stated(it.Record)
		was := said[line]
		if !states(it.Record) || was || base.PersonSays(it) &&
			!(it.State.Review == state.ReviewApproved && isDecision(it.Record) && isDecision(r)) {
			return true
		}
		said[line] = true
		return false
	})
	if err != nil || len(old) == 0 {
		return err
	}
	new := &store.Item{Ref: r.Ref(), Record: r}
	it, all := standing.Seen(r), seenOf(old)
	var out Outcome
	for i := range all {
		found := evolve.Allowed(evolve.Rules(it, all[i:i+1]), it, 1)
		if found == nil || found.Type != memory.Update && found.Type != memory.Contradict {
			continue
		}
		if err := e.Relate(ctx, &out, new, old[i], found, memory.OriginAgent); err != nil {
			return err
		}
	}
	b.Records = append(b.Records, out.Records...)
	return nil
}

// mostTied is how many of the memories approved in one act are compared.
const mostTied = 50

// isDecision reports whether a memory is a note of what was decided: of two of them one may go against the other, while
// other notes that people approve stand side by side.
func isDecision(r *memory.Record) bool {
	n, ok := r.Body.(*memory.Note)
	return ok && n.Type == "decision"
}

// tieApproved returns the links of decisions that are being approved with those that people took before and which they
// go against: nobody may have compared them when they were written.
func (e *Lifecycle) tieApproved(ctx context.Context, items []*store.Item) ([]*memory.Record, error) {
	var out Outcome
	for _, it := range items[:min(mostTied, len(items))] {
		if it.Record == nil || !it.State.Live() || !isDecision(it.Record) {
			continue
		}
		old, found, err := e.decidedOtherwise(ctx, nil, it)
		if err != nil {
			return out.Records, err
		}
		if found == nil || !isDecision(old.Record) || !e.Compares(old.Record, it.Record) {
			continue // a link lies where both do
		}
		new := it
		if old.Record.Header.At.Time().After(it.Record.Header.At.Time()) { // the newer one goes against the older
			new, old = old, it
			n := standing.Seen(new.Record)
			found = evolve.Allowed(evolve.Rules(n, seenOf([]*store.Item{old})), n, 1)
		}
		if found == nil || found.Type != memory.Update && found.Type != memory.Contradict {
			continue
		}
		if err := e.Relate(ctx, &out, new, old, found, memory.OriginAgent); err != nil {
			return nil, err
		}
	}
	return out.Records, nil
}

func seenOf(items []*store.Item) []evolve.Memory {
	out := make([]evolve.Memory, len(items))
	for i, it := range items {
		out[i] = standing.Seen(it.Record)
	}
	return out
}
