package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
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

// A saying is words that said a memory again.
type sayingAgain struct {
	memory memory.ID
	raw    memory.Ref
}

// saidBefore finds the current memory of the space that would say the same as a new one: of
// the same kind, type and valid times, by the same principal, from words of the same origin. A
// tainted memory does not count: the user's own sentence makes its own memory.
func (e *Lifecycle) saidBefore(ctx context.Context, new *memory.Record, origin memory.Origin) (*store.Item, error) {
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
			Terms: terms, Spaces: []string{new.Header.Space}, Kinds: []memory.Kind{new.Header.Kind},
			Limit: sameWords, Least: len(terms),
		},
	)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if it == nil || it.Record == nil || !views.SameMemory(it, &store.Item{Record: new}) {
			continue
		}
		if folds, err := e.foldsOnto(ctx, it, origin); folds || err != nil {
			return it, err
		}
	}
	return nil, nil
}
