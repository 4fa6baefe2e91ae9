package stemma

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// inferredProvenance is the detector of links that say where a memory without sources
// seems to come from.
const inferredProvenance = "inferred provenance"

// InferProvenanceRequest asks where memories without sources may come from.
type InferProvenanceRequest struct {
	Apply []string `json:"apply,omitempty" jsonschema:"refs of memories whose proposals are to be kept as links; only a person may"`
	All   bool     `json:"all,omitempty" jsonschema:"keep all proposals; only a person may"`
	Limit int      `json:"limit,omitempty" jsonschema:"how many proposals are shown; 0 is 50, -1 is all"`
}

// InferProvenanceReply is what was proposed, the likest first, or kept.
type InferProvenanceReply struct {
	Legacy    int        `json:"legacy"` // memories without sources
	Proposals []Inferred `json:"proposals"`
	Total     int        `json:"total"` // proposals
	More      bool       `json:"more,omitempty"`
	Applied   int        `json:"applied,omitempty"` // links written
}

// Inferred is one memory and what it may come from.
type Inferred struct {
	Ref            string   `json:"ref"`
	Headline       string   `json:"headline"`
	Source         string   `json:"source"`
	SourceHeadline string   `json:"source_headline"`
	Score          float64  `json:"score"` // 0 to 1
	Reason         string   `json:"reason"`
	Shared         []string `json:"shared"`         // rare terms that both have
	Link           string   `json:"link,omitempty"` // where it was applied
}

// How likeness is judged.
const (
	inferWithin    = 24 * time.Hour // where they are not of one session
	inferRare      = 50             // memories that a term may stand in, to be rare
	inferTerms     = 200            // of one memory that are looked at
	inferBytes     = 16 << 10       // of its words
	inferShared    = 2              // rare terms that both must have
	inferThreshold = 0.3
	inferSources   = 3   // proposed for one memory
	inferSession   = 1.2 // what one session makes of a score
)

// InferProvenance proposes, by time and likeness, what memories without sources come
// from. Nothing is applied unless a person says so, and then as links beside the lineage:
// what was signed is never changed, and a trace shows them as inferred.
func (e *Engine) InferProvenance(ctx context.Context, in InferProvenanceRequest) (InferProvenanceReply, error) {
	reply := InferProvenanceReply{Proposals: []Inferred{}}
	applies := in.All || len(in.Apply) > 0
	var only map[memory.ID]bool
	switch {
	case in.All && len(in.Apply) > 0:
		return reply, invalid("apply: name memories, or all, not both")
	case applies:
		if err := e.ownerOnly("say where memories come from"); err != nil {
			return reply, err
		}
		if len(in.Apply) > 0 {
			items, err := e.resolveAll(ctx, in.Apply)
			if err != nil {
				return reply, err
			}
			only = make(map[memory.ID]bool)
			for _, it := range items {
				only[it.Ref.ID] = true
			}
		}
	}
	spaces, err := e.shelves(ctx)
	if err != nil {
		return reply, sorted(err)
	}
	var found []*inference
	for _, space := range spaces {
		p := inferring{e: e, space: space}
		if err := p.gather(ctx); err != nil {
			return reply, err
		}
		reply.Legacy += len(p.legacy)
		found = append(found, p.infer()...)
	}
	slices.SortStableFunc(found, func(a, b *inference) int { return cmp.Compare(b.score, a.score) })
	if only != nil {
		found = slices.DeleteFunc(found, func(f *inference) bool { return !only[f.of.ref.ID] })
		for id := range only {
			if !slices.ContainsFunc(found, func(f *inference) bool { return f.of.ref.ID == id }) {
				return reply, notFound("nothing is proposed for %s", id.Short())
			}
		}
	}
	reply.Total = len(found)
	links, err := e.applyInferred(ctx, found, applies)
	if err != nil {
		return reply, err
	}
	reply.Applied = len(links)
	if limit := cmp.Or(in.Limit, defaultLimit); limit > 0 && len(found) > limit {
		found, reply.More = found[:limit], true
	}
	return reply, e.showInferred(ctx, &reply, found, links)
}

