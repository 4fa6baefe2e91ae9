package lifecycle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// twinsOf returns the other current memories that state what one states and have a source in common with it, or one of
// which is made of the other: a belief and a note of the same words. What is no longer so of one is so of none. by is
// what is so instead, if that is a memory: those of which the rules told the same change into it are twins too.
func (e *Lifecycle) twinsOf(ctx context.Context, it *store.Item, by memory.ID) ([]*store.Item, error) {
	out, err := e.sameChange(ctx, it, by)
	if err != nil {
		return nil, err
	}
	stated := standing.Stated(it.Record)
	if stated == "" {
		return out, nil
	}
	sources := it.Record.Header.Provenance.Sources()
	found, err := e.Store.Get(ctx, sources...)
	if err != nil {
		return nil, core.Classify(err)
	}
	for _, id := range append(slices.Clip(sources), it.Ref.ID) {
		made, err := e.DerivedFrom(ctx, id)
		if err != nil {
			return nil, err
		}
		found = append(found, made...)
	}
	for _, o := range core.Present(found) {
		same := func(x *store.Item) bool { return x.Ref == o.Ref }
		if o.Record != nil && o.Ref != it.Ref && o.Ref.Kind != memory.KindRaw && o.Ref.Kind.IsMemory() && o.State.Live() &&
			standing.Stated(o.Record) == stated && !slices.ContainsFunc(out, same) {
			out = append(out, o)
		}
	}
	return out, nil
}

// sameChange returns the other memories of which an open link of the rules tells the same change into a newer one as it
// tells of one.
func (e *Lifecycle) sameChange(ctx context.Context, it *store.Item, by memory.ID) ([]*store.Item, error) {
	if by.IsZero() {
		return nil, nil
	}
	links, err := e.standing.LinksOf(e.trust.Reading(ctx), by)
	if err != nil {
		return nil, err
	}
	ties, err := e.standing.Ties(e.trust.Reading(ctx), memory.Time{}, links)
	if err != nil {
		return nil, err
	}
	told := make(map[string]bool)
	open := slices.DeleteFunc(ties, func(t standing.Tie) bool {
		is := t.State == standing.LinkOpen && !t.Differs && t.Detector == evolve.RulesVersion && t.NewItem.Ref.ID == by &&
			t.OldItem.Ref.Kind == it.Ref.Kind
		told[t.Reason] = told[t.Reason] || is && t.OldItem.Ref == it.Ref
		return !is
	})
	var out []*store.Item
	for _, t := range open {
		if told[t.Reason] && t.OldItem.Ref != it.Ref {
			out = append(out, t.OldItem)
		}
	}
	return out, nil
}

// withTwins makes a correction and ends the twins of what it took out of what is current.
func (e *Lifecycle) withTwins(
	ctx context.Context, old *store.Item, by memory.ID, correct func() (api.CorrectReply, error),
) (api.CorrectReply, error) {
	twins, err := e.twinsOf(ctx, old, by)
	if err != nil {
		return api.CorrectReply{}, err
	}
	drafts, err := e.draftsOfTurn(ctx, old)
	if err != nil {
		return api.CorrectReply{}, err
	}
	reply, err := correct()
	inPart := reply.Done == doneInPart && len(reply.Superseded) > 0 // of twins the rest stays too
	if err != nil || !inPart && !slices.Contains(
		[]string{doneReplaced, doneEnded, doneForgotten, doneRejected}, reply.Done) {
		return reply, err
	}
	twins = slices.DeleteFunc(twins, func(it *store.Item) bool { return it.Ref.ID == by }) // it is what is so instead
	if err := e.endTwins(ctx, old, twins, reply.Done, &reply.WriteReply); err != nil {
		return reply, err
	}
	return reply, e.overtaken(ctx, old, drafts, reply.Ref)
}

