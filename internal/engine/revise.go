package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Revise stores a new memory that supersedes another of the same kind, and keeps
// every field that the request does not name: its body, confidence, times, evidence,
// tags and entities. The old one stays readable. Who may not replace it (an agent
// what its owner wrote, a stranger anything) gets a new memory and a link that
// proposes the update instead.
func (e *Engine) Revise(ctx context.Context, in api.ReviseRequest) (api.WriteReply, error) {
	return e.reviseAs(ctx, in, "revise")
}

// reviseAs is Revise in the course of an operation, which the record names.
func (e *Engine) reviseAs(ctx context.Context, in api.ReviseRequest, operation string) (api.WriteReply, error) {
	if err := e.refusesAgain(in.Again); err != nil {
		return api.WriteReply{}, err
	}
	old, err := e.revisable(ctx, in.Ref)
	if err != nil {
		return api.WriteReply{}, err
	}
	if in.Kind != "" && in.Kind != string(old.Ref.Kind) {
		return api.WriteReply{}, invalid("kind: %s can only be revised by a %s", old.Ref.Short(), old.Ref.Kind)
	}
	if err := reviseRequestSaysSomething(&in); err != nil {
		return api.WriteReply{}, err
	}
	p := memory.Provenance{Via: memory.ViaRevision, From: []memory.Ref{old.Ref}, Context: operation}
	if len(in.From) > 0 {
		more, err := e.sources(ctx, in.From, string(old.Ref.Kind))
		if err != nil {
			return api.WriteReply{}, err
		}
		more = slices.DeleteFunc(more, func(it *store.Item) bool { return it.Ref == old.Ref })
		p.From = append(p.From, refsOf(more)...)
	}
	may, err := e.may(ctx, old.Record)
	if err != nil {
		return api.WriteReply{}, err
	}
	if !may && len(in.Merge) > 0 {
		return api.WriteReply{}, &failure{kind: api.ErrForbidden, text: old.Ref.Short() + " is its owner's and cannot be replaced by an agent"}
	}
	if !may {
		return e.propose(ctx, in, old, p)
	}
	p.Supersedes = []memory.Ref{old.Ref}
	merged, err := e.merged(ctx, in.Merge, old.Ref)
	if err != nil {
		return api.WriteReply{}, err
	}
	for _, it := range merged {
		p.Supersedes = append(p.Supersedes, it.Ref)
		if !slices.Contains(p.From, it.Ref) {
			p.From = append(p.From, it.Ref)
		}
	}
	r, err := e.revision(ctx, old.Record.Header.Space, in, old, merged, p)
	if err != nil {
		return api.WriteReply{}, err
	}
	b, err := e.batch(r, in.Meta)
	if err != nil {
		return api.WriteReply{}, err
	}
	marks, err := e.markedAlike(old, r.Record, &in)
	if err != nil {
		return api.WriteReply{}, err
	}
	b.Records = append(b.Records, marks...)
	kept, alike, err := e.unlessRejectedBut(ctx, r, in.Again, old)
	if err != nil {
		return api.WriteReply{}, err
	}
	if kept != nil {
		return *kept, nil
	}
	for _, ref := range p.Supersedes {
		b.Expect = append(b.Expect, ref.ID)
	}
	reply, err := e.write(ctx, b, r.redacted)
	if errors.Is(err, store.ErrConflict) {
		return reply, conflict("%s was revised meanwhile; look at it again", old.Ref.Short())
	}
	reply.Rejected = alike
	return reply, err
}

// merged resolves the other memories that a revision replaces.
func (e *Engine) merged(ctx context.Context, refs []string, first memory.Ref) ([]*store.Item, error) {
	var out []*store.Item
	for _, ref := range refs {
		it, err := e.revisable(ctx, ref)
		if err != nil {
			return nil, err
		}
		if it.Ref == first || slices.ContainsFunc(out, func(o *store.Item) bool { return o.Ref == it.Ref }) {
			return nil, invalid("merge: %s is named twice", it.Ref.Short())
		}
		if it.Ref.Kind != first.Kind {
			return nil, invalid("merge: %s is no %s", it.Ref.Short(), first.Kind)
		}
		may, err := e.may(ctx, it.Record)
		if err != nil {
			return nil, err
		}
		if !may {
			return nil, &failure{kind: api.ErrForbidden, text: it.Ref.Short() + " is its owner's and cannot be replaced by an agent"}
		}
		out = append(out, it)
	}
	return out, nil
}

