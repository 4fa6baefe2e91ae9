package stemma

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// searchLimit is how many results a search gives unless told otherwise, and
// maxSearch how many at most.
const (
	searchLimit = 10
	maxSearch   = 1000
)

// SearchRequest is a question in plain words: any text is a valid query, and
// operators in it are words.
type SearchRequest struct {
	Query             string `json:"query"`
	Limit             int    `json:"limit,omitempty" jsonschema:"0 is 10, at most 1000"`
	Kind              string `json:"kind,omitempty"`
	All               bool   `json:"all,omitempty" jsonschema:"superseded, rejected and forgotten ones too"`
	IncludeProvenance bool   `json:"include_provenance,omitempty"`
}

// SearchReply is what was found, best first.
type SearchReply struct {
	Query   string   `json:"query"`
	Results []Result `json:"results"`
}

// Result is one memory found.
type Result struct {
	Rank       int     `json:"rank"`
	Ref        string  `json:"ref"`
	Type       string  `json:"type"`
	ID         string  `json:"id"`
	Text       string  `json:"text"` // the headline
	Score      float64 `json:"score"`
	Confidence float64 `json:"confidence"`
	Tier       string  `json:"tier,omitempty"`
	Hidden     string  `json:"hidden,omitempty"`
	Speaker    string  `json:"speaker,omitempty"`
	CreatedAt  string  `json:"created_at"`
	OccurredAt string  `json:"occurred_at,omitempty"`
	Session    string  `json:"session,omitempty"`
	Source     string  `json:"source,omitempty"` // with include_provenance
	From       string  `json:"from,omitempty"`   // with include_provenance: in words
}

// Search finds memories of every kind by their words.
func (e *Engine) Search(ctx context.Context, in SearchRequest) (SearchReply, error) {
	reply := SearchReply{Query: in.Query, Results: []Result{}}
	m, err := in.match()
	if err != nil {
		return reply, err
	}
	if m.Spaces, err = e.shelves(ctx); err != nil || len(m.Spaces) == 0 || len(m.Terms) == 0 {
		return reply, sorted(err)
	}
	hits, err := e.store.Match(ctx, m)
	if err != nil {
		return reply, sorted(err)
	}
	ids := make([]memory.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	items, err := e.store.Get(ctx, ids...)
	if err != nil {
		return reply, sorted(err)
	}
	for i, it := range items {
		if it == nil || it.Record == nil {
			continue // purged between the two reads
		}
		r := result(it, in.IncludeProvenance)
		r.Rank, r.Score = len(reply.Results)+1, relevance(hits[i].Score, hits[0].Score)
		reply.Results = append(reply.Results, r)
	}
	return reply, nil
}

func (in SearchRequest) match() (store.Match, error) {
	m := store.Match{Terms: words.Query(in.Query), Hidden: in.All, Limit: in.Limit}
	if m.Limit == 0 {
		m.Limit = searchLimit
	}
	if m.Limit < 0 || m.Limit > maxSearch {
		return m, invalid("limit: must be from 1 to %d, got %d", maxSearch, in.Limit)
	}
	m.Kinds = memory.Memories()
	if in.Kind != "" {
		kinds, err := listKinds(in.Kind)
		if err != nil {
			return m, err
		}
		m.Kinds = kinds
	}
	return m, nil
}

// relevance puts a score beside the best one: 1 is the best hit, rounded to
// what people read.
func relevance(score, best float64) float64 {
	const places = 1000
	if best <= 0 {
		return 0
	}
	return float64(int(score/best*places+0.5)) / places
}

func result(it *store.Item, provenance bool) Result {
	m := view(it)
	r := Result{
		Ref: m.Ref, Type: m.Type, ID: m.ID, Text: m.Headline, Confidence: m.Confidence, Tier: m.Tier,
		Hidden: m.Hidden, CreatedAt: m.CreatedAt, OccurredAt: m.OccurredAt, Session: m.Session,
	}
	if raw, ok := it.Record.Body.(*memory.Raw); ok {
		r.Speaker = raw.Speaker
	}
	if provenance {
		r.Source, r.From = m.Source, fromWords(it.Record)
	}
	return r
}

// fromWords says where a memory came from as a search shows it: "3 episodes via
// consolidation", "raw:aaa111", "belief:abc123 (inference)".
func fromWords(r *memory.Record) string {
	p := &r.Header.Provenance
	switch {
	case len(p.From) == 0:
		return sourceWords(r)
	case len(p.From) > 1:
		return sourceWords(r) + " via " + p.Via.SourceType()
	case p.Via == memory.ViaPromote:
		return p.From[0].Short()
	default:
		return p.From[0].Short() + " (" + p.Via.SourceType() + ")"
	}
}
