package hub

import (
	"errors"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// An archived space is read by its members and written by nobody, not by its owner either. What they write there stays
// with them, and goes when the archive ends.
func TestAnArchivedSpaceIsReadOnly(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		ann.believes(p, ann.home(), "herons fish at dawn")
		ann.mustSync(p)
		bob := p.joins("bob", ann.home(), store.Writer)
		bob.mustSync(p)
		if err := p.store.Archive(p.Context(), ann.home(), p.now); err != nil {
			p.Fatal(err)
		}
		p.now = p.now.Add(archivedFor)
		late := bob.believes(p, ann.home(), "herons fish at dusk too")
		hers := ann.believes(p, ann.home(), "and at noon")
		for _, who := range []*person{ann, bob} {
			report := who.mustSync(p)
			for _, s := range report.Spaces {
				if s.Space == ann.home() && (s.Pushed > 0 || s.Role != peer.Reader || s.Problem != "") {
					p.Errorf("%s: %+v", who.name, s)
				}
			}
		}
		_, err := ann.Client.Push(p.Context(), peer.Push{Space: ann.home(), Lines: []peer.Line{line(p, hers)}})
		if !errors.Is(err, peer.ErrDenied) {
			p.Errorf("a push into an archived space gives %v", err)
		}
		if _, err := ann.Client.Log(p.Context(), peer.LogRequest{Space: ann.home(), Limit: 10}); err != nil {
			p.Errorf("an archived space cannot be read: %v", err)
		}
		own := bob.believes(p, bob.home(), "bob's own goes on")
		bob.mustSync(p)
		if !held(p, bob.home(), own.ID) {
			p.Error("another space is archived with it")
		}
		quotas, err := p.store.Quotas(p.Context())
		if err != nil || len(quotas) != 1 || quotas[0].Archived.IsZero() {
			p.Errorf("quotas: %+v, %v", quotas, err)
		}
		if err := p.store.SetQuota(p.Context(), store.Quota{Of: ann.home(), Records: 1000}); err != nil {
			p.Fatal(err)
		}
		if all, err := p.store.Archived(p.Context()); err != nil || len(all) != 1 {
			p.Errorf("a quota ends the archive: %v, %v", all, err)
		}
		if err := p.store.Archive(p.Context(), ann.home(), time.Time{}); err != nil {
			p.Fatal(err)
		}
		p.now = p.now.Add(archivedFor)
		bob.mustSync(p)
		ann.mustSync(p)
		if !held(p, ann.home(), late.ID) || !held(p, ann.home(), hers.ID) {
			p.Error("what was written meanwhile does not go when the archive ends")
		}
	})
}

// held reports whether a hub holds a record of a space.
func held(p *place, space string, id memory.ID) bool {
	p.Helper()
	v, err := p.store.Within(p.Context(), store.Sight{Reads: []string{space}})
	if err != nil {
		p.Fatal(err)
	}
	items, err := v.Get(p.Context(), id)
	if err != nil {
		p.Fatal(err)
	}
	return items[0] != nil
}
