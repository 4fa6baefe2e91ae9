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

// No one gets past a quota by pushing something with each push that is there already,
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

// An owner begins no more spaces than he may, whoever pushes into them, and however many
// at once; what has begun goes on.
func TestSpacesAreBounded(t *testing.T) {
	everyHub(t, func(p *place) {
		ctx := p.Context()
		ann := p.joins("ann", "", "")
		ann.mustSync(p)
		bound := func(n int64) {
			if err := p.store.SetQuota(ctx, store.Quota{Of: ann.key.DID(), Spaces: n}); err != nil {
				p.Fatal(err)
			}
		}
		push := func(who *person, name string) error {
			space := ann.key.DID() + "/" + name
			_, err := who.Push(ctx, peer.Push{Space: space, Lines: []peer.Line{line(p, ann.make(p, space, belief(name)))}})
			return err
		}
		bound(3)
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				space := ann.key.DID() + fmt.Sprint("/at-once-", i)
				_, _ = ann.Offer(ctx, peer.Offer{Space: space, IDs: []memory.ID{{1}}})
			})
		}
		group.Wait()
		if have, err := p.store.SpacesOf(ctx, ann.key.DID()); err != nil || len(have) != 3 {
			p.Errorf("with 3 spaces allowed ann has %v, %v", have, err)
		}
		refused(p, "one space more", push(ann, "more"), peer.ErrQuota, "your account has 3 of 3 spaces here")
		bob := p.joins("bob", ann.key.DID()+"/hers", store.Writer)
		refused(p, "a writer who begins it", push(bob, "hers"), peer.ErrQuota, "whose space it is has 3 of 3 spaces here")
		if err := push(ann, "main"); err != nil {
			p.Errorf("a space that has begun gives %v", err)
		}
		bound(-1)
		if err := push(ann, "more"); err != nil {
			p.Errorf("without a bound one space more gives %v", err)
		}
	})
}

func TestMessagesAreBounded(t *testing.T) {
	everyHub(t, func(p *place) {
		ctx := p.Context()
		ann := p.joins("ann", "", "")
		bob := p.joins("bob", ann.home(), store.Reader)
		bound := func(q store.Quota) {
			q.Of = ann.key.DID()
			if err := p.store.SetQuota(ctx, q); err != nil {
				p.Fatal(err)
			}
		}
		send := func(id string, size int) error {
			return ann.Send(ctx, store.Message{ID: id, To: bob.key.DID(), Body: make([]byte, size)})
		}
		bound(store.Quota{Messages: 3})
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() { _ = send(fmt.Sprint("at-once-", i), 10) })
		}
		group.Wait()
		all, err := bob.Inbox(ctx)
		if err != nil || len(all.Messages) != 3 {
			p.Fatalf("with 3 letters allowed %d wait, %v", len(all.Messages), err)
		}
		refused(p, "one letter more", send("more", 1), peer.ErrQuota, "3 of your letters of 3 have not been fetched yet")
		if err := send(all.Messages[0].ID, 10); err != nil {
			p.Errorf("one that was sent before gives %v", err)
		}
		if err := bob.Drop(ctx, all.Messages[0].ID); err != nil {
			p.Fatal(err)
		}
		if err := send("more", 1); err != nil {
			p.Errorf("once one was fetched, another gives %v", err)
		}
		bound(store.Quota{MessageBytes: 1000})
		refused(p, "a letter too large", send("large", 980), peer.ErrQuota, "have 21 bytes, this one 980, of 1000")
		if err := send("small", 979); err != nil {
			p.Errorf("a letter that just fits gives %v", err)
		}
		bound(store.Quota{Messages: -1, MessageBytes: -1})
		if err := send("any", 1<<20); err != nil {
			p.Errorf("without bounds a letter gives %v", err)
		}
	})
}

func TestGiven(t *testing.T) {
	for _, tt := range []struct {
		quota, most int64
		bound       bool
	}{{0, 7, true}, {3, 3, true}, {9, 9, true}, {-1, -1, false}} {
		if most, bound := given(tt.quota, 7); bound != tt.bound || bound && most != tt.most {
			t.Errorf("given(%d, 7) = %d, %v, want %d, %v", tt.quota, most, bound, tt.most, tt.bound)
		}
	}
}
