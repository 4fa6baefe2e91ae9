package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// Bounds on the turns that what an agent writes comes from.
const (
	mostTurns     = 3 // that are named
	heldAtLeast   = 2 // one of so many of the words of what was written, by all turns together
	addsAtLeast   = 2 // words of it that a further turn adds
	oneIsNoPhrase = 3 // of fewer words all must be there
)

// withTurns returns what an agent writes, and behind it the mark that names the turns of its conversation which that
// comes from, if there are any: a tree ends in what a person said. The mark is no lineage and lifts nothing.
func (e *Lifecycle) withTurns(ctx context.Context, r *memory.Record) ([]*memory.Record, error) {
	own := []*memory.Record{r}
	if r.Header.Origin != memory.OriginAgent {
		return own, nil
	}
	turns, err := e.turnsOf(ctx, r)
	if err != nil || len(turns) == 0 {
		return own, err
	}
	ref := r.Ref()
	mark, err := e.Sign(memory.Header{
		Origin: memory.OriginAgent, Space: r.Header.Space, Session: r.Header.Session, Confidence: memory.Certain,
		Provenance: memory.Provenance{
			Via: memory.ViaDirect, Context: r.Header.Provenance.Context, Run: r.Header.Provenance.Run,
		},
	}, &memory.Mark{Of: &ref, Also: turns, Verb: core.SaidIn})
	if err != nil {
		return nil, err
	}
	return append(own, mark), nil
}

// A turn is one of a conversation, with which of the sought words it has.
type turn struct {
	ref    memory.Ref
	has    map[string]bool
	person bool
}

// turnsOf returns the turns that together hold at least half of what a record says: a person's before any other, and
// the newer of two that hold as much.
func (e *Lifecycle) turnsOf(ctx context.Context, r *memory.Record) ([]memory.Ref, error) {
	text := core.Compared(r)
	if raw, ok := r.Body.(*memory.Raw); ok {
		text = raw.Said()
	}
	sought := words.Query(shorten.To(text, standing.TurnBytes))
	if len(sought) == 0 {
		return nil, nil
	}
	var all []turn
	for _, session := range e.standing.Conversations(r.Header.Session) {
		some, err := e.turnsIn(ctx, session, r, sought)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	left := make(map[string]bool, len(sought))
	for _, t := range sought {
		left[t] = true
	}
	var out []memory.Ref
	for _, person := range []bool{true, false} {
		for len(out) < mostTurns {
			best, gain := -1, 0
			for i, t := range all {
				if n := shared(t.has, left); t.person == person && n > gain {
					best, gain = i, n
				}
			}
			enough := held(len(sought), len(left))
			if best < 0 || len(out) > 0 && gain < addsAtLeast && enough {
				break
			}
			out = append(out, all[best].ref)
			for t := range all[best].has {
				delete(left, t)
			}
		}
		if held(len(sought), len(left)) {
			return out, nil
		}
	}
	return nil, nil
}

// held reports whether enough of some words was found, where so many are left.
func held(all, left int) bool {
	if all < oneIsNoPhrase {
		return left == 0
	}
	return heldAtLeast*(all-left) >= all
}

func shared(has, left map[string]bool) (n int) {
	for t := range has {
		if left[t] {
			n++
		}
	}
	return n
}

// turnsIn returns the turns of a conversation that have some of the sought words, the newest first. What an agent wrote
// down, what a tool printed and what is hidden is none.
func (e *Lifecycle) turnsIn(ctx context.Context, session string, r *memory.Record, sought []string) ([]turn, error) {
	const few = 32
	who, err := e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	var out []turn
	for it, err := range e.Store.List(ctx, store.Query{
		Kinds: []memory.Kind{memory.KindRaw}, Session: session, Limit: standing.TurnsLooked, Few: few,
	}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil || it.Ref.ID == r.ID || !it.State.Live() ||
			who.Voice(it.Record).Principal != who.Voice(r).Principal {
			continue
		}
		said, person, is := core.TurnWords(it.Record)
		if !is {
			continue
		}
		t := turn{ref: it.Ref, has: standing.TermsIn(said, sought), person: person}
		if len(t.has) > 0 {
			out = append(out, t)
		}
	}
	return out, nil
}