// draftsOfTurn returns the current drafts of the rules that say what a memory says, and more, and were made of a turn
// of which the words of that memory were written.
func (e *Lifecycle) draftsOfTurn(ctx context.Context, it *store.Item) ([]*store.Item, error) {
	says := words.Query(standing.Stated(it.Record))
	sources := it.Record.Header.Provenance.Sources()
	if len(says) == 0 || len(sources) == 0 {
		return nil, nil
	}
	marks, err := e.trust.Reading(ctx).Speaking(sources, memory.KindMark)
	if err != nil {
		return nil, core.Classify(err)
	}
	var out []*store.Item
	for _, m := range marks {
		b, is := m.Record.Body.(*memory.Mark)
		if !is || b.Verb != core.SaidIn || b.Of == nil || !m.State.Live() || !slices.Contains(sources, b.Of.ID) {
			continue
		}
		for _, turn := range b.Also {
			made, err := e.DerivedFrom(ctx, turn.ID)
			if err != nil {
				return nil, err
			}
			for _, o := range made {
				if o.Record == nil || o.Ref == it.Ref || !o.Ref.Kind.IsMemory() || !o.State.Live() ||
					o.Record.Header.Provenance.Via != memory.ViaInference || standing.Stated(o.Record) == "" {
					continue
				}
				has := words.Terms(standing.Stated(o.Record))
				if !slices.ContainsFunc(says, func(w string) bool { return !slices.Contains(has, w) }) {
					out = append(out, o)
				}
			}
		}
	}
	return out, nil
}

// overtaken says of drafts that what they say besides more was replaced: what is so instead stands before them. What
// else they say may still hold, so that they stay.
func (e *Lifecycle) overtaken(ctx context.Context, old *store.Item, drafts []*store.Item, by string) error {
	now, err := e.ResolveMemory(ctx, by)
	if len(drafts) == 0 || err != nil || now.Record == nil || now.Ref == old.Ref {
		return nil // it was taken out without new words
	}
	var links []*memory.Record
	for _, it := range drafts {
		if now.Ref == it.Ref {
			continue
		}
		link, err := e.linkBy(ctx, it, now, "it was drafted of the words of which "+old.Ref.Short()+" was written", false)
		if err != nil {
			return err
		}
		links = append(links, link)
	}
	return core.Classify(e.Append(ctx, store.Batch{Records: links}))
}

// endTwins ends the twins of a memory that was taken out of what is current: those about which this voice may decide.
// The others are named in the reply.
func (e *Lifecycle) endTwins(
	ctx context.Context, old *store.Item, twins []*store.Item, done string, reply *api.WriteReply,
) error {
	var marks []*memory.Record
	for _, it := range twins {
		may, err := e.mayReplace(ctx, it, true)
		if err != nil {
			return err
		}
		if !may {
			if reply.Hint != "" {
				reply.Hint += "; "
			}
			reply.Hint += it.Ref.Short() + " says the same, and is a person's to decide about"
			continue
		}
		if e.OfNoProject(it.Record.Header.Space) && done != doneForgotten && done != doneRejected {
			link, err := e.twinApart(ctx, old, it, reply.Ref)
			if err != nil {
				return err
			}
			marks = append(marks, link...)
			continue // a mark would end it in all projects
		}
		mark, err := e.MarksIn(it.Record.Header.Space, core.Marking{
			Verb: memory.Forget, Value: core.Or(reply.Link, reply.Ref), Context: contextTwin, At: e.C.Now(),
			Reason: "it said what " + old.Ref.Short() + " said, which was " + done,
		}, []memory.Ref{it.Ref})
		if err != nil {
			return err
		}
		marks = append(marks, mark...)
		reply.Superseded = append(reply.Superseded, it.Ref.String())
	}
	if len(marks) == 0 {
		return nil
	}
	return core.Classify(e.Append(ctx, store.Batch{Records: marks}))
}

// twinApart puts what replaced a memory in this project also in the place of its twin of no project. One of another
// kind stays: a link between two kinds replaces nothing.
func (e *Lifecycle) twinApart(ctx context.Context, old, twin *store.Item, ref string) ([]*memory.Record, error) {
	by, err := e.ResolveMemory(ctx, ref)
	if err != nil || by.Record == nil || by.Ref.Kind != twin.Ref.Kind || by.Ref == old.Ref {
		return nil, err
	}
	link, err := e.linkBy(ctx, twin, by, "it said what "+old.Ref.Short()+" said", true)
	return []*memory.Record{link}, err
}
