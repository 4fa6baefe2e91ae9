package views

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// AgentsOwn marks what an agent wrote of which no turn of its conversation says enough.
const AgentsOwn = "the agent's own words"

// saidInMark marks a turn that what an agent wrote comes from.
const saidInMark = "said in the conversation"

// endsInWords reports whether a record is where lineage ends with what an agent wrote: from there only a mark leads to
// the turns that it comes from.
func endsInWords(it *store.Item) bool {
	if it == nil || it.Record == nil || it.Record.Header.Origin != memory.OriginAgent {
		return false
	}
	p := &it.Record.Header.Provenance
	if len(p.From)+len(p.Supersedes) > 0 {
		return false
	}
	if it.Ref.Kind == memory.KindRaw {
		return p.Context == core.ContextRemember || p.Context == core.ContextCorrect
	}
	return it.Ref.Kind.IsMemory() && p.Via == memory.ViaDirect
}

// A saidEnd is the other end of a said-in mark at a record.
type saidEnd struct {
	At    memory.ID
	Other *store.Item
}

// saidIn returns of some records the turns that a mark of their own author names, each with what it stands behind.
func (e *Views) saidIn(rd *trust.Reading, ids []memory.ID, dir graph.Direction) ([]saidEnd, error) {
	marks, err := rd.Speaking(ids, memory.KindMark)
	if err != nil || len(marks) == 0 {
		return nil, err
	}
	who, err := rd.Keyring()
	if err != nil {
		return nil, err
	}
	var out []saidEnd
	for _, m := range marks {
		b, ok := m.Record.Body.(*memory.Mark)
		if !ok || b.Verb != core.SaidIn || b.Of == nil || !m.State.Live() {
			continue
		}
		turns := make([]memory.ID, len(b.Also))
		for i, ref := range b.Also {
			turns[i] = ref.ID
		}
		items, err := rd.Get(append([]memory.ID{b.Of.ID}, turns...)...)
		if err != nil {
			return nil, core.Classify(err)
		}
		of := items[0]
		if of == nil || of.Record == nil || who.Voice(of.Record).Principal != who.Voice(m.Record).Principal {
			continue
		}
		for _, turn := range items[1:] {
			switch {
			case turn == nil || turn.Record == nil || turn.Ref.Kind != memory.KindRaw:
			case dir == graph.Back && slices.Contains(ids, of.Ref.ID):
				out = append(out, saidEnd{of.Ref.ID, turn})
			case dir == graph.Forward && slices.Contains(ids, turn.Ref.ID):
				out = append(out, saidEnd{turn.Ref.ID, of})
			}
		}
	}
	return out, nil
}

// saidInRelation is how a turn relates to what was written of it.
const saidInRelation = "said_in"

// relatedTurns returns what said-in marks add to the records that hang on another, however far: the turns behind them,
// or what was written of a turn with all that was derived of that.
func (e *Views) relatedTurns(
	rd *trust.Reading, items []*store.Item, dir graph.Direction,
) (more []*store.Item, err error) {
	var ids []memory.ID
	known := make(map[memory.ID]bool)
	for _, it := range items {
		if it == nil {
			continue
		}
		known[it.Ref.ID] = true
		if endsInWords(it) || dir == graph.Forward && it.Ref.Kind == memory.KindRaw {
			ids = append(ids, it.Ref.ID)
		}
	}
	ends, err := e.saidIn(rd, ids, dir)
	if err != nil {
		return nil, err
	}
	for _, end := range ends {
		found := []*store.Item{end.Other}
		if dir == graph.Forward {
			t, err := lineage.Walk(rd, e.Store, end.Other.Ref.ID, dir, 0, 0)
			if err != nil {
				return nil, core.Classify(err)
			}
			derived, err := rd.Get(t.Order[1:]...)
			if err != nil {
				return nil, core.Classify(err)
			}
			found = append(found, derived...)
		}
		for _, it := range found {
			if it != nil && !known[it.Ref.ID] {
				known[it.Ref.ID] = true
				more = append(more, it)
			}
		}
	}
	return more, nil
}
