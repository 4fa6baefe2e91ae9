package lifecycle

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/extract"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/touch"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// ComparedKinds are the kinds that are compared with one another.
var ComparedKinds = []memory.Kind{memory.KindBelief, memory.KindNote, memory.KindRelationship, memory.KindGoal}

// comparedKinds are ComparedKinds and episodes, of which some are compared.
var comparedKinds = append(slices.Clone(ComparedKinds), memory.KindEpisode)

// How many memories of like words are looked at for candidates, and of how many hits these are the likest by their own
// words: what stands beside like words in a session is none for that.
const (
	LikeWords = 60
	likeHits  = 4 * LikeWords
)

// A looked is what was read to compare one memory in several ways, once for all of them. It lasts as long as nothing
// is written; texts, which are of records that do not change, may be handed on. A nil one keeps nothing.
type looked struct {
	terms, space string
	items        []*store.Item
	hits         []store.Hit
	linked       map[memory.ID]map[memory.ID]bool
	texts        map[memory.ID]*touch.Text
}

func newLooked() *looked {
	return &looked{linked: make(map[memory.ID]map[memory.ID]bool), texts: make(map[memory.ID]*touch.Text)}
}

// later is one for after a write.
func (l *looked) later() *looked {
	out := newLooked()
	if l != nil {
		out.texts = l.texts
	}
	return out
}

// text reads what a memory says.
func (l *looked) text(r *memory.Record) *touch.Text {
	if l == nil {
		return touch.Of(core.Compared(r))
	}
	t := l.texts[r.ID]
	if t == nil {
		t = touch.Of(core.Compared(r))
		l.texts[r.ID] = t
	}
	return t
}

// alike returns memories with words in common, the likest first by what they say themselves. decided gives only what a
// person approved, however many others are more alike.
func (e *Lifecycle) alike(
	ctx context.Context, l *looked, r *memory.Record, decided bool,
) ([]*store.Item, []store.Hit, error) {
	about := slices.DeleteFunc(slices.Clone(r.Header.About), func(name string) bool { return name == extract.User })
	terms := words.Query(core.Compared(r) + " " + strings.Join(about, " ")) // who speaks is in no other memory's words
	if len(terms) == 0 {
		return nil, nil, nil
	}
	asked := strings.Join(terms, " ")
	if l == nil || decided || asked != l.terms || r.Header.Space != l.space || l.hits == nil {
		hits, err := e.Store.Match(ctx, store.Match{
			Terms: terms, Spaces: e.ComparedSpaces(r.Header.Space), Kinds: comparedKinds, Limit: likeHits, Decided: decided,
		})
		if err != nil {
			return nil, nil, core.Classify(err)
		}
		slices.SortStableFunc(hits, func(a, b store.Hit) int { return cmp.Compare(b.Own, a.Own) })
		items, hits, err := e.read(ctx, hits[:min(LikeWords, len(hits))])
		if l == nil || decided || err != nil {
			return items, hits, err
		}
		l.terms, l.space, l.items, l.hits = asked, r.Header.Space, items, hits
	}
	items := make([]*store.Item, len(l.items))
	for i, it := range l.items { // whoever rates an item writes into it
		if it != nil {
			own := *it
			items[i] = &own
		}
	}
	return items, slices.Clone(l.hits), nil
}

// linkedWith returns the memories that a link ties to one.
func (e *Lifecycle) linkedWith(ctx context.Context, l *looked, id memory.ID) (map[memory.ID]bool, error) {
	if l != nil && l.linked[id] != nil {
		return l.linked[id], nil
	}
	links, err := e.standing.LinksOf(e.trust.Reading(ctx), id)
	if err != nil {
		return nil, err
	}
	out := make(map[memory.ID]bool)
	for _, l := range links {
		if b, ok := l.Record.Body.(*memory.Link); ok {
			out[b.Source.ID], out[b.Target.ID] = true, true
		}
	}
	if l != nil {
		l.linked[id] = out
	}
	return out, nil
}

