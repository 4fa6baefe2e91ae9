package intake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// ingestBatch is how many records are signed and stored at a time.
const ingestBatch = 500

// Ingest imports records of other systems, signed by the agent's key with the origin import.
// It is idempotent by alias and can be interrupted and restarted anywhere. An error of the
// sequence ends it: complete batches are stored, the current one is not. Progress is called
// with the number of records read.
func (e *Intake) Ingest(
	ctx context.Context, from iter.Seq2[api.Foreign, error], progress func(done int),
) (api.IngestReply, error) {
	reply := api.IngestReply{ByKind: make(map[memory.Kind]int)}
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	space, err := e.WriteSpace(me.Principal)
	if err != nil {
		return reply, err
	}
	in := &ingestion{
		e: e, space: space, known: newKnownRefs(), links: make(map[string]link),
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	signed := in.sign(ctx, from)
	for b := range signed {
		if b.err != nil {
			return reply, b.err
		}
		if err := in.store(ctx, b, &reply); err != nil {
			return reply, err
		}
		reply.Read += b.read
		if progress != nil {
			progress(reply.Read)
		}
	}
	return reply, core.Classify(ctx.Err())
}

// ingestion is one run of Ingest. Signing and storing go on at the same time,
// each on a batch of its own.
type ingestion struct {
	e     *Intake
	space string
	known knownRefs       // by alias: stored, or about to be
	links map[string]link // of documents, the same

	items map[string]*store.Item // of the batch, by alias: what the store holds of it

	refused map[string]*store.Item // what people rejected, by its letters; nil is not read yet
}

type signedBatch struct {
	records  []*memory.Record
	redacted map[string]int
	read     int
	present  int // held word for word
	changed  int // held with other words
	changes  []api.LinkView
	purged   int           // held once, and purged here
	added    int           // of the records, those that are new
	kinds    []memory.Kind // of those
	rejected []api.Rejection
	err      error
}

// sign reads, signs and hands over batches until the sequence or ctx ends. The
// channel is closed at the end.
func (in *ingestion) sign(ctx context.Context, from iter.Seq2[api.Foreign, error]) <-chan signedBatch {
	out := make(chan signedBatch, 1)
	send := func(b signedBatch) bool {
		select {
		case out <- b:
			return b.err == nil
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		defer close(out)
		var batch []api.Foreign
		for f, err := range from {
			if err != nil {
				send(signedBatch{err: core.Classify(err)})
				return
			}
			if batch = append(batch, f); len(batch) == ingestBatch {
				if !send(in.signAll(ctx, batch)) {
					return
				}
				batch = batch[:0]
			}
		}
		if len(batch) > 0 {
			send(in.signAll(ctx, batch))
		}
	}()
	return out
}

// signAll makes records of those not there yet.
func (in *ingestion) signAll(ctx context.Context, batch []api.Foreign) signedBatch {
	b := signedBatch{read: len(batch)}
	if len(batch) > 0 && batch[0].Document == nil { // of documents the links are remembered with them
		in.known.forget()
	}
	if b.err = in.lookUp(ctx, batch); b.err != nil {
		return b
	}
	for i := range batch {
		f := &batch[i]
		if f.Mine {
			if b.err = in.e.OwnerOnly("import words as their own"); b.err != nil {
				return b
			}
		}
		if len(f.Alias) == 0 {
			b.err = core.Invalid("a record from elsewhere needs the id it had there")
			return b
		}
		if in.there(f) {
			if b.err = in.compare(ctx, f, &b); b.err != nil {
				return b
			}
			continue
		}
		if b.err = in.add(ctx, f, &b); b.err != nil {
			return b
		}
	}
	return b
}

// add signs a record that is not there yet, with what is to be said of it at once.
func (in *ingestion) add(ctx context.Context, f *api.Foreign, b *signedBatch) error {
	r, redacted, err := in.record(ctx, f)
	if err != nil {
		return fmt.Errorf("%s: %w", core.Redacted(f.Alias[0]), err)
	}
	r, mark, rejection, err := in.unlessRejected(ctx, r)
	if err != nil {
		return fmt.Errorf("%s: %w", core.Redacted(f.Alias[0]), err)
	}
	for _, a := range f.Alias {
		in.known.put(a, knownRef{r.Ref(), true})
	}
	b.records, b.added, b.kinds = append(b.records, r), b.added+1, append(b.kinds, r.Header.Kind)
	b.redacted = core.CountSecrets(b.redacted, redacted)
	if mark != nil {
		b.records, b.rejected = append(b.records, mark), append(b.rejected, *rejection)
	} else if f.Gone != "" {
		gone, err := in.goneMark(r.Ref(), f.Gone)
		if err != nil {
			return err
		}
		b.records = append(b.records, gone)
	}
	return nil
}

// lookUp learns which aliases of a batch, and of what it was derived from, the
// store has.
func (in *ingestion) lookUp(ctx context.Context, batch []api.Foreign) error {
	if batch[0].Document != nil { // then all of them are documents
		return in.lookUpDocuments(ctx, batch)
	}
	var ask []string
	for _, f := range batch {
		for i, a := range append(slices.Concat(f.Alias, f.Was, f.From), f.Supersedes) {
			if a == "" {
				continue
			}
			known, is := in.known.get(a)
			if !is || i == 0 && !known.made { // its words are compared
				ask = append(ask, a)
			}
		}
	}
	held, err := in.e.heldItems(ctx, in.space, ask)
	in.items = held
	for alias, it := range held {
		in.known.put(alias, knownRef{it.Ref, false})
	}
	return err
}

// Held returns the records of the space written to by the ids they had elsewhere.
// Ids no one had are absent from the result.
func (e *Intake) Held(ctx context.Context, aliases ...string) (map[string]memory.Ref, error) {
	me, err := e.KnownKeys()
	if errors.Is(err, fs.ErrNotExist) || err == nil && me == nil {
		return nil, nil // without keys nothing was written
	}
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	space, err := e.WriteSpace(me.Principal)
	if err != nil {
		return nil, err
	}
	return e.held(ctx, space, aliases)
}

func (e *Intake) held(ctx context.Context, space string, aliases []string) (map[string]memory.Ref, error) {
	items, err := e.heldItems(ctx, space, aliases)
	if len(items) == 0 {
		return nil, err
	}
	refs := make(map[string]memory.Ref, len(items))
	for alias, it := range items {
		refs[alias] = it.Ref
	}
	return refs, err
}

func (e *Intake) heldItems(ctx context.Context, space string, aliases []string) (map[string]*store.Item, error) {
	ids, err := e.Store.Aliased(ctx, space, aliases...)
	if err != nil {
		return nil, core.Classify(err)
	}
	if len(ids) == 0 {
		return nil, nil // to read anything is to follow the logs
	}
	names := make([]string, 0, len(ids))
	order := make([]memory.ID, 0, len(ids))
	for alias, id := range ids {
		names, order = append(names, alias), append(order, id)
	}
	items, err := e.Store.Get(ctx, order...)
	if err != nil {
		return nil, core.Classify(err)
	}
	out := make(map[string]*store.Item, len(ids))
	for i, it := range items {
		if it != nil {
			out[names[i]] = it
		}
	}
	return out, nil
}

// record signs one record from elsewhere.
func (in *ingestion) record(ctx context.Context, f *api.Foreign) (*memory.Record, []api.Redaction, error) {
	if f.Document != nil {
		return in.document(f)
	}
	h, err := core.MetaHeader(f.Meta, confidenceOf(f.Body))
	if err != nil {
		return nil, nil, err
	}
	h.Origin, h.Space, h.Alias = memory.OriginImport, in.space, f.Alias
	if h.Ext, err = core.WithMine(f.Ext, f.Mine); err != nil {
		return nil, nil, err
	}
	h.Provenance = memory.Provenance{Via: f.Via}
	if f.Via == "" {
		h.Provenance.Via = memory.ViaImport
	}
	for _, a := range f.From {
		ref, ok := in.known.get(a)
		if !ok {
			return nil, nil, core.Invalid("is derived from %s, which comes neither before it nor from the store", a)
		}
		h.Provenance.From = append(h.Provenance.From, ref.Ref)
	}
	if err := in.replace(ctx, &h.Provenance, f); err != nil {
		return nil, nil, err
	}
	return in.e.SignClean(h, f.Body)
}

// replace says in the provenance of a record what it took the place of.
func (in *ingestion) replace(ctx context.Context, p *memory.Provenance, f *api.Foreign) error {
	ref, ok := in.known.get(f.Supersedes)
	if !ok || ref.Kind != memory.KindOf(f.Body) || ref.Kind == memory.KindRaw {
		return nil
	}
	if !ref.made {
		it, err := in.e.One(ctx, ref.ID)
		if err != nil {
			return err
		}
		if it == nil || it.Record.Header.Origin != memory.OriginImport || it.State.Review == state.ReviewApproved ||
			it.State.Protected || !it.State.Active() {
			return nil
		}
	}
	p.Supersedes = []memory.Ref{ref.Ref}
	if !slices.Contains(p.From, ref.Ref) {
		p.From = append(p.From, ref.Ref)
	}
	return nil
}

func confidenceOf(b memory.Body) memory.Confidence {
	if memory.KindOf(b) == memory.KindRaw {
		return memory.Certain
	}
	return core.DefaultConfidence
}

// store appends one batch.
func (in *ingestion) store(ctx context.Context, b signedBatch, reply *api.IngestReply) error {
	if len(b.records) > 0 {
		err := in.e.Append(ctx, store.Batch{Records: b.records, NewAliases: true})
		if errors.Is(err, store.ErrConflict) {
			return core.Conflict("another import of the same source is running; run this again when it has ended")
		}
		if err != nil {
			return err
		}
	}
	reply.Added += b.added
	reply.AlreadyThere += b.present
	reply.Changed += b.changed
	reply.Purged += b.purged
	reply.Changes = append(reply.Changes, b.changes[:min(len(b.changes), mostChangesShown-len(reply.Changes))]...)
	reply.Rejected = append(reply.Rejected, b.rejected[:min(len(b.rejected), mostRejectionsShown-len(reply.Rejected))]...)
	for _, kind := range b.kinds {
		reply.ByKind[kind]++
	}
	for rule, n := range b.redacted {
		if reply.Redacted == nil {
			reply.Redacted = make(map[string]int)
		}
		reply.Redacted[rule] += n
	}
	return nil
}
