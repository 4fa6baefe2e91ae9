package peer

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A filter that chooses kinds or tags keeps no purge from those who were given the words.
// That a raw was purged is told where marks or raws go.
func TestPurgesPassFilters(t *testing.T) {
	t.Parallel()
	work := func(h *memory.Header) { h.Tags = []string{"work"} }
	for name, f := range map[string]Filter{
		"kinds": {Kinds: []memory.Kind{memory.KindBelief}}, "tags": {Tags: []string{"work"}}, "no raws": {NoRaw: true},
	} {
		ann := newPerson(t, "ann")
		team := ann.key.DID() + "/team"
		hub, from, to := newSite(t, "hub"), newSite(t, "from"), newSite(t, "to")
		said := ann.belief(t, team, "the password is swordfish", work)
		raw := ann.make(t, team, &memory.Raw{Text: "words that stay at home"}, work)
		from.add(t, append(ann.identity[:1:1], said, raw)...)
		remote := hub.hub().For(Caller{Account: "all", Any: true})
		filtered := func(o *Options) { o.Filter = f }
		from.mustSync(t, remote, filtered)
		to.mustSync(t, remote, filtered)
		if it, err := to.Get(t.Context(), said.ID); err != nil || it[0] == nil || it[0].Record == nil {
			t.Fatalf("%s: what was chosen did not come: %v", name, err)
		}
		of, home := said.Ref(), raw.Ref()
		mark := ann.make(t, team, &memory.Mark{Verb: memory.Purge, Of: &of})
		other := ann.make(t, team, &memory.Mark{Verb: memory.Purge, Of: &home})
		if _, err := from.Append(t.Context(), store.Batch{Records: []*memory.Record{mark, other}, Obey: true}); err != nil {
			t.Fatal(err)
		}
		from.mustSync(t, remote, filtered)
		to.mustSync(t, remote, filtered)
		for _, s := range []*site{from, hub, to} {
			it, err := s.Get(t.Context(), said.ID, other.ID)
			if err != nil || it[0] == nil || it[0].Record != nil {
				t.Errorf("%s: %s has the words that were purged, or nothing at all: %v", name, s.name, err)
			}
			if went := it[1] != nil; s != from && went != (name != "kinds") {
				t.Errorf("%s: %s was told that a raw was purged: %v", name, s.name, went)
			}
		}
	}
}

// A space in which very many keys may write is taken like any other, and one that has
// more than anybody has is refused by itself.
func TestManyKeys(t *testing.T) {
	t.Parallel()
	ann := newPerson(t, "ann")
	team := ann.key.DID() + "/team"
	hub, to := newSite(t, "hub"), newSite(t, "to")
	all := ann.identity[:1:1]
	var last *person
	for range MostIDs + 10 {
		last = ann.agent(t, "agent") // one key, let in so many times
		all = append(all, last.identity[len(last.identity)-1])
	}
	all = append(all, last.belief(t, team, "words"))
	hub.add(t, all...)
	report := to.mustSync(
		t, hub.hub().For(Caller{Account: "all", Any: true}),
		func(o *Options) { o.Choose = func(space string) bool { return space == team } },
	)
	if got := report.Spaces[0]; got.Pulled != 1 {
		t.Errorf("%+v", got)
	}
	ring, err := to.Keyring(t.Context())
	if err != nil || ring.Fault(all[len(all)-1]) != "" {
		t.Errorf("the words are not those of a key that may write: %v %v", err, ring.Fault(all[len(all)-1]))
	}
}
