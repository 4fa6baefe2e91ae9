package engine

import (
	"context"
	"github.com/stemma-memory/stemma/api"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Mark says a verb of records in the engine's own voice: what faces will offer
// under names of their own.
func (e *Engine) Mark(ctx context.Context, verb, reason string, refs ...string) error {
	items, err := e.resolveAll(ctx, refs)
	if err != nil {
		return err
	}
	r, err := e.mark("", verb, reason, refsOf(items)...)
	if err != nil {
		return err
	}
	batch := store.Batch{}
	batch.Records = append(batch.Records, r)
	return e.append(ctx, batch)
}

// CaptureUnsigned keeps words as Capture does, but for their signature: what a
// benchmark compares a capture with. No store with such a record passes an audit.
func (e *Engine) CaptureUnsigned(ctx context.Context, text string) error {
	h, err := metaHeader(api.Meta{}, memory.Certain)
	if err != nil {
		return err
	}
	body := &memory.Raw{Text: text}
	h.Provenance.Via, h.Origin = memory.ViaDirect, e.c.Origin
	c := cleaning{policy: e.secretsOf(h.Origin, body)}
	h, body = cleaned(&c, "", h), cleaned(&c, body.Kind(), body)
	if c.err != nil {
		return c.err
	}
	me, err := e.ownKeys()
	if err != nil {
		return err
	}
	key := me.Agent
	if h.Origin == memory.OriginOwner {
		key = me.Owner
	} else {
		h.Delegation = me.granted
	}
	if h.Space, err = e.shelf(me.principal); err != nil {
		return err
	}
	if h.Nonce, err = e.nonce(); err != nil {
		return err
	}
	h.Author, h.At = key.DID(), memory.At(e.c.Now())
	r, err := memory.New(h, body)
	if err != nil {
		return err
	}
	_, err = e.write(ctx, store.Batch{Records: []*memory.Record{r}}, nil)
	return err
}

// RecordOf gives the record that a ref names.
func (e *Engine) RecordOf(t testing.TB, ref string) *memory.Record {
	t.Helper()
	it, err := e.resolve(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	return it.Record
}

// MembersOf are the members of a draft of a kind.
func MembersOf(kind memory.Kind) []string {
	var names []string
	for _, name := range members {
		if b := newBody(kind); name == "text" || name == "name" && kind == memory.KindValue || clearField(b, name) {
			if name == "description" && kind == memory.KindValue { // that is its text
				continue
			}
			names = append(names, name)
		}
	}
	return names
}

// MembersSaid names what a Draft or a Meta says.
func MembersSaid(of any) []string { return membersSaid(of) }
