package stemma

import (
	"context"

	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// ProvenanceReply is how a record came to be, one step in each direction.
type ProvenanceReply struct {
	Ref        string             `json:"ref"`
	SourceType string             `json:"source_type"`
	CreatedVia string             `json:"created_via"`
	CreatedAt  string             `json:"created_at"`
	Raws       []string           `json:"source_raw_ids,omitempty"`
	Memories   []string           `json:"source_memory_refs,omitempty"`
	From       []string           `json:"derived_from,omitempty"`
	Episodes   []string           `json:"source_episodes,omitempty"`
	Into       []string           `json:"derived_into,omitempty"`
	Supersedes []string           `json:"supersedes,omitempty"`
	Superseded string             `json:"superseded_by,omitempty"`
	Batch      string             `json:"consolidation_id,omitempty"`
	Context    string             `json:"promotion_context,omitempty"`
	Run        string             `json:"run,omitempty"`
	Author     string             `json:"author"`
	Origin     string             `json:"origin"`
	Session    string             `json:"session,omitempty"`
	History    []ConfidenceChange `json:"confidence_history"`
}

// Provenance tells how a record came to be.
func (e *Engine) Provenance(ctx context.Context, in ShowRequest) (ProvenanceReply, error) {
	it, err := e.resolve(ctx, in.Ref)
	if err != nil {
		return ProvenanceReply{}, err
	}
	p := ProvenanceReply{Ref: it.Ref.String(), History: []ConfidenceChange{}}
	derived, err := e.derivedFrom(ctx, it.Ref.ID)
	if err != nil {
		return p, err
	}
	for _, d := range derived {
		p.Into = append(p.Into, d.Ref.String())
	}
	p.Superseded = refOrNone(it.Ref.Kind, it.State.SupersededBy)
	if it.Record == nil {
		return p, nil
	}
	h := &it.Record.Header
	p.SourceType, p.CreatedVia = h.Provenance.Via.SourceType(), string(h.Provenance.Via)
	p.CreatedAt, p.Author, p.Origin, p.Session = h.At.String(), h.Author, string(h.Origin), h.Session
	p.From, p.Supersedes = refStrings(h.Provenance.From), refStrings(h.Provenance.Supersedes)
	p.Batch, p.Context, p.Run = h.Provenance.Batch, h.Provenance.Context, h.Provenance.Run
	for _, ref := range h.Provenance.From {
		if ref.Kind == memory.KindRaw {
			p.Raws = append(p.Raws, ref.String())
		} else {
			p.Memories = append(p.Memories, ref.String())
		}
		if ref.Kind == memory.KindEpisode {
			p.Episodes = append(p.Episodes, ref.String())
		}
	}
	p.History, err = e.confidenceHistory(ctx, it)
	return p, err
}

func (e *Engine) claimsOf(ctx context.Context, id memory.ID) ([]*memory.Record, error) {
	edges, err := e.store.Edges(ctx, memory.Forward, id)
	if err != nil {
		return nil, sorted(err)
	}
	var ids []memory.ID
	for _, edge := range edges {
		if edge.Rel == memory.Speaks {
			ids = append(ids, edge.From)
		}
	}
	items, err := e.store.Get(ctx, ids...)
	var claims []*memory.Record
	for _, it := range items {
		if it != nil && it.Record != nil {
			claims = append(claims, it.Record)
		}
	}
	return claims, sorted(err)
}

// RelatedReply is records that hang on another.
type RelatedReply struct {
	Ref     string    `json:"ref"`
	Related []Related `json:"related"`
}

// Related is one record that hangs on another.
type Related struct {
	Type         string `json:"type"`
	ID           string `json:"id"`
	Headline     string `json:"headline"`
	Speaker      string `json:"speaker,omitempty"` // who said the words
	CreatedAt    string `json:"created_at"`
	Relationship string `json:"relationship"` // how the derived one of the two came to be: the same from both ends
	Depth        int    `json:"depth"`        // steps away
	Course
}

// Derived gives the memories that were derived from a record directly.
func (e *Engine) Derived(ctx context.Context, in ShowRequest) (RelatedReply, error) {
	return e.related(ctx, in.Ref, memory.Forward, 1)
}

// Sources gives the memories a record was derived from directly.
func (e *Engine) Sources(ctx context.Context, in ShowRequest) (RelatedReply, error) {
	return e.related(ctx, in.Ref, memory.Back, 1)
}

// FromRaw gives every memory that traces back to a raw, however far.
func (e *Engine) FromRaw(ctx context.Context, in ShowRequest) (RelatedReply, error) {
	return e.related(ctx, in.Ref, memory.Forward, 0)
}

// RawSources gives the raws that a memory ultimately rests on.
func (e *Engine) RawSources(ctx context.Context, in ShowRequest) (RelatedReply, error) {
	reply, err := e.related(ctx, in.Ref, memory.Back, 0)
	raws := []Related{}
	for _, r := range reply.Related {
		if r.Type == string(memory.KindRaw) {
			raws = append(raws, r)
		}
	}
	reply.Related = raws
	return reply, err
}

func (e *Engine) related(ctx context.Context, ref string, dir memory.Direction, depth int) (RelatedReply, error) {
	it, err := e.resolve(ctx, ref)
	if err != nil {
		return RelatedReply{}, err
	}
	reply := RelatedReply{Ref: it.Ref.String(), Related: []Related{}}
	t, err := lineage.Walk(ctx, e.store, it.Ref.ID, dir, depth, 0)
	if err != nil {
		return reply, sorted(err)
	}
	items, err := e.store.Get(ctx, t.Order[1:]...)
	how := relationships(t, append(items, it))
	for _, it := range items {
		if it == nil {
			continue
		}
		n := Related{
			Type: string(it.Ref.Kind), ID: it.Ref.ID.String(), Headline: purgedText,
			Depth: t.Depth[it.Ref.ID], Relationship: how[it.Ref.ID],
		}
		if r := it.Record; r != nil {
			n.Headline, n.Speaker, n.CreatedAt = r.Headline(), speaker(r.Body), r.Header.At.String()
			n.Course = courseOf(it)
		}
		reply.Related = append(reply.Related, n)
	}
	return reply, sorted(err)
}

// relationships says of each record of a tree how it is tied to what it was reached by:
// as the one that was derived says it, so that a tie is called the same from both ends.
func relationships(t *lineage.Tree, items []*store.Item) map[memory.ID]string {
	via := make(map[memory.ID]string, len(items))
	for _, it := range items {
		if it != nil && it.Record != nil {
			via[it.Ref.ID] = string(it.Record.Header.Provenance.Via)
		}
	}
	if t.Dir == memory.Forward {
		return via
	}
	how := make(map[memory.ID]string, len(items))
	for _, derived := range t.Order {
		for _, source := range t.Children[derived] {
			if _, known := how[source]; !known {
				how[source] = via[derived]
			}
		}
	}
	return how
}
