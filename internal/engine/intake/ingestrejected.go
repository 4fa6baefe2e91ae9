package intake

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// mostRejectionsShown is how many rejections the answer of an import names.
const mostRejectionsShown = 100

// unlessRejected makes a raw of a record from elsewhere that says what a person
// rejected, under the ids it had there, with the mark that says so. Any other record
// is given back as it is.
func (in *ingestion) unlessRejected(
	ctx context.Context, r *memory.Record,
) (*memory.Record, *memory.Record, *api.Rejection, error) {
	if r.Header.Kind == memory.KindRaw || !r.Header.Kind.IsMemory() {
		return r, nil, nil, nil
	}
	if err := in.readRejected(ctx); err != nil || len(in.refused) == 0 {
		return r, nil, nil, err
	}
	var of *store.Item
	for _, text := range standing.TextsOf(r) {
		if it := in.refused[words.Letters(text)]; it != nil {
			of = it
		}
	}
	if of == nil {
		return r, nil, nil, nil
	}
	_, rejection, err := in.e.lifecycle.Rejected(ctx, r)
	if err != nil || rejection == nil || rejection.Alike {
		return r, nil, nil, err // a person says so by now, or none has a say who rejected it
	}
	h := &r.Header
	raw, err := in.e.SignAsIs(memory.Header{
		Origin: h.Origin, Space: h.Space, Session: h.Session, Alias: h.Alias, Ext: h.Ext, Tags: h.Tags, About: h.About,
		Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaImport},
	}, &memory.Raw{Text: standing.TextsOf(r)[0], Source: "import"})
	if err != nil {
		return nil, nil, nil, err
	}
	rejection.Raw = raw.Ref().String()
	mark, err := in.e.lifecycle.SaidMark(of, raw.Ref(), "import")
	return raw, mark, rejection, err
}

// readRejected reads once what was rejected.
func (in *ingestion) readRejected(ctx context.Context) error {
	if in.refused != nil {
		return nil
	}
	in.refused = make(map[string]*store.Item)
	spaces, err := in.e.ReadSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return core.Classify(err)
	}
	var ids []memory.ID
	for it, err := range in.e.Store.List(
		ctx, store.Query{Kinds: []memory.Kind{memory.KindMark}, Spaces: spaces, Hidden: true},
	) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		if m, ok := it.Record.Body.(*memory.Mark); ok && (m.Verb == memory.Reject || m.Verb == memory.Quarantine) {
			ids = append(ids, core.IDsOf(memory.Subjects(m))...)
		}
	}
	items, err := in.e.Store.Get(ctx, ids...)
	if err != nil {
		return core.Classify(err)
	}
	for _, it := range core.Present(items) {
		decided := it.State.Review == state.ReviewRejected || it.State.Quarantined
		if !decided || !it.Ref.Kind.IsMemory() || it.Ref.Kind == memory.KindRaw {
			continue
		}
		for _, text := range standing.TextsOf(it.Record) {
			if letters := words.Letters(text); letters != "" {
				in.refused[letters] = it
			}
		}
	}
	return nil
}
