//go:build !race

package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// Whatever is asked of a memory, and whichever way: how it stands is said once and
// for all.
func TestEveryReadingSaysTheSame(t *testing.T) {
	stores := 60
	if os.Getenv("STEMMA_LONG") != "" {
		stores = 500
	}
	for seed := range stores {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p, ctx := newPeople(t), t.Context()
			all := drawStore(t, p, rand.New(rand.NewSource(int64(seed))))
			e := p.Agent
			first := make(map[string]said)
			short := make(map[string]string)
			reads := func(reading, ref string, s said) {
				t.Helper()
				f, known := first[ref]
				if !known {
					return // purged, or not asked about
				}
				if diff := f.differs(s); diff != "" {
					t.Errorf("%s of %s: %s", reading, shortRef(ref), diff)
				}
			}
			for _, ref := range all {
				m, err := e.Show(ctx, api.RefRequest{Ref: ref})
				if err != nil {
					t.Fatal(err)
				}
				if m.Content == nil {
					continue // purged
				}
				first[ref], short[shortRef(ref)] = saidBy(m.Memory), ref
			}
			l, err := e.List(ctx, api.ListRequest{All: true, Limit: -1})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range l.Memories {
				reads("list", m.Ref, saidBy(m))
			}
			s := search(t, e, api.SearchRequest{Query: "harbour thing", All: true, Limit: 1000})
			for _, x := range s.Results {
				if x.Type == "raw" {
					continue // a search marks words of which another reading says how they stand by themselves
				}
				reads("search", x.Ref, said{tier: x.Tier, review: x.Review, level: x.Level, hidden: x.Hidden, doubt: x.Doubt,
					actionable: x.Actionable, disputed: x.Disputed, external: x.Tainted, confidence: x.Confidence})
			}
			line, err := e.Timeline(ctx, engine.TimelineRequest{Limit: 500})
			if err != nil {
				t.Fatal(err)
			}
			pic, err := e.Picture(ctx, engine.PictureRequest{Only: all})
			if err != nil {
				t.Fatal(err)
			}
			drawn := func(reading string, n engine.PictureNode) {
				x := said{tier: n.Tier, review: n.Review, level: n.Level, hidden: n.Hidden, actionable: n.Actionable,
					disputed: n.Disputed,
					noSure:   true, external: first[n.Ref].external, doubt: first[n.Ref].doubt}
				reads(reading, n.Ref, x)
			}
			for _, n := range line.Entries {
				drawn("timeline", n.PictureNode)
			}
			for _, n := range pic.Nodes {
				drawn("picture", n)
			}
			id, err := e.Identity(ctx, api.LimitRequest{Limit: -1})
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range [][]api.IdentityMemory{id.Values, id.Goals, id.Drives, id.Beliefs} {
				for _, m := range part {
					reads("identity", m.Ref, saidBy(m.Memory))
				}
			}
			for ref := range first {
				if refOf(t, ref).Kind == memory.KindRaw {
					continue
				}
				x, err := e.Why(ctx, api.WhyRequest{Ref: ref})
				if err != nil {
					t.Fatal(err)
				}
				reads("explain", ref, saidBy(x.Memory))
				reads("trust", ref, said{tier: x.Tier, level: x.Trust.Level, actionable: x.Trust.Actionable,
					external: x.Trust.Tainted,
					disputed: x.Disputed, noReview: true, noHidden: true, noSure: true})
				tr, err := e.Trace(ctx, api.TraceRequest{Ref: ref})
				if err != nil {
					t.Fatal(err)
				}
				node := func(reading string, n *api.Node) {
					if n.Seen || n.Missing || n.Hidden == "purged" {
						return
					}
					reads(reading, n.Type+":"+n.ID, said{tier: n.Tier, hidden: n.Hidden, disputed: n.Disputed, doubt: n.Doubt,
						noReview: true, noLevel: true, noSure: true})
				}
				node("trace", tr.Memory)
				for _, n := range tr.Backward.Sources {
					node("trace back", n)
				}
				for _, n := range tr.Forward.Derived {
					node("trace forward", n)
				}
				ev, err := e.Evidence(ctx, api.RefRequest{Ref: ref})
				if err != nil {
					t.Fatal(err)
				}
				node("evidence", ev.Belief)
			}
			for ref, x := range inFiles(t, e) {
				x.doubt, x.level, x.noLevel, x.noHidden, x.noSure = first[ref].doubt, "", true, true, true
				reads("markdown", ref, x)
				if x.external != first[ref].external {
					t.Errorf("markdown of %s: external %v and %v", shortRef(ref), first[ref].external, x.external)
				}
			}
			c, err := e.Context(ctx, api.ContextRequest{Query: "harbour thing", Budget: 50_000})
			if err != nil {
				t.Fatal(err)
			}
			start, err := e.Load(ctx, api.LoadRequest{Budget: 50_000})
			if err != nil {
				t.Fatal(err)
			}
			for reading, r := range map[string]api.ContextReply{"context": c, "load": start} {
				body, err := r.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				var page struct {
					Sections []struct {
						Name    string
						Entries []struct {
							Ref, Tier, Review, Level       string
							Actionable, Disputed, External bool
						}
					}
				}
				if err := json.Unmarshal(body, &page); err != nil {
					t.Fatal(err)
				}
				for _, sec := range page.Sections {
					for _, en := range sec.Entries {
						ref, known := short[en.Ref]
						if !known || refOf(t, ref).Kind == memory.KindRaw {
							continue
						}
						tier := en.Tier
						if sec.Name == "constraints" {
							tier = first[ref].tier // it says that it binds
						}
						reads(reading+" "+sec.Name, ref, said{tier: tier, review: en.Review, level: en.Level, actionable: en.Actionable,
							disputed: en.Disputed, external: en.External, noHidden: true, noSure: true, doubt: first[ref].doubt})
						if first[ref].hidden != "" {
							t.Errorf("%s gives %s, which is %s", reading, en.Ref, first[ref].hidden)
						}
						switch sec.Name {
						case "values", "goals", "drives", "constraints", "verified", "needs":
							if !en.Actionable {
								t.Errorf("%s has %s under %s, and nobody may act on it", reading, en.Ref, sec.Name)
							}
						}
					}
				}
			}
		})
	}
}
