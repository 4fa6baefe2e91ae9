package lifecycle

import (
	"context"
	"errors"
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Conflicts lists what waits for somebody to decide what holds; All adds what was decided,
// and links of every relation.
func (e *Lifecycle) Conflicts(ctx context.Context, in api.OpenRequest) (api.ConflictsReply, error) {
	reply := api.ConflictsReply{Conflicts: []api.LinkView{}}
	limit := in.Limit
	if limit == 0 {
		limit = views.DefaultLimit
	}
	err := e.standing.EachLink(e.trust.Reading(ctx), in.All, func(l api.LinkView) bool {
		if !in.All && l.State != standing.LinkOpen {
			return true
		}
		if limit > 0 && len(reply.Conflicts) == limit {
			reply.More = true
			return false
		}
		reply.Conflicts = append(reply.Conflicts, l)
		return true
	})
	if err != nil {
		return reply, err
	}
	forks, more, err := e.forks(ctx, max(0, limit))
	reply.Forks, reply.More = forks, reply.More || more
	if err != nil {
		return reply, err
	}
	if err := e.views.DecidedLinks(e.trust.Reading(ctx), reply.Conflicts); err != nil {
		return reply, err
	}
	if err := e.decidedAlone(e.trust.Reading(ctx), reply.Conflicts); err != nil {
		return reply, err
	}
	var ends []*api.LinkEnd
	for i := range reply.Conflicts {
		ends = append(ends, &reply.Conflicts[i].Old, &reply.Conflicts[i].New)
	}
	for i := range reply.Forks {
		ends = append(ends, &reply.Forks[i].Shown)
		for j := range reply.Forks[i].Siblings {
			ends = append(ends, &reply.Forks[i].Siblings[j])
		}
	}
	return reply, views.MarkEnds(e.trust.Reading(ctx), e.views, ends)
}

// decidedAlone says of links that no decision about several covers them: by what is newer, as in a review.
func (e *Lifecycle) decidedAlone(rd *trust.Reading, links []api.LinkView) error {
	ids := make([]memory.ID, len(links))
	for i := range links {
		ref, err := memory.ParseRef(links[i].New.Ref)
		if err != nil {
			return err
		}
		ids[i] = ref.ID
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	for i, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		if links[i].OneByOne, err = e.views.DecidedAlone(rd, it); err != nil {
			return err
		}
	}
	return nil
}

// Resolve decides what holds of two memories that do not go together. Only a person
// does: nothing that a detector or an agent says supersedes a memory.
func (e *Lifecycle) Resolve(ctx context.Context, in api.ResolveRequest) (api.ResolveReply, error) {
	var reply api.ResolveReply
	if err := e.OwnerOnly("decide what holds"); err != nil {
		return reply, err
	}
	ways := 0
	for _, given := range []bool{in.Keep != "", in.Merge != "", in.Dismiss} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return reply, core.Invalid("decide one way: keep old, new or both, merge, or dismiss")
	}
	if it, err := e.Lookup(ctx, in.Ref); err == nil && it.Record != nil && it.Ref.Kind.IsMemory() {
		return e.resolveFork(ctx, it, in)
	}
	r, err := e.resolving(ctx, in)
	if err != nil {
		return reply, err
	}
	if in.Merge != "" {
		m, err := e.merge(ctx, r, in)
		if err != nil {
			return reply, err
		}
		reply.Memory = &m
	} else {
		decide := r.decide
		if r.differs {
			decide = r.decideAgain
		}
		claims, err := decide(ctx, in)
		if err != nil {
			return reply, err
		}
		b := store.Batch{Records: claims, Expect: []memory.ID{r.it.Ref.ID, r.old.Ref.ID, r.new.Ref.ID}}
		if standing.Applied(r.it) || r.differs {
			b.Expect = b.Expect[:1] // the older one is superseded by it
		}
		if err := e.Append(ctx, b); errors.Is(err, store.ErrConflict) {
			return reply, core.Conflict("somebody else decided about %s meanwhile", r.it.Ref.Short())
		} else if err != nil {
			return reply, err
		}
		reply.Claim = claims[len(claims)-1].Ref().String()
	}
	after, err := e.Store.Get(ctx, r.it.Ref.ID)
	if err != nil {
		return reply, core.Classify(err)
	}
	shown, err := e.standing.LinkViews(e.trust.Reading(ctx), after)
	if err == nil {
		reply.Link = shown[0]
	}
	return reply, err
}

