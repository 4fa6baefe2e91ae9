package engine

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// How many memories of the same words are looked at, and how many of the words of two
// memories are the same where they are alike.
const (
	sameWords  = 200
	mostSame   = 5000 // of which those are read that have all the words
	alikeWords = 0.7
)

// rejected finds a memory that a person rejected and that says what r says; or one
// that is merely alike. nil is none, also where a person said the same since.
func (e *Engine) rejected(ctx context.Context, r *memory.Record) (*store.Item, *api.Rejection, error) {
	spaces, err := e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return nil, nil, sorted(err)
	}
	texts := textsOf(r)
	kinds := slices.DeleteFunc(memory.Memories(), func(k memory.Kind) bool { return k == memory.KindRaw })
	var terms []string
	var items []*store.Item
	var hits []store.Hit
	for _, text := range texts {
		asked := words.Query(memory.Cut(text, mostComparedBytes))
		if len(asked) == 0 && words.Folded(text) != "" { // it has no words, and an index no use
			for it, err := range e.store.List(ctx, store.Query{Kinds: kinds, Spaces: spaces, Hidden: true}) {
				if err != nil {
					return nil, nil, sorted(err)
				}
				if it.Record != nil && it.State.Review == memory.ReviewRejected {
					items, hits = append(items, it), append(hits, store.Hit{ID: it.Ref.ID})
				}
			}
		}
		if len(asked) == 0 {
			continue
		}
		terms = asked
		of, err := e.store.Match(ctx, store.Match{Terms: asked, Spaces: spaces, Kinds: kinds, Hidden: true, Limit: mostSame})
		if err != nil {
			return nil, nil, sorted(err)
		}
		n := 0
		of = slices.DeleteFunc(of, func(h store.Hit) bool { // further down only what has all the words can say the same
			n++
			return n > sameWords && len(h.Terms) < len(asked)
		})
		ids := make([]memory.ID, len(of))
		for i, h := range of {
			ids[i] = h.ID
		}
		found, err := e.store.Get(ctx, ids...)
		if err != nil {
			return nil, nil, sorted(err)
		}
		items, hits = append(items, found...), append(hits, of...)
	}
	who, err := e.standing(ctx)
	if err != nil {
		return nil, nil, err
	}
	var same, alike *store.Item
	var live []*store.Item // that say the same
	for i, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		says := sayTheSame(it.Record, r)
		switch {
		case says && it.State.Live():
			live = append(live, it)
		case it.State.Review != memory.ReviewRejected:
		case says && same == nil:
			same = it
		case alike == nil && areAlike(terms, hits[i].Terms, it.Record):
			alike = it
		}
	}
	if same == nil && alike == nil {
		return nil, nil, nil
	}
	v, err := e.vouching(ctx)
	if err != nil || slices.ContainsFunc(live, v.personSays) {
		return nil, nil, err // a person says so by now
	}
	found := same
	if found == nil {
		found = alike
	}
	out, err := e.rejection(ctx, found, who)
	if out != nil {
		out.Alike = same == nil
	}
	return found, out, err
}

// personSays reports whether a person who has a say wrote a memory, or approved it.
func (v *vouching) personSays(it *store.Item) bool {
	voice := v.ring.Voice(it.Record)
	return voice.Owner && v.knows(voice.Principal) ||
		it.State.Review == memory.ReviewApproved && v.knows(v.ring.Principal(it.State.ReviewedBy))
}

// mostComparedBytes bounds what is looked for of long words.
const mostComparedBytes = 2000

// areAlike reports whether words are most of what a memory says, and the other way
// round.
func areAlike(asked, shared []string, r *memory.Record) bool {
	most := max(len(asked), len(words.Query(memory.Cut(compared(r), mostComparedBytes))))
	return most > 1 && float64(len(shared)) >= alikeWords*float64(most)
}

// rejection says when and by whom a memory was rejected; nil where no person did.
func (e *Engine) rejection(ctx context.Context, it *store.Item, who memory.Standing) (*api.Rejection, error) {
	marks, err := speaking(ctx, e.store, []memory.ID{it.Ref.ID}, memory.KindMark)
	if err != nil {
		return nil, err
	}
	records := make([]*memory.Record, len(marks))
	for i, m := range marks {
		records[i] = m.Record
	}
	by := memory.Decide(it.Record, records, e.c.Now(), who).Rejected
	v, err := e.vouching(ctx)
	if err != nil || by == nil || !who.Voice(by).Owner || !v.knows(who.Voice(by).Principal) {
		return nil, err
	}
	m := by.Body.(*memory.Mark)
	return &api.Rejection{
		Ref: it.Ref.String(), Headline: it.Record.Headline(), RejectedAt: by.Header.At.String(),
		RejectedBy: or(v.called(who.Voice(by).Principal), by.Header.Author), Reason: m.Reason,
	}, nil
}

