package lifecycle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// rememberRejected keeps words that say what a person rejected, and marks them: no
// memory is made of them. done reports whether they do.
func (e *Lifecycle) rememberRejected(
	ctx context.Context, r *memory.Record, redacted []api.Redaction, reply *api.RememberReply,
) (done bool, err error) {
	it, rejection, err := e.rejected(ctx, r, 1)
	if err != nil || rejection == nil || rejection.Alike {
		return false, err
	}
	mark, err := e.SaidMark(it, r.Ref(), "remember")
	if err != nil {
		return false, err
	}
	if reply.WriteReply, err = e.Write(ctx, store.Batch{Records: []*memory.Record{r, mark}}, redacted); err != nil {
		return false, err
	}
	rejection.Raw = r.Ref().String()
	reply.Rejected = rejection
	reply.Hint = rejectionWords(rejection) + "; it said the same. The words are kept; no memory is made of them"
	if e.isPerson() {
		reply.Hint += ". To remember it all the same, use `again=true`"
	}
	return true, nil
}

// saidBefore finds the current memory of the space that would say the same as a new one: of
// the same kind, type and valid times, by the same principal, from words of the same origin. A
// tainted memory does not count: the user's own sentence makes its own memory. Nor does one against
// which something newer stands: what is said again then is the newest.
func (e *Lifecycle) saidBefore(ctx context.Context, new *memory.Record, origin memory.Origin) (*store.Item, error) {
	same, err := e.sameBefore(ctx, new)
	if err != nil {
		return nil, err
	}
	for _, it := range same {
		folds, err := e.foldsOnto(ctx, it, origin)
		if err != nil {
			return nil, err
		}
		if !folds {
			continue
		}
		if newer, _, err := e.newerAgainst(ctx, it); newer == nil || err != nil {
			return it, err
		}
	}
	return nil, nil
}

// sameBefore returns the current memories of the space that say the same as a new one of this owner: of the same
// kind, type and valid times.
func (e *Lifecycle) sameBefore(ctx context.Context, new *memory.Record) ([]*store.Item, error) {
	if !new.Header.Kind.Form().OneLine {
		return nil, nil
	}
	terms := words.Query(shorten.To(core.Compared(new), mostComparedBytes))
	if len(terms) == 0 {
		return nil, nil
	}
	items, _, err := e.Matching(
		ctx,
		store.Match{
			Terms: terms, Spaces: e.ComparedSpaces(new.Header.Space), Kinds: []memory.Kind{new.Header.Kind},
			Limit: sameWords, Least: len(terms),
		},
	)
	if err != nil {
		return nil, err
	}
	voice, err := e.voices(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(items, func(it *store.Item) bool {
		return it == nil || it.Record == nil || it.Ref.ID == new.ID || !it.State.Live() ||
			!standing.SameMemory(it, &store.Item{Record: new}) || !voice(it.Record).Mine
	}), nil
}

// saidSince finds what was said against the same words since they were said before, and what ties a new memory,
// which says them again, to that.
func (e *Lifecycle) saidSince(ctx context.Context, new *memory.Record) (*store.Item, *evolve.Relation, error) {
	same, err := e.sameBefore(ctx, new)
	if err != nil {
		return nil, nil, err
	}
	linked, err := e.linkedWith(ctx, nil, new.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, it := range same {
		newer, relation, err := e.newerAgainst(ctx, it)
		if err != nil {
			return nil, nil, err
		}
		if relation != "" && newer.Ref.ID != new.ID && !linked[newer.Ref.ID] &&
			newer.Record.Header.At.Time().Before(new.Header.At.Time()) {
			return newer, &evolve.Relation{
				Type: relation, Confidence: 1, Detector: standing.SaidSince, Reason: "said again after " + newer.Ref.Short(),
			}, nil
		}
	}
	return nil, nil, nil
}
