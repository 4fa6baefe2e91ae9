package recall

import (
	"context"
	"slices"
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
			"embed: there is no embedder (embedder.kind is none); see docs/how-to/embedder.md",
		)
	}
	if in.Limit < -1 {
		return reply, core.Invalid("limit: must be from 1 up, or -1 for all, got %d", in.Limit)
	}
	in.Limit = max(in.Limit, 0)
	reply.Model = em.Model()
	spaces, err := rd.Spaces()
	if err != nil {
		return reply, core.Classify(err)
	}
	var sweeps []*sweep
	of := 0
	for _, captures := range []bool{false, true} { // what people and agents wrote, then what was said
		for _, sp := range spaces {
			w, err := e.sweepOf(rd, reply.Model, sp, captures)
			if err != nil {
				return reply, core.Classify(err)
			}
			if sweeps = append(sweeps, w); captures {
				of += w.left()
			}
		}
	}
	if in.Limit > 0 {
		of = min(of, in.Limit)
	}
	for _, w := range sweeps {
		page := firstEmbedPage
		for w.left() > 0 && (in.Limit == 0 || reply.LookedAt < in.Limit) {
			n := page
			if in.Limit > 0 {
				n = min(n, in.Limit-reply.LookedAt)
			}
			began := time.Now()
			err := e.embedPage(rd, em, w, n, &reply)
			if rd.Drop(); err != nil { // no page is read again
				return reply, err
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
		if w.captures {
			reply.Left += w.left()
		}
	}
	if reply.Left > 0 {
		return reply, nil
	}
	return reply, core.Classify(e.countNearMany(rd, em, spaces))
}

// A sweep is how far a model has come in a space: with what was said, or with the rest. It has seen the log after one
// position and up to another. It begins with the newest and goes back to the beginning; what came since goes first.
type sweep struct {
	model     string
	space     store.Space
	captures  bool
	after, to store.Seq
}

// cursor returns the name under which a store remembers an end of what was seen.
func (w *sweep) cursor(end string) string {
	of := " memories"
	if w.captures {
		of = " captures"
	}
	return embedCursor(w.model, w.space) + of + end
}

// left is how many entries of the log were not seen.
func (w *sweep) left() int { return int(max(w.space.Last-w.to, 0) + w.after) }

// unseen reports whether an entry of the log was not seen.
func (w *sweep) unseen(at store.Seq) bool { return at <= w.after || at > w.to }

// sweepOf returns how far a model has come with a space. An earlier version kept one position: it had seen all up to
// there.
func (e *Finder) sweepOf(ctx context.Context, model string, sp store.Space, captures bool) (*sweep, error) {
	w := &sweep{model: model, space: sp, captures: captures}
	var err error
	if w.after, err = e.Store.Cursor(ctx, w.cursor(" after")); err != nil {
		return nil, err
	}
	if w.to, err = e.Store.Cursor(ctx, w.cursor("")); err == nil && w.to == 0 {
		w.to, err = e.Store.Cursor(ctx, embedCursor(model, sp))
	}
	return w, err
}

const unseen = 256 // entries of a log, the newest, among which a search looks for those without a vector

// unseenIn returns the newest memories and captures of a space that a model has not seen, the newest first.
func (e *Finder) unseenIn(rd *trust.Reading, model string, sp store.Space) (ids []memory.ID, err error) {
	memories, err := e.sweepOf(rd, model, sp, false)
	if err != nil {
		return nil, core.Classify(err)
	}
	captures, err := e.sweepOf(rd, model, sp, true)
	if err != nil {
		return nil, core.Classify(err)
	}
	from := min(memories.to, captures.to)
	if from >= sp.Last {
		return nil, nil
	}
	entries, err := e.Store.Listed(rd, sp.Name, max(from, sp.Last-unseen), unseen)
	if err != nil {
		return nil, core.Classify(err)
	}
	for _, en := range slices.Backward(entries) {
		to := memories.to
		if en.Ref.Kind == memory.KindRaw {
			to = captures.to
		}
		if en.Seq > to && !en.Gone && en.Ref.Kind.IsMemory() {
			ids = append(ids, en.Ref.ID)
		}
	}
	return ids, nil
}

// page returns the next so many entries that were not seen, as what they lie after and go up to.
func (w *sweep) page(n store.Seq) (after, to store.Seq) {
	switch last := w.space.Last; {
	case w.to == 0: // nothing was seen
		return max(last-n, 0), last
	case last > w.to:
		return w.to, min(w.to+n, last)
	}
	return max(w.after-n, 0), w.after
}

// saw notes that a page was seen.
func (w *sweep) saw(after, to store.Seq) {
	if w.to == 0 || to <= w.after {
		w.after = after
	}
	w.to = max(w.to, to)
}

// embedPage embeds the next entries of a sweep.
func (e *Finder) embedPage(rd *trust.Reading, em llm.Embedder, w *sweep, n int, reply *api.EmbedReply) error {
	after, to := w.page(store.Seq(n))
	entries, err := e.Store.Listed(rd, w.space.Name, after, int(to-after))
	if err != nil {
		return core.Classify(err)
	}
	var ids []memory.ID
	for _, en := range entries {
		if en.Seq > to {
			break
		}
		written := en.Ref.Kind.IsMemory() && en.Ref.Kind != memory.KindRaw
		if written == w.captures {
			continue // the other sweep's
		}
		if reply.LookedAt++; !en.Gone && en.Ref.Kind.IsMemory() {
			ids = append(ids, en.Ref.ID)
		}
	}
	if err := e.embedSome(rd, em, ids, reply); err != nil {
		return err
	}
	w.saw(after, to)
	if err := e.Store.SetCursor(rd, w.cursor(" after"), w.after); err != nil {
		return core.Classify(err)
	}
	return core.Classify(e.Store.SetCursor(rd, w.cursor(""), w.to))
}

// WithoutVector returns the embedder's model, "" where there is none, and how many memories and captures it has not
// seen.
func WithoutVector(rd *trust.Reading, e *Finder) (model string, n int, err error) {
	if e.C.Embedder == nil {
		return "", 0, nil
	}
	model = e.C.Embedder.Model()
	n, err = e.withoutVector(rd, model)
	return model, n, err
}

// withoutVector counts the memories and captures that a model has not seen. Where they are many, decisions among them
// count too: all of the log would have to be read.
func (e *Finder) withoutVector(rd *trust.Reading, model string) (n int, err error) {
	spaces, err := rd.Spaces()
	if err != nil {
		return 0, core.Classify(err)
	}
	for _, sp := range spaces {
		memories, err := e.sweepOf(rd, model, sp, false)
		if err != nil {
			return 0, core.Classify(err)
		}
		captures, err := e.sweepOf(rd, model, sp, true)
		if err != nil {
			return 0, core.Classify(err)
		}
		from, until := min(memories.to, captures.to), max(memories.after, captures.after)
		if from < until { // one of them has seen nothing of what lies between
			from, until = 0, 0
		}
		if sp.Last-from+until > countedUnseen {
			n += max(memories.left(), captures.left())
			continue
		}
		newer, err := e.Store.Listed(rd, sp.Name, from, int(sp.Last-from))
		if err != nil {
			return 0, core.Classify(err)
		}
		older, err := e.Store.Listed(rd, sp.Name, 0, int(until))
		if err != nil {
			return 0, core.Classify(err)
		}
		for _, en := range append(newer, older...) {
			w := memories
			if en.Ref.Kind == memory.KindRaw {
				w = captures
			}
			if !en.Gone && en.Ref.Kind.IsMemory() && w.unseen(en.Seq) {
				n++
			}
		}
	}
	return n, nil
}

// answering returns whose vectors answer: those of the embedder, or of the one before it until it has caught up.
func (e *Finder) answering(rd *trust.Reading) (llm.Embedder, error) {
	now, before := e.C.Embedder, e.C.Before
	if now == nil || before == nil || now.Model() == before.Model() {
		return now, nil
	}
	left, err := e.withoutVector(rd, now.Model())
	if err != nil || left == 0 {
		return now, err
	}
	if known, err := e.withoutVector(rd, before.Model()); err != nil || known >= left {
		return now, err
	}
	return before, nil
}

// countedUnseen is how many entries of a log are read to count which of them are memories.
const countedUnseen = 1000

func embedCursor(model string, sp store.Space) string {
	return store.EmbedCursor + model + " " + sp.Name
}

func (e *Finder) embedSome(rd *trust.Reading, em llm.Embedder, ids []memory.ID, reply *api.EmbedReply) error {
	if len(ids) == 0 {
		return nil
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	var of []memory.ID // of each text
	var texts []string
	for _, it := range items {
		if it != nil && it.Record != nil {
			for _, passage := range passages(meant(it.Record)) {
				of, texts = append(of, it.Ref.ID), append(texts, passage)
			}
		}
	}
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
	var out [][]store.Vector // of the first passages, of the second and so on
	for i := 0; i < len(of); {
		n := 0
		for id := of[i]; i < len(of) && of[i] == id; i++ {
			if vecs[i] == nil {
				continue
			}
			if n == len(out) {
				out = append(out, nil)
			}
			out[n] = append(out[n], store.Vector{ID: id, Vec: vecs[i]})
			n++
		}
		if n == 0 {
			reply.Nothing++
			continue
		}
		reply.Made++
	}
	for n, some := range out {
		if err := e.Store.PutVectors(rd, core.PassageModel(reply.Model, n), some...); err != nil {
			return core.Classify(err)
		}
	}
	return nil
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
