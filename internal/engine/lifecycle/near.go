package lifecycle

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/touch"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// What is near: how many memories at most, and how much they share with what is new.
const (
	mostNear    = 3
	nearShare   = 0.2 // of what the new memory itself would score: its words weighed by how rare they are
	nearBest    = 0.6 // of what the nearest scores
	nearWithin  = 0.5 // or so much of the words of the older one,
	nearWords   = 2   // and at least so many
	turnsBefore = 16  // captures among which the last turn of the person is looked for
	nearBytes   = 600 // that a statement has at most: a longer text is a document, which no word ends
)

// near returns the current memories that a new one may touch, those first for which most speaks: what its author may
// have to say a word about. Those of its own lineage and those that are linked with it are left out, and so is what was
// drafted of the turn that it was said in: what that would replace is given instead.
func (e *Lifecycle) near(ctx context.Context, l *looked, r *memory.Record) ([]*store.Item, error) {
	text := core.Compared(r)
	if len(text) > nearBytes {
		return nil, nil
	}
	said := touch.Of(text)
	like := *r
	if said.Bare() { // of what it is was said just before
		before, err := e.lastTurn(ctx, r)
		if err != nil {
			return nil, err
		}
		said.After(before)
		like.Body = &memory.Note{Type: "note", Summary: text + " " + before}
	}
	items, hits, err := e.alike(ctx, l, &like, false)
	if err != nil {
		return nil, err
	}
	all, err := e.comparable(ctx, l, r, items, hits, LikeWords, func(it *store.Item) bool {
		return len(core.Compared(it.Record)) > nearBytes
	})
	if err != nil {
		return nil, err
	}
	if all, err = e.behindTwins(ctx, l, r, all); err != nil {
		return nil, err
	}
	points := make(map[memory.ID]int, len(all))
	all = slices.DeleteFunc(all, func(it *store.Item) bool {
		points[it.Ref.ID] = said.Points(l.text(it.Record))
		return points[it.Ref.ID] < touch.Enough
	})
	trusted, err := e.trust.Rate(e.trust.Reading(ctx), all, false)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(it *store.Item) bool {
		v := trusted[it.Ref.ID]
		return v == nil || v.External || v.Tainted // words from outside are given to who asks for them
	})
	slices.SortStableFunc(all, func(a, b *store.Item) int { return points[b.Ref.ID] - points[a.Ref.ID] })
	stated := make(map[string]bool) // once each
	all = slices.DeleteFunc(all, func(it *store.Item) bool {
		s := standing.Stated(it.Record)
		was := stated[s] && s != ""
		stated[s] = true
		return was
	})
	if len(all) == 0 { // at least what says most of it
		all, err = e.nearBut(ctx, l, r, func(it *store.Item) bool { return !said.Says(l.text(it.Record)) })
		if err != nil {
			return nil, err
		}
		all = all[:min(1, len(all))]
	}
	return e.inOtherWords(ctx, l, r, all[:min(mostNear, len(all))])
}

// lastTurn returns what the person said last in the conversation in which something is written.
func (e *Lifecycle) lastTurn(ctx context.Context, r *memory.Record) (string, error) {
	var said []string
	for _, session := range e.standing.Conversations(r.Header.Session) {
		for it, err := range e.Store.List(ctx, store.Query{
			Kinds: []memory.Kind{memory.KindRaw}, Session: session, Limit: turnsBefore, Few: turnsBefore,
		}) {
			if err != nil {
				return "", core.Classify(err)
			}
			if it.Record == nil || !it.State.Live() {
				continue
			}
			if own, is := core.OwnWords(it.Record); is && len(own) <= nearBytes {
				said = append(said, own)
				break
			}
		}
	}
	return strings.Join(said, " "), nil
}

// nearBut returns the memories that say most of what one says, without those that skip names.
func (e *Lifecycle) nearBut(
	ctx context.Context, l *looked, r *memory.Record, skip func(*store.Item) bool,
) ([]*store.Item, error) {
	long := func(r *memory.Record) bool { return len(core.Compared(r)) > nearBytes }
	if long(r) {
		return nil, nil
	}
	items, hits, err := e.alike(ctx, l, r, false)
	if err != nil {
		return nil, err
	}
	own := make(map[memory.ID]float64, len(hits))
	for _, h := range hits {
		own[h.ID] = h.Own
	}
	all, err := e.comparable(ctx, l, r, items, hits, e.shown(), func(it *store.Item) bool {
		return long(it.Record) || skip(it)
	})
	if err != nil {
		return nil, err
	}
	terms := make(map[string]bool)
	for _, t := range words.Query(core.Compared(r)) {
		terms[t] = true
	}
	trusted, err := e.trust.Rate(e.trust.Reading(ctx), all, false)
	if err != nil {
		return nil, err
	}
	var out []*store.Item
	for _, it := range all {
		if v := trusted[it.Ref.ID]; v == nil || v.External || v.Tainted {
			continue // words from outside are given to who asks for them
		}
		score := own[it.Ref.ID]
		if len(out) < mostNear && score >= nearBest*own[all[0].Ref.ID] &&
			(score >= nearShare*own[r.ID] || saysMuchOf(terms, it.Record)) {
			out = append(out, it)
		}
	}
	return out, nil
}

// saysMuchOf reports whether much of what a memory says is said again among some terms.
func saysMuchOf(terms map[string]bool, r *memory.Record) bool {
	said, shared := words.Query(core.Compared(r)), 0
	for _, t := range said {
		if terms[t] {
			shared++
		}
	}
	return shared >= nearWords && float64(shared) >= nearWithin*float64(len(said))
}

// nearOf returns what is near to memories that were just made, each once and none of them.
func (e *Lifecycle) nearOf(ctx context.Context, l *looked, made []*store.Item) ([]*store.Item, error) {
	var out []*store.Item
	for _, it := range made {
		if !IsCompared(it.Record) {
			continue
		}
		some, err := e.near(ctx, l, it.Record)
		if err != nil {
			return nil, err
		}
		for _, o := range some {
			if same := func(x *store.Item) bool { return x.Ref == o.Ref }; len(out) < mostNear &&
				!slices.ContainsFunc(out, same) && !slices.ContainsFunc(made, same) {
				out = append(out, o)
			}
		}
	}
	return out, nil
}
