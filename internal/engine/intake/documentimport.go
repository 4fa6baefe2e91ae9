package intake

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/anamnesis"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// ImportDocuments imports documents of the Memory Provenance Schema as notes, signed by the
// agent's key with the origin import. All documents are read and checked before any is stored.
// It is idempotent by the documents' ids. Their sources may come later in the file, or be held
// already. Their statements about trust, witnesses and anchors are stored and never counted.
func (e *Intake) ImportDocuments(ctx context.Context, r io.Reader, progress func(done int)) (api.IngestReply, error) {
	reply := api.IngestReply{ByKind: make(map[memory.Kind]int)}
	again, done, err := Rewindable(r)
	if err != nil {
		return reply, fmt.Errorf("import documents: %w", err)
	}
	defer done()
	begin, err := again.Seek(0, io.SeekCurrent)
	if err != nil {
		return reply, fmt.Errorf("import documents: %w", err)
	}
	p := &pile{e: e, at: make(map[string]*piled)}
	if err := p.check(ctx, again); err != nil {
		return reply, err
	}
	if err := e.acyclic(ctx, p); err != nil {
		return reply, err
	}
	if _, err := again.Seek(begin, io.SeekStart); err != nil {
		return reply, fmt.Errorf("import documents: %w", err)
	}
	reply, err = e.Ingest(ctx, p.inOrder(ctx, again), progress)
	if err == nil {
		reply.Read += p.twice
		reply.AlreadyThere += p.twice
	}
	return reply, err
}

// A pile is the documents of one file.
type pile struct {
	e     *Intake
	at    map[string]*piled // by id
	twice int               // documents that stand there again
}

// piled is what is remembered of a document between the two readings.
type piled struct {
	cited  anamnesis.Cited
	digest digest
	number int // in the file, from 1
	given  bool
	waits  int      // sources in the file that have not been given yet
	before []*piled // what waits for it
}

// check reads every document as strictly as a record would be, and stores nothing.
func (p *pile) check(ctx context.Context, r io.Reader) error {
	n := 0
	for d, err := range anamnesis.Read(r) {
		n++
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return core.Classify(err)
		}
		this := &piled{cited: d.Cited(), number: n}
		if this.digest, err = p.rehearse(d); err != nil {
			return badDocument(n, d.ID, err)
		}
		if slices.Contains(this.cited.All(), d.ID) {
			return badDocument(n, d.ID, core.Invalid("lineage: the document names itself as its source"))
		}
		switch before := p.at[d.ID]; {
		case before == nil:
			p.at[d.ID] = this
		case before.digest != this.digest:
			return badDocument(n, d.ID, core.Invalid("id: document %d has the same ID and other content", before.number))
		default:
			p.twice++
		}
	}
	return nil
}

// badDocument names the document that an error is about, unless the error has a kind
// of its own.
func badDocument(n int, id string, err error) error {
	err = core.Classify(err)
	if core.HasKind(err) && !errors.Is(err, api.ErrInvalid) {
		return err
	}
	return core.Invalid("document %d (%s): %s", n, shorten.To(core.Redacted(id), 80), core.OneLine(err))
}

// rehearse makes the record of a document without storing it, and returns what distinguishes
// it from other documents.
func (p *pile) rehearse(d *anamnesis.Document) (digest, error) {
	raw, err := anamnesis.WriteLine(d)
	if err != nil {
		return digest{}, err
	}
	f, err := foreignDocument(d)
	if err != nil {
		return digest{}, err
	}
	_, _, err = p.e.signDocument(documentOf(&f).header, f.Body, true)
	return sha256.Sum256(raw), err
}

// foreignDocument returns what a document becomes.
func foreignDocument(d *anamnesis.Document) (api.Foreign, error) {
	h, note, err := d.Note(core.DefaultConfidence)
	if err != nil {
		return api.Foreign{}, err
	}
	return api.Foreign{Alias: h.Alias, Body: note, Document: &documentSource{header: h, cited: d.Cited()}}, nil
}

// mostWaiting bounds the bytes of documents kept in memory because they come before their
// sources.
const mostWaiting = 128 << 20

// inOrder reads the documents again and yields each after all of its sources.
func (p *pile) inOrder(ctx context.Context, r io.Reader) iter.Seq2[api.Foreign, error] {
	for _, this := range p.at {
		for _, id := range this.cited.All() {
			if source := p.at[id]; source != nil {
				source.before = append(source.before, this)
				this.waits++
			}
		}
	}
	return func(yield func(api.Foreign, error) bool) {
		waiting, size := make(map[*piled]api.Foreign), 0
		// give yields a document, and then all documents that waited only for it.
		give := func(this *piled, f api.Foreign) bool {
			type ready struct {
				this *piled
				f    api.Foreign
			}
			for due := []ready{{this, f}}; len(due) > 0; {
				one := due[len(due)-1]
				due = due[:len(due)-1]
				if !yield(one.f, nil) {
					return false
				}
				for _, next := range one.this.before {
					next.waits--
					if f, read := waiting[next]; read && next.waits == 0 {
						delete(waiting, next)
						size -= weight(f)
						due = append(due, ready{next, f})
					}
				}
			}
			return true
		}
		for d, err := range anamnesis.Read(r) {
			if err = cmp.Or(ctx.Err(), err); err != nil {
				yield(api.Foreign{}, core.Classify(err))
				return
			}
			raw, err := anamnesis.WriteLine(d)
			this := p.at[d.ID]
			if err != nil || this == nil || sha256.Sum256(raw) != this.digest {
				yield(
					api.Foreign{},
					core.Invalid("document %s: the file changed while it was read", shorten.To(core.Redacted(d.ID), 80)),
				)
				return
			}
			if this.given {
				continue
			}
			this.given = true
			f, err := foreignDocument(d)
			if err != nil {
				yield(api.Foreign{}, badDocument(this.number, d.ID, err))
				return
			}
			if this.waits == 0 {
				if !give(this, f) {
					return
				}
				continue
			}
			waiting[this] = f
			if size += weight(f); size > mostWaiting {
				yield(
					api.Foreign{},
					core.Invalid(
						"document %d (%s): too many records come before their sources; put sources first",
						this.number, shorten.To(core.Redacted(d.ID), 80),
					),
				)
				return
			}
		}
	}
}

// weight is about how many bytes a document takes while it waits.
func weight(f api.Foreign) int {
	const besides = 1 << 10
	return besides + len(memory.Words(f.Body)) + len(documentOf(&f).header.Ext) + len(documentOf(&f).header.Trigger)
}
