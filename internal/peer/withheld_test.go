package peer

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// gone lets a hub say that some records were purged.
func (c *con) gone(rs ...*memory.Record) {
	ids := setOf(IDs(rs))
	c.remote.log = func(_ LogRequest, p LogPage) LogPage {
		p.Lines = nil
		for i := range p.Entries {
			if ids[p.Entries[i].Ref.ID] {
				p.Entries[i].Skip = Gone
			}
		}
		return p
	}
}

// missing returns what a report says of records that a peer calls purged.
func missing(r Report) (ids []memory.ID) {
	for _, s := range r.Spaces {
		for _, ref := range s.Gone {
			ids = append(ids, ref.ID)
		}
	}
	return ids
}

// purgeOf makes the mark by which somebody purges records.
func purgeOf(t testing.TB, by *person, space string, rs ...*memory.Record) *memory.Record {
	t.Helper()
	m := &memory.Mark{Verb: memory.Purge}
	for i, r := range rs {
		if of := r.Ref(); i == 0 {
			m.Of = &of
		} else {
			m.Also = append(m.Also, of)
		}
	}
	return by.make(t, space, m)
}

// obey stores marks as a hub does, so that what they purge goes.
func (s *site) obey(t testing.TB, rs ...*memory.Record) {
	t.Helper()
	if _, err := s.Append(t.Context(), store.Batch{Records: rs, Obey: true}); err != nil {
		t.Fatal(err)
	}
}

// A hub that calls a record purged which no one purged is named, with the record, until
// a mark that counts has come or the record itself.
func TestGoneWithoutAMark(t *testing.T) {
	t.Parallel()
	c := newCon(t, 1)
	c.a.mustSync(t, c.remote)
	rs := c.more(5)
	c.gone(rs[1], rs[3])
	want := IDs([]*memory.Record{rs[1], rs[3]})
	for range 2 { // it is said each time
		if got := missing(c.a.mustSync(t, c.remote)); !slices.Equal(got, want) {
			t.Fatalf("missing are %v, want %v", got, want)
		}
	}
	of := rs[1].Ref()
	c.hub.add(
		t, c.agent.make(t, c.space, &memory.Mark{Verb: memory.Purge, Of: &of}),
		c.ann.make(t, c.space, &memory.Mark{Verb: memory.Forget, Of: &of}),
	)
	if got := missing(c.a.mustSync(t, c.remote)); !slices.Equal(got, want) {
		t.Errorf("after an agent's word and one that forgets missing are %v, want %v", got, want)
	}
	c.hub.add(t, purgeOf(t, c.ann, c.space, rs[1]))
	if got := missing(c.a.mustSync(t, c.remote)); !slices.Equal(got, want[1:]) {
		t.Errorf("after its purge missing are %v, want %v", got, want[1:])
	}
	c.a.add(t, rs[3])
	if got := missing(c.a.mustSync(t, c.remote)); len(got) > 0 {
		t.Errorf("after it came from elsewhere missing are %v", got)
	}
}

