package storetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// testResolve asks for records by the beginning of their ids.
func testResolve(p *place) {
	ann := NewOwner("ann")
	const many = 300
	var all []*memory.Record
	for i := range many {
		if i%2 == 0 {
			all = append(all, ann.Raw(p, fmt.Sprint("raw ", i)))
		} else {
			all = append(all, ann.Belief(p, fmt.Sprint("belief ", i)))
		}
	}
	p.add(all...)
	for _, kind := range []memory.Kind{"", memory.KindRaw, memory.KindBelief, memory.KindNote} {
		for digits := 1; digits <= 6; digits++ {
			for _, r := range all[:20] {
				p.resolves(all, kind, r.ID.String()[:digits])
			}
		}
		p.resolves(all, kind, all[0].ID.String())
		p.resolves(all, kind, all[0].ID.String()[:63])
		p.resolves(all, kind, strings.Repeat("f", 64))
		p.resolves(all, kind, "ff")
	}
	got, err := p.Resolve(p.Context(), "", all[0].ID.String()[:1], 3)
	if err != nil || len(got) != 3 {
		p.Errorf("Resolve with the limit 3 gives %d, %v", len(got), err)
	}
	letters := slices.IndexFunc(
		all, func(r *memory.Record) bool { return strings.ContainsAny(r.ID.String()[:4], "abcdef") },
	)
	for _, hostile := range []string{
		strings.ToUpper(all[letters].ID.String()[:4]), "%", "_", all[0].ID.String()[:1] + "%", "' OR 1=1 --", "xyz", "é",
		all[0].ID.String() + "0", "\x00", all[0].Ref().String(), " ",
	} {
		if got, err := p.Resolve(p.Context(), "", hostile, many); len(got) != 0 || err != nil {
			p.Errorf("Resolve(%q) = %v, %v, want nothing", hostile, got, err)
		}
	}
}

func (p *place) resolves(all []*memory.Record, kind memory.Kind, prefix string) {
	p.Helper()
	var want []*memory.Record
	for _, r := range all {
		if strings.HasPrefix(r.ID.String(), prefix) && (kind == "" || r.Header.Kind == kind) {
			want = append(want, r)
		}
	}
	refs, err := p.Resolve(p.Context(), kind, prefix, len(all))
	if err != nil {
		p.Fatalf("Resolve(%q, %q): %v", kind, prefix, err)
	}
	var got []memory.ID
	for _, ref := range refs {
		got = append(got, ref.ID)
		if i := slices.IndexFunc(want, func(r *memory.Record) bool { return r.Ref() == ref }); i < 0 {
			p.Errorf("Resolve(%q, %q) gives %s", kind, prefix, ref)
		}
	}
	p.wantSet(fmt.Sprintf("Resolve(%q, %q)", kind, prefix), got, want...)
}

// testList asks for each member of Query by itself and together.
func testList(p *place) {
	ann := NewOwner("ann")
	work := ann.On("work")
	inSession := func(h *memory.Header) { h.Session = "monday" }
	raw := ann.Raw(p, "raw", inSession)
	spare := ann.Raw(p, "spare")
	belief := ann.Belief(p, "belief", raw)
	elsewhere := work.Raw(p, "elsewhere", inSession)
	newer := ann.Revise(p, "revised", belief)
	gone, barred, bad := ann.Belief(p, "gone"), ann.Belief(p, "barred"), ann.Belief(p, "bad")
	link := ann.Make(p, &memory.Link{Source: raw.Ref(), Target: spare.Ref(), Relation: "extend"})
	forget := ann.Mark(p, memory.Forget, gone)
	p.add(raw, spare, belief, elsewhere, newer, gone, barred, bad, link, forget)
	p.add(ann.Mark(p, memory.Quarantine, barred), ann.Mark(p, memory.Reject, bad))

	raws, here := []memory.Kind{memory.KindRaw}, []string{ann.Space}
	for _, tt := range []struct {
		q    store.Query
		want []*memory.Record
	}{
		{store.Query{Spaces: here}, []*memory.Record{newer, spare, raw}},
		{store.Query{Spaces: here, Oldest: true}, []*memory.Record{raw, spare, newer}},
		{store.Query{Spaces: here, Limit: 2}, []*memory.Record{newer, spare}},
		{store.Query{Spaces: here, Oldest: true, Limit: 1}, []*memory.Record{raw}},
		{store.Query{Spaces: here, Hidden: true}, []*memory.Record{bad, barred, gone, newer, belief, spare, raw}},
		{store.Query{Spaces: here, Hidden: true, Limit: 4}, []*memory.Record{bad, barred, gone, newer}},
		{store.Query{Spaces: here, Kinds: raws}, []*memory.Record{spare, raw}},
		{store.Query{Spaces: here, Kinds: raws, Unused: true}, []*memory.Record{spare}},
		{store.Query{Kinds: raws, Unused: true, Session: "monday"}, []*memory.Record{elsewhere}},
		{
			store.Query{Kinds: []memory.Kind{memory.KindLink, memory.KindMark}, Oldest: true, Limit: 2},
			[]*memory.Record{link, forget},
		},
		{store.Query{Spaces: []string{work.Space}}, []*memory.Record{elsewhere}},
		{store.Query{Spaces: here, Session: "monday"}, []*memory.Record{raw}},
		{store.Query{Session: "tuesday"}, nil},
		{store.Query{Spaces: []string{"nowhere"}}, nil},
		{store.Query{Kinds: []memory.Kind{memory.KindNote, "unheard_of"}}, nil},
	} {
		p.want(fmt.Sprintf("List(%+v)", tt.q), p.list(tt.q), tt.want...)
	}
	p.wantSet("List of all", p.list(store.Query{}), raw, spare, elsewhere, newer)
	p.wantSet(
		"List of two spaces", p.list(store.Query{Kinds: raws, Spaces: []string{work.Space, ann.Space}}), raw,
		spare, elsewhere,
	)
	p.add(ann.Mark(p, memory.Recover, gone), ann.Mark(p, memory.Release, barred))
	p.want("List after recover", p.list(store.Query{Spaces: here, Limit: 2}), barred, gone)
}

// testListWhileWriting asks that who reads a list may stop, may write, and may
// read while others write.
func testListWhileWriting(p *place) {
	ann := NewOwner("ann")
	const half = 60
	var rs []*memory.Record
	for i := range 2 * half {
		rs = append(rs, ann.Raw(p, fmt.Sprint("raw ", i)))
	}
	p.add(rs[:half]...)
	for it, err := range p.List(p.Context(), store.Query{}) {
		if err != nil || it.Ref.ID != rs[half-1].ID {
			p.Fatalf("the first of the list = %v, %v, want the newest", it, err)
		}
		p.add(rs[half]) // while the list is open
		break
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, r := range rs[half+1:] {
			if _, err := p.Append(p.Context(), store.Batch{Records: []*memory.Record{r}}); err != nil {
				p.Errorf("Append while lists are read: %v", err)
			}
		}
	})
	for range 20 {
		got := p.list(store.Query{Oldest: true})
		if len(got) < half+1 || !slices.Equal(got, idsOf(rs[:len(got)])) {
			p.Errorf("a list read while others write has %d entries and is not the beginning of the log", len(got))
		}
	}
	wg.Wait()
	p.want("List at the end", p.list(store.Query{Oldest: true}), rs...)
}
