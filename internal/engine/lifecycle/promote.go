package lifecycle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Promote makes a memory of raws. Text left out is the first line of the first
// raw, and of a note all its words. Promoting a raw to the same kind twice is refused unless Again.
func (e *Lifecycle) Promote(ctx context.Context, in api.PromoteRequest) (api.WriteReply, error) {
	in.Kind = core.Or(in.Kind, string(memory.KindEpisode))
	sources, err := e.sources(ctx, in.From, in.Kind)
	if err != nil {
		return api.WriteReply{}, err
	}
	for _, s := range sources {
		if s.Ref.Kind != memory.KindRaw {
			return api.WriteReply{}, core.Invalid("%s is not a raw; use consolidate to build on memories", s.Ref.Short())
		}
	}
	if in.Text == "" && sources[0].Record != nil {
		if in.Text, err = e.textOf(sources[0].Record, in.Draft); err != nil {
			return api.WriteReply{}, err
		}
	}
	r, err := e.derive(
		ctx, "", in.Draft, in.Meta,
		memory.Provenance{Via: memory.ViaPromote, From: core.RefsOf(sources), Context: "promote"},
	)
	if err != nil {
		return api.WriteReply{}, err
	}
	b, err := e.batch(r, in.Meta)
	if err != nil {
		return api.WriteReply{}, err
	}
	kept, alike, err := e.unlessRejected(ctx, r, in.Again, nil)
	if err != nil {
		return api.WriteReply{}, err
	}
	if kept != nil {
		return *kept, nil
	}
	if !in.Again {
		for _, s := range sources {
			past, err := e.promotedAway(ctx, s, r.Header.Kind)
			if err != nil {
				return api.WriteReply{}, err
			}
			if !past {
				b.Absent = append(b.Absent, store.Derivation{From: s.Ref.ID, Kind: r.Header.Kind, Via: memory.ViaPromote})
			}
		}
	}
	if err := e.withDecided(ctx, &b); err != nil {
		return api.WriteReply{}, err
	}
	if len(r.Header.Provenance.From) == 0 { // nothing says yet where it comes from
		said, err := e.withTurns(ctx, r.Record)
		if err != nil {
			return api.WriteReply{}, err
		}
		b.Records = append(b.Records, said[1:]...)
	}
	reply, err := e.Write(ctx, b, r.redacted)
	if errors.Is(err, store.ErrConflict) {
		return api.WriteReply{}, e.promotedBefore(ctx, sources, r.Header.Kind)
	}
	reply.Rejected = alike
	return reply, err
}

// textOf returns the words of a raw as the text of a draft. They are cut only where the kind has no room for them.
func (e *Lifecycle) textOf(raw *memory.Record, d api.Draft) (string, error) {
	d.Text = raw.Headline()
	if b, ok := raw.Body.(*memory.Raw); ok && d.Kind == string(memory.KindNote) && strings.TrimSpace(b.Said()) != "" {
		d.Text = b.Said()
	}
	clean, _, err := e.CleanDraft(d)
	if err != nil {
		return "", err
	}
	if body, err := core.DraftBody(clean); err == nil && memory.Check(body) == nil {
		return clean.Text, nil
	}
	line := shorten.FirstLine(clean.Text)
	if short := shorten.Words(line, core.SummaryBytes); short != line {
		line = short + "…"
	}
	return line, nil
}

// promotedBefore says which raw became what.
func (e *Lifecycle) promotedBefore(ctx context.Context, sources []*store.Item, kind memory.Kind) error {
	for _, s := range sources {
		made, err := e.promoted(ctx, s, kind)
		if err != nil {
			return err
		}
		for _, d := range made {
			if !d.State.SupersededBy.IsZero() {
				next, err := e.current(ctx, d)
				if err != nil {
					return err
				}
				return core.Conflict("%s was promoted to %s, which was superseded by %s; use `again=true` to do it again",
					s.Ref.Short(), d.Ref.Short(), next.Short())
			}
			if !gone(d) {
				return core.Conflict("%s was promoted to %s already; use `again=true` to do it again", s.Ref.Short(), d.Ref.Short())
			}
		}
	}
	return core.Conflict("a source was promoted to a %s already; use `again=true` to do it again", kind)
}

// promoted returns the memories of a kind to which a raw was promoted.
func (e *Lifecycle) promoted(ctx context.Context, raw *store.Item, kind memory.Kind) ([]*store.Item, error) {
	made, err := e.DerivedFrom(ctx, raw.Ref.ID)
	return slices.DeleteFunc(made, func(it *store.Item) bool {
		return it.Record == nil || it.Ref.Kind != kind || it.Record.Header.Provenance.Via != memory.ViaPromote
	}), err
}

// gone reports whether a memory is out of what is current and nothing replaced it.
func gone(it *store.Item) bool { return it.State.Active() && !it.State.Live() }

// promotedAway reports whether a raw was promoted to a kind before, and all of these memories are gone:
// promoting it again says it again. What was replaced stays replaced, since the words are the old ones.
func (e *Lifecycle) promotedAway(ctx context.Context, raw *store.Item, kind memory.Kind) (bool, error) {
	made, err := e.promoted(ctx, raw, kind)
	return len(made) > 0 && !slices.ContainsFunc(made, func(it *store.Item) bool { return !gone(it) }), err
}

// sources resolves refs that a memory of this kind may be derived from.
func (e *Lifecycle) sources(ctx context.Context, refs []string, kind string) ([]*store.Item, error) {
	if len(refs) == 0 {
		return nil, core.Invalid("from: name at least one source")
	}
	items, err := e.ResolveAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if !memory.Kind(kind).MayComeFrom(it.Ref.Kind) {
			return nil, core.Invalid("%s cannot be derived from %s", kind, it.Ref.Short())
		}
	}
	return items, nil
}

