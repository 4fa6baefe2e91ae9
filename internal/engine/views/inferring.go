package views

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// An inferrable is a memory as proposals are made of it.
type inferrable struct {
	ref     memory.Ref
	at      time.Time // its own; zero if unknown
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
		near = Span(f.of.at.Sub(f.from.at)) + " before"
	}
	return shorten.To(near+", and both speak of "+strings.Join(f.shared, ", "), core.MostReasonBytes)
}

// inferring is one look at a space.
type inferring struct {
	e      *Views
	space  string
	all    []*inferrable
	legacy []*inferrable
	terms  []string         // by number
	number map[string]int32 // of a term
	in     [][]int32        // by term: places in all of those that have it, up to one more than a rare one has
	linked map[[2]memory.ID]bool
}

// gather reads the space once.
func (p *inferring) gather(rd *trust.Reading) error {
	p.number, p.linked = make(map[string]int32), make(map[[2]memory.ID]bool)
	kinds := []memory.Kind{memory.KindEpisode, memory.KindNote, memory.KindBelief, memory.KindRaw}
	if any, err := p.anyLegacy(rd, kinds[:3]); err != nil || !any {
		return err
	}
	for it, err := range p.e.Store.List(rd, store.Query{Kinds: kinds, Spaces: []string{p.space}, Oldest: true}) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record != nil {
			p.take(it)
		}
	}
	if len(p.legacy) == 0 {
		return nil
	}
	who, err := rd.Keyring()
	if err != nil {
		return err
	}
	q := store.Query{Kinds: []memory.Kind{memory.KindLink}, Spaces: []string{p.space}, Hidden: true}
	for it, err := range p.e.Store.List(rd, q) {
		if err != nil {
			return core.Classify(err)
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

// anyLegacy finds whether something is to be proposed at all, before every capture is read.
func (p *inferring) anyLegacy(rd *trust.Reading, kinds []memory.Kind) (bool, error) {
	for it, err := range p.e.Store.List(rd, store.Query{Kinds: kinds, Spaces: []string{p.space}, Oldest: true}) {
		if err != nil {
			return false, core.Classify(err)
		}
		if it.Record != nil && legacy(it.Record) {
			return true, nil
		}
	}
	return false, nil
}

func (p *inferring) take(it *store.Item) {
	r := it.Record
	one := &inferrable{ref: it.Ref, at: core.OwnTime(r), session: r.Header.Session}
	place := int32(len(p.all))
	for i, t := range words.Query(shorten.To(memory.Words(r.Body), inferBytes)) {
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

// legacy reports whether no one said where a memory comes from.
func legacy(r *memory.Record) bool {
	v := r.Header.Provenance.Via
	return r.Header.Kind != memory.KindRaw && len(r.Header.Provenance.From) == 0 && (v == memory.ViaImport ||
		v == memory.ViaDirect)
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

// judge scores one possible source, nil if it is none.
func (p *inferring) judge(of, from *inferrable, terms []int32, total float64) *inference {
	same := of.session != "" && of.session == from.session
	apart := of.at.Sub(from.at)
	known := !of.at.IsZero() && !from.at.IsZero()
	switch {
	case !known && !same: // nothing says that they are near
		return nil
	case of == from,
		len(terms) < inferShared,
		!mayBeSource(from.ref.Kind),
		!of.ref.Kind.MayComeFrom(from.ref.Kind),
		known && apart < 0,
		(!known || apart == 0) && from.ref.Kind != memory.KindRaw,
		!same && apart > inferWithin:
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
