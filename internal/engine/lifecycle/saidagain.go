package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// replacedByPerson finds the current memory that a person put in the place of one which said the
// same as r, of whatever kind, or the one that says the same and that a person ended. It returns what
// ties r to it too: an update that a person decides. It returns nil if there is none. Rules and models compare
// current memories only, and would not see it.
func (e *Lifecycle) replacedByPerson(ctx context.Context, r *memory.Record) (*store.Item, *evolve.Relation, error) {
	if until := r.Header.ValidUntil; !until.IsZero() && !e.C.Now().Before(until.Time()) {
		return nil, nil, nil // it says what was so
	}
	terms := words.Query(shorten.To(core.Compared(r), mostComparedBytes))
	if len(terms) == 0 {
		return nil, nil, nil
	}
	hits, err := e.Store.Match(ctx, store.Match{
		Terms: terms, Spaces: e.ComparedSpaces(r.Header.Space), Kinds: ComparedKinds, Hidden: true,
		Limit: mostSame, Least: len(terms),
	})
	if err != nil {
		return nil, nil, core.Classify(err)
	}
	ids := make([]memory.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	items, err := e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, nil, core.Classify(err)
	}
	links, err := e.standing.LinksOf(e.trust.Reading(ctx), r.ID)
	if err != nil {
		return nil, nil, err
	}
	linked := make(map[memory.ID]bool)
	for _, l := range links {
		if b, ok := l.Record.Body.(*memory.Link); ok {
			linked[b.Source.ID] = true
		}
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, it := range items {
		if it == nil || it.Record == nil || e.Elsewhere(it) || it.Ref.ID == r.ID ||
			standing.Stated(it.Record) != standing.Stated(r) {
			continue
		}
		now, by, verb, err := e.endedBy(ctx, it, who)
		if err != nil {
			return nil, nil, err
		}
		if now == nil || by == nil || now.Ref.ID == r.ID || linked[now.Ref.ID] ||
			verb == replacedIt && standing.Stated(now.Record) == standing.Stated(r) {
			continue
		}
		base, err := e.trust.Reading(ctx).Voices()
		if err != nil {
			return nil, nil, err
		}
		return now, &evolve.Relation{
			Type: memory.Update, Confidence: 1, Detector: standing.SaidAgain, Reason: "said again after " +
				shorten.To(core.Or(base.NameOf(who.Voice(by).Principal), "a person"), 60) +
				verb + core.Day(by.Header.At),
		}, nil
	}
	return nil, nil, nil
}

// How a person ended what a memory said.
const (
	replacedIt = " replaced it on "
	endedIt    = " ended it on "
)

// endedBy returns the current memory that a person put in the place of another, or by which they ended it, and the
// record by which they did.
func (e *Lifecycle) endedBy(
	ctx context.Context, it *store.Item, who state.Voices,
) (now *store.Item, by *memory.Record, verb string, err error) {
	if !it.State.SupersededBy.IsZero() {
		now, by, err = e.successor(ctx, it, who)
		return now, by, replacedIt, err
	}
	until := it.Record.Header.ValidUntil
	if !it.State.Live() || until.IsZero() || e.C.Now().Before(until.Time()) {
		return nil, nil, "", nil
	}
	person, err := e.standing.SaidByPerson(e.trust.Reading(ctx), it, who)
	if err != nil || !person {
		return nil, nil, "", err
	}
	return it, it.Record, endedIt, nil
}

// successor returns the current memory that took the place of a superseded one, and the record
// by which a person replaced it; nil where there is none.
func (e *Lifecycle) successor(
	ctx context.Context, old *store.Item, who state.Voices,
) (now *store.Item, by *memory.Record, err error) {
	now = old
	for seen := map[memory.ID]bool{}; !now.State.SupersededBy.IsZero() && !seen[now.Ref.ID]; {
		seen[now.Ref.ID] = true
		next, err := e.One(ctx, now.State.SupersededBy)
		if err != nil || next == nil || next.Record == nil {
			return nil, nil, err
		}
		if by == nil {
			if by, err = e.replacedWith(ctx, now, next, who); err != nil {
				return nil, nil, err
			}
		}
		now = next
	}
	if !now.State.Live() {
		return nil, nil, nil
	}
	return now, by, nil
}

// replacedWith returns the record by which a person put a memory in the place of another: the
// memory, if it is their word, or their decision; nil is that no person did.
func (e *Lifecycle) replacedWith(
	ctx context.Context, old, next *store.Item, who state.Voices,
) (*memory.Record, error) {
	if person, err := e.standing.SaidByPerson(e.trust.Reading(ctx), next, who); person || err != nil {
		return next.Record, err
	}
	links, err := e.standing.LinksOf(e.trust.Reading(ctx), old.Ref.ID)
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		if b, ok := l.Record.Body.(*memory.Link); ok && b.Relation == memory.Update && b.Source == old.Ref &&
			b.Target == next.Ref && who.Voice(l.Record).Owner {
			return l.Record, nil
		}
	}
	return nil, nil
}