// resolving is a decision about a link that is open, or was decided and can be taken
// back by another.
type resolving struct {
	e        *Lifecycle
	it       *store.Item
	link     *memory.Link
	old, new *store.Item
	differs  bool // people decided it in two ways: it is open again
}

// decision names the link that decided another, with when it did and what.
func (e *Lifecycle) decision(ctx context.Context, by memory.Ref) string {
	it, err := e.Lookup(ctx, by.String())
	if err != nil || it.Record == nil {
		return by.Short()
	}
	return fmt.Sprintf("%s at %s: %s", by.Short(), it.Record.Header.At, memory.Headline(it.Record.Body))
}

func (e *Lifecycle) resolving(ctx context.Context, in api.ResolveRequest) (*resolving, error) {
	it, err := e.Lookup(ctx, in.Ref)
	if err != nil {
		return nil, err
	}
	r := &resolving{e: e, it: it}
	ok := false
	if it.Record != nil {
		r.link, ok = it.Record.Body.(*memory.Link)
	}
	if !ok {
		return nil, core.Invalid("%s is not a link; `conflicts` lists the open links", it.Ref.Short())
	}
	if by := it.State.SupersededBy; !by.IsZero() {
		return nil, core.Conflict("%s was decided by %s", it.Ref.Short(),
			e.decision(ctx, memory.Ref{Kind: memory.KindLink, ID: by}))
	}
	ties, err := e.standing.Ties(e.trust.Reading(ctx), memory.Time{}, []*store.Item{it})
	if err != nil {
		return nil, err
	}
	if t := &ties[0]; t.Differs {
		r.old, r.new, r.differs = t.OldItem, t.NewItem, true
		return r, nil
	}
	if it.State.Review == state.ReviewRejected {
		return nil, core.Conflict("%s was dismissed", it.Ref.Short())
	}
	for _, end := range []struct {
		ref  memory.Ref
		into **store.Item
	}{{r.link.Source, &r.old}, {r.link.Target, &r.new}} {
		found, err := e.One(ctx, end.ref.ID)
		if err != nil {
			return nil, err
		}
		if found == nil {
			return nil, core.Conflict("%s is not held here any more", end.ref.Short())
		}
		*end.into = found
	}
	chains, err := e.Chains(ctx, memory.Time{}, []*store.Item{r.old, r.new})
	if err != nil {
		return nil, err
	}
	if old, new := chains[0].Latest(), chains[1].Latest(); old.State.Rivals() && new.State.Rivals() && old.Ref != new.Ref {
		r.old, r.new, _ = standing.EndsNow(r.link, old, new) // it is open about the revisions
	}
	return r, nil
}

// decide makes the one claim that a decision is.
func (r *resolving) decide(ctx context.Context, in api.ResolveRequest) ([]*memory.Record, error) {
	if standing.Applied(r.it) && (in.Dismiss || in.Keep == "both" || in.Keep == "old") {
		return one(r.unapply(in.Keep, in.Reason))
	}
	space := r.it.Record.Header.Space
	switch {
	case in.Dismiss || in.Keep == "both":
		verb := memory.Approve
		if in.Dismiss {
			verb = memory.Reject
		}
		links, err := r.same(ctx)
		if err != nil {
			return nil, err
		}
		return one(r.e.Mark(space, verb, in.Reason, links...))
	case in.Keep == "old":
		if err := r.live(ctx, r.new); err != nil {
			return nil, err
		}
		reason := core.Or(in.Reason, r.old.Ref.Short()+" holds")
		return one(r.e.Mark(r.new.Record.Header.Space, memory.Reject, reason, r.new.Ref, r.it.Ref))
	case in.Keep != "new":
		return nil, core.Invalid("keep: must be old, new or both, got %q", shorten.To(in.Keep, 40))
	}
	if err := r.live(ctx, r.old); err != nil {
		return nil, err
	}
	switch {
	case r.old.Ref.Kind == r.new.Ref.Kind:
	case r.e.OfNoProject(r.old.Record.Header.Space) && r.new.Record.Header.Space != r.old.Record.Header.Space:
		return nil, core.Invalid("keep: %s is of no project and of another kind: rejected, it would not hold in your other "+
			"projects either. `correct` with what is so here replaces it in this one alone", r.old.Ref.Short())
	default:
		return one(r.e.Mark(r.old.Record.Header.Space, memory.Reject,
			core.Or(in.Reason, "replaced by "+r.new.Ref.Short()), r.old.Ref, r.it.Ref))
	}
	link, err := r.instead(memory.Update, in.Reason)
	if err != nil {
		return nil, err
	}
	rests, err := r.e.restsOf(ctx, r.old, core.Compared(r.new.Record), link)
	return append([]*memory.Record{link}, rests...), err
}

