package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Promote makes a memory of raws. Text left out is the first line of the first
// raw. Promoting a raw to the same kind twice is refused unless Again.
func (e *Engine) Promote(ctx context.Context, in api.PromoteRequest) (api.WriteReply, error) {
	in.Kind = or(in.Kind, string(memory.KindEpisode))
	sources, err := e.sources(ctx, in.From, in.Kind)
	if err != nil {
		return api.WriteReply{}, err
	}
	for _, s := range sources {
		if s.Ref.Kind != memory.KindRaw {
			return api.WriteReply{}, invalid("%s is not a raw; use consolidate to build on memories", s.Ref.Short())
		}
	}
	if in.Text == "" && sources[0].Record != nil {
		whole, _, err := e.cleanDraft(api.Draft{Text: sources[0].Record.Headline()})
		if err != nil {
			return api.WriteReply{}, err
		}
		in.Text = memory.Cut(whole.Text, summaryBytes)
	}
	r, err := e.derive(ctx, "", in.Draft, in.Meta, memory.Provenance{Via: memory.ViaPromote, From: refsOf(sources), Context: "promote"})
	if err != nil {
		return api.WriteReply{}, err
	}
	b, err := e.batch(r, in.Meta)
	if err != nil {
		return api.WriteReply{}, err
	}
	kept, alike, err := e.unlessRejected(ctx, r, in.Again)
	if err != nil {
		return api.WriteReply{}, err
	}
	if kept != nil {
		return *kept, nil
	}
	if !in.Again {
		for _, s := range sources {
			b.Absent = append(b.Absent, store.Derivation{From: s.Ref.ID, Kind: r.Header.Kind, Via: memory.ViaPromote})
		}
	}
	reply, err := e.write(ctx, b, r.redacted)
	if errors.Is(err, store.ErrConflict) {
		return api.WriteReply{}, e.promotedBefore(ctx, sources, r.Header.Kind)
	}
	reply.Rejected = alike
	return reply, err
}

// promotedBefore says which raw became what.
func (e *Engine) promotedBefore(ctx context.Context, sources []*store.Item, kind memory.Kind) error {
	for _, s := range sources {
		derived, err := e.derivedFrom(ctx, s.Ref.ID)
		if err != nil {
			return err
		}
		for _, d := range derived {
			if d.Record != nil && d.Ref.Kind == kind && d.Record.Header.Provenance.Via == memory.ViaPromote {
				return conflict("%s was promoted to %s already; use --again to do it again", s.Ref.Short(), d.Ref.Short())
			}
		}
	}
	return conflict("a source was promoted to a %s already; use --again to do it again", kind)
}

// sources resolves refs that a memory of this kind may be derived from.
func (e *Engine) sources(ctx context.Context, refs []string, kind string) ([]*store.Item, error) {
	if len(refs) == 0 {
		return nil, invalid("from: name at least one source")
	}
	items, err := e.resolveAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if !memory.Kind(kind).MayComeFrom(it.Ref.Kind) {
			return nil, invalid("%s cannot be derived from %s", kind, it.Ref.Short())
		}
	}
	return items, nil
}

// derived is a record made of a draft, and what was taken out of its words.
type derived struct {
	*memory.Record
	redacted []api.Redaction
}

// derive makes the record of a draft with its provenance, in a space; "" is the one that
// is written to.
func (e *Engine) derive(ctx context.Context, space string, d api.Draft, m api.Meta, p memory.Provenance) (*derived, error) {
	if err := draftWholeFeeling(d); err != nil {
		return nil, err
	}
	d, redacted, err := e.cleanDraft(d)
	if err != nil {
		return nil, err
	}
	body, err := DraftBody(d)
	if err != nil {
		return nil, err
	}
	h, err := metaHeader(m, defaultConfidence)
	if err != nil {
		return nil, err
	}
	h.Space, h.Provenance = space, p
	if err := e.evidence(ctx, &h, m); err != nil {
		return nil, err
	}
	if h.Recalled, err = e.recalled(ctx, or(h.Session, e.c.Session), p.Sources()); err != nil {
		return nil, err
	}
	r, more, err := e.signClean(h, body)
	return &derived{r, append(redacted, more...)}, err
}

// batch is a new memory and, where its author says so at once, his approval.
func (e *Engine) batch(r *derived, m api.Meta) (store.Batch, error) {
	b := store.Batch{Records: []*memory.Record{r.Record}}
	if !m.Approve {
		return b, nil
	}
	mark, err := e.mark(r.Header.Space, memory.Approve, "", r.Ref())
	b.Records = append(b.Records, mark)
	return b, err
}

// Consolidate makes a belief, or another kind, that rests on several memories.
// The same conclusion from the same sources is stored once.
func (e *Engine) Consolidate(ctx context.Context, in api.ConsolidateRequest) (api.WriteReply, error) {
	in.Kind = or(in.Kind, string(memory.KindBelief))
	sources, err := e.sources(ctx, in.From, in.Kind)
	if err != nil {
		return api.WriteReply{}, err
	}
	r, err := e.derive(ctx, "", in.Draft, in.Meta, memory.Provenance{
		Via: memory.ViaConsolidate, From: refsOf(sources), Context: "consolidate", Batch: or(in.Batch, batchOf(refsOf(sources))),
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
	names := refStrings(sources)
	slices.Sort(names)
	sum := sha256.Sum256([]byte(strings.Join(names, "\n")))
	return hex.EncodeToString(sum[:batchBytes])
}

const batchBytes = 8

// sameConclusion finds a memory that says what r says and rests on the same.
func (e *Engine) sameConclusion(ctx context.Context, r *memory.Record) (*memory.Record, error) {
	derived, err := e.derivedFrom(ctx, r.Header.Provenance.From[0].ID)
	if err != nil {
		return nil, err
	}
	for _, d := range derived {
		if d.Record == nil || d.Ref.Kind != r.Header.Kind || !sameRefs(d.Record.Header.Provenance.From, r.Header.Provenance.From) {
			continue
		}
		if strings.EqualFold(d.Record.Body.Words(), r.Body.Words()) {
			return d.Record, nil
		}
	}
	return nil, nil
}

func sameRefs(a, b []memory.Ref) bool {
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
		CreatedAt: r.Header.At.String(), From: refStrings(r.Header.Provenance.From),
		Batch: r.Header.Provenance.Batch, Existing: true,
	}
}

// derivedFrom gives the memories that name id as a source.
func (e *Engine) derivedFrom(ctx context.Context, id memory.ID) ([]*store.Item, error) {
	edges, err := e.store.Edges(ctx, memory.Forward, id)
	if err != nil {
		return nil, sorted(err)
	}
	var ids []memory.ID
	for _, edge := range edges {
		if edge.Rel == memory.DerivedFrom {
			ids = append(ids, edge.From)
		}
	}
	items, err := e.store.Get(ctx, ids...)
	return slices.DeleteFunc(items, func(it *store.Item) bool { return it == nil }), sorted(err)
}
