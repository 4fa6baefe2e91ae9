package intake

import (
	"bufio"
	"context"
	"io"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/anamnesis"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// ExportDocuments writes memories as documents: one that is named alone indented,
// others one a line. What was imported as a document leaves as it came, but for its
// trust, which is computed now and here and never read back.
func (e *Intake) ExportDocuments(
	ctx context.Context, w io.Writer, in api.DocumentsRequest,
) (api.DocumentsReply, error) {
	var reply api.DocumentsReply
	ids, err := e.documented(ctx, in, &reply)
	if err != nil {
		return reply, err
	}
	if e.receipts.KeepsReceipts() {
		items, err := e.Store.Get(ctx, ids[:min(len(ids), receipts.MostNoted)]...)
		if err != nil {
			return reply, core.Classify(err)
		}
		e.receipts.NoteOutside(e.trust.Reading(ctx), "export", core.Present(items))
	}
	write := anamnesis.WriteLine
	if len(in.Refs) == 1 {
		write = anamnesis.Write
	}
	out := bufio.NewWriter(w)
	d := documents{e: e, depths: newDepths(e.Store)}
	for len(ids) > 0 {
		page := ids[:min(documentPage, len(ids))]
		ids = ids[len(page):]
		rendered, err := d.render(ctx, page, &reply)
		if err != nil {
			return reply, err
		}
		for _, one := range rendered {
			raw, err := write(one)
			if err != nil {
				return reply, err
			}
			if _, err := out.Write(raw); err != nil {
				return reply, err
			}
			reply.Documents++
		}
	}
	return reply, out.Flush()
}

// documentPage is how many documents are made at a time.
const documentPage = 500

// documented returns the ids of the records to write.
func (e *Intake) documented(
	ctx context.Context, in api.DocumentsRequest, reply *api.DocumentsReply,
) ([]memory.ID, error) {
	var ids []memory.ID
	if len(in.Refs) > 0 {
		items, err := e.ResolveAll(ctx, in.Refs)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			switch {
			case !it.Ref.Kind.IsMemory():
				return nil, core.Invalid("%s is not a memory but a %s", it.Ref.Short(), it.Ref.Kind)
			case it.Record == nil:
				return nil, core.Conflict("%s was purged; nothing is left to export", it.Ref.Short())
			}
			ids = append(ids, it.Ref.ID)
		}
		return ids, nil
	}
	spaces, err := e.NamedSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return nil, core.Classify(err)
	}
	q := store.Query{Kinds: []memory.Kind{memory.KindNote, memory.KindBelief}, Spaces: spaces, Hidden: true, Oldest: true}
	for it, err := range e.Store.List(ctx, q) {
		if err != nil {
			return nil, core.Classify(err)
		}
		switch {
		case it.Record == nil: // purged
		case it.State.Forgotten || it.State.Quarantined || it.State.Review == state.ReviewRejected:
			reply.LeftOut++
		default:
			ids = append(ids, it.Ref.ID)
		}
	}
	return ids, nil
}

// documents makes documents of memories.
type documents struct {
	e      *Intake
	depths *depths
}

func (d *documents) render(
	ctx context.Context, ids []memory.ID, reply *api.DocumentsReply,
) ([]*anamnesis.Document, error) {
	items, err := d.e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	trusted, err := d.e.trust.Rate(d.e.trust.Reading(ctx), items, true)
	if err != nil {
		return nil, err
	}
	claims, err := d.e.trust.Reading(ctx).Speaking(ids, memory.KindWitness, memory.KindAnchor)
	if err != nil {
		return nil, err
	}
	about := make(map[memory.ID][]*memory.Record)
	for _, c := range claims {
		for _, ref := range memory.Subjects(c.Record.Body) {
			about[ref.ID] = append(about[ref.ID], c.Record)
		}
	}
	if err := d.depths.load(ctx, ids); err != nil {
		return nil, err
	}
	kin, err := d.kin(ctx, items)
	if err != nil {
		return nil, err
	}
	var out []*anamnesis.Document
	for _, it := range items {
		if it == nil || it.Record == nil {
			continue // purged since
		}
		reply.Secrets = core.CountSecrets(reply.Secrets, core.SecretsIn(it.Record))
		said := about[it.Ref.ID]
		in := anamnesis.RenderInput{
			Record: it.Record, Witnesses: said, Anchors: said, Depth: d.depths.of(it.Ref.ID),
			Trust: computed(trusted[it.Ref.ID], it.Record, d.e.C.Now()),
			Name: func(ref memory.Ref) string {
				if k := kin[ref.ID]; k != nil && k.Record != nil {
					return anamnesis.IDOf(k.Record)
				}
				return anamnesis.MemID(ref.ID)
			},
		}
		if by := it.State.SupersededBy; !by.IsZero() {
			in.SupersededBy = memory.Ref{Kind: it.Ref.Kind, ID: by}
		}
		out = append(out, anamnesis.Render(in))
	}
	return out, nil
}

// kin returns the records that the lineages of items name.
func (d *documents) kin(ctx context.Context, items []*store.Item) (map[memory.ID]*store.Item, error) {
	var ids []memory.ID
	for _, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		for _, ref := range it.Record.Cites() {
			ids = append(ids, ref.ID)
		}
		if by := it.State.SupersededBy; !by.IsZero() {
			ids = append(ids, by)
		}
	}
	found, err := d.e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	kin := make(map[memory.ID]*store.Item, len(found))
	for i, it := range found {
		kin[ids[i]] = it
	}
	return kin, nil
}

// computed returns a score in the form of documents. A signature that is not the author's
// gives the author no reputation.
func computed(v *trust.Rating, r *memory.Record, now time.Time) *anamnesis.Computed {
	c := &anamnesis.Computed{
		Score: v.Score, Witnesses: v.Confirms + v.Partials + v.Disputes, Anchors: v.Anchors, Disputes: v.Disputes,
		Level: string(v.Level), Flags: v.Flags, At: memory.At(now),
		AgeDays: max(0, int(now.Sub(r.Header.At.Time())/(24*time.Hour))),
	}
	if v.Facts.Signature == score.Valid {
		c.Reputation = v.Facts.Reputation
	}
	return c
}
