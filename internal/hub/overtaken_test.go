package hub

import (
	"context"
	"testing"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// between calls a function once, after a push was judged and before it is stored.
type between struct {
	store.Hub
	do func()
}

func (b *between) Within(ctx context.Context, in store.Sight) (store.Store, error) {
	v, err := b.Hub.Within(ctx, in)
	return betweenView{v, b}, err
}

type betweenView struct {
	store.Store
	of *between
}

func (v betweenView) Append(ctx context.Context, b store.Batch) (int, error) {
	if do := v.of.do; do != nil && len(b.Records) > 0 {
		v.of.do = nil
		do()
	}
	return v.Store.Append(ctx, b)
}

// Of two handovers that an owner sends at once a hub takes the first that is stored, also where the
// second was judged before that and has the earlier date.
func TestAHandoverIsJudgedWhereItIsStored(t *testing.T) {
	everyHub(t, func(p *place) {
		ann := p.joins("ann", "", "")
		team := ann.key.DID() + "/team"
		ann.believes(p, team, "herons fish at dawn")
		ann.mustSync(p)
		bob, kim := p.joins("bob", team, store.Writer), p.joins("kim", team, store.Writer)
		for _, who := range []*person{bob, kim} {
			who.mustSync(p)
		}
		first, second := ann.handsOver(p, team, bob, 40), ann.handsOver(p, team, kim, 20)
		beside := ann.make(p, team, &memory.Belief{Statement: "herons nest in trees"})
		was, raced := p.server.o.Store, false
		p.server.o.Store = &between{was, func() { // another process of the hub stores the first
			raced = true
			v, err := was.Within(p.Context(), store.Sight{Reads: []string{team}, Writes: []string{team}})
			if err == nil {
				_, err = v.Append(p.Context(), store.Batch{Records: first, Obey: true})
			}
			if err != nil {
				p.Error(err)
			}
		}}
		clear(p.server.serving) // what was made of the store without a pause
		var lines []peer.Line
		for _, r := range append(second, beside) {
			lines = append(lines, line(p, r))
		}
		acks, err := ann.Push(p.Context(), peer.Push{Space: team, Lines: lines})
		if err != nil {
			p.Error(err)
		}
		p.server.o.Store = was
		if !raced || len(acks.Refused) != 2 || held(p, team, second[0].ID) || held(p, team, second[1].ID) {
			p.Errorf("a handover that was judged before another was stored: %+v", acks)
		}
		if !held(p, team, beside.ID) || len(acks.Stored) != 1 {
			p.Errorf("the record beside it is not stored: %+v", acks)
		}
		all, err := bob.Members(p.Context(), peer.MembersRequest{Space: team})
		if err != nil || all.Owner.DID != bob.key.DID() {
			p.Errorf("the owner is %s, %v, want bob", all.Owner.Name, err)
		}
	})
}
