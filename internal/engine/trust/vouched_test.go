package trust_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// An askedFor store says which records were asked for by id.
type askedFor struct {
	store.Store
	got map[string]bool
}

func (c *askedFor) Get(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	for _, id := range ids {
		c.got[id.String()] = true
	}
	return c.Store.Get(ctx, ids...)
}

// memoriesOf reads all memories that are no words, in the order of list.
func memoriesOf(t *testing.T, e *engine.Engine) (out []*store.Item) {
	t.Helper()
	for it, err := range e.Store.List(t.Context(), store.Query{Hidden: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if it.Ref.Kind != memory.KindRaw {
			out = append(out, it)
		}
	}
	return out
}

func vouchedAsWhole(t *testing.T, spec func(*testing.T) string) {
	ctx := t.Context()
	seen := make(map[string]int)
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := engine.Config{KeyDir: filepath.Join(t.TempDir(), "keys"), Now: newClock().Now, Origin: memory.OriginOwner}
		owner := open(t, spec(t), c)
		who := []*engine.Engine{owner}
		for _, o := range []memory.Origin{memory.OriginAgent, memory.OriginTool, memory.OriginImport} {
			e, err := owner.As(engine.Caller{Origin: o})
			check(t, err)
			who = append(who, e)
		}
		var refs []string
		one := func() string { return refs[r.IntN(len(refs))] }
		for n := range 60 {
			e, text := who[r.IntN(len(who))], fmt.Sprintf("The %s number %d is %d", shopTopics[r.IntN(4)], n, r.IntN(9))
			switch what := r.IntN(12); {
			case len(refs) < 3 || what < 3:
				refs = append(refs, capture(t, e, text))
			case what < 8:
				in := api.AddRequest{Draft: api.Draft{Kind: "belief", Text: text}, From: []string{one(), one()}}
				if made, err := e.Add(ctx, in); err == nil { // what is refused is no act
					refs = append(refs, made.Ref)
				}
			case what == 8:
				_, _ = owner.Approve(ctx, api.DecideRequest{Refs: []string{one()}})
			case what == 9:
				_, _ = owner.Reject(ctx, api.DecideRequest{Refs: []string{one()}})
			case what == 10 && n%2 == 0:
				_, _ = owner.Quarantine(ctx, api.QuarantineRequest{Target: one()})
			default:
				if made, err := e.Revise(ctx, api.ReviseRequest{Ref: one(), Draft: api.Draft{Text: text}}); err == nil {
					refs = append(refs, made.Ref)
				}
			}
		}
		items := memoriesOf(t, owner)
		whole, err := owner.Rate(owner.Reading(ctx), items, false)
		check(t, err)
		again := memoriesOf(t, owner)
		r.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		vouched, err := owner.RateVouched(owner.Reading(ctx), again)
		check(t, err)
		for _, it := range items {
			w, v := whole[it.Ref.ID], vouched[it.Ref.ID]
			in := w.Section(it)
			seen[in]++
			if got := v.Section(it); got != in || v.Unbound() != w.Unbound() || v.Over != w.Over {
				t.Errorf("seed %d: %s is in %s, %s; want %s, %s", seed, it.Ref.Short(), got, v.Unbound(), in, w.Unbound())
			}
			if in == trust.InUnverified && w.External {
				continue
			}
			if len(w.Fallen) > 0 {
				seen["fallen"]++
			}
			w.Said, v.Said = nil, nil // of all that was read
			if !reflect.DeepEqual(w, v) {
				t.Errorf("seed %d: %s\n%+v\nwant\n%+v", seed, it.Ref.Short(), v, w)
			}
		}
	}
	for _, what := range []string{trust.InUnverified, trust.InObserved, trust.InVerified, "fallen"} {
		if seen[what] == 0 {
			t.Errorf("no memory is %s: %v", what, seen)
		}
	}
}

// What lies behind an import is read only if something that counts rests on the import, whichever
// of the two is asked about first.
func TestSourcesAreReadForWhatCounts(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	imports := p.As(memory.OriginImport)
	page := write(t, imports, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "a page that was forged"}})
	told := write(t, imports, api.AddRequest{
		Draft: api.Draft{Kind: "belief", Text: "the pump needs no key"}, From: []string{page},
	})
	alone, err := p.Owner.ResolveAll(ctx, []string{told})
	check(t, err)
	behind, err := memory.ParseRef(page)
	check(t, err)
	count := &askedFor{Store: p.Owner.Store, got: make(map[string]bool)}
	p.Owner.Store = count
	if _, err := p.Owner.RateVouched(p.Owner.Reading(ctx), alone); err != nil || count.got[behind.ID.String()] {
		t.Errorf("what is behind an import alone is read: %v, %v", count.got, err)
	}
	p.Owner.Store = count.Store
	own := write(t, p.Agent, api.AddRequest{
		Draft: api.Draft{Kind: "belief", Text: "pump 3 starts at once"}, From: []string{told},
	})
	reject(t, p.Owner, "forged", page)
	for _, order := range [][]string{{own, told}, {told, own}, {own}} {
		items, err := p.Owner.ResolveAll(ctx, order)
		check(t, err)
		id := items[0].Ref.ID
		if order[0] == told {
			id = items[1].Ref.ID
		}
		rated, err := p.Owner.RateVouched(p.Owner.Reading(ctx), items)
		check(t, err)
		if up := rated[id].Upstream; len(up) != 1 || up[0].Ref != page || up[0].Why != "rejected" {
			t.Errorf("of %v what lies behind is %+v, want the rejected %s", order, up, page)
		}
	}
}
