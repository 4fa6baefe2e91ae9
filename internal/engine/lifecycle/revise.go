package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Revise stores a new memory that supersedes another of the same kind, and keeps
// every field that the request does not name: its body, confidence, times, evidence,
// tags and entities. The old one stays readable. Who may not replace it (an agent
// what its owner wrote, a stranger anything) gets a new memory and a link that
// proposes the update instead.
func (e *Lifecycle) Revise(ctx context.Context, in api.ReviseRequest) (api.WriteReply, error) {
	return e.ReviseAs(ctx, in, "revise")
}

// ReviseAs is Revise in the course of an operation, which the record names.
func (e *Lifecycle) ReviseAs(ctx context.Context, in api.ReviseRequest, operation string) (api.WriteReply, error) {
	return e.revise(ctx, in, revising{operation: operation, asks: true})
}

// revising is the course in which a memory is revised.
type revising struct {
	operation string
	asks      bool             // where an agent would replace what a person decided or said, it only proposes
	words     *memory.Record   // what it is made of and was not written yet: both are written, or neither
	beside    []*memory.Record // what is written with the words
	corrects  bool             // a person who corrects what was approved approves the correction
}

func allApproved(items []*store.Item) bool {
	return !slices.ContainsFunc(items, func(it *store.Item) bool { return it.State.Review != state.ReviewApproved })
}

// revise is Revise in the course of an operation.
func (e *Lifecycle) revise(ctx context.Context, in api.ReviseRequest, as revising) (api.WriteReply, error) {
	if err := cmp.Or(e.refusesAgain(in.Again), e.mayApprove(in.Meta)); err != nil {
		return api.WriteReply{}, err
	}
	old, err := e.revisable(ctx, in.Ref)
	if err != nil {
		return api.WriteReply{}, err
	}
	if in.Kind != "" && in.Kind != string(old.Ref.Kind) {
		return api.WriteReply{}, core.Invalid("kind: %s can only be revised by a %s", old.Ref.Short(), old.Ref.Kind)
	}
	if err := reviseRequestSaysSomething(&in); err != nil {
		return api.WriteReply{}, err
	}
	p := memory.Provenance{Via: memory.ViaRevision, From: []memory.Ref{old.Ref}, Context: as.operation}
	if len(in.From) > 0 {
		more, err := e.sources(ctx, in.From, string(old.Ref.Kind))
		if err != nil {
			return api.WriteReply{}, err
		}
		more = slices.DeleteFunc(more, func(it *store.Item) bool { return it.Ref == old.Ref })
		p.From = append(p.From, core.RefsOf(more)...)
	}
	if as.words != nil {
		p.From, p.Run = append(p.From, as.words.Ref()), as.words.Header.Provenance.Run
		p.Evidence = as.words.Header.Provenance.Evidence
	}
	may, err := e.mayReplace(ctx, old, as.asks)
	if err != nil {
		return api.WriteReply{}, err
	}
	if !may && len(in.Merge) > 0 {
		return api.WriteReply{}, e.mayNotMerge(ctx, old)
	}
	if !may {
		return e.propose(ctx, in, old, p, as)
	}
	space, err := e.SpaceInstead(old.Record)
	if err != nil {
		return api.WriteReply{}, err
	}
	merged, err := e.merged(ctx, in.Merge, old.Ref, as.asks)
	if err != nil {
		return api.WriteReply{}, err
	}
	var apart []*store.Item // a revision would end them everywhere; a link does so in this project
	for _, it := range append([]*store.Item{old}, merged...) {
		if e.OfNoProject(it.Record.Header.Space) && it.Record.Header.Space != space {
			apart = append(apart, it)
		} else {
			p.Supersedes = append(p.Supersedes, it.Ref)
		}
	}
	for _, it := range merged {
		if !slices.Contains(p.From, it.Ref) {
			p.From = append(p.From, it.Ref)
		}
	}
	if as.corrects && e.isPerson() && allApproved(append(merged, old)) {
		in.Approve = true
	}
	r, err := e.revision(ctx, space, in, old, merged, p)
	if err != nil {
		return api.WriteReply{}, err
	}
	if may, err := e.mayAfterOutside(ctx, in, old, r.Record, as.words); err != nil {
		return api.WriteReply{}, err
	} else if !may && len(in.Merge) > 0 {
		return api.WriteReply{}, e.mayNotMerge(ctx, old)
	} else if !may {
		p.Supersedes = nil
		return e.propose(ctx, in, old, p, as)
	}
	if err := e.recovers(ctx, old, r.Record); err != nil {
		return api.WriteReply{}, err
	}
	b, err := e.batch(r, in.Meta)
	if err != nil {
		return api.WriteReply{}, err
	}
	for _, it := range apart {
		link, err := e.replacesApart(it, r.Record, as)
		if err != nil {
			return api.WriteReply{}, err
		}
		b.Records = append(b.Records, link)
		b.Expect = append(b.Expect, it.Ref.ID)
	}
	marks, err := e.markedAlike(old, r.Record, &in)
	if err != nil {
		return api.WriteReply{}, err
	}
	b.Records = append(b.Records, marks...)
	kept, alike, err := e.unlessRejectedBut(ctx, r, in.Again, old, as.words)
	if err != nil {
		return api.WriteReply{}, err
	}
	if kept != nil {
		return *kept, nil
	}
	for _, ref := range p.Supersedes {
		b.Expect = append(b.Expect, ref.ID)
	}
	var rests []*memory.Record
	if as.corrects && in.Text != "" && len(merged) == 0 {
		if rests, err = e.restsOf(ctx, old, core.Compared(r.Record), r.Record); err != nil {
			return api.WriteReply{}, err
		}
		b.Records = append(b.Records, rests...)
	}
	reply, err := e.writeAs(ctx, as, b, r.redacted)
	if errors.Is(err, store.ErrConflict) {
		return reply, core.Conflict("%s was revised meanwhile; look at it again", old.Ref.Short())
	}
	reply.Rejected = alike
	staysIn(&reply, rests)
	return reply, err
}