// revisable resolves a memory that is the current revision of itself.
func (e *Engine) revisable(ctx context.Context, ref string) (*store.Item, error) {
	old, err := e.resolveMemory(ctx, ref)
	if err != nil {
		return nil, err
	}
	switch {
	case old.Ref.Kind == memory.KindRaw:
		return nil, invalid("%s is raw words; they are never revised", old.Ref.Short())
	case old.Record == nil:
		return nil, conflict("%s was purged", old.Ref.Short())
	case !old.State.SupersededBy.IsZero():
		next := memory.Ref{Kind: old.Ref.Kind, ID: old.State.SupersededBy}
		return nil, conflict("%s was superseded by %s; revise that one", old.Ref.Short(), next.Short())
	case old.State.Quarantined:
		return nil, conflict("%s is quarantined; 'stemma release %s' comes before it is said anew", old.Ref.Short(), old.Ref.Short())
	}
	return old, nil
}

// earlier gives the wordings that a memory replaced, and those that they replaced: the
// later first. What somebody claims to have replaced, and did not, is not among them.
func (e *Engine) earlier(ctx context.Context, it *store.Item) ([]*store.Item, error) {
	var out []*store.Item
	seen := map[memory.ID]bool{it.Ref.ID: true}
	for level := []*store.Item{it}; len(level) > 0; {
		var ids []memory.ID
		by := make(map[memory.ID]memory.ID)
		for _, one := range level {
			if one.Record == nil {
				continue
			}
			for _, old := range one.Record.Header.Provenance.Supersedes {
				if !seen[old.ID] {
					seen[old.ID], by[old.ID] = true, one.Ref.ID
					ids = append(ids, old.ID)
				}
			}
		}
		if len(ids) == 0 {
			break
		}
		items, err := e.store.Get(ctx, ids...)
		if err != nil {
			return nil, sorted(err)
		}
		level = slices.DeleteFunc(items, func(old *store.Item) bool { return old == nil || old.State.SupersededBy != by[old.Ref.ID] })
		out = append(out, level...)
	}
	return out, nil
}

// wordings gives a memory after the wordings that it replaced, the oldest first. Of a merge
// it follows the one that was revised. It ends at one that was purged.
func (e *Engine) wordings(ctx context.Context, it *store.Item) ([]*store.Item, error) {
	earlier, err := e.earlier(ctx, it)
	if err != nil {
		return nil, err
	}
	held := make(map[memory.ID]*store.Item, len(earlier))
	for _, old := range earlier {
		held[old.Ref.ID] = old
	}
	line := []*store.Item{it}
	for at := it; len(at.Record.Header.Provenance.Supersedes) > 0; line = append(line, at) {
		at = held[at.Record.Header.Provenance.Supersedes[0].ID]
		if at == nil || at.Record == nil {
			break
		}
		delete(held, at.Ref.ID)
	}
	slices.Reverse(line)
	return line, nil
}

// may reports whether this engine's voice may decide about r.
func (e *Engine) may(ctx context.Context, r *memory.Record) (bool, error) {
	v, err := e.voice()
	if err != nil {
		return false, err
	}
	who, err := e.standing(ctx)
	if err != nil {
		return false, err
	}
	return memory.May(v, r, who), nil
}

// propose stores the new words beside the old ones, with a link between them.
func (e *Engine) propose(ctx context.Context, in api.ReviseRequest, old *store.Item, p memory.Provenance) (api.WriteReply, error) {
	space, err := e.beside(ctx, old.Record)
	if err != nil {
		return api.WriteReply{}, err
	}
	r, err := e.revision(ctx, space, in, old, nil, p)
	if err != nil {
		return api.WriteReply{}, err
	}
	if kept, _, err := e.unlessRejectedBut(ctx, r, in.Again, old); err != nil || kept != nil {
		if err != nil {
			return api.WriteReply{}, err
		}
		return *kept, nil
	}
	link, err := e.sign(memory.Header{
		Space: r.Header.Space, Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "revise"},
	}, &memory.Link{
		Source: old.Ref, Target: r.Ref(), Relation: "update", Detector: "author",
		Reason: "proposed by one who may not replace it",
	})
	if err != nil {
		return api.WriteReply{}, err
	}
	reply, err := e.write(ctx, store.Batch{Records: []*memory.Record{r.Record, link}}, r.redacted)
	reply.Link = link.Ref().String()
	reply.Hint = old.Ref.Short() + " is its owner's and stays; this is stored beside it as a proposed update"
	return reply, err
}
