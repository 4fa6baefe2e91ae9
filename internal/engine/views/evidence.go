package views

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Evidence gathers everything a belief, or any other memory, rests on, however far back.
func (e *Views) Evidence(ctx context.Context, in api.RefRequest) (api.EvidenceReply, error) {
	rd := e.trust.Reading(ctx)
	it, err := e.ResolveMemory(rd, in.Ref)
	if err != nil {
		return api.EvidenceReply{}, err
	}
	if it.Record == nil {
		return api.EvidenceReply{}, core.Conflict("%s was purged; `trace` shows what it rested on", it.Ref.Short())
	}
	t, err := lineage.Walk(rd, e.Store, it.Ref.ID, graph.Back, 0, 0)
	if err != nil {
		return api.EvidenceReply{}, core.Classify(err)
	}
	items, err := rd.Get(t.Order...)
	if err != nil {
		return api.EvidenceReply{}, core.Classify(err)
	}
	s, err := e.trust.Scoring(rd, []*store.Item{it}, time.Time{}, false)
	if err != nil {
		return api.EvidenceReply{}, err
	}
	v := s.Rate(it)
	it.State, it.Tier = v.State, &v.Tier
	reply := api.EvidenceReply{
		Belief: node(it), NoLongerCounts: []api.FallenEvidence{},
		Evidence: api.Evidence{
			Episodes: []api.EpisodeEvidence{}, Notes: []api.NoteEvidence{}, RawEntries: []api.RawEvidence{},
		},
	}
	counts := s.Counting(it.Record, items)
	for i, src := range items[1:] {
		if src == nil {
			reply.Missing = append(reply.Missing, t.Order[i+1].String())
			continue
		}
		if why := counts[src.Ref.ID]; why != "" {
			reply.NoLongerCounts = append(reply.NoLongerCounts, api.FallenEvidence{
				Ref: src.Ref.String(), Headline: src.Record.Headline(),
				Text: standing.Beyond(src.Record), At: standing.At(src.Record), Why: why,
			})
			items[i+1] = nil
			continue
		}
	}
	all, err := e.trust.Rate(rd, items, false)
	if err != nil {
		return reply, err
	}
	e.receipts.NoteShown("evidence", items, all)
	marks, err := e.MarksOf(rd, items, all, memory.Time{})
	if err != nil {
		return reply, err
	}
	for i, src := range items[1:] {
		if src != nil {
			by := ""
			if v := all[src.Ref.ID]; v != nil {
				by = v.By
			}
			evidenceAdd(&reply, src, marks[i+1], by)
		}
	}
	if v := all[it.Ref.ID]; v != nil {
		reply.Belief.Disputed, reply.Belief.Doubt, reply.Belief.Marks = v.Disputed, string(v.Doubt), marks[0]
		reply.Belief.By = v.By
	}
	if reply.SaidIn, err = e.turnsBehind(rd, items); err != nil {
		return reply, err
	}
	reply.SourceRawEntries = len(reply.Evidence.RawEntries)
	reply.TotalEvidenceCount = len(reply.Evidence.Episodes) + len(reply.Evidence.Notes) + reply.SourceRawEntries
	reply.DirectEpisodes = directEpisodes(items)
	return reply, nil
}

func evidenceAdd(reply *api.EvidenceReply, it *store.Item, marks []string, by string) {
	id, ev := it.Ref.ID.String(), &reply.Evidence
	if it.Record == nil {
		if it.Ref.Kind == memory.KindRaw {
			ev.RawEntries = append(ev.RawEntries, api.RawEvidence{ID: id, Purged: true})
		}
		return
	}
	text, at := standing.Beyond(it.Record), standing.At(it.Record)
	switch b := it.Record.Body.(type) {
	case *memory.Episode:
		lessons := b.Lessons
		if lessons == nil {
			lessons = []string{}
		}
		ev.Episodes = append(ev.Episodes, api.EpisodeEvidence{
			ID: id, Objective: b.Objective, Text: text, At: at, By: by,
			Outcome: core.Or(b.OutcomeType, "unknown"), Lessons: lessons, Marks: marks,
		})
	case *memory.Note:
		ev.Notes = append(ev.Notes, api.NoteEvidence{
			ID: id, NoteType: b.Type, Content: b.Summary, Text: text, At: at, By: by, Marks: marks,
		})
	case *memory.Raw:
		n := node(it)
		ev.RawEntries = append(ev.RawEntries, api.RawEvidence{
			ID: id, Blob: n.Blob, Speaker: b.Speaker, At: at, By: by,
			CapturedAt: n.CapturedAt, OccurredAt: n.OccurredAt, Marks: marks,
		})
	}
}

// directEpisodes counts the episodes named by the first item or by a revision
// that it replaced.
func directEpisodes(items []*store.Item) int {
	byID := make(map[memory.ID]*store.Item, len(items))
	for _, it := range items {
		if it != nil {
			byID[it.Ref.ID] = it
		}
	}
	direct, seen := 0, make(map[memory.ID]bool)
	for todo := []*store.Item{items[0]}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == nil || todo[0].Record == nil {
			continue
		}
		p := &todo[0].Record.Header.Provenance
		for _, ref := range p.From {
			if seen[ref.ID] {
				continue
			}
			seen[ref.ID] = true
			if ref.Kind == memory.KindEpisode && byID[ref.ID] != nil {
				direct++
			}
		}
		for _, old := range p.Supersedes {
			todo = append(todo, byID[old.ID])
		}
	}
	return direct
}

// turnsBehind returns the turns that what agents wrote among some records comes from, each once.
func (e *Views) turnsBehind(rd *trust.Reading, items []*store.Item) ([]*api.Node, error) {
	var ids []memory.ID
	for _, it := range items {
		if endsInWords(it) {
			ids = append(ids, it.Ref.ID)
		}
	}
	ends, err := e.saidIn(rd, ids, graph.Back)
	if err != nil {
		return nil, err
	}
	var turns []*store.Item
	for _, end := range ends {
		if !slices.ContainsFunc(turns, func(t *store.Item) bool { return t.Ref == end.Other.Ref }) {
			turns = append(turns, end.Other)
		}
	}
	marked, err := e.annotate(rd, turns)
	if err != nil {
		return nil, err
	}
	var out []*api.Node
	for _, it := range turns {
		n := node(it)
		marked(map[memory.ID]*api.Node{it.Ref.ID: n})
		n.SaidIn = true
		out = append(out, n)
	}
	return out, nil
}
