package intake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostChangesShown is how many changes the answer of an import names.
const mostChangesShown = 100

// changedDetector is what found that a record has other words where it comes from.
const changedDetector = core.ImportDetector

// there reports whether a record is held: under the id that it has, or under another with the same
// words, as in a file that was renamed. What is held under another id with other words is another record.
func (in *ingestion) there(f *api.Foreign) bool {
	if _, there := in.known.get(f.Alias[0]); there {
		return true
	}
	if f.Document != nil {
		return false
	}
	for i, a := range append(f.Alias[1:len(f.Alias):len(f.Alias)], f.Was...) {
		ref, there := in.known.get(a)
		if !there {
			continue
		}
		content := i < len(f.Alias)-1 && !ref.made // such an id is of what it says, in another run
		it := in.items[a]
		if content || it != nil && it.Record != nil && saysTheSame(it.Record, f.Body) {
			in.known.put(f.Alias[0], ref)
			return true
		}
	}
	kept := f.Alias[:1:1]
	for _, a := range f.Alias[1:] {
		if _, taken := in.known.get(a); !taken {
			kept = append(kept, a)
		}
	}
	f.Alias = kept
	return false
}

// saysTheSame reports whether a record that is held has the words of a body.
func saysTheSame(r *memory.Record, body memory.Body) bool {
	if r.Header.Kind != memory.KindOf(body) {
		return r.Header.Kind == memory.KindRaw // it was rejected here, and its words were kept
	}
	return memory.Words(r.Body) == memory.Words(body)
}

// compare looks whether what is held says what its source says now. Only what is held word for word is
// present; other words are a change, which is proposed as a revision and replaces nothing by itself.
func (in *ingestion) compare(ctx context.Context, f *api.Foreign, b *signedBatch) error {
	it := in.items[f.Alias[0]]
	ref, _ := in.known.get(f.Alias[0])
	if it == nil && !ref.made { // known under another id, with the same words
		b.present++
		return nil
	}
	if f.Document != nil || ref.made {
		b.present++
		return nil
	}
	if it.Record == nil {
		b.purged++
		return nil
	}
	if it.Record.Header.Origin != memory.OriginImport { // a hook has kept it
		b.present++
		return nil
	}
	if f.Gone != "" {
		return in.goneNow(ctx, f, it, b)
	}
	if saysTheSame(it.Record, f.Body) && sameEnd(it.Record, f) {
		b.present++
		return nil
	}
	return in.changed(ctx, f, it, b)
}

// sameEnd reports whether a record that is held ends when its source says that it does.
func sameEnd(r *memory.Record, f *api.Foreign) bool {
	h, err := core.MetaHeader(f.Meta, memory.Certain)
	return err != nil || h.ValidUntil.IsZero() || h.ValidUntil == r.Header.ValidUntil
}

// changed stores what a record says now, and proposes that it takes the place of what is held.
func (in *ingestion) changed(ctx context.Context, f *api.Foreign, it *store.Item, b *signedBatch) error {
	was := f.Alias[0]
	sum := sha256.Sum256([]byte(memory.Words(f.Body) + "\x00" + f.Meta.ValidUntil))
	f.Alias = []string{was + "@" + hex.EncodeToString(sum[:8])}
	held, err := in.e.heldItems(ctx, in.space, f.Alias)
	if err != nil {
		return err
	}
	before := held[f.Alias[0]]
	if _, made := in.known.get(f.Alias[0]); made || before != nil && before.Record != nil {
		b.present++ // proposed before
		return nil
	}
	if before != nil {
		b.purged++
		return nil
	}
	f.Supersedes = ""
	r, redacted, err := in.record(ctx, f)
	if err != nil {
		return err
	}
	if saysTheSame(it.Record, r.Body) && sameEnd(it.Record, f) { // but for a secret that was not kept
		b.present++
		return nil
	}
	old, err := in.head(ctx, it)
	if err != nil {
		return err
	}
	if old.Record != nil && saysTheSame(old.Record, f.Body) && sameEnd(old.Record, f) {
		b.present++ // a person said so already
		return nil
	}
	b.records = append(b.records, r)
	in.known.put(f.Alias[0], knownRef{r.Ref(), true})
	if r.Header.Kind != memory.KindRaw && old.Ref.Kind != memory.KindRaw { // captured words replace nothing
		link, err := in.e.Sign(memory.Header{
			Origin: memory.OriginAgent, Space: in.space, Confidence: memory.Certain,
			Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "import"},
		}, &memory.Link{
			Source: old.Ref, Target: r.Ref(), Relation: memory.Update, Detector: changedDetector,
			Reason: "changed where it comes from",
		})
		if err != nil {
			return err
		}
		b.records = append(b.records, link)
	}
	b.redacted = core.CountSecrets(b.redacted, redacted)
	b.changed++
	b.changes = append(b.changes, api.LinkView{
		Relation: memory.Update, Old: endOf(old.Ref, old.Record), New: endOf(r.Ref(), r), Detector: changedDetector,
	})
	return nil
}

// head returns the current revision of a record.
func (in *ingestion) head(ctx context.Context, it *store.Item) (*store.Item, error) {
	const longest = 1000
	for range longest {
		if it.State.SupersededBy.IsZero() {
			break
		}
		next, err := in.e.One(ctx, it.State.SupersededBy)
		if err != nil {
			return nil, err
		}
		if next == nil || next.Record == nil {
			break
		}
		it = next
	}
	return it, nil
}

// goneNow forgets what was forgotten where it comes from, unless a person decided about it here.
func (in *ingestion) goneNow(ctx context.Context, f *api.Foreign, it *store.Item, b *signedBatch) error {
	old, err := in.head(ctx, it)
	if err != nil {
		return err
	}
	if !old.State.Live() {
		b.present++
		return nil
	}
	change := api.LinkView{Old: endOf(old.Ref, old.Record), Detector: changedDetector, Reason: core.Redacted(f.Gone)}
	if old.State.Review != state.ReviewApproved && !old.State.Protected && old.Ref == it.Ref {
		mark, err := in.goneMark(old.Ref, f.Gone)
		if err != nil {
			return err
		}
		b.records = append(b.records, mark)
		change.Ref = mark.Ref().String()
	}
	b.changed++
	b.changes = append(b.changes, change)
	return nil
}

// goneMark says that a record was forgotten where it comes from.
func (in *ingestion) goneMark(of memory.Ref, why string) (*memory.Record, error) {
	return in.e.Sign(memory.Header{
		Origin: memory.OriginAgent, Space: in.space, Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "import"},
	}, &memory.Mark{Of: &of, Verb: memory.Forget, Reason: core.Redacted(why)})
}

// endOf shows a record by all that it says.
func endOf(ref memory.Ref, r *memory.Record) api.LinkEnd {
	end := api.LinkEnd{Ref: ref.String()}
	if r != nil {
		end.Headline = memory.Headline(r.Body)
		if end.Text = memory.Words(r.Body); end.Text == end.Headline {
			end.Text = ""
		}
	}
	return end
}
