package lifecycle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// beside takes back and returns the marks that the command of an act wrote beside its records: by which twins went with
// what it corrected, and which settled prompts.
func (u *undoing) beside(ctx context.Context, act []*store.Item) ([]*store.Item, error) {
	first := slices.MinFunc(act, func(a, b *store.Item) int {
		return a.Record.Header.At.Time().Compare(b.Record.Header.At.Time())
	})
	rests, err := u.takeRests(ctx, act)
	if err != nil {
		return nil, err
	}
	var out []*store.Item
	back := make(map[memory.ID]bool)
	for it, err := range u.e.Store.List(ctx, store.Query{
		Kinds: []memory.Kind{memory.KindMark}, Author: act[0].Record.Header.Author, Hidden: true,
	}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		r := it.Record
		if r == nil {
			continue
		}
		if first.Record.Header.At.Time().Sub(r.Header.At.Time()) > aMoment {
			break
		}
		for _, ref := range r.Header.Provenance.Supersedes {
			back[ref.ID] = true
		}
		if !back[r.ID] && it.State.Active() && !within(act, r.ID) && isBeside(r, act) {
			out = append(out, it)
		}
	}
	for _, it := range out {
		m := it.Record.Body.(*memory.Mark)
		if err := u.dismiss(it.Record, m); err != nil {
			return nil, err
		}
		is := map[string]string{memory.Forget: " is current again", memory.Done: " waits again"}[m.Verb]
		for _, ref := range memory.Subjects(m) {
			if is != "" {
				u.reply.Of = append(u.reply.Of, ref.String())
				u.reply.Did += "; " + ref.Short() + is
			}
		}
	}
	return append(out, rests...), nil
}

// isBeside reports whether the command of an act wrote a mark beside its records.
func isBeside(mark *memory.Record, act []*store.Item) bool {
	if by, is := wentWith(mark); is {
		return within(act, by)
	}
	if by, is := core.RestAfter(mark); is {
		return within(act, by)
	}
	m, p := mark.Body.(*memory.Mark), &mark.Header.Provenance
	if m.Verb != memory.Done || p.Context != contextNotKept && p.Context != contextKnown || p.Run == "" {
		return false
	}
	return slices.ContainsFunc(act, func(it *store.Item) bool {
		return it.Record.Header.Provenance.Run == p.Run && it.Ref.Kind == memory.KindRaw &&
			(p.Context == contextKnown || it.Record.Header.At == mark.Header.At)
	})
}

// restsWith returns the memories of what stayed that an act made beside its records.
func (u *undoing) restsWith(ctx context.Context, act []*store.Item) (out []*store.Item, err error) {
	var olds []memory.ID
	for _, it := range act {
		switch b := it.Record.Body.(type) {
		case *memory.Link:
			olds = append(olds, b.Source.ID)
		default:
			olds = append(olds, core.IDsOf(it.Record.Header.Provenance.Supersedes)...)
		}
	}
	for _, old := range olds {
		made, err := u.e.DerivedFrom(ctx, old)
		if err != nil {
			return nil, err
		}
		for _, it := range made {
			if it.Record == nil || within(out, it.Ref.ID) {
				continue
			}
			if by, is := core.RestAfter(it.Record); is && it.Ref.Kind.IsMemory() && within(act, by) && !it.State.Forgotten {
				out = append(out, it)
			}
		}
	}
	return slices.Clip(out), nil
}

// takeRests takes back what an act made of what stayed.
func (u *undoing) takeRests(ctx context.Context, act []*store.Item) ([]*store.Item, error) {
	rests, err := u.restsWith(ctx, act)
	if err != nil {
		return nil, err
	}
	for _, it := range rests {
		now := u.restored(it)
		if !now.State.SupersededBy.IsZero() {
			return nil, core.Conflict("the last act kept %s, which was revised since; look at it with `history %s`",
				it.Ref.Short(), it.Ref.Short())
		}
		if err := u.e.standing.TakesOut(u.e.trust.Reading(ctx), now, "forget it"); err != nil {
			return nil, err
		}
		if err := u.sign(it.Record, memory.Header{Provenance: memory.Provenance{Via: memory.ViaDirect}},
			&memory.Mark{Of: &now.Ref, Verb: memory.Forget, Reason: "taken back by its author"}); err != nil {
			return nil, err
		}
		u.reply.Of = append(u.reply.Of, now.Ref.String())
		u.reply.Did += "; " + now.Ref.Short() + ", which kept the rest, is forgotten"
	}
	return rests, nil
}
