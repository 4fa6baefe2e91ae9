package lifecycle

import (
	"context"
	"math"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// How many memories of nearly the same words are looked at, the likest first, and how many of
// the words of two memories are the same where they are alike.
const (
	sameWords  = 40
	mostSame   = 5000 // of which those are read that have all the words
	alikeWords = 0.7
)

// Rejected finds a memory that a person rejected and that says the same as r, or a merely
// similar one. It returns nil if there is none, or if a person said the same since.
func (e *Lifecycle) Rejected(ctx context.Context, r *memory.Record) (*store.Item, *api.Rejection, error) {
	return e.rejected(ctx, r, alikeWords)
}

// rejected is Rejected; of the words of r, a memory that is looked at has at least a share.
func (e *Lifecycle) rejected(
	ctx context.Context, r *memory.Record, share float64,
) (*store.Item, *api.Rejection, error) {
	spaces, err := e.ReadSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return nil, nil, core.Classify(err)
	}
	if any, err := store.AnyRejected(ctx, e.Store); err != nil || !any {
		return nil, nil, core.Classify(err)
	}
	texts := standing.TextsOf(r)
	for _, text := range texts { // marks within words part them: these are looked for whole as well
		if plain := words.Plain(text); !sameTerms(words.Query(shorten.To(text, mostComparedBytes)),
			words.Query(shorten.To(plain, mostComparedBytes))) {
			texts = append(texts, plain)
		}
	}
	kinds := slices.DeleteFunc(memory.Memories(), func(k memory.Kind) bool { return k == memory.KindRaw })
	queries := make([][]string, len(texts))
	fewest := 0
	for i, text := range texts {
		queries[i] = words.Query(shorten.To(text, mostComparedBytes))
		if n := len(queries[i]); n > 0 && (fewest == 0 || n < fewest) {
			fewest = n
		}
	}
	var terms []string
	var items []*store.Item
	var hits []store.Hit
	for i, text := range texts {
		asked := queries[i]
		if len(asked) == 0 && words.Folded(text) != "" { // it has no words, and an index no use
			for it, err := range e.Store.List(ctx, store.Query{Kinds: kinds, Spaces: spaces, Hidden: true}) {
				if err != nil {
					return nil, nil, core.Classify(err)
				}
				if it.Record != nil && it.State.Review == state.ReviewRejected {
					items, hits = append(items, it), append(hits, store.Hit{ID: it.Ref.ID})
				}
			}
		}
		if len(asked) == 0 {
			continue
		}
		terms = asked
		of, err := e.Store.Match(ctx, store.Match{
			Terms: asked, Spaces: spaces, Kinds: kinds, Hidden: true, Limit: mostSame,
			Least: int(math.Ceil(share * float64(fewest))),
		})
		if err != nil {
			return nil, nil, core.Classify(err)
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
		found, err := e.Store.Get(ctx, ids...)
		if err != nil {
			return nil, nil, core.Classify(err)
		}
		items, hits = append(items, found...), append(hits, of...)
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return nil, nil, err
	}
	var same, alike *store.Item
	var live []*store.Item // that say the same
	for i, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		says, named := standing.SaysAgain(r, it.Record), standing.SameLetters(it.Record, r)
		switch {
		case named && it.State.Live():
			live = append(live, it)
		case says && same == nil && it.State.Quarantined && e.samePrincipal(who, it.Record, r):
			same = it
		case it.State.Review != state.ReviewRejected:
		case says && same == nil:
			same = it
		case alike == nil && (named || areAlike(terms, hits[i].Terms, it.Record)):
			alike = it
		}
	}
	if same == nil && alike == nil {
		return nil, nil, nil
	}
	v, err := e.trust.Reading(ctx).Voices()
	if err != nil || slices.ContainsFunc(live, v.PersonSays) {
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

// sameTerms reports whether two queries look for the same words.
func sameTerms(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// mostComparedBytes bounds the length of the words that are compared.
const mostComparedBytes = 2000

// areAlike reports whether words are most of what a memory says, and the other way
// round.
func areAlike(asked, shared []string, r *memory.Record) bool {
	most := max(len(asked), len(words.Query(shorten.To(core.Compared(r), mostComparedBytes))))
	return most > 1 && float64(len(shared)) >= alikeWords*float64(most)
}

// rejection returns when and by whom a memory was rejected, nil if no person did.
func (e *Lifecycle) rejection(ctx context.Context, it *store.Item, who state.Voices) (*api.Rejection, error) {
	marks, err := e.trust.Reading(ctx).Speaking([]memory.ID{it.Ref.ID}, memory.KindMark)
	if err != nil {
		return nil, err
	}
	records := make([]*memory.Record, len(marks))
	for i, m := range marks {
		records[i] = m.Record
	}
	by := state.Decide(it.Record, records, e.C.Now(), who).Rejected
	quarantined := it.State.Review != state.ReviewRejected
	if quarantined {
		by = quarantineOf(records, who)
	}
	v, err := e.trust.Reading(ctx).Voices()
	if err != nil || by == nil || !who.Voice(by).Owner || !v.Knows(who.Voice(by).Principal) {
		return nil, err
	}
	m := by.Body.(*memory.Mark)
	return &api.Rejection{
		Ref: it.Ref.String(), Headline: it.Record.Headline(), Text: standing.Beyond(it.Record), At: standing.At(it.Record),
		RejectedAt: by.Header.At.String(),
		RejectedBy: core.Or(v.NameOf(who.Voice(by).Principal), by.Header.Author), Reason: m.Reason,
		Quarantined: quarantined,
	}, nil
}

// quarantineOf returns the mark by which a person quarantined a memory, nil if none did.
func quarantineOf(marks []*memory.Record, who state.Voices) *memory.Record {
	for _, r := range marks {
		if m, ok := r.Body.(*memory.Mark); ok && m.Verb == memory.Quarantine && who.Voice(r).Owner {
			return r
		}
	}
	return nil
}

// samePrincipal reports whether two records are of one person and their agents. What somebody else said, and is
// quarantined, stops no one from saying it.
func (e *Lifecycle) samePrincipal(who state.Voices, a, b *memory.Record) bool {
	p := who.Voice(a).Principal
	return p != "" && p == who.Voice(b).Principal
}

// words says a rejection in a line.
func rejectionWords(r *api.Rejection) string {
	text := core.Shortened(r.Ref) + " was rejected by " + shorten.To(r.RejectedBy, 60)
	if r.Quarantined {
		text = core.Shortened(r.Ref) + " was quarantined by " + shorten.To(r.RejectedBy, 60)
	}
	if len(r.RejectedAt) >= len("2006-01-02") {
		text += " on " + r.RejectedAt[:len("2006-01-02")]
	}
	if r.Reason != "" {
		text += ": " + core.QuotedCut(r.Reason)
	}
	return text
}

// refusesAgain says that only a person can say again what was rejected.
func (e *Lifecycle) refusesAgain(again bool) error {
	if again && !e.isPerson() {
		return &core.Failure{Kind: api.ErrForbidden, Text: "only a person can say again what a person rejected"}
	}
	return nil
}

// unlessRejected checks whether a new memory repeats one that a person rejected. A person is
// told so, and may repeat it. An agent's words are stored and marked, and no memory is made:
// then the reply is the answer.
func (e *Lifecycle) unlessRejected(
	ctx context.Context, r *derived, again bool, unwritten *memory.Record,
) (reply *api.WriteReply, alike *api.Rejection, err error) {
	it, rejection, err := e.Rejected(ctx, r.Record)
	switch {
	case err != nil || rejection == nil || again && e.isPerson():
		return nil, nil, err
	case rejection.Alike:
		return nil, rejection, nil
	case e.isPerson():
		return nil, nil, core.Conflict(
			"%s; it said the same. To write it all the same, use `again=true`", rejectionWords(rejection),
		)
	}
	reply = &api.WriteReply{}
	b := store.Batch{}
	kept, err := e.wordsCited(ctx, r.Record)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case unwritten != nil:
		kept, b.Records = unwritten, append(b.Records, unwritten)
	case kept == nil:
		h := r.Header
		raw, err := e.SignAsIs(memory.Header{
			Space: h.Space, Session: h.Session, Recalled: h.Recalled, Confidence: memory.Certain, Tags: h.Tags, About: h.About,
			Provenance: memory.Provenance{Via: memory.ViaDirect, Context: core.ContextRemember},
		}, &memory.Raw{Text: standing.TextsOf(r.Record)[0]})
		if err != nil {
			return nil, nil, err
		}
		kept, b.Records = raw, append(b.Records, raw)
	}
	mark, err := e.SaidMark(it, kept.Ref(), "rejected")
	if err != nil {
		return nil, nil, err
	}
	b.Records = append(b.Records, mark)
	if err := e.Append(ctx, b); err != nil {
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

// unlessRejectedBut is unlessRejected for a revision: a person who rewords a rejected memory,
// or repeats the words of a current one, needs no warning.
func (e *Lifecycle) unlessRejectedBut(
	ctx context.Context, r *derived, again bool, old *store.Item, unwritten *memory.Record,
) (*api.WriteReply, *api.Rejection, error) {
	if e.isPerson() && (old.State.Review == state.ReviewRejected || standing.SayTheSame(old.Record, r.Record)) {
		return nil, nil, nil
	}
	return e.unlessRejected(ctx, r, again, unwritten)
}

// KeepRejected keeps the words of a memory that was not stored yet and that says what a person rejected, under
// the ids it had elsewhere, and says so; "" is any other memory.
func (e *Lifecycle) KeepRejected(ctx context.Context, r *memory.Record) (string, error) {
	it, rejection, err := e.Rejected(ctx, r)
	if err != nil || rejection == nil || rejection.Alike {
		return "", err
	}
	h := r.Header
	raw, err := e.SignAsIs(memory.Header{
		Space: h.Space, Session: h.Session, Alias: h.Alias, Confidence: memory.Certain, Tags: h.Tags, About: h.About,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: h.Provenance.Context},
	}, &memory.Raw{Text: standing.TextsOf(r)[0]})
	if err != nil {
		return "", err
	}
	mark, err := e.SaidMark(it, raw.Ref(), "rejected")
	if err != nil {
		return "", err
	}
	return rejectionWords(rejection) + "; it said the same. The words are kept; no memory was made of them",
		e.Append(ctx, store.Batch{Records: []*memory.Record{raw, mark}, NewAliases: true})
}

// wordsCited returns a raw that a record cites and that says the same, or nil.
func (e *Lifecycle) wordsCited(ctx context.Context, r *memory.Record) (*memory.Record, error) {
	for _, ref := range r.Header.Provenance.From {
		if ref.Kind != memory.KindRaw {
			continue
		}
		it, err := e.One(ctx, ref.ID)
		if err != nil {
			return nil, err
		}
		if it != nil && standing.SayTheSame(it.Record, r) {
			return it.Record, nil
		}
	}
	return nil, nil
}

// SaidMark notes of a memory that words said the same again. It decides nothing.
func (e *Lifecycle) SaidMark(it *store.Item, raw memory.Ref, operation string) (*memory.Record, error) {
	return e.Sign(memory.Header{
		Origin: memory.OriginAgent, Space: it.Record.Header.Space, Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: operation},
	}, &memory.Mark{Of: &it.Ref, Also: []memory.Ref{raw}, Verb: memory.Said, Value: raw.String()})
}