// inferLinks is how many links are stored at once.
const inferLinks = 500

// applyInferred writes links with the owner's key, in the order of found.
func (e *Engine) applyInferred(ctx context.Context, found []*inference, apply bool) ([]*memory.Record, error) {
	if !apply {
		return nil, nil
	}
	var links []*memory.Record
	for part := range slices.Chunk(found, inferLinks) {
		var b store.Batch
		for _, f := range part {
			link, err := e.sign(memory.Header{
				Origin: memory.OriginOwner, Space: f.space, Confidence: memory.Confidence(math.Round(f.score * float64(memory.Certain))),
				Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "infer provenance"},
			}, &memory.Link{
				Source: f.from.ref, Target: f.of.ref, Relation: memory.Derive, Reason: f.reason(), Detector: inferredProvenance,
			})
			if err != nil {
				return links, err
			}
			b.Records = append(b.Records, link)
		}
		if err := e.append(ctx, b); err != nil {
			return links, err
		}
		links = append(links, b.Records...)
	}
	return links, nil
}

func (e *Engine) showInferred(ctx context.Context, reply *InferProvenanceReply, found []*inference, links []*memory.Record) error {
	var ids []memory.ID
	for _, f := range found {
		ids = append(ids, f.of.ref.ID, f.from.ref.ID)
	}
	items, err := e.store.Get(ctx, ids...)
	if err != nil {
		return sorted(err)
	}
	headline := func(it *store.Item) string {
		if it == nil || it.Record == nil {
			return purgedText
		}
		return it.Record.Headline()
	}
	for i, f := range found {
		one := Inferred{
			Ref: f.of.ref.String(), Headline: headline(items[2*i]), Source: f.from.ref.String(), SourceHeadline: headline(items[2*i+1]),
			Score: math.Round(f.score*1000) / 1000, Reason: f.reason(), Shared: f.shared,
		}
		if i < len(links) {
			one.Link = links[i].Ref().String()
		}
		reply.Proposals = append(reply.Proposals, one)
	}
	return nil
}

// An inferrable is a memory as proposals are made of it.
type inferrable struct {
	ref     memory.Ref
	at      time.Time
	session string
	terms   []int32 // numbers of distinct terms
}

// An inference is one proposal.
type inference struct {
	of, from *inferrable
	space    string
	score    float64
	session  bool
	shared   []string
}

// reason says why in one line.
func (f *inference) reason() string {
	near := "of the same session"
	if !f.session {
		near = fmt.Sprintf("%s before", f.of.at.Sub(f.from.at).Round(time.Minute))
	}
	return memory.Cut(near+", and both speak of "+strings.Join(f.shared, ", "), mostReasonBytes)
}

// inferring is one look at a shelf.
type inferring struct {
	e      *Engine
	space  string
	all    []*inferrable
	legacy []*inferrable
	terms  []string         // by number
	number map[string]int32 // of a term
	in     [][]int32        // by term: places in all of those that have it, up to one more than a rare one has
	linked map[[2]memory.ID]bool
}

// gather reads the shelf once.
func (p *inferring) gather(ctx context.Context) error {
	p.number, p.linked = make(map[string]int32), make(map[[2]memory.ID]bool)
	kinds := []memory.Kind{memory.KindRaw, memory.KindEpisode, memory.KindNote, memory.KindBelief}
	for it, err := range p.e.store.List(ctx, store.Query{Kinds: kinds, Spaces: []string{p.space}, Oldest: true}) {
		if err != nil {
			return sorted(err)
		}
		if it.Record != nil {
			p.take(it)
		}
	}
	if len(p.legacy) == 0 {
		return nil
	}
	who, err := p.e.standing(ctx)
	if err != nil {
		return err
	}
	q := store.Query{Kinds: []memory.Kind{memory.KindLink}, Spaces: []string{p.space}, Hidden: true}
	for it, err := range p.e.store.List(ctx, q) {
		if err != nil {
			return sorted(err)
		}
		if it.Record == nil {
			continue
		}
		if l, ok := it.Record.Body.(*memory.Link); ok && l.Detector == inferredProvenance && who.Voice(it.Record).Owner {
			p.linked[[2]memory.ID{l.Source.ID, l.Target.ID}] = true
		}
	}
	return nil
}