func one(r *memory.Record, err error) ([]*memory.Record, error) { return []*memory.Record{r}, err }

// instead makes the link that takes the place of the one that is decided about.
func (r *resolving) instead(relation, reason string) (*memory.Record, error) {
	link := *r.link
	link.Source, link.Target = r.old.Ref, r.new.Ref
	link.Relation, link.Reason = relation, core.Or(shorten.To(reason, 280), r.link.Reason)
	return r.e.Sign(memory.Header{
		Space: r.e.SpaceOfBoth(r.old.Record, r.new.Record), Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "resolve", Supersedes: []memory.Ref{r.it.Ref}},
	}, &link)
}

// live returns an error unless the memory to be replaced is shown, or a rival revision is shown in
// its place, and the owner may decide about it.
func (r *resolving) live(ctx context.Context, it *store.Item) error {
	if !it.State.Rivals() {
		return core.Conflict("%s is %s already", it.Ref.Short(), core.Hidden(&it.State))
	}
	return r.may(ctx, it)
}

// may returns an error unless this person may decide about a memory or a link.
func (r *resolving) may(ctx context.Context, it *store.Item) error {
	may, err := r.e.May(ctx, it.Record)
	if err == nil && !may {
		err = &core.Failure{
			Kind: api.ErrForbidden,
			Text: it.Ref.Short() + " is somebody else's: its author decides about it, or the owner or a keeper of its " +
				"space; `quarantine` hides it here",
		}
	}
	return err
}

// same returns the link that is decided about and the other open ones that say the same of the
// same two memories, as far as the one who decides may decide about them.
func (r *resolving) same(ctx context.Context) ([]memory.Ref, error) {
	may, err := r.maySettle(ctx, r.it.Record)
	if err != nil {
		return nil, err
	}
	if !may {
		return nil, &core.Failure{
			Kind: api.ErrForbidden,
			Text: r.it.Ref.Short() + " ties memories of others: who may decide about both decides about it, or the owner or " +
				"a keeper of its space; `resolve` with keep old or new, or merge, decides about the memories themselves",
		}
	}
	out := []memory.Ref{r.it.Ref}
	links, err := r.e.standing.LinksOf(r.e.trust.Reading(ctx), r.old.Ref.ID)
	if err != nil {
		return nil, err
	}
	for _, it := range links {
		l, ok := it.Record.Body.(*memory.Link)
		if !ok || it.Ref == r.it.Ref || !it.State.Live() || it.State.Review == state.ReviewApproved ||
			l.Relation != memory.Update && l.Relation != memory.Contradict ||
			l.Source != r.new.Ref && l.Target != r.new.Ref {
			continue
		}
		if may, err := r.maySettle(ctx, it.Record); err != nil {
			return nil, err
		} else if may && it.Record.Header.Space == r.it.Record.Header.Space {
			out = append(out, it.Ref)
		}
	}
	return out, nil
}

// maySettle reports whether this person may say that a link between the two memories asks nobody.
func (r *resolving) maySettle(ctx context.Context, link *memory.Record) (bool, error) {
	who, err := r.e.Keyring(ctx)
	if err != nil {
		return false, err
	}
	v, err := r.e.VoiceIn(who, link.Header.Space)
	if err != nil {
		return false, err
	}
	ends := []*memory.Record{r.old.Record, r.new.Record}
	return state.May(v, link, who) && state.MaySettle(v, link, ends, who), nil
}

// merge says both again.
func (e *Lifecycle) merge(ctx context.Context, r *resolving, in api.ResolveRequest) (api.WriteReply, error) {
	if r.old.Ref.Kind != r.new.Ref.Kind {
		return api.WriteReply{}, core.Invalid(
			"merge: %s and %s are of two kinds; write a memory with `consolidate` and keep the one that holds",
			r.old.Ref.Short(), r.new.Ref.Short(),
		)
	}
	return e.Revise(
		ctx,
		api.ReviseRequest{
			Ref: r.new.Ref.String(), Merge: []string{r.old.Ref.String()}, From: []string{r.old.Ref.String()},
			Draft: api.Draft{Text: in.Merge}, Meta: api.Meta{Trigger: in.Reason},
		},
	)
}
