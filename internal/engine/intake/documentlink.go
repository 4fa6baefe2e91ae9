package intake

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/anamnesis"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// documentSource is what a Foreign knows of the document it was made from.
type documentSource struct {
	header memory.Header
	cited  anamnesis.Cited
}

// documentOf returns what is known about the document that a record was made from, or nil.
func documentOf(f *api.Foreign) *documentSource {
	source, _ := f.Document.(*documentSource)
	return source
}

// link is a record that a document may name as where it came from.
type link struct {
	ref memory.Ref
	// rests says that it may be named as a source: no words that were captured here
	// are behind it, so that a stranger's claim makes nothing observed.
	rests bool
	// yields reports whether it may be replaced: it came as a document itself, and no person
	// has confirmed it.
	yields bool
	item   *store.Item // nil for one that is not stored yet
}

// documents finds records by their ids in documents: an alias, or the record's own id. Records
// that are not held are absent.
func (e *Intake) documents(ctx context.Context, space string, names []string) (map[string]link, error) {
	held, err := e.held(ctx, space, names)
	if err != nil {
		return nil, err
	}
	var ids []memory.ID
	var found []string
	for _, name := range names {
		if ref, ok := held[name]; ok {
			ids, found = append(ids, ref.ID), append(found, name)
		} else if id, ok := anamnesis.ParseMemID(name); ok {
			ids, found = append(ids, id), append(found, name)
		}
	}
	items, err := e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	links := make(map[string]link, len(items))
	for i, it := range items {
		if it == nil || !it.Ref.Kind.IsMemory() {
			continue
		}
		l := link{ref: it.Ref, item: it}
		if s := &it.State; it.Record != nil {
			l.rests = it.Ref.Kind != memory.KindRaw && !s.AnyRaw && memory.KindNote.MayComeFrom(it.Ref.Kind)
			_, came := anamnesis.CitedBy(it.Record)
			l.yields = l.rests && came && s.Review != state.ReviewApproved && !s.Protected
		}
		links[found[i]] = l
	}
	return links, nil
}

// lookUpDocuments learns which documents of a batch, and of what they came from, the
// store has.
func (in *ingestion) lookUpDocuments(ctx context.Context, batch []api.Foreign) error {
	var ask []string
	for _, f := range batch {
		for _, name := range append(documentOf(&f).cited.All(), f.Alias...) {
			if _, known := in.links[name]; !known {
				ask = append(ask, name)
			}
		}
	}
	links, err := in.e.documents(ctx, in.space, ask)
	for name, l := range links {
		in.links[name] = l
		in.known.put(name, knownRef{l.ref, false})
	}
	return err
}

// document signs a document that came from elsewhere.
func (in *ingestion) document(f *api.Foreign) (*memory.Record, []api.Redaction, error) {
	h, cited := documentOf(f).header, &documentOf(f).cited
	h.Space = in.space
	p := &h.Provenance
	for _, name := range cited.From {
		if l, ok := in.links[name]; ok && l.rests && !slices.Contains(p.From, l.ref) {
			p.From = append(p.From, l.ref)
		}
	}
	if l, ok := in.links[cited.Supersedes]; ok && l.yields {
		p.Supersedes = []memory.Ref{l.ref}
		if !slices.Contains(p.From, l.ref) {
			p.From = append(p.From, l.ref)
		}
	}
	r, redacted, err := in.e.signDocument(h, f.Body, false)
	if err == nil {
		in.links[cited.ID] = link{ref: r.Ref(), rests: true, yields: true}
	}
	return r, redacted, err
}

