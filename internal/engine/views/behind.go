package views

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostBehind is how many records are read for the captured words behind one memory.
const mostBehind = 60

// Behind are the captured words behind a memory.
type Behind struct {
	Words []*store.Item // what was said, the nearest first
	Own   []*store.Item // what the agent wrote itself, where no turn of its conversation says it
}

// WordsBehind returns at most so many captured words that a memory comes from: its sources down to captures, and the
// turns that a capture of the agent's own was said in.
func (e *Views) WordsBehind(rd *trust.Reading, it *store.Item, most int) (Behind, error) {
	var out Behind
	seen := map[memory.ID]bool{it.Ref.ID: true}
	level := []*store.Item{it}
	for read := 0; len(level) > 0 && len(out.Words) < most && read < mostBehind; {
		var ids []memory.ID
		for _, one := range level {
			if endsInWords(one) {
				ends, err := e.saidIn(rd, []memory.ID{one.Ref.ID}, graph.Back)
				if err != nil {
					return out, err
				}
				for _, end := range ends {
					if turn := end.Other; !seen[turn.Ref.ID] {
						seen[turn.Ref.ID] = true
						out.Words = append(out.Words, turn)
					}
				}
				if len(ends) == 0 && one.Ref.Kind == memory.KindRaw {
					out.Own = append(out.Own, one)
				}
				continue
			}
			if one.Ref.Kind == memory.KindRaw && one != it {
				out.Words = append(out.Words, one)
				continue
			}
			p := &one.Record.Header.Provenance
			for _, ref := range p.Sources() {
				if !seen[ref] && read < mostBehind {
					seen[ref] = true
					ids = append(ids, ref)
					read++
				}
			}
		}
		items, err := rd.Get(ids...)
		if err != nil {
			return out, core.Classify(err)
		}
		level = level[:0:0]
		for _, one := range core.Present(items) {
			if one.Record != nil {
				level = append(level, one)
			}
		}
	}
	out.Words = out.Words[:min(most, len(out.Words))]
	out.Own = out.Own[:min(most, len(out.Own))]
	return out, nil
}
