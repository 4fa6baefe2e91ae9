package mind

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// How a memory has to do with somebody.
const (
	howRelationship = "relationship"
	howSpeaker      = "speaker"
	howAbout        = "about"
	howMentioned    = "mentioned"
)

// RelationshipHistory says what there was with somebody: every revision of the
// relationship, and the live episodes and notes that are about them, quote them or
// mention their name, in the order in which they were recorded. The name is the one of
// the relationship, or its ref.
func (e *Mind) RelationshipHistory(
	ctx context.Context, in api.NameRequest,
) (api.RelationshipHistoryReply, error) {
	reply := api.RelationshipHistoryReply{
		Name: strings.TrimSpace(in.Name), Sentiments: []api.SentimentChange{}, Entries: []api.RelationshipEntry{},
	}
	if reply.Name == "" {
		return reply, core.Invalid("name: want a name or ref")
	}
	spaces, err := e.ReadSpaces(ctx)
	if err != nil {
		return reply, core.Classify(err)
	}
	all, err := e.ofName(ctx, spaces, reply.Name)
	if err != nil {
		return reply, err
	}
	if len(all) == 0 {
		it, err := e.resolveKind(ctx, reply.Name, memory.KindRelationship)
		if err != nil && (errors.Is(err, api.ErrAmbiguous) || strings.Contains(reply.Name, ":")) {
			return reply, err
		}
		if err != nil {
			return reply, core.NotFound("no relationship, episode or note speaks of %q", shorten.To(reply.Name, 80))
		}
		if it.Record == nil {
			return reply, core.Conflict("%s was purged", it.Ref.Short())
		}
		b, ok := it.Record.Body.(*memory.Relationship)
		if !ok {
			return reply, core.Invalid("%s was written by a newer version", it.Ref.Short())
		}
		reply.Name = b.Name
		if all, err = e.ofName(ctx, spaces, reply.Name); err != nil {
			return reply, err
		}
	}
	slices.SortStableFunc(
		all,
		func(a, b *store.Item) int { return a.Record.Header.At.Time().Compare(b.Record.Header.At.Time()) },
	)
	trusted, err := e.trust.Rate(e.trust.Reading(ctx), all, false)
	if err != nil {
		return reply, err
	}
	for _, it := range all {
		relationshipHistoryReplyAdd(&reply, it, trusted[it.Ref.ID])
	}
	if limit := cmp.Or(in.Limit, views.DefaultLimit); limit > 0 && len(reply.Entries) > limit {
		reply.Entries, reply.More = reply.Entries[len(reply.Entries)-limit:], true
		all = all[len(all)-limit:]
	}
	marks, err := e.views.MarksOf(e.trust.Reading(ctx), all, trusted, memory.Time{})
	for i := range marks {
		reply.Entries[i].Marks = marks[i]
	}
	return reply, err
}

// add puts one memory behind those before it. Only of a relationship that counts the sentiment is the reader's: of
// what is their own, approved or confirmed, and not disputed.
func relationshipHistoryReplyAdd(r *api.RelationshipHistoryReply, it *store.Item, v *trust.Rating) {
	rec := it.Record
	entry := api.RelationshipEntry{
		At: standing.At(rec), Ref: it.Ref.String(), Type: string(it.Ref.Kind), Headline: rec.Headline(),
		Text: standing.Beyond(rec), How: howNamed(rec, r.Name), Hidden: core.Hidden(&it.State),
	}
	if b, ok := rec.Body.(*memory.Relationship); ok {
		s := float64(b.Sentiment) / float64(memory.Certain)
		entry.Sentiment = &s
		counts := v != nil && v.Section(it) != trust.InUnverified && !v.Disputed
		if counts && (it.State.Live() || entry.Hidden == "superseded") {
			if n := len(r.Sentiments); n == 0 || r.Sentiments[n-1].Sentiment != s {
				r.Sentiments = append(r.Sentiments, api.SentimentChange{At: entry.At, Ref: entry.Ref, Sentiment: s})
			}
		}
		if counts && it.State.Live() && v.Over == "" {
			r.Sentiment = &s
		}
	}
	r.Entries = append(r.Entries, entry)
}

// ofName returns the relationships of a name and what has to do with it.
func (e *Mind) ofName(ctx context.Context, spaces []string, name string) ([]*store.Item, error) {
	if len(spaces) == 0 {
		return nil, nil
	}
	all, err := e.relationshipsOf(ctx, spaces, name)
	if err != nil {
		return nil, err
	}
	speaks, err := e.speaksOf(ctx, spaces, name)
	return append(all, speaks...), err
}

// relationshipsOf returns every revision of the relationships of a name.
func (e *Mind) relationshipsOf(ctx context.Context, spaces []string, name string) ([]*store.Item, error) {
	var out []*store.Item
	for it, err := range e.Store.List(
		ctx, store.Query{Kinds: []memory.Kind{memory.KindRelationship}, Spaces: spaces, Hidden: true},
	) {
		if err != nil {
			return nil, core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		if b, ok := it.Record.Body.(*memory.Relationship); ok && strings.EqualFold(b.Name, name) {
			out = append(out, it)
		}
	}
	return out, nil
}

// mostNamed is how many memories are looked at for a name.
const mostNamed = 5000

// speaksOf returns the live episodes and notes that have to do with a name.
func (e *Mind) speaksOf(ctx context.Context, spaces []string, name string) ([]*store.Item, error) {
	terms := words.Terms(name)
	if len(terms) == 0 {
		return nil, nil
	}
	items, _, err := e.lifecycle.Matching(ctx, store.Match{
		Terms: terms, Spaces: spaces, Kinds: []memory.Kind{memory.KindEpisode, memory.KindNote}, Limit: mostNamed,
	})
	return slices.DeleteFunc(items, func(it *store.Item) bool {
		return it == nil || it.Record == nil || !it.State.Live() || howNamed(it.Record, name) == ""
	}), err
}

// howNamed says how a record has to do with a name; "" is not at all.
func howNamed(r *memory.Record, name string) string {
	if b, ok := r.Body.(*memory.Relationship); ok && strings.EqualFold(b.Name, name) {
		return howRelationship
	}
	if b, ok := r.Body.(*memory.Note); ok && strings.EqualFold(b.Speaker, name) {
		return howSpeaker
	}
	if slices.ContainsFunc(r.Header.About, func(a string) bool { return strings.EqualFold(a, name) }) {
		return howAbout
	}
	if mentions(memory.Words(r.Body), name) {
		return howMentioned
	}
	return ""
}

// mentions reports whether a text has a name as whole words, in any case.
func mentions(text, name string) bool {
	text, name = strings.ToLower(text), strings.ToLower(name)
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at+i])
		after, _ := utf8.DecodeRuneInString(text[at+i+len(name):])
		if !inWord(before) && !inWord(after) {
			return true
		}
		at += i + len(name)
	}
	return false
}

// inWord reports whether a rune goes on with a word; the error of an end does not.
func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