// signDocument signs what a document became, without the secrets in it. What the
// document does not say of agent, platform and session is not filled in with ours.
// A rehearsal only looks whether that can be done.
func (e *Intake) signDocument(
	h memory.Header, body memory.Body, rehearsal bool,
) (*memory.Record, []api.Redaction, error) {
	c := core.Cleaning{Policy: e.SecretsOf(memory.OriginImport, body)}
	h, body = core.Cleaned(&c, "", h), core.Cleaned(&c, memory.KindOf(body), body)
	if c.Err != nil {
		return nil, nil, c.Err
	}
	me, err := e.OwnKeys()
	if err != nil {
		return nil, nil, err
	}
	h.Origin, h.Author, h.Delegation = memory.OriginImport, me.Agent.DID(), me.Delegation
	if h.Space == "" {
		if h.Space, err = e.WriteSpace(me.Principal); err != nil {
			return nil, nil, err
		}
	}
	if h.Nonce, err = e.Nonce(); err != nil {
		return nil, nil, err
	}
	if rehearsal {
		_, err := memory.Write(h, body)
		return nil, nil, core.Classify(err)
	}
	r, err := core.Signed(me.Agent, h, body)
	return r, c.Found, core.Classify(err)
}

// acyclic refuses documents that say they came from one another, also through those
// that are held.
func (e *Intake) acyclic(ctx context.Context, p *pile) error {
	from := make(map[string][]string)
	var todo []string
	for id, this := range p.at {
		from[id] = this.cited.All()
		todo = append(todo, from[id]...)
	}
	me, err := e.OwnKeys()
	if err != nil {
		return err
	}
	space, err := e.WriteSpace(me.Principal)
	if err != nil {
		return err
	}
	for len(todo) > 0 && len(from) < len(p.at)+trust.MostBehind {
		var ask []string
		for _, id := range todo {
			if _, known := from[id]; !known {
				from[id] = nil
				ask = append(ask, id)
			}
		}
		links, err := e.documents(ctx, space, ask)
		if err != nil {
			return err
		}
		todo = nil
		for id, l := range links {
			if l.item.Record == nil {
				continue
			}
			if c, ok := anamnesis.CitedBy(l.item.Record); ok {
				from[id] = c.All()
				todo = append(todo, from[id]...)
			}
		}
	}
	if ring := cycleIn(from); ring != nil {
		first := ring[0]
		for i, id := range ring {
			ring[i] = shorten.To(core.Redacted(id), 80)
		}
		if this := p.at[first]; this != nil {
			return core.Invalid("document %d: lineage: comes from itself: %s", this.number, roundTrip(ring))
		}
		return core.Invalid("lineage: comes from itself: %s", roundTrip(ring))
	}
	return nil
}

// mostShownOfRing is how many ids an error names.
const mostShownOfRing = 20

func roundTrip(ring []string) string {
	ring = append(slices.Clip(ring), ring[0])
	if n := len(ring); n > mostShownOfRing {
		ring = append(
			append(slices.Clone(ring[:mostShownOfRing-1]), fmt.Sprintf("… %d more …", n-mostShownOfRing)),
			ring[n-1],
		)
	}
	return strings.Join(ring, " <- ")
}

// cycleIn returns the ids of a cycle, each once, or nil.
func cycleIn(from map[string][]string) []string {
	type step struct {
		id   string
		next int
	}
	const open, closed = 1, 2
	state := make(map[string]int, len(from))
	starts := make([]string, 0, len(from))
	for id := range from {
		starts = append(starts, id)
	}
	slices.Sort(starts) // the same file always reports the same error
	for _, start := range starts {
		if state[start] != 0 {
			continue
		}
		path := []step{{id: start}}
		state[start] = open
		for len(path) > 0 {
			top := &path[len(path)-1]
			if top.next == len(from[top.id]) {
				state[top.id] = closed
				path = path[:len(path)-1]
				continue
			}
			next := from[top.id][top.next]
			top.next++
			switch state[next] {
			case open:
				var ring []string
				for i := slices.IndexFunc(path, func(s step) bool { return s.id == next }); i < len(path); i++ {
					ring = append(ring, path[i].id)
				}
				return ring
			case 0:
				state[next] = open
				path = append(path, step{id: next})
			}
		}
	}
	return nil
}
