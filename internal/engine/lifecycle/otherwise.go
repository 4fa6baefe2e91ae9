package lifecycle

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/touch"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// How much of a turn is compared at once, in bytes, and how many memories it marks at most.
const (
	turnAtOnce    = 300
	mostOtherwise = 3
)

// saidOtherwise returns a mark for each current memory than which a person said otherwise in a turn, as far as words
// show it. The mark decides nothing: wherever the memory is given, the turn is given with it. What was drafted of the
// turn is compared for itself.
func (e *Lifecycle) saidOtherwise(
	ctx context.Context, turn *store.Item, own string, drafted []string,
) (out []*memory.Record, err error) {
	var marked []*store.Item
	for _, text := range assertedIn(own, drafted) {
		it, err := e.against(ctx, nil, turn, text)
		if err != nil {
			return nil, err
		}
		if it != nil && !slices.ContainsFunc(marked, func(o *store.Item) bool { return o.Ref == it.Ref }) {
			marked = append(marked, it)
		}
	}
	return e.otherwiseMarks(turn, marked)
}

// saidOtherwiseBy is saidOtherwise of what an agent wrote: what a person decided is not marked by that.
func (e *Lifecycle) saidOtherwiseBy(
	ctx context.Context, l *looked, by *store.Item,
) ([]*memory.Record, error) {
	text := core.Compared(by.Record)
	if len(text) > nearBytes || !IsCompared(by.Record) {
		return nil, nil
	}
	base, err := e.trust.Reading(ctx).Voices()
	if err != nil {
		return nil, err
	}
	it, err := e.against(ctx, l, by, text)
	if err != nil || it == nil || base.PersonSays(it) {
		return nil, err
	}
	return e.otherwiseMarks(by, []*store.Item{it})
}

// otherwiseMarks makes a mark for each of the first of some memories.
func (e *Lifecycle) otherwiseMarks(by *store.Item, all []*store.Item) (out []*memory.Record, err error) {
	for _, it := range all[:min(mostOtherwise, len(all))] {
		mark, err := e.Sign(memory.Header{
			Origin: memory.OriginAgent, Space: it.Record.Header.Space, Session: by.Record.Header.Session,
			Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect, Context: taskTurn},
		}, &memory.Mark{Of: &it.Ref, Also: []memory.Ref{by.Ref}, Verb: core.SaidOtherwise})
		if err != nil {
			return nil, err
		}
		out = append(out, mark)
	}
	return out, nil
}

// assertedIn returns what a turn says as it is, each sentence, and one that names no subject with the one before,
// without what was drafted of it.
func assertedIn(own string, drafted []string) []string {
	var all []string
	for _, s := range sentences.Split(own) {
		s = strings.TrimSpace(s)
		is := func(d string) bool {
			return strings.HasSuffix(strings.ToLower(words.Folded(s)), strings.ToLower(words.Folded(d)))
		}
		if s == "" || strings.HasSuffix(s, "?") || !sentences.Prose(s) || strings.ContainsAny(s, "\"“”„«»>`") ||
			strings.Contains(s+" ", ": ") ||
			slices.ContainsFunc(drafted, is) {
			continue
		}
		all = append(all, s)
	}
	for i, s := range slices.Backward(all) {
		if said := touch.Spoken(s); i > 0 && said.Bare() && len(all[i-1])+len(s) < turnAtOnce {
			all = append(all, all[i-1]+" "+s)
		}
	}
	return all
}

// against returns the current memory than which a text of a turn or memory says otherwise, nil where there is none: of
// several the one that has most of it, and of these the newest.
func (e *Lifecycle) against(
	ctx context.Context, l *looked, turn *store.Item, text string,
) (*store.Item, error) {
	said, like := touch.Of(text), turn.Record
	if raw, is := like.Body.(*memory.Raw); is {
		said = touch.Spoken(text)
		h := like.Header
		h.Kind, h.About = memory.KindNote, nil
		if before, _, in := strings.Cut(raw.Said(), text); in && before != "" && said.Bare() { // that says of what it is
			said.After(before)
			text = before + text
		}
		like = &memory.Record{Header: h, Body: &memory.Note{Type: "note", Summary: text}}
	} else if said.Bare() {
		before, err := e.lastTurn(ctx, like)
		if err != nil {
			return nil, err
		}
		said.After(before)
	}
	items, hits, err := e.alike(ctx, l, like, false)
	if err != nil {
		return nil, err
	}
	worth := make(map[memory.ID]int)
	all, err := e.comparable(ctx, l, turn.Record, items, hits, LikeWords, func(it *store.Item) bool {
		if len(core.Compared(it.Record)) > nearBytes ||
			!standing.Happened(it.Record).Before(standing.Happened(turn.Record)) ||
			slices.Contains(it.Record.Header.Provenance.Sources(), turn.Ref.ID) || !said.Against(l.text(it.Record)) {
			return true
		}
		worth[it.Ref.ID] = said.Worth(l.text(it.Record))
		return false
	})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return slices.MaxFunc(all, func(a, b *store.Item) int {
		return cmp.Or(cmp.Compare(worth[a.Ref.ID], worth[b.Ref.ID]),
			standing.Happened(a.Record).Compare(standing.Happened(b.Record)))
	}), nil
}
