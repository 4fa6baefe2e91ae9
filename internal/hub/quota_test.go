package hub

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

func belief(words string) *memory.Belief { return &memory.Belief{Statement: words} }

// Nobody gets past a quota by pushing something with each push that is there already,
// by hiding a large record among lines that are refused, or by many pushes at once.
func TestQuotaIsNotPassedBy(t *testing.T) {
	everyHub(t, func(p *place) {
		const most = 10
		ann := p.joins("ann", "", "")
		ann.mustSync(p) // her key
		if err := p.store.SetQuota(p.Context(), store.Quota{Of: ann.key.DID(), Records: most, Bytes: 1 << 20}); err != nil {
			p.Fatal(err)
		}
		known := line(p, ann.make(p, ann.home(), belief("known")))
		push := func(lines ...peer.Line) error {
			_, err := ann.Push(p.Context(), peer.Push{Space: ann.home(), Lines: lines})
			return err
		}
		if err := push(known); err != nil {
			p.Fatal(err)
		}
		for i := range 3 {
			if err := push(known, line(p, ann.make(p, ann.home(), belief(fmt.Sprint(i))))); err != nil {
				p.Fatal(err)
			}
		}
		charged := func() store.Quota {
			_, used, err := p.store.Used(p.Context(), ann.home(), ann.key.DID())
			if err != nil {
				p.Fatal(err)
			}
			return used
		}
		if got := charged(); got.Records != 5 {
			p.Errorf("after 5 records in pushes with one that was there, %d are charged", got.Records)
		}
		was := charged().Bytes
		large := line(p, ann.make(p, ann.home(), belief(strings.Repeat("long ", 1000))))
		junk := make([]peer.Line, 4)
		for i := range junk {
			junk[i] = peer.Line("{}")
		}
		if err := push(append(junk, large)...); err != nil {
			p.Fatal(err)
		}
		if got := charged().Bytes - was; got < int64(len(large)) {
			p.Errorf("a record of %d bytes among bad lines is charged as %d", len(large), got)
		}
		var group sync.WaitGroup
		for i := range 12 {
			l := line(p, ann.make(p, ann.home(), belief(fmt.Sprint("at once ", i))))
			group.Go(func() { _ = push(l) })
		}
		group.Wait()
		if all, err := p.store.Totals(p.Context()); err != nil || all[0].Last > most {
			p.Errorf("with a quota of %d the log has %v, %v", most, all, err)
		}
	})
}
