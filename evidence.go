package stemma

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// EvidenceRequest names a belief, or any memory.
type EvidenceRequest struct {
	Ref string `json:"ref" jsonschema:"belief:id, or any other memory"`
}

// EvidenceReply is what a memory rests on.
type EvidenceReply struct {
	Belief   *Node    `json:"belief"`
	Evidence Evidence `json:"evidence"`
	Total    int      `json:"total_evidence_count"` // episodes, notes and raws
	Direct   int      `json:"direct_episodes"`      // those it, or a revision it replaced, names itself
	Raws     int      `json:"source_raw_entries"`
	Missing  []string `json:"missing,omitempty"` // cited, but not held here

	Fallen []FallenEvidence `json:"no_longer_counts"` // behind it too, and not counted any more
}

// FallenEvidence is something behind a memory that does not stand any more, or that
// only stands behind it through what does not.
type FallenEvidence struct {
	Ref      string `json:"ref"`
	Headline string `json:"headline"`
	Why      string `json:"why"` // rejected, quarantined, disputed, … or what it stands behind that is
}

// Evidence is the episodes, notes and raws behind a memory, each once.
type Evidence struct {
	Episodes []EpisodeEvidence `json:"episodes"`
	Notes    []NoteEvidence    `json:"notes"`
	Raws     []RawEvidence     `json:"raw_entries"`
}

// EpisodeEvidence is one episode behind a memory.
type EpisodeEvidence struct {
	ID        string   `json:"id"`
	Objective string   `json:"objective"`
	Outcome   string   `json:"outcome"` // success, failure, partial or unknown
	Lessons   []string `json:"lessons"`
}

// NoteEvidence is one note behind a memory.
type NoteEvidence struct {
	ID      string `json:"id"`
	Type    string `json:"note_type"`
	Content string `json:"content"`
}

// RawEvidence is the words of one raw behind a memory.
type RawEvidence struct {
	ID         string `json:"id"`
	Blob       string `json:"blob"`
	Speaker    string `json:"speaker,omitempty"`
	CapturedAt string `json:"captured_at"`
	OccurredAt string `json:"occurred_at,omitempty"`
	Purged     bool   `json:"purged,omitempty"`
}

// Evidence gathers everything a belief rests on, however far back.
func (e *Engine) Evidence(ctx context.Context, in EvidenceRequest) (EvidenceReply, error) {
	it, err := e.resolveMemory(ctx, in.Ref)
	if err != nil {
		return EvidenceReply{}, err
	}
	if it.Record == nil {
		return EvidenceReply{}, conflict("%s was purged; 'stemma trace' shows what it rested on", it.Ref.Short())
	}
	t, err := lineage.Walk(ctx, e.store, it.Ref.ID, memory.Back, 0, 0)
	if err != nil {
		return EvidenceReply{}, sorted(err)
	}
	items, err := e.store.Get(ctx, t.Order...)
	if err != nil {
		return EvidenceReply{}, sorted(err)
	}
	s, err := e.scoring(ctx, []*store.Item{it}, time.Time{}, false)
	if err != nil {
		return EvidenceReply{}, err
	}
	v := s.vouch(it)
	it.State, it.Tier = v.state, &v.tier
	reply := EvidenceReply{
		Belief: node(it), Fallen: []FallenEvidence{},
		Evidence: Evidence{Episodes: []EpisodeEvidence{}, Notes: []NoteEvidence{}, Raws: []RawEvidence{}},
	}
	counts := s.counting(it.Record, items)
	for i, src := range items[1:] {
		if src == nil {
			reply.Missing = append(reply.Missing, t.Order[i+1].String())
			continue
		}
		if why := counts[src.Ref.ID]; why != "" {
			reply.Fallen = append(reply.Fallen, FallenEvidence{src.Ref.String(), src.Record.Headline(), why})
			items[i+1] = nil
			continue
		}
		reply.Evidence.add(src)
	}
	all, err := e.vouch(ctx, items, false)
	if err != nil {
		return reply, err
	}
	e.noteShown("evidence", items, all)
	if v := all[it.Ref.ID]; v != nil {
		reply.Belief.Disputed, reply.Belief.Doubt = v.disputed, string(v.doubt)
	}
	reply.Raws = len(reply.Evidence.Raws)
	reply.Total = len(reply.Evidence.Episodes) + len(reply.Evidence.Notes) + reply.Raws
	reply.Direct = directEpisodes(items)
	return reply, nil
}

// counting says of what stands behind a record why it does not count; "" is that it
// does: it is reached by a way on which everything stands.
func (s *scoring) counting(root *memory.Record, items []*store.Item) map[memory.ID]string {
	out := make(map[memory.ID]string)
	reached := map[memory.ID]bool{}
	if root != nil {
		reached[root.ID] = true
		for todo := []*memory.Record{root}; len(todo) > 0; todo = todo[1:] {
			p := &todo[0].Header.Provenance
			for _, ref := range slices.Concat(p.From, p.Supersedes) {
				it := s.held[ref.ID]
				if reached[ref.ID] || it == nil || s.flaw(it) != "" {
					continue
				}
				reached[ref.ID] = true
				todo = append(todo, it.Record)
			}
		}
	}
	for _, it := range items {
		if it == nil || it.Record == nil || reached[it.Ref.ID] || s.held[it.Ref.ID] == nil {
			continue
		}
		why := s.flaw(it)
		if why == "" {
			why = "only stands behind what does not count"
		}
		out[it.Ref.ID] = why
	}
	return out
}

func (ev *Evidence) add(it *store.Item) {
	id := it.Ref.ID.String()
	if it.Record == nil {
		if it.Ref.Kind == memory.KindRaw {
			ev.Raws = append(ev.Raws, RawEvidence{ID: id, Purged: true})
		}
		return
	}
	switch b := it.Record.Body.(type) {
	case *memory.Episode:
		lessons := b.Lessons
		if lessons == nil {
			lessons = []string{}
		}
		ev.Episodes = append(ev.Episodes, EpisodeEvidence{id, b.Objective, or(b.OutcomeType, "unknown"), lessons})
	case *memory.Note:
		ev.Notes = append(ev.Notes, NoteEvidence{id, b.Type, b.Summary})
	case *memory.Raw:
		n := node(it)
		ev.Raws = append(ev.Raws, RawEvidence{
			ID: id, Blob: n.Blob, Speaker: b.Speaker, CapturedAt: n.CapturedAt, OccurredAt: n.OccurredAt,
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