// merged resolves the other memories that a revision replaces.
func (e *Lifecycle) merged(
	ctx context.Context, refs []string, first memory.Ref, asks bool,
) ([]*store.Item, error) {
	var out []*store.Item
	for _, ref := range refs {
		it, err := e.revisable(ctx, ref)
		if err != nil {
			return nil, err
		}
		if it.Ref == first || slices.ContainsFunc(out, func(o *store.Item) bool { return o.Ref == it.Ref }) {
			return nil, core.Invalid("merge: %s is named twice", it.Ref.Short())
		}
		if it.Ref.Kind != first.Kind {
			return nil, core.Invalid("merge: %s is no %s", it.Ref.Short(), first.Kind)
		}
		may, err := e.mayReplace(ctx, it, asks)
		if err != nil {
			return nil, err
		}
		if !may {
			return nil, e.mayNotMerge(ctx, it)
		}
		out = append(out, it)
	}
	return out, nil
}

// mayNotMerge says why a memory cannot be replaced together with others.
func (e *Lifecycle) mayNotMerge(ctx context.Context, it *store.Item) error {
	why, err := e.whyProposed(ctx, it)
	if err != nil {
		return err
	}
	why = core.Or(why, it.Ref.Short()+" belongs to its owner")
	return &core.Failure{
		Kind: api.ErrForbidden,
		Text: why + " and cannot be replaced by an agent together with others; `correct` it alone, which proposes it",
	}
}

// current returns the revision that counts of a memory that was superseded. It ends at one
// that is not held.
func (e *Lifecycle) current(ctx context.Context, old *store.Item) (memory.Ref, error) {
	at := old.Ref
	for seen := map[memory.ID]bool{}; old != nil && !old.State.SupersededBy.IsZero() && !seen[at.ID]; {
		seen[at.ID] = true
		at.ID = old.State.SupersededBy
		items, err := e.Store.Get(ctx, at.ID)
		if err != nil {
			return at, core.Classify(err)
		}
		old = items[0]
	}
	return at, nil
}

// revisable resolves a memory that is the current revision of itself.
func (e *Lifecycle) revisable(ctx context.Context, ref string) (*store.Item, error) {
	old, err := e.ResolveMemory(ctx, ref)
	if err != nil {
		return nil, err
	}
	switch {
	case old.Ref.Kind == memory.KindRaw:
		return nil, core.Invalid("%s is raw words; they are never revised", old.Ref.Short())
	case old.Record == nil:
		return nil, core.Conflict("%s was purged", old.Ref.Short())
	case !old.State.SupersededBy.IsZero():
		next, err := e.current(ctx, old)
		if err != nil {
			return nil, err
		}
		return nil, core.Conflict("%s was superseded by %s; name that one", old.Ref.Short(), next.Short())
	case old.State.Quarantined:
		return nil, core.Conflict(
			"%s is quarantined; `release %s` before revising it", old.Ref.Short(),
			old.Ref.Short(),
		)
	}
	return old, nil
}

