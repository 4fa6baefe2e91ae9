package engine

import (
	"context"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Mark says a verb of records in the engine's own voice: what faces will offer
// under names of their own.
func (e *Engine) Mark(ctx context.Context, verb, reason string, refs ...string) error {
	items, err := e.ResolveAll(ctx, refs)
	if err != nil {
		return err
	}
	r, err := e.Core.Mark("", verb, reason, core.RefsOf(items)...)
	if err != nil {
		return err
	}
	batch := store.Batch{}
	batch.Records = append(batch.Records, r)
	return e.Append(ctx, batch)
}

// CaptureUnsigned keeps words as Capture does, but for their signature: what a
// benchmark compares a capture with. No store with such a record passes an audit.
func (e *Engine) CaptureUnsigned(ctx context.Context, text string) error {
	h, err := core.MetaHeader(api.Meta{}, memory.Certain)
	if err != nil {
		return err
	}
	body := &memory.Raw{Text: text}
	h.Provenance.Via, h.Origin = memory.ViaDirect, e.C.Origin
	c := core.Cleaning{Policy: e.SecretsOf(h.Origin, body)}
	h, body = core.Cleaned(&c, "", h), core.Cleaned(&c, memory.KindOf(body), body)
	if c.Err != nil {
		return c.Err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return err
	}
	key := me.Agent
	if h.Origin == memory.OriginOwner {
		key = me.Owner
	} else {
		h.Delegation = me.Granted
	}
	if h.Space, err = e.Shelf(me.Principal); err != nil {
		return err
	}
	if h.Nonce, err = e.Nonce(); err != nil {
		return err
	}
	h.Author, h.At = key.DID(), memory.At(e.C.Now())
	r, err := memory.New(h, body)
	if err != nil {
		return err
	}
	_, err = e.Write(ctx, store.Batch{Records: []*memory.Record{r}}, nil)
	return err
}

// RecordOf returns the record that a ref names.
func (e *Engine) RecordOf(t testing.TB, ref string) *memory.Record {
	t.Helper()
	it, err := e.Lookup(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	return it.Record
}

// MembersOf are the members of a draft of a kind.
func MembersOf(kind memory.Kind) []string {
	var names []string
	for _, name := range core.Members {
		if b := kind.Blank(); name == "text" || name == "name" && kind == memory.KindValue ||
			lifecycle.ClearField(b, name) {
			if name == "description" && kind == memory.KindValue { // that is its text
				continue
			}
			names = append(names, name)
		}
	}
	return names
}

// MembersSaid names what a Draft or a Meta says.
func MembersSaid(of any) []string { return core.MembersSaid(of) }
