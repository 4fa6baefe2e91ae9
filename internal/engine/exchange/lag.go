package exchange

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// told is what the peers behind a remote said at the last exchange, as far as it is needed to
// know how far behind it is.
type told struct {
	Begins string   `json:"begins,omitempty"` // see peer.Report
	Gives  []string `json:"gives,omitempty"`  // spaces of others to which this store may push
	// Sizes are of the peers' logs, by the name of the place: PEER/SPACE. Those that were taken whole are left out.
	Sizes map[string]int64 `json:"sizes,omitempty"`
	// Barred are spaces in which this store wrote what the peers take no more.
	Barred []string        `json:"barred,omitempty"`
	asked  bool            // whether there are such was looked at
	heard  map[string]bool // the peers that answered
}

// add notes what one peer said.
func (t *told) add(name string, gives bool, r peer.Report) {
	if r.Begins == "" && len(r.Told) == 0 {
		return // it was away, or refused everything
	}
	if t.heard == nil {
		t.heard, t.Sizes = make(map[string]bool), make(map[string]int64)
	}
	t.heard[name] = true
	if gives {
		t.Begins = r.Begins
	}
	for _, s := range r.Told {
		t.Sizes[name+"/"+s.Space] = s.Size
		if gives && s.Gives && !mayBegin(r.Begins, s.Space) {
			t.Gives = append(t.Gives, s.Space)
		}
	}
	for _, s := range r.Spaces {
		if place := name + "/" + s.Space; s.Taken >= t.Sizes[place] {
			delete(t.Sizes, place)
		}
	}
}

// hear replaces what is known of the peers that answered; of the others it stays as it was.
func (t *told) hear(now told) {
	if len(now.heard) == 0 {
		return
	}
	if now.Begins != "" || len(now.Gives) > 0 {
		t.Begins, t.Gives = now.Begins, now.Gives
	}
	if now.asked {
		t.Barred = now.Barred
	}
	sizes := maps.Clone(t.Sizes)
	maps.DeleteFunc(sizes, func(place string, _ int64) bool {
		name, _, _ := strings.Cut(place, "/")
		return now.heard[name]
	})
	if sizes == nil {
		sizes = make(map[string]int64)
	}
	maps.Copy(sizes, now.Sizes)
	t.Sizes = sizes
}

func mayBegin(begins, space string) bool {
	return begins == "*" || begins != "" && strings.HasPrefix(space, begins+"/")
}

// lagOf counts how far a remote and this store are behind each other.
func (e *Exchange) lagOf(ctx context.Context, remote sharing, was told, l *api.SyncLag) error {
	for place, size := range was.Sizes {
		p, err := e.placeOf(ctx, peer.PlacesOf+place)
		if err != nil {
			return err
		}
		l.Unpulled += max(0, size-p.Pull)
	}
	spaces, err := e.First().Spaces(ctx)
	if err != nil {
		return core.Classify(err)
	}
	for _, sp := range spaces {
		gives := remote.new || mayBegin(was.Begins, sp.Name) || slices.Contains(was.Gives, sp.Name) ||
			slices.Contains(was.Barred, sp.Name)
		if !gives || !remote.chosen(sp.Name) {
			continue
		}
		if err := e.countUnpushed(ctx, remote, sp, l); err != nil {
			return err
		}
	}
	return nil
}

// sharing is what a remote is given.
type sharing struct {
	name   string
	filter peer.Filter
	chosen func(space string) bool
	new    bool // nothing was exchanged yet
}

// placeOf reads the saved state of a space. One that is damaged counts as none: an exchange reports it.
func (e *Exchange) placeOf(ctx context.Context, name string) (*peer.Place, error) {
	raw, err := e.First().Note(ctx, name)
	if err != nil {
		return nil, core.Classify(err)
	}
	p, err := peer.PlaceOf(raw)
	if err != nil {
		return &peer.Place{}, nil
	}
	return p, nil
}

// mostLagLooked is how many positions of a log are looked at one by one.
const mostLagLooked = 10_000

// countUnpushed adds the records of a space that were not given.
func (e *Exchange) countUnpushed(ctx context.Context, remote sharing, sp store.Space, l *api.SyncLag) error {
	p, err := e.placeOf(ctx, peer.PlacesOf+remote.name+"/"+sp.Name)
	if err != nil || int64(sp.Last) <= p.Push {
		return err
	}
	if far := int64(sp.Last) - p.Push; far > mostLagLooked {
		for _, part := range p.Has {
			far -= part[1] - max(part[0], p.Push)
		}
		l.Unpushed, l.About = l.Unpushed+far, true
		return nil
	}
	f := remote.filter
	if len(f.Tags) > 0 {
		return e.countChosen(ctx, sp, p, f, l)
	}
	all, err := e.First().Listed(ctx, sp.Name, store.Seq(p.Push), mostLagLooked)
	for _, one := range all {
		if !one.Gone && f.Chooses(&memory.Record{Header: memory.Header{Kind: one.Ref.Kind}}) && !p.Theirs(int64(one.Seq)) {
			l.Unpushed++
		}
	}
	return core.Classify(err)
}

// countChosen counts what a filter with tags chooses, for which records are read.
func (e *Exchange) countChosen(
	ctx context.Context, sp store.Space, p *peer.Place, f peer.Filter, l *api.SyncLag,
) error {
	const page = 1000
	for at := store.Seq(p.Push); ; {
		all, err := e.First().Kept(ctx, sp.Name, at, page)
		if err != nil || len(all) == 0 {
			return core.Classify(err)
		}
		for _, k := range all {
			if at = k.Seq; k.Bytes == nil || p.Theirs(int64(k.Seq)) {
				continue
			}
			rec, err := memory.Load(k.Bytes)
			if err == nil && f.Chooses(rec) {
				l.Unpushed++
			}
		}
	}
}