// mayReplace reports whether this engine's voice may put another memory in the place of one:
// who may decide about it, and an agent only where no person approved it. With asks, an agent
// also leaves to a person what is theirs to decide.
func (e *Lifecycle) mayReplace(ctx context.Context, old *store.Item, asks bool) (bool, error) {
	if !e.isPerson() && old.State.Review == state.ReviewApproved {
		return false, nil
	}
	if !asks {
		return e.May(ctx, old.Record)
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return false, err
	}
	v, err := e.VoiceIn(who, old.Record.Header.Space)
	if err != nil {
		return false, err
	}
	return e.standing.MayReplace(e.trust.Reading(ctx), v, e.isPerson(), old, who)
}

// May reports whether this engine's voice may decide about r.
func (e *Lifecycle) May(ctx context.Context, r *memory.Record) (bool, error) {
	who, err := e.Keyring(ctx)
	if err != nil {
		return false, err
	}
	v, err := e.VoiceIn(who, r.Header.Space)
	if err != nil {
		return false, err
	}
	return state.May(v, r, who), nil
}

// personsDecision reports whether an agent may not replace a memory by itself, although an
// agent wrote it: a person approved or protected it, or it was drafted of a person's words.
func (e *Lifecycle) personsDecision(ctx context.Context, it *store.Item) (bool, error) {
	if e.isPerson() {
		return false, nil
	}
	return e.standing.PersonsToDecide(e.trust.Reading(ctx), it)
}

// writeAs stores a batch, after the words which its memory is made of, and answers with its
// first record.
func (e *Lifecycle) writeAs(
	ctx context.Context, as revising, b store.Batch, redacted []api.Redaction,
) (api.WriteReply, error) {
	if as.words == nil {
		return e.Write(ctx, b, redacted)
	}
	own := b.Records
	words, err := e.withTurns(ctx, as.words)
	if err != nil {
		return api.WriteReply{}, err
	}
	b.Records = slices.Concat(words, as.beside, own)
	if _, err := e.Write(ctx, b, nil); err != nil {
		return api.WriteReply{}, err
	}
	e.touchSources(ctx, own[0])
	return wrote(own, redacted), nil
}

// proposalSpace returns the space of a proposal about a memory: the memory's, where it is the
// writer's own or a remote takes what is written there, so that all who read the memory see it.
func (e *Lifecycle) proposalSpace(ctx context.Context, r *memory.Record) (string, error) {
	space, err := e.SpaceFor(ctx, r)
	if err != nil || space != "" {
		return space, err
	}
	writes, err := e.SharedWrites(ctx, r.Header.Space)
	if writes {
		space = r.Header.Space
	}
	return space, err
}

// propose stores the new words as another memory, with a link between the two.
func (e *Lifecycle) propose(
	ctx context.Context, in api.ReviseRequest, old *store.Item, p memory.Provenance, as revising,
) (api.WriteReply, error) {
	space, err := e.proposalSpace(ctx, old.Record)
	if err != nil {
		return api.WriteReply{}, err
	}
	r, err := e.revision(ctx, space, in, old, nil, p)
	if err != nil {
		return api.WriteReply{}, err
	}
	if kept, _, err := e.unlessRejectedBut(ctx, r, in.Again, old, as.words); err != nil || kept != nil {
		if err != nil {
			return api.WriteReply{}, err
		}
		return *kept, nil
	}
	link, err := e.Sign(memory.Header{
		Space: r.Header.Space, Confidence: memory.Certain, Provenance: memory.Provenance{
			Via: memory.ViaDirect, Context: "revise",
		},
	}, &memory.Link{
		Source: old.Ref, Target: r.Ref(), Relation: "update", Detector: "author",
		Reason: "proposed by one who may not replace it",
	})
	if err != nil {
		return api.WriteReply{}, err
	}
	reply, err := e.writeAs(ctx, as, store.Batch{Records: []*memory.Record{r.Record, link}}, r.redacted)
	reply.Link = link.Ref().String()
	if err != nil {
		return reply, err
	}
	why, err := e.whyProposed(ctx, old)
	if why != "" {
		why += ", and "
	}
	reply.Hint = why + old.Ref.Short() +
		" stays until a person decides; this is stored beside it as a proposed update"
	return reply, err
}

// replacesApart signs that a memory takes the place of one of no project, in the project of the new one.
func (e *Lifecycle) replacesApart(old *store.Item, now *memory.Record, as revising) (*memory.Record, error) {
	h := memory.Header{
		Space: now.Header.Space, Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: as.operation},
	}
	if !e.isPerson() {
		h.Provenance.Context = state.ByPolicy
	}
	return e.Sign(h, &memory.Link{
		Source: old.Ref, Target: now.Ref(), Relation: memory.Update, Detector: "author",
		Reason: "replaced in this project",
	})
}