// read returns what was found, with the hit of each.
func (e *Lifecycle) read(ctx context.Context, hits []store.Hit) ([]*store.Item, []store.Hit, error) {
	ids := make([]memory.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	items, err := e.Store.Get(ctx, ids...)
	for i := range items {
		if e.Elsewhere(items[i]) { // as if it were not held: two projects are not compared
			items[i] = nil
		}
	}
	return items, hits, core.Classify(err)
}

// IsCompared reports whether a memory is compared with others: one of ComparedKinds, or an episode that tells of one
// event and draws nothing from it.
func IsCompared(r *memory.Record) bool {
	if ep, ok := r.Body.(*memory.Episode); ok {
		return ep.Outcome == "" && len(ep.Lessons)+len(ep.Repeat)+len(ep.Avoid) == 0
	}
	return slices.Contains(ComparedKinds, r.Header.Kind)
}

// comparable returns of memories that are like a record those to compare it with.
func (e *Lifecycle) comparable(
	ctx context.Context, l *looked, r *memory.Record, items []*store.Item, hits []store.Hit, most int,
	skip func(*store.Item) bool,
) ([]*store.Item, error) {
	linked, err := e.linkedWith(ctx, l, r.ID)
	if err != nil {
		return nil, err
	}
	p := &r.Header.Provenance
	var out []*store.Item
	for i, it := range items {
		if it == nil || it.Record == nil || it.Ref.ID == r.ID || !it.State.Live() || linked[it.Ref.ID] || hits[i].Own == 0 ||
			!IsCompared(it.Record) || skip != nil && skip(it) {
			continue
		}
		q := &it.Record.Header.Provenance
		if p.Run != "" && p.Run == q.Run || slices.Contains(p.Sources(), it.Ref.ID) || slices.Contains(q.Sources(), r.ID) {
			continue
		}
		if out = append(out, it); len(out) == most {
			break
		}
	}
	return out, nil
}

// Matching returns what words find, read, with the hit of each.
func (e *Lifecycle) Matching(ctx context.Context, m store.Match) ([]*store.Item, []store.Hit, error) {
	hits, err := e.Store.Match(ctx, m)
	if err != nil {
		return nil, nil, core.Classify(err)
	}
	return e.read(ctx, hits)
}

// shown is how many candidates a detector is shown.
func (e *Lifecycle) shown() int {
	if e.C.Candidates <= 0 {
		return evolve.DefaultCandidates
	}
	return min(e.C.Candidates, evolve.MostCandidates)
}

// behindTwins leaves out of memories those that were drafted of a turn of the conversation in which a new one is
// written and say much of what that says, and gives what they would replace in their place: both say one thing.
func (e *Lifecycle) behindTwins(
	ctx context.Context, l *looked, r *memory.Record, all []*store.Item,
) ([]*store.Item, error) {
	said, in := touch.Of(core.Compared(r)), e.standing.Conversations(r.Header.Session)
	var out, twins []*store.Item
	for _, it := range all {
		h := &it.Record.Header
		if slices.Contains(in, h.Session) && strings.HasPrefix(h.Provenance.Run, taskTurn+"/") &&
			said.Much(l.text(it.Record)) {
			twins = append(twins, it)
		} else {
			out = append(out, it)
		}
	}
	if len(twins) == 0 {
		return all, nil
	}
	open, err := e.standing.UndecidedAt(e.trust.Reading(ctx), memory.Time{}, twins)
	if err != nil {
		return nil, err
	}
	for _, it := range twins {
		for _, o := range open[it.Ref.ID] {
			same := func(x *store.Item) bool { return x.Ref == o.OldItem.Ref }
			if o.NewItem.Ref == it.Ref && o.OldItem.State.Live() && !slices.ContainsFunc(out, same) {
				out = append([]*store.Item{o.OldItem}, out...)
			}
		}
	}
	return out, nil
}