// derive makes the record of a draft with its provenance, in a space; "" is the one that
// is written to.
func (e *Lifecycle) derive(
	ctx context.Context, space string, d api.Draft, m api.Meta, p memory.Provenance,
) (*derived, error) {
	if err := cmp.Or(e.mayApprove(m), core.DraftWholeFeeling(d)); err != nil {
		return nil, err
	}
	d, redacted, err := e.CleanDraft(d)
	if err != nil {
		return nil, err
	}
	body, err := core.DraftBody(d)
	if err != nil {
		return nil, err
	}
	h, err := core.MetaHeader(m, core.DefaultConfidence)
	if err != nil {
		return nil, err
	}
	h.Space, h.Provenance = space, p
	if err := e.evidence(ctx, &h, m); err != nil {
		return nil, err
	}
	if err := e.expose(ctx, &h, memory.Whole(body), p.Sources()); err != nil {
		return nil, err
	}
	r, more, err := e.SignClean(h, body)
	return &derived{r, append(redacted, more...)}, err
}

// batch is a new memory and, if its author approves it at once, the approval.
func (e *Lifecycle) batch(r *derived, m api.Meta) (store.Batch, error) {
	b := store.Batch{Records: []*memory.Record{r.Record}}
	if !m.Approve {
		return b, nil
	}
	mark, err := e.Mark(r.Header.Space, memory.Approve, "", r.Ref())
	b.Records = append(b.Records, mark)
	return b, err
}

// Consolidate makes a belief, or another kind, that rests on several memories.
// The same conclusion from the same sources is stored once, as long as it is current.
func (e *Lifecycle) Consolidate(ctx context.Context, in api.ConsolidateRequest) (api.WriteReply, error) {
	in.Kind = core.Or(in.Kind, string(memory.KindBelief))
	sources, err := e.sources(ctx, in.From, in.Kind)
	if err != nil {
		return api.WriteReply{}, err
	}
	r, err := e.derive(ctx, "", in.Draft, in.Meta, memory.Provenance{
		Via: memory.ViaConsolidate, From: core.RefsOf(sources), Context: "consolidate", Batch: core.Or(
			in.Batch, batchOf(core.RefsOf(sources)),
		),
	})
	if err != nil {
		return api.WriteReply{}, err
	}
	same, err := e.sameConclusion(ctx, r.Record)
	if err != nil || same != nil {
		return sameReply(same), err
	}
	return e.writeUnlessRejected(ctx, r, in.Meta, in.Again)
}

// batchOf names a consolidation by what it rests on: all that is concluded from the same
// memories is one.
func batchOf(sources []memory.Ref) string {
	names := core.RefStrings(sources)
	slices.Sort(names)
	sum := sha256.Sum256([]byte(strings.Join(names, "\n")))
	return hex.EncodeToString(sum[:batchBytes])
}

const batchBytes = 8

// sameConclusion finds a current memory that says what r says and rests on the same, by the same principal
// and origin. What was superseded, forgotten, rejected or is tainted is not concluded again by saying so.
func (e *Lifecycle) sameConclusion(ctx context.Context, r *memory.Record) (*memory.Record, error) {
	derived, err := e.DerivedFrom(ctx, r.Header.Provenance.From[0].ID)
	if err != nil {
		return nil, err
	}
	origin, err := e.originOf(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, d := range derived {
		if d.Record == nil || d.Ref.Kind != r.Header.Kind ||
			!SameRefs(d.Record.Header.Provenance.From, r.Header.Provenance.From) ||
			!standing.SameBody(d.Record.Body, r.Body) {
			continue
		}
		if folds, err := e.foldsOnto(ctx, d, origin); folds || err != nil {
			return d.Record, err
		}
	}
	return nil, nil
}

// writeUnlessRejected stores a new memory, unless it says what a person rejected.
func (e *Lifecycle) writeUnlessRejected(
	ctx context.Context, r *derived, m api.Meta, again bool,
) (api.WriteReply, error) {
	if err := e.refusesAgain(again); err != nil {
		return api.WriteReply{}, err
	}
	b, err := e.batch(r, m)
	if err != nil {
		return api.WriteReply{}, err
	}
	kept, alike, err := e.unlessRejected(ctx, r, again, nil)
	if err != nil {
		return api.WriteReply{}, err
	}
	if kept != nil {
		return *kept, nil
	}
	if err := e.withDecided(ctx, &b); err != nil {
		return api.WriteReply{}, err
	}
	if len(r.Header.Provenance.From) == 0 { // nothing says yet where it comes from
		said, err := e.withTurns(ctx, r.Record)
		if err != nil {
			return api.WriteReply{}, err
		}
		b.Records = append(b.Records, said[1:]...)
	}
	reply, err := e.Write(ctx, b, r.redacted)
	reply.Rejected = alike
	return reply, err
}

func SameRefs(a, b []memory.Ref) bool {
	if len(a) != len(b) {
		return false
	}
	for _, r := range a {
		if !slices.Contains(b, r) {
			return false
		}
	}
	return true
}

func sameReply(r *memory.Record) api.WriteReply {
	if r == nil {
		return api.WriteReply{}
	}
	return api.WriteReply{
		Ref: r.Ref().String(), Type: string(r.Header.Kind), ID: r.ID.String(), Headline: r.Headline(),
		CreatedAt: r.Header.At.String(), DerivedFrom: core.RefStrings(r.Header.Provenance.From),
		ConsolidationID: r.Header.Provenance.Batch, Existing: true,
	}
}
