package stemma

import (
	"context"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// ReviseRequest says a memory anew.
type ReviseRequest struct {
	Ref  string   `json:"ref" jsonschema:"the memory to replace"`
	From []string `json:"from,omitempty" jsonschema:"what else the new one rests on"`
	// Merge names other memories of the kind that the new one replaces too.
	Merge []string `json:"merge,omitempty" jsonschema:"other memories that it replaces too"`
	// Again is for a person who says what was rejected.
	Again bool `json:"again,omitempty" jsonschema:"although a person rejected the same; only a person may"`
	Draft
	Meta
}

// Revise stores a new memory that supersedes another of the same kind. The old
// one stays readable and keeps its evidence. Who may not replace it (an agent
// what its owner wrote, a stranger anything) gets a new memory and a link that
// proposes the update instead.
func (e *Engine) Revise(ctx context.Context, in ReviseRequest) (WriteReply, error) {
	return e.reviseAs(ctx, in, "revise")
}

// reviseAs is Revise in the course of an operation, which the record names.
func (e *Engine) reviseAs(ctx context.Context, in ReviseRequest, operation string) (WriteReply, error) {
	if err := e.refusesAgain(in.Again); err != nil {
		return WriteReply{}, err
	}
	old, err := e.revisable(ctx, in.Ref)
	if err != nil {
		return WriteReply{}, err
	}
	if in.Kind != "" && in.Kind != string(old.Ref.Kind) {
		return WriteReply{}, invalid("kind: %s can only be revised by a %s", old.Ref.Short(), old.Ref.Kind)
	}
	in.Kind = string(old.Ref.Kind)
	p := memory.Provenance{Via: memory.ViaRevision, From: []memory.Ref{old.Ref}, Context: operation}
	if len(in.From) > 0 {
		more, err := e.sources(ctx, in.From, in.Kind)
		if err != nil {
			return WriteReply{}, err
		}
		more = slices.DeleteFunc(more, func(it *store.Item) bool { return it.Ref == old.Ref })
		p.From = append(p.From, refsOf(more)...)
	}
	if p.Evidence, err = e.stillThere(ctx, old); err != nil {
		return WriteReply{}, err
	}
	may, err := e.may(ctx, old.Record)
	if err != nil {
		return WriteReply{}, err
	}
	if !may && len(in.Merge) > 0 {
		return WriteReply{}, &failure{kind: ErrForbidden, text: old.Ref.Short() + " is its owner's and cannot be replaced by an agent"}
	}
	if !may {
		return e.propose(ctx, in, old, p)
	}
	p.Supersedes = []memory.Ref{old.Ref}
	merged, err := e.merged(ctx, in.Merge, old.Ref)
	if err != nil {
		return WriteReply{}, err
	}
	for _, ref := range merged {
		p.Supersedes = append(p.Supersedes, ref)
		if !slices.Contains(p.From, ref) {
			p.From = append(p.From, ref)
		}
	}
	in.inherit(old)
	r, err := e.derive(ctx, old.Record.Header.Space, in.Draft, in.Meta, p)
	if err != nil {
		return WriteReply{}, err
	}
	b, err := e.batch(r, in.Meta)
	if err != nil {
		return WriteReply{}, err
	}
	kept, alike, err := e.unlessRejectedBut(ctx, r, in.Again, old)
	if err != nil {
		return WriteReply{}, err
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
func (e *Engine) merged(ctx context.Context, refs []string, first memory.Ref) ([]memory.Ref, error) {
	var out []memory.Ref
	for _, ref := range refs {
		it, err := e.revisable(ctx, ref)
		if err != nil {
			return nil, err
		}
		if it.Ref == first || slices.Contains(out, it.Ref) {
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
			return nil, &failure{kind: ErrForbidden, text: it.Ref.Short() + " is its owner's and cannot be replaced by an agent"}
		}
		out = append(out, it.Ref)
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
	}
	return old, nil
}

// inherit keeps what the author of a revision did not say anew: its type, and
// the tags and entities.
func (in *ReviseRequest) inherit(old *store.Item) {
	if b, ok := old.Record.Body.(*memory.Belief); ok && in.Type == "" {
		in.Type = b.Type
	}
	if b, ok := old.Record.Body.(*memory.Note); ok && in.Type == "" {
		in.Type = b.Type
	}
	if in.Tags == nil {
		in.Tags = old.Record.Header.Tags
	}
	if in.About == nil {
		in.About = old.Record.Header.About
	}
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
func (e *Engine) propose(ctx context.Context, in ReviseRequest, old *store.Item, p memory.Provenance) (WriteReply, error) {
	in.inherit(old)
	space, err := e.beside(ctx, old.Record)
	if err != nil {
		return WriteReply{}, err
	}
	r, err := e.derive(ctx, space, in.Draft, in.Meta, p)
	if err != nil {
		return WriteReply{}, err
	}
	if kept, _, err := e.unlessRejectedBut(ctx, r, in.Again, old); err != nil || kept != nil {
		if err != nil {
			return WriteReply{}, err
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
		return WriteReply{}, err
	}
	reply, err := e.write(ctx, store.Batch{Records: []*memory.Record{r.Record, link}}, r.redacted)
	reply.Link = link.Ref().String()
	reply.Hint = old.Ref.Short() + " is its owner's and stays; this is stored beside it as a proposed update"
	return reply, err
}