// words says a rejection in a line.
func rejectionWords(r *api.Rejection) string {
	text := shortened(r.Ref) + " was rejected by " + memory.Cut(r.RejectedBy, 60)
	if len(r.RejectedAt) >= len("2006-01-02") {
		text += " on " + r.RejectedAt[:len("2006-01-02")]
	}
	if r.Reason != "" {
		text += ": " + quotedCut(r.Reason)
	}
	return text
}

// isPerson reports whether a person speaks through this engine.
func (e *Engine) isPerson() bool { return e.c.Origin == memory.OriginOwner }

// refusesAgain says that only a person can say again what was rejected.
func (e *Engine) refusesAgain(again bool) error {
	if again && !e.isPerson() {
		return &failure{kind: api.ErrForbidden, text: "only a person can say again what a person rejected"}
	}
	return nil
}

// unlessRejected asks whether a new memory says what a person rejected. A person is
// told so, and may say it again; of an agent the words are kept and marked, and no
// memory is made: then the reply is the answer.
func (e *Engine) unlessRejected(ctx context.Context, r *derived, again bool) (reply *api.WriteReply, alike *api.Rejection, err error) {
	it, rejection, err := e.rejected(ctx, r.Record)
	switch {
	case err != nil || rejection == nil || again && e.isPerson():
		return nil, nil, err
	case rejection.Alike:
		return nil, rejection, nil
	case e.isPerson():
		return nil, nil, conflict("%s; it said the same. To write it all the same, use --again", rejectionWords(rejection))
	}
	reply = &api.WriteReply{}
	b := store.Batch{}
	kept, err := e.wordsCited(ctx, r.Record)
	if err != nil {
		return nil, nil, err
	}
	if kept == nil {
		h := r.Header
		raw, err := e.signAsIs(memory.Header{
			Space: h.Space, Session: h.Session, Recalled: h.Recalled, Confidence: memory.Certain, Tags: h.Tags, About: h.About,
			Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "remember"},
		}, &memory.Raw{Text: textsOf(r.Record)[0]})
		if err != nil {
			return nil, nil, err
		}
		kept, b.Records = raw, append(b.Records, raw)
	}
	mark, err := e.saidMark(it, kept.Ref(), "rejected")
	if err != nil {
		return nil, nil, err
	}
	b.Records = append(b.Records, mark)
	if err := e.append(ctx, b); err != nil {
		return nil, nil, err
	}
	rejection.Raw = kept.Ref().String()
	*reply = api.WriteReply{
		Ref: rejection.Raw, Type: string(memory.KindRaw), ID: kept.ID.String(), Headline: kept.Headline(),
		CreatedAt: kept.Header.At.String(), Rejected: rejection, Redacted: r.redacted,
		Hint: rejectionWords(rejection) + "; it said the same. The words are kept; no memory was made of them",
	}
	return reply, nil, nil
}

// unlessRejectedBut is unlessRejected for a revision: a person who says a rejected
// memory in other words, or the same words of a memory that is current, need not be
// told.
func (e *Engine) unlessRejectedBut(ctx context.Context, r *derived, again bool, old *store.Item) (*api.WriteReply, *api.Rejection, error) {
	if e.isPerson() && (old.State.Review == memory.ReviewRejected || sayTheSame(old.Record, r.Record)) {
		return nil, nil, nil
	}
	return e.unlessRejected(ctx, r, again)
}

// writeUnlessRejected stores a new memory, unless it says what a person rejected.
func (e *Engine) writeUnlessRejected(ctx context.Context, r *derived, m api.Meta, again bool) (api.WriteReply, error) {
	if err := e.refusesAgain(again); err != nil {
		return api.WriteReply{}, err
	}
	b, err := e.batch(r, m)
	if err != nil {
		return api.WriteReply{}, err
	}
	kept, alike, err := e.unlessRejected(ctx, r, again)
	if err != nil {
		return api.WriteReply{}, err
	}
	if kept != nil {
		return *kept, nil
	}
	reply, err := e.write(ctx, b, r.redacted)
	reply.Rejected = alike
	return reply, err
}

// wordsCited gives a raw that a record cites and that says the same; nil is none.
func (e *Engine) wordsCited(ctx context.Context, r *memory.Record) (*memory.Record, error) {
	for _, ref := range r.Header.Provenance.From {
		if ref.Kind != memory.KindRaw {
			continue
		}
		it, err := e.one(ctx, ref.ID)
		if err != nil {
			return nil, err
		}
		if it != nil && sayTheSame(it.Record, r) {
			return it.Record, nil
		}
	}
	return nil, nil
}

// saidMark notes of a memory that words said the same again. It decides nothing.
func (e *Engine) saidMark(it *store.Item, raw memory.Ref, operation string) (*memory.Record, error) {
	return e.sign(memory.Header{
		Origin: memory.OriginAgent, Space: it.Record.Header.Space, Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: operation},
	}, &memory.Mark{Of: &it.Ref, Also: []memory.Ref{raw}, Verb: memory.Said, Value: raw.String()})
}