// Whoever purges is no liar, in whichever order it comes and wherever the mark stands, and
// neither is who was asked for less.
func TestGoneWithItsMark(t *testing.T) {
	t.Parallel()
	work := func(h *memory.Header) { h.Tags = []string{"work"} }
	for name, tt := range map[string]struct {
		marks  string // the space of the mark, "" the one of the record
		filter Filter
		home   bool // it was purged here, and the hub was told
		page   int
	}{
		"on the same page":             {},
		"on a later page":              {page: 1},
		"in a space that comes later":  {marks: "main"},
		"with a filter of kinds":       {filter: Filter{Kinds: []memory.Kind{memory.KindBelief}}},
		"with a filter of tags":        {filter: Filter{Tags: []string{"work"}}},
		"a raw that was not asked for": {filter: Filter{NoRaw: true, Kinds: []memory.Kind{memory.KindBelief}}},
		"purged at home":               {home: true},
	} {
		ann, bob := newPerson(t, "ann"), newPerson(t, "bob")
		team := ann.key.DID() + "/team"
		hub, to := newSite(t, "hub"), newSite(t, "to")
		remote := hub.hub().For(Caller{Account: "all", Any: true})
		filtered := func(o *Options) { o.Filter, o.Page = tt.filter, tt.page }
		said, kept := bob.belief(t, team, "the password is swordfish", work), ann.belief(t, team, "herons", work)
		raw := ann.make(t, team, &memory.Raw{Text: "words"}, work)
		hub.add(t, append(append(ann.identity[:1:1], bob.identity[0]), said, kept, raw)...)
		marks := team
		if tt.marks != "" {
			marks = ann.key.DID() + "/" + tt.marks
		}
		purges := []*memory.Record{purgeOf(t, ann, marks, said), purgeOf(t, ann, marks, raw)}
		if tt.home {
			to.mustSync(t, remote, filtered)
			to.obey(t, purges...)
		} else {
			hub.obey(t, purges...)
		}
		for round := range 2 {
			report := to.mustSync(t, remote, filtered)
			// what stands in a space that comes later is known when the exchange is over, and so it is asked then
			left, err := Unmarked(t.Context(), to.named, goneOf(report))
			if err != nil || len(left) > 0 {
				t.Errorf("%s, round %d: missing are %v, %v", name, round, left, err)
			}
			if n := len(missing(report)); round > 0 && n > 0 {
				t.Errorf("%s: %d are remembered", name, n)
			}
		}
		if items, err := to.Get(t.Context(), kept.ID, said.ID); err != nil || items[0] == nil || items[1] != nil &&
			items[1].Record != nil {
			t.Errorf("%s: what was kept did not come, or what was purged did: %v", name, err)
		}
	}
}

func goneOf(r Report) (refs []memory.Ref) {
	for _, s := range r.Spaces {
		refs = append(refs, s.Gone...)
	}
	return refs
}

// Of more than can be remembered the log is gone through again once their marks came, so
// that one who hides behind many honest purges is found.
func TestManyGone(t *testing.T) {
	t.Parallel()
	ann := newPerson(t, "ann")
	team := ann.key.DID() + "/team"
	hub, to := newSite(t, "hub"), newSite(t, "to")
	lied := &liar{Remote: hub.hub().For(Caller{Account: "all", Any: true})}
	c := &con{T: t, remote: lied}
	rs := make([]*memory.Record, mostGone+20)
	for i := range rs {
		rs[i] = ann.belief(t, team, fmt.Sprint("words ", i))
	}
	hub.add(t, append(ann.identity[:1:1], rs...)...)
	last := rs[len(rs)-1]
	c.gone(last)
	for part := range slices.Chunk(rs[:len(rs)-1], 100) {
		hub.obey(t, purgeOf(t, ann, team, part...))
	}
	first := to.mustSync(t, lied)
	second := to.mustSync(t, lied)
	if got := missing(second); len(got) != 1 || got[0] != last.ID {
		t.Errorf("missing are %d, then %d, want the one that nobody purged", len(missing(first)), len(got))
	}
	third := to.mustSync(t, lied)
	if got := missing(third); len(got) != 1 {
		t.Errorf("then missing are %v", got)
	}
	for _, s := range third.Spaces {
		if s.MoreGone {
			t.Errorf("%s: there are more than could be remembered", s.Space)
		}
	}
}

// What is purged at the peer between the page that names it and the request for it is
// asked for again, until its purge has come, and not for ever.
func TestPurgedMeanwhile(t *testing.T) {
	t.Parallel()
	c := newCon(t, 7)
	c.a.mustSync(t, c.remote)
	rs := c.more(2)
	c.remote.log = func(_ LogRequest, p LogPage) LogPage { p.Lines = nil; return p }
	c.remote.fetch = func(in Fetch, l Lines) Lines {
		c.remote.fetch = nil
		c.hub.obey(t, purgeOf(t, c.ann, c.space, rs[0]))
		again, err := c.remote.Remote.Fetch(t.Context(), in)
		if err != nil {
			t.Error(err)
		}
		return again
	}
	refused := func() (n int) {
		r, err := c.a.sync(t, c.remote)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Spaces {
			n += len(s.Refused)
		}
		return n
	}
	if n := refused(); n != 1 {
		t.Errorf("%d are asked for again, want the one that was not given", n)
	}
	if n := refused(); n != 0 {
		t.Errorf("%d are asked for again though the purge has come", n)
	}
}
