package recall

import (
	"context"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// How many records are embedded and stored at a time: what a kill can lose is at most so many. A model that is
// quick gets more at once, so that storing costs little; one that is slow gets fewer.
const (
	firstEmbedPage = 64
	leastEmbedPage = 16
	mostEmbedPage  = 256
	quickEmbedPage = 250 * time.Millisecond
	slowEmbedPage  = 2 * time.Second
)

// Embed makes the vectors of memories that the embedder has not seen. It goes on
// where it, or another process, stopped; a model of another name begins again.
func (e *Finder) Embed(ctx context.Context, in api.EmbedRequest) (api.EmbedReply, error) {
	rd := e.trust.Reading(ctx)
	var reply api.EmbedReply
	em := e.C.Embedder
	if em == nil {
		return reply, core.Invalid(
			"embed: there is no embedder; `config_set embedder.kind static` and embedder.model DIR, or see " +
				"docs/how-to/embedder.md",
		)
	}
	if in.Limit < 0 {
		return reply, core.Invalid("limit: must not be below 0, got %d", in.Limit)
	}
	reply.Model = em.Model()
	spaces, err := rd.Spaces()
	if err != nil {
		return reply, core.Classify(err)
	}
	left, of, err := e.notEmbedded(rd, reply.Model, spaces)
	if err != nil {
		return reply, core.Classify(err)
	}
	if in.Limit > 0 {
		of = min(of, in.Limit)
	}
	page := firstEmbedPage
	for _, sp := range spaces {
		cursor, at := embedCursor(reply.Model, sp), left[sp.Name]
		for at < sp.Last {
			if in.Limit > 0 && reply.LookedAt >= in.Limit {
				reply.Left += int(sp.Last - at)
				break
			}
			n := page
			if in.Limit > 0 {
				n = min(n, in.Limit-reply.LookedAt)
			}
			began := time.Now()
			changes, err := e.Store.Since(rd, sp.Name, at, n)
			if err != nil {
				return reply, core.Classify(err)
			}
			if len(changes) == 0 {
				break
			}
			if err := e.embedSome(rd, em, changes, &reply); err != nil {
				return reply, err
			}
			at = changes[len(changes)-1].Seq
			if err := e.Store.SetCursor(rd, cursor, at); err != nil {
				return reply, core.Classify(err)
			}
			if in.Progress != nil {
				in.Progress(reply.LookedAt, of)
			}
			switch took := time.Since(began); {
			case took < quickEmbedPage:
				page = min(2*page, mostEmbedPage)
			case took > slowEmbedPage:
				page = max(page/2, leastEmbedPage)
			}
		}
	}
	return reply, nil
}

func embedCursor(model string, sp store.Space) string {
	return store.EmbedCursor + model + " " + sp.Name
}

// notEmbedded returns how far a model has come in each space, and how many records it has not seen.
func (e *Finder) notEmbedded(rd *trust.Reading, model string, spaces []store.Space) (
	at map[string]store.Seq, left int, err error,
) {
	at = make(map[string]store.Seq, len(spaces))
	for _, sp := range spaces {
		if at[sp.Name], err = e.Store.Cursor(rd, embedCursor(model, sp)); err != nil {
			return nil, 0, err
		}
		left += int(max(sp.Last-at[sp.Name], 0))
	}
	return at, left, nil
}

func (e *Finder) embedSome(rd *trust.Reading, em llm.Embedder, changes []store.Change, reply *api.EmbedReply) error {
	ids := make([]memory.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.ID
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	var of []memory.ID
	var texts []string
	for _, it := range items {
		if it != nil && it.Record != nil && it.Ref.Kind.IsMemory() {
			of, texts = append(of, it.Ref.ID), append(texts, meant(it.Record))
		}
	}
	reply.LookedAt += len(changes)
	if len(texts) == 0 {
		return nil
	}
	vecs, err := em.Embed(rd, llm.Document, texts...)
	if err != nil {
		if rd.Err() != nil {
			return rd.Err()
		}
		text := core.OneLine(err)
		if reply.Made > 0 {
			text += "; what was made so far is kept, and `embed` goes on from there"
		}
		return &core.Failure{Kind: api.ErrUnavailable, Text: text}
	}
	var out []store.Vector
	for i, v := range vecs {
		if v == nil {
			reply.Nothing++
			continue
		}
		out = append(out, store.Vector{ID: of[i], Vec: v})
	}
	reply.Made += len(out)
	return core.Classify(e.Store.PutVectors(rd, reply.Model, out...))
}

// meant is the text of a record that is embedded. What was said in a conversation begins with who said it, as it would
// be quoted: a name at the end counts as part of what is meant.
func meant(r *memory.Record) string {
	raw, ok := r.Body.(*memory.Raw)
	if !ok || raw.Speaker == "" {
		return r.Words()
	}
	return strings.TrimSpace(raw.Speaker + ": " + raw.Said() + "\n" + raw.Caption)
}
