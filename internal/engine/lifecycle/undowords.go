package lifecycle

import (
	"context"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// restored finds the revision of an undo that says again what a record said, else the record.
func (u *undoing) restored(it *store.Item) *store.Item {
	for seen := map[memory.ID]bool{}; u.again[it.Ref.ID] != nil && !seen[it.Ref.ID]; {
		seen[it.Ref.ID] = true
		it = u.again[it.Ref.ID]
	}
	return it
}

// dismissAgain takes back what an undo said again of a mark: about the revision that stands in the
// place of its subject.
func (u *undoing) dismissAgain(ctx context.Context, old *memory.Record, m *memory.Mark) error {
	for _, ref := range memory.Subjects(m) {
		now := u.restored(&store.Item{Ref: ref})
		if now.Record == nil {
			continue
		}
		saying, err := u.marksOf(ctx, now.Ref, m.Verb)
		if err != nil {
			return err
		}
		again := false
		for _, it := range saying {
			if it.Record.Header.Provenance.Context != core.ContextUndo {
				continue
			}
			if err := u.dismiss(it.Record, it.Record.Body.(*memory.Mark)); err != nil {
				return err
			}
			again = true
		}
		if !again {
			continue
		}
		if err := u.sayEarlier(ctx, old, ref, now, m.Verb); err != nil {
			return err
		}
	}
	return nil
}

// sayEarlier says of a revision that stands in the place of a memory what was said of that memory before the mark
// that is taken back: the progress of a goal, for instance, is again the one before.
func (u *undoing) sayEarlier(
	ctx context.Context, old *memory.Record, ref memory.Ref, now *store.Item, verb string,
) error {
	before, err := u.marksOf(ctx, ref, verb)
	if err != nil {
		return err
	}
	who, err := u.e.Keyring(ctx)
	if err != nil {
		return err
	}
	items, err := u.e.Store.Get(ctx, ref.ID)
	if err != nil {
		return core.Classify(err)
	}
	of := items[0]
	before = slices.DeleteFunc(before, func(it *store.Item) bool {
		return it.Ref.ID == old.ID || of == nil || of.Record == nil || !state.May(who.Voice(it.Record), of.Record, who)
	})
	if len(before) == 0 {
		return nil
	}
	last := slices.MaxFunc(before, func(a, b *store.Item) int {
		return a.Record.Header.At.Time().Compare(b.Record.Header.At.Time())
	})
	m := last.Record.Body.(*memory.Mark)
	return u.sign(now.Record, memory.Header{Provenance: memory.Provenance{Via: memory.ViaDirect}},
		&memory.Mark{Of: &now.Ref, Verb: verb, Value: m.Value, Reason: "as before what was undone"})
}

// marksOf returns the marks of a verb about a record that were not taken back.
func (u *undoing) marksOf(ctx context.Context, of memory.Ref, verb string) ([]*store.Item, error) {
	edges, err := u.e.Store.Edges(ctx, graph.Forward, of.ID)
	if err != nil {
		return nil, core.Classify(err)
	}
	var ids []memory.ID
	for _, edge := range edges {
		if edge.Rel == graph.Speaks {
			ids = append(ids, edge.From)
		}
	}
	items, err := u.e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	return slices.DeleteFunc(core.Present(items), func(it *store.Item) bool {
		m, is := it.Record.Body.(*memory.Mark)
		return !is || m.Verb != verb || !it.State.Active() || u.taken[it.Ref.ID]
	}), nil
}

// restores returns what a revision of an undo says again.
func restores(r *memory.Record) (memory.Ref, bool) {
	p := &r.Header.Provenance
	if p.Via != memory.ViaRevision || len(p.From) != 2 || !slices.Equal(p.Supersedes, p.From[:1]) {
		return memory.Ref{}, false
	}
	return p.From[1], true
}

// partOfWords reports whether a record is no act by itself: it was drafted of words, or found
// or marked about them, by the command that kept the words.
func (u *undoing) partOfWords(ctx context.Context, it *store.Item) (bool, error) {
	switch b := it.Record.Body.(type) {
	case *memory.Mark:
		by, with := wentWith(it.Record)
		if rest, is := core.RestAfter(it.Record); is {
			by, with = rest, true
		}
		if with {
			return !u.taken[by], nil // with the correction
		}
		return b.Verb == memory.Said || b.Verb == core.SaidIn || b.Verb == core.Committed ||
			b.Verb == core.SaidOtherwise && b.Value == "" || isLetGo(it.Record) ||
			it.Record.Header.Provenance.Context == contextKnown, nil
	case *memory.Link:
		if b.Detector == "author" || standing.Applied(it) {
			return false, nil
		}
		made, err := u.e.One(ctx, b.Target.ID)
		if made == nil || err != nil {
			return false, err
		}
		if it.Record.Header.Provenance.Context == TaskDetect && made.Seq == it.Seq-1 && made.Record != nil &&
			made.Record.Header.Space == it.Record.Header.Space {
			return true, nil // it was stored with that memory
		}
		words, err := u.wordsOf(ctx, made)
		return words != nil, err
	}
	if by, is := core.RestAfter(it.Record); is {
		return !u.taken[by], nil // with the correction
	}
	if it.Record.Header.Provenance.Via != memory.ViaInference {
		return false, nil
	}
	words, err := u.wordsOf(ctx, it)
	return words != nil, err
}

// wordsOf returns the words that the command which wrote a memory kept with it; nil where it
// kept none.
func (u *undoing) wordsOf(ctx context.Context, it *store.Item) (*store.Item, error) {
	p := &it.Record.Header.Provenance
	if p.Run == "" || !it.Ref.Kind.IsMemory() {
		return nil, nil
	}
	for _, ref := range p.From {
		if ref.Kind != memory.KindRaw {
			continue
		}
		words, err := u.e.One(ctx, ref.ID)
		if err != nil {
			return nil, err
		}
		if words != nil && words.Record.Header.Provenance.Run == p.Run {
			return words, nil
		}
	}
	return nil, nil
}

// words adds to an act that kept words, or a memory with its words, the rest of what that
// command wrote: the words, what was made of them, and what was said about them. It returns nil
// for any other act.
func (u *undoing) words(ctx context.Context, act []*store.Item) (*store.Item, error) {
	for _, it := range act {
		if it.Ref.Kind == memory.KindRaw {
			return it, nil
		}
		if words, err := u.wordsOf(ctx, it); words != nil || err != nil {
			return words, err
		}
	}
	return nil, nil
}

// withWords takes back words and all that one command made of them: a revision is followed by
// one that restores what it replaced, everything else is forgotten, and marks count no more.
func (u *undoing) withWords(ctx context.Context, act []*store.Item, words *store.Item) ([]*store.Item, error) {
	whole, err := u.madeWith(ctx, act, words)
	if err != nil {
		return nil, err
	}
	gone := []memory.Ref{words.Ref}
	var revised bool
	var links []memory.Ref
	for _, it := range whole {
		switch b := it.Record.Body.(type) {
		case *memory.Mark:
			if err := u.dismiss(it.Record, b); err != nil {
				return nil, err
			}
			continue
		case *memory.Link:
			links = append(links, it.Ref)
			continue
		}
		now := u.restored(it)
		if it.Ref == words.Ref || now.State.Forgotten {
			continue
		}
		if by := now.State.SupersededBy; !by.IsZero() {
			if within(whole, by) {
				continue // a model drafted it again
			}
			return nil, core.Conflict("the last act wrote %s, which was revised since; look at it with `history %s`",
				it.Ref.Short(), it.Ref.Short())
		}
		if p := it.Record.Header.Provenance.Supersedes; len(p) > 0 && !within(whole, p[0].ID) {
			if err := u.written(ctx, it); err != nil {
				return nil, err
			}
			revised = true
			continue
		}
		if err := u.e.standing.TakesOut(u.e.trust.Reading(ctx), now, "forget it"); err != nil {
			return nil, err
		}
		gone = append(gone, now.Ref)
	}
	u.reply.Of = append(u.reply.Of, core.RefStrings(gone)...)
	if !revised {
		u.reply.Act, u.reply.Did = "wrote "+shortRefs(gone), "it is forgotten"
		if len(gone) > 1 {
			u.reply.Did = "they are forgotten"
		}
	}
	direct := memory.Header{Provenance: memory.Provenance{Via: memory.ViaDirect}}
	for _, it := range links {
		if err := u.sign(act[0].Record, direct, &memory.Mark{
			Of: &it, Verb: memory.Reject, Reason: "what it is about was taken back",
		}); err != nil {
			return nil, err
		}
	}
	return whole, u.sign(act[0].Record, direct, &memory.Mark{
		Of: &gone[0], Also: slices.Clip(gone[1:]), Verb: memory.Forget, Reason: "taken back by its author",
	})
}

// madeWith returns an act and the rest of what its command wrote.
func (u *undoing) madeWith(ctx context.Context, act []*store.Item, words *store.Item) ([]*store.Item, error) {
	whole := slices.Clone(act)
	add := func(it *store.Item) {
		if it != nil && it.Record != nil && !within(whole, it.Ref.ID) {
			whole = append(whole, it)
		}
	}
	add(words)
	edges, err := u.e.Store.Edges(ctx, graph.Forward, words.Ref.ID)
	if err != nil {
		return nil, core.Classify(err)
	}
	var ids []memory.ID
	for _, edge := range edges {
		if edge.Rel == graph.DerivedFrom || edge.Rel == graph.Speaks {
			ids = append(ids, edge.From)
		}
	}
	about, err := u.e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	run := words.Record.Header.Provenance.Run
	var made []memory.ID
	for _, it := range core.Present(about) {
		mark, is := it.Record.Body.(*memory.Mark)
		switch {
		case is && mark.Verb == memory.Said && it.State.Live() && mark.Value == words.Ref.String():
			add(it)
		case !is && it.Ref.Kind.IsMemory() && run != "" && it.Record.Header.Provenance.Run == run:
			add(it)
			made = append(made, it.Ref.ID)
		}
	}
	links, err := u.e.standing.Tying(u.e.trust.Reading(ctx), made...)
	if err != nil {
		return nil, err
	}
	for _, it := range links {
		if b := it.Record.Body.(*memory.Link); b.Detector != "author" && !standing.Applied(it) && it.State.Live() &&
			slices.Contains(made, b.Target.ID) {
			add(it)
		}
	}
	return whole, nil
}

func within(items []*store.Item, id memory.ID) bool {
	return slices.ContainsFunc(items, func(it *store.Item) bool { return it.Ref.ID == id })
}

// shortRefs lists refs in short.
func shortRefs(refs []memory.Ref) string {
	short := make([]string, len(refs))
	for i, ref := range refs {
		short[i] = ref.Short()
	}
	return strings.Join(short, ", ")
}
