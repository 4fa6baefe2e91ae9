package enginetest

import (
	"context"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// SignMark says a verb of records in the engine's own voice: what faces will offer
// under names of their own.
func SignMark(ctx context.Context, e *engine.Engine, verb, reason string, refs ...string) error {
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
func CaptureUnsigned(ctx context.Context, e *engine.Engine, text string) error {
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
		h.Delegation = me.Delegation
	}
	if h.Space, err = e.WriteSpace(me.Principal); err != nil {
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
func RecordOf(t testing.TB, e *engine.Engine, ref string) *memory.Record {
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

// SignLink stores a link between two memories in the engine's own voice.
func SignLink(ctx context.Context, e *engine.Engine, older, newer, relation string) (string, error) {
	items, err := e.ResolveAll(ctx, []string{older, newer})
	if err != nil {
		return "", err
	}
	r, err := e.Sign(memory.Header{Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect}},
		&memory.Link{Source: items[0].Ref, Target: items[1].Ref, Relation: relation})
	if err != nil {
		return "", err
	}
	return r.Ref().String(), e.Append(ctx, store.Batch{Records: []*memory.Record{r}})
}