func (p *inferring) take(it *store.Item) {
	r := it.Record
	one := &inferrable{ref: it.Ref, at: happened(r), session: r.Header.Session}
	place := int32(len(p.all))
	for i, t := range words.Query(memory.Cut(r.Body.Words(), inferBytes)) {
		if i == inferTerms {
			break
		}
		n, known := p.number[t]
		if !known {
			n = int32(len(p.terms))
			p.number[t] = n
			p.terms, p.in = append(p.terms, t), append(p.in, nil)
		}
		one.terms = append(one.terms, n)
		if len(p.in[n]) <= inferRare {
			p.in[n] = append(p.in[n], place)
		}
	}
	p.all = append(p.all, one)
	if legacy(r) {
		p.legacy = append(p.legacy, one)
	}
}

// legacy reports whether nobody said where a memory comes from.
func legacy(r *memory.Record) bool {
	v := r.Header.Provenance.Via
	return r.Header.Kind != memory.KindRaw && len(r.Header.Provenance.From) == 0 && (v == memory.ViaImport || v == memory.ViaDirect)
}

// mayBeSource are the kinds that something is proposed to come from.
func mayBeSource(k memory.Kind) bool {
	return k == memory.KindRaw || k == memory.KindEpisode || k == memory.KindNote
}

// infer proposes sources of each legacy memory.
func (p *inferring) infer() []*inference {
	var out []*inference
	for _, of := range p.legacy {
		shared := make(map[int32][]int32) // by place, the rare terms
		total := 0.0
		for _, t := range of.terms {
			total += p.worth(t)
			if len(p.in[t]) > inferRare {
				continue
			}
			for _, place := range p.in[t] {
				shared[place] = append(shared[place], t)
			}
		}
		var found []*inference
		for place, terms := range shared {
			if f := p.judge(of, p.all[place], terms, total); f != nil {
				found = append(found, f)
			}
		}
		slices.SortFunc(found, func(a, b *inference) int {
			return cmp.Or(cmp.Compare(b.score, a.score), a.from.ref.ID.Compare(b.from.ref.ID))
		})
		for _, f := range found[:min(len(found), inferSources)] {
			if !p.linked[[2]memory.ID{f.from.ref.ID, of.ref.ID}] { // decided about before
				out = append(out, f)
			}
		}
	}
	return out
}

// worth is how much a term says: the rarer, the more.
func (p *inferring) worth(t int32) float64 {
	return math.Log(float64(len(p.all)+1) / float64(len(p.in[t])))
}

// judge scores one possible source; nil is none.
func (p *inferring) judge(of, from *inferrable, terms []int32, total float64) *inference {
	same := of.session != "" && of.session == from.session
	apart := of.at.Sub(from.at)
	switch {
	case of == from, len(terms) < inferShared, !mayBeSource(from.ref.Kind), !of.ref.Kind.MayComeFrom(from.ref.Kind), apart < 0,
		apart == 0 && from.ref.Kind != memory.KindRaw, !same && apart > inferWithin:
		return nil
	}
	f := &inference{of: of, from: from, space: p.space, session: same}
	for _, t := range terms {
		f.score += p.worth(t)
		f.shared = append(f.shared, p.terms[t])
	}
	f.score = min(f.score/total, 1)
	if same {
		f.score = min(f.score*inferSession, 1)
	}
	if f.score < inferThreshold || total <= 0 {
		return nil
	}
	const most = 8
	f.shared = f.shared[:min(len(f.shared), most)]
	return f
}
