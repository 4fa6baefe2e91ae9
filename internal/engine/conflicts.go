package engine

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Conflicts lists what waits for somebody to decide what holds.
func (e *Engine) Conflicts(ctx context.Context, in api.ConflictsRequest) (api.ConflictsReply, error) {
	reply := api.ConflictsReply{Conflicts: []api.LinkView{}}
	limit := in.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	err := e.eachLink(ctx, in.All, func(l api.LinkView) bool {
		if !in.All && l.State != linkOpen {
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
	return reply, err
}

// linksAtOnce is how many links are looked at together.
const linksAtOnce = 200

// eachLink gives the links of the shelf, the oldest first, until do says enough. Open
// ones that say the same of the same two memories are given once.
func (e *Engine) eachLink(ctx context.Context, hidden bool, do func(api.LinkView) bool) error {
	spaces, err := e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return sorted(err)
	}
	var page []*store.Item
	said := make(said3)
	flush := func() (bool, error) {
		shown, err := e.linkViews(ctx, page)
		page = page[:0]
		for _, v := range shown {
			if v.State == linkOpen && said.before(&v) {
				continue
			}
			if !do(v) {
				return false, err
			}
		}
		return true, err
	}
	q := store.Query{Kinds: []memory.Kind{memory.KindLink}, Spaces: spaces, Hidden: hidden, Oldest: true}
	for it, err := range e.store.List(ctx, q) {
		if err != nil {
			return sorted(err)
		}
		if it.Record == nil {
			continue
		}
		if page = append(page, it); len(page) == linksAtOnce {
			if more, err := flush(); err != nil || !more {
				return err
			}
		}
	}
	_, err = flush()
	return err
}

// Resolve decides what holds of two memories that do not go together. Only a person
// does: nothing that a detector or an agent says supersedes a memory.
func (e *Engine) Resolve(ctx context.Context, in api.ResolveRequest) (api.ResolveReply, error) {
	var reply api.ResolveReply
	if err := e.ownerOnly("decide what holds"); err != nil {
		return reply, err
	}
	ways := 0
	for _, given := range []bool{in.Keep != "", in.Merge != "", in.Dismiss} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return reply, invalid("decide one way: keep old, new or both, merge, or dismiss")
	}
	if it, err := e.resolve(ctx, in.Ref); err == nil && it.Record != nil && it.Ref.Kind.IsMemory() {
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
		claim, err := r.decide(in)
		if err != nil {
			return reply, err
		}
		b := store.Batch{Records: []*memory.Record{claim}, Expect: []memory.ID{r.it.Ref.ID, r.old.Ref.ID, r.new.Ref.ID}}
		if applied(r.it) {
			b.Expect = b.Expect[:1] // the older one is superseded by it
		}
		if err := e.append(ctx, b); errors.Is(err, store.ErrConflict) {
			return reply, conflict("somebody else decided about %s meanwhile", r.it.Ref.Short())
		} else if err != nil {
			return reply, err
		}
		reply.Claim = claim.Ref().String()
	}
	after, err := e.store.Get(ctx, r.it.Ref.ID)
	if err != nil {
		return reply, sorted(err)
	}
	shown, err := e.linkViews(ctx, after)
	if err == nil {
		reply.Link = shown[0]
	}
	return reply, err
}

// resolving is a decision about a link that is open, or was decided and can be taken
// back by another.
type resolving struct {
	e        *Engine
	it       *store.Item
	link     *memory.Link
	old, new *store.Item
}

func (e *Engine) resolving(ctx context.Context, in api.ResolveRequest) (*resolving, error) {
	it, err := e.resolve(ctx, in.Ref)
	if err != nil {
		return nil, err
	}
	r := &resolving{e: e, it: it}
	ok := false
	if it.Record != nil {
		r.link, ok = it.Record.Body.(*memory.Link)
	}
	if !ok {
		return nil, invalid("%s is no link; 'stemma conflicts' lists those to decide about", it.Ref.Short())
	}
	if by := it.State.SupersededBy; !by.IsZero() {
		return nil, conflict("%s was decided by %s", it.Ref.Short(), memory.Ref{Kind: memory.KindLink, ID: by}.Short())
	}
	if it.State.Review == memory.ReviewRejected {
		return nil, conflict("%s was dismissed", it.Ref.Short())
	}
	for _, end := range []struct {
		ref  memory.Ref
		into **store.Item
	}{{r.link.Source, &r.old}, {r.link.Target, &r.new}} {
		found, err := e.one(ctx, end.ref.ID)
		if err != nil {
			return nil, err
		}
		if found == nil {
			return nil, conflict("%s is not held here any more", end.ref.Short())
		}
		*end.into = found
	}
	chains, err := e.chains(ctx, memory.Time{}, []*store.Item{r.old, r.new})
	if err != nil {
		return nil, err
	}
	if old, new := chains[0].latest(), chains[1].latest(); old.State.Live() && new.State.Live() && old.Ref != new.Ref {
		r.old, r.new = old, new // it is open about the revisions
	}
	return r, nil
}

// decide makes the one claim that a decision is.
func (r *resolving) decide(in api.ResolveRequest) (*memory.Record, error) {
	if applied(r.it) && (in.Dismiss || in.Keep == "both" || in.Keep == "old") {
		return r.unapply(in.Keep, in.Reason)
	}
	switch {
	case in.Dismiss:
		return r.e.mark(r.it.Record.Header.Space, memory.Reject, in.Reason, r.it.Ref)
	case in.Keep == "both":
		return r.e.mark(r.it.Record.Header.Space, memory.Approve, in.Reason, r.it.Ref)
	case in.Keep == "old":
		if err := r.live(r.new); err != nil {
			return nil, err
		}
		return r.e.mark(r.it.Record.Header.Space, memory.Reject, or(in.Reason, r.old.Ref.Short()+" holds"), r.new.Ref, r.it.Ref)
	case in.Keep != "new":
		return nil, invalid("keep: must be old, new or both, got %q", memory.Cut(in.Keep, 40))
	}
	if err := r.live(r.old); err != nil {
		return nil, err
	}
	if r.old.Ref.Kind != r.new.Ref.Kind {
		return r.e.mark(r.it.Record.Header.Space, memory.Reject, or(in.Reason, "replaced by "+r.new.Ref.Short()), r.old.Ref)
	}
	link := *r.link
	link.Source, link.Target = r.old.Ref, r.new.Ref
	link.Relation, link.Reason = memory.Update, or(memory.Cut(in.Reason, 280), r.link.Reason)
	return r.e.sign(memory.Header{
		Space: r.it.Record.Header.Space, Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "resolve", Supersedes: []memory.Ref{r.it.Ref}},
	}, &link)
}

// live asks that the memory that is to give way is shown, and the owner's to decide
// about.
func (r *resolving) live(it *store.Item) error {
	if !it.State.Live() {
		return conflict("%s is %s already", it.Ref.Short(), hidden(&it.State))
	}
	may, err := r.e.may(context.Background(), it.Record)
	if err == nil && !may {
		err = &failure{kind: api.ErrForbidden, text: it.Ref.Short() + " is somebody else's: only they replace it; 'stemma quarantine' hides it here"}
	}
	return err
}

// merge says both anew.
func (e *Engine) merge(ctx context.Context, r *resolving, in api.ResolveRequest) (api.WriteReply, error) {
	if r.old.Ref.Kind != r.new.Ref.Kind {
		return api.WriteReply{}, invalid("merge: %s and %s are of two kinds; write a memory with 'stemma consolidate' and keep the one that holds", r.old.Ref.Short(), r.new.Ref.Short())
	}
	return e.Revise(ctx, api.ReviseRequest{Ref: r.new.Ref.String(), Merge: []string{r.old.Ref.String()}, From: []string{r.old.Ref.String()}, Draft: api.Draft{Text: in.Merge}})
}
