package receipts

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// refIn finds refs in an answer.
var refIn = lazy.Regexp(`\b(` + kindNames() + `):[0-9a-f]{8,64}\b`)

// MostNoted bounds how many memories of one answer are looked at.
const MostNoted = 500

// noteThemselves are the operations whose answers are noted where they are made.
var noteThemselves = []string{
	"search", "context", "load", "list", "recent", "uncertain", "show", "trace", "evidence", "timeline", "trust",
	"recall", "why",
}

// NoteReply records which external memories the answer of any operation showed an agent, since
// what the agent says afterwards may come from them. Faces call it with each answer.
func (e *Journal) NoteReply(ctx context.Context, op string, reply any) {
	rd := e.trust.Reading(ctx)
	if !e.KeepsReceipts() || slices.Contains(noteThemselves, op) {
		return
	}
	text, err := json.Marshal(reply)
	if err != nil {
		return
	}
	var refs []string
	for _, found := range refIn.Get().FindAll(text, -1) {
		if ref := string(found); len(refs) < MostNoted && !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	if len(refs) == 0 {
		return
	}
	me, _ := e.KnownKeys()
	own := func(r *memory.Record) bool { // it names what it wrote
		h := &r.Header
		return me != nil && h.Author == me.Agent.DID() && h.Origin == memory.OriginAgent &&
			e.C.Now().Sub(h.At.Time()) < justNow
	}
	var items []*store.Item
	for _, ref := range refs {
		if r := e.JustWrote(ref); r != nil && own(r) {
			continue
		}
		it, err := e.ResolveMemory(rd, ref)
		if err == nil && it.Record != nil && !own(it.Record) {
			items = append(items, it)
		}
	}
	e.NoteOutside(rd, op, items)
}

// justNow is how long ago an operation wrote what its own answer names, at most.
const justNow = time.Minute

// NoteOutside is noteShown for memories that no one judged yet.
func (e *Journal) NoteOutside(rd *trust.Reading, op string, items []*store.Item) {
	if !e.KeepsReceipts() || len(items) == 0 {
		return
	}
	if trusted, err := e.trust.Rate(rd, items, false); err == nil {
		e.NoteShown(op, items, trusted)
	}
}

// An outside collects some of the memories that are written out and may be external.
type outside struct {
	e     *Journal
	ring  *state.Keyring
	me    string
	items []*store.Item
}

// Outside makes a collector, nil where nothing is kept.
func (e *Journal) Outside(rd *trust.Reading) *outside {
	if !e.KeepsReceipts() {
		return nil
	}
	o := &outside{e: e}
	o.ring, _ = rd.Keyring() // where it cannot be known, all is a stranger's
	if me, err := e.KnownKeys(); err == nil && me != nil {
		o.me = me.Principal
	}
	return o
}

// Take keeps an item that comes from elsewhere.
func (o *outside) Take(it *store.Item) {
	if o == nil || it.Record == nil || !it.Ref.Kind.IsMemory() || len(o.items) >= MostNoted {
		return
	}
	if core.Elsewhere(it.Record) || o.ring == nil ||
		o.ring.Voice(it.Record).Principal != o.me {
		o.items = append(o.items, it)
	}
}

// Note keeps that an agent could read what was taken.
func (o *outside) Note(rd *trust.Reading, op string) {
	if o != nil {
		o.e.NoteOutside(rd, op, o.items)
	}
}

// kindNames are the kinds of memory as alternatives of a pattern.
func kindNames() string {
	var names []string
	for _, k := range memory.Memories() {
		names = append(names, string(k))
	}
	return strings.Join(names, "|")
}
