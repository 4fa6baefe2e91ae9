package storetest

import (
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/memory"
)

// purge appends a mark, and lets what it names go.
func (p *place) purge(mark *memory.Record, gone ...*memory.Record) {
	p.Helper()
	if _, err := p.Append(p.Context(), store.Batch{Records: []*memory.Record{mark}, Purge: idsOf(gone)}); err != nil {
		p.Fatalf("purge: %v", err)
	}
}

// listedIs asks that the log of a space is the same with its records and without them,
// whole and in parts.
func (p *place) listedIs(when, space string) {
	p.Helper()
	const all = 1000
	kept, err := p.Kept(p.Context(), space, 0, all)
	if err != nil || len(kept) == 0 {
		p.Fatalf("%s: Kept gives %d, %v", when, len(kept), err)
	}
	n := store.Seq(len(kept))
	for _, tt := range []struct {
		after store.Seq
		limit int
	}{{0, all}, {-1, all}, {0, 1}, {1, 1}, {n - 1, all}, {n, all}, {0, 0}} {
		var want []store.Listed
		for _, k := range kept[max(tt.after, 0):min(int(max(tt.after, 0))+tt.limit, int(n))] {
			want = append(want, store.Listed{Seq: k.Seq, Ref: k.Ref, Gone: k.Bytes == nil})
		}
		if got, err := p.Listed(p.Context(), space, tt.after, tt.limit); err != nil || !slices.Equal(got, want) {
			p.Errorf("%s: Listed after %d, %d at most, gives %v, %v, want %v", when, tt.after, tt.limit, got, err, want)
		}
	}
	if got, err := p.Listed(p.Context(), space+"-of-nobody", 0, all); err != nil || len(got) != 0 {
		p.Errorf("%s: Listed of a space that is not there gives %v, %v", when, got, err)
	}
}

// testPurge asks that nothing finds the words of what was purged, that the log has
// its place, and that it does not come back.
func testPurge(p *place) {
	ann := NewOwner("ann")
	ctx := p.Context()
	secret := ann.Raw(
		p, "the zeppelin has the password hunter2", Known("elsewhere"),
		func(h *memory.Header) { h.Session = "s" },
	)
	other := ann.Raw(p, "the harbour has none", func(h *memory.Header) { h.Session = "s" })
	rests := ann.Belief(p, "zeppelins need passwords", secret, other)
	p.add(secret, other)
	p.add(rests)
	one := []float32{1, 0, 0}
	if err := p.PutVectors(
		ctx, "m", store.Vector{ID: secret.ID, Vec: one}, store.Vector{ID: other.ID, Vec: []float32{0, 1, 0}},
	); err != nil {
		p.Fatal(err)
	}
	if err := p.Touch(ctx, p.clock(), secret.ID); err != nil {
		p.Fatal(err)
	}
	near := store.Near{Model: "m", Vec: one, Limit: 5, Hidden: true}
	if hits, err := p.Nearest(ctx, near); err != nil || len(hits) != 2 {
		p.Fatalf("Nearest before gives %d, %v, want 2", len(hits), err)
	}
	tree, err := p.Tree(ctx, ann.Space)
	if err != nil {
		p.Fatal(err)
	}
	mark := ann.Mark(p, memory.Purge, secret)
	purges := func() string {
		p.Helper()
		raw, err := p.Note(ctx, store.PurgesNote)
		if err != nil {
			p.Fatal(err)
		}
		return string(raw)
	}
	before := purges()
	var gone []*memory.Record
	batch := store.Batch{
		Records: []*memory.Record{mark}, Obey: true,
		Gone: func(rs []*memory.Record) { gone = append(gone, rs...) },
	}
	if _, err := p.Append(ctx, batch); err != nil {
		p.Fatalf("obey: %v", err)
	}
	if len(gone) != 1 || gone[0].ID != secret.ID || gone[0].Words() != secret.Words() {
		p.Errorf("who obeys is told that %v went, want the one with its words", gone)
	}
	after := purges()
	if before != "" || after == "" {
		p.Errorf("the note of purges was %q and is %q", before, after)
	}
	p.purge(mark, secret) // again: there is nothing more to say
	if again := purges(); again != after {
		p.Errorf("the note of purges is %q after the same purge, want %q", again, after)
	}
	check := func(when string) {
		p.Helper()
		it := p.get(secret)[0]
		if it.Record != nil || !it.State.Purged || it.Ref != secret.Ref() || it.Seq != 1 || it.Came.IsZero() {
			p.Errorf("%s: Get gives %+v, want its place and no record", when, it)
		}
		p.want(when+": Match of its words", p.found(store.Match{Terms: query("hunter2 zeppelin").Terms, Hidden: true}), rests)
		for _, q := range []store.Query{{}, {Session: "s"}, {Kinds: []memory.Kind{memory.KindRaw}}} {
			if slices.Contains(p.list(q), secret.ID) {
				p.Errorf("%s: List(%+v) gives it", when, q)
			}
		}
		p.vectors("m", map[memory.ID][]float32{other.ID: {0, 1, 0}})
		if hits, err := p.Nearest(ctx, near); err != nil || len(hits) != 1 || hits[0].ID != other.ID {
			p.Errorf("%s: Nearest gives %v, %v, want the other alone", when, hits, err)
		}
		if u, err := p.Used(ctx, secret.ID); err != nil || u[0].Times != 0 {
			p.Errorf("%s: Used = %v, %v, want nothing", when, u, err)
		}
		p.edgesAre(when+": what rests on it", p.edges(graph.Back, rests.ID),
			edge(rests, graph.DerivedFrom, secret), edge(rests, graph.DerivedFrom, other))
		p.edgesAre(when+": what points at it", p.edges(graph.Forward, secret.ID),
			edge(rests, graph.DerivedFrom, secret), edge(mark, graph.Speaks, secret))
		if s := p.state(rests); !s.AnyRaw || !s.ReachesRaw || !s.Live() {
			p.Errorf("%s: what rests on it is %s, want it live and on words", when, shown(s))
		}
		if got := p.stats(); got.Purged != 1 {
			p.Errorf("%s: Stats.Purged = %d, want 1", when, got.Purged)
		}
		if got, err := p.Aliased(ctx, ann.Space, "elsewhere"); err != nil || got["elsewhere"] != secret.ID {
			p.Errorf("%s: Aliased = %v, %v, want it, so that importing it again does nothing", when, got, err)
		}
		p.treeIs(when)
		p.listedIs(when, ann.Space)
		if l, err := p.Listed(ctx, ann.Space, 0, 2); err != nil || len(l) != 2 || !l[0].Gone || l[1].Gone {
			p.Errorf("%s: the first of the log are %v, %v, want the first of them gone", when, l, err)
		}
		p.healthy()
	}
	check("purged")
	log, err := p.Since(ctx, ann.Space, 0, int(tree.Size()))
	if err != nil || len(log) != int(tree.Size()) {
		p.Fatalf("the log before has %d records, %v, want %d", len(log), err, tree.Size())
	}
	p.add0(secret)
	check("appended again")
	if err := p.PutVectors(ctx, "m", store.Vector{ID: secret.ID, Vec: one}); err != nil {
		p.Error(err)
	}
	check("given a vector again")
	p.conflict(
		"an import of it",
		store.Batch{Records: []*memory.Record{ann.Raw(p, "hunter2", Known("elsewhere"))}, NewAliases: true},
	)
	if n, err := p.Append(ctx, store.Batch{Records: []*memory.Record{mark}, Purge: []memory.ID{secret.ID}}); n != 0 ||
		err != nil {
		p.Errorf("the same purge sent again = %d, %v, want 0", n, err)
	}
	if err := p.Touch(ctx, p.clock(), other.ID); err != nil {
		p.Error(err)
	}
	check("purged again")
	p.add(ann.Mark(p, memory.Protect, secret), ann.Mark(p, memory.Recover, secret), ann.Mark(p, memory.Release, secret))
	if s := p.state(secret); !s.Purged || s.Live() {
		p.Errorf("what is said of it afterwards makes it %s", shown(s))
	}

	// one whose mark came before, and one that comes with its mark
	early, both := ann.Raw(p, "aerodrome"), ann.Raw(p, "biplane")
	p.add(ann.Mark(p, memory.Purge, early))
	p.add(early)
	m := ann.Mark(p, memory.Purge, both)
	for _, b := range []store.Batch{
		{Purge: []memory.ID{early.ID}}, {Records: []*memory.Record{m, both}, Purge: []memory.ID{both.ID}},
	} {
		if _, err := p.Append(ctx, b); err != nil {
			p.Errorf("purge: %v", err)
		}
	}
	p.want("Match of both", p.found(store.Match{Terms: query("aerodrome biplane").Terms, Hidden: true}))
	if st := p.stats(); st.Purged != 3 {
		p.Errorf("Stats.Purged = %d, want 3", st.Purged)
	}
}

// testPurgeRefused asks that nothing goes that no mark names, and that a purge which
// is refused changes nothing.
func testPurgeRefused(p *place) {
	ann := NewOwner("ann")
	bot, d := ann.NewAgent(p, "bot")
	a, b, c := ann.Raw(p, "a"), ann.Raw(p, "b"), ann.Raw(p, "c")
	never := ann.Raw(p, "never")
	forget := ann.Mark(p, memory.Forget, c)
	wrong := a.Ref()
	wrong.Kind = memory.KindNote
	all := []*memory.Record{a, b, c, d, bot.Raw(p, "x"), forget, ann.Mark(p, memory.Purge, never),
		ann.Make(p, &memory.Mark{Of: &wrong, Verb: memory.Purge}), ann.Mark(p, memory.Purge, d, forget)}
	p.add(all...)
	mark := ann.Mark(p, memory.Purge, b)
	before := dump(p, p.Store, append(all, mark))
	for what, batch := range map[string]store.Batch{
		"without a mark":                  {Purge: []memory.ID{a.ID}},
		"with a mark of another":          {Records: []*memory.Record{mark}, Purge: []memory.ID{a.ID}},
		"of two, one of them without":     {Records: []*memory.Record{mark}, Purge: []memory.ID{b.ID, a.ID}},
		"with a mark that forgets":        {Purge: []memory.ID{c.ID}},
		"with a mark of the wrong kind":   {Purge: []memory.ID{a.ID}},
		"of what is not held":             {Purge: []memory.ID{never.ID}},
		"of a key":                        {Purge: []memory.ID{d.ID}},
		"of a mark":                       {Purge: []memory.ID{forget.ID}},
		"of the mark that says so itself": {Records: []*memory.Record{mark}, Purge: []memory.ID{mark.ID}},
	} {
		if n, err := p.Append(p.Context(), batch); err == nil || n != 0 {
			p.Errorf("a purge %s = %d, %v, want an error", what, n, err)
		}
		p.same("a purge "+what, dump(p, p.Store, append(all, mark)), before)
	}
}

// testPurgeRests asks what becomes of what was said by, and rested on, the purged.
func testPurgeRests(p *place) {
	ann := NewOwner("ann")
	root := ann.Belief(p, "root")
	mid := ann.Revise(p, "mid", root)
	top := ann.Revise(p, "top", mid)
	p.add(root, mid, top)
	p.purge(ann.Mark(p, memory.Purge, mid), mid)
	if s := p.state(root); s.SupersededBy != mid.ID {
		p.Errorf("what a purged revision replaced is %s, want it replaced still", shown(s))
	}
	if s := p.state(top); !s.Live() {
		p.Errorf("what replaced a purged revision is %s, want it live", shown(s))
	}
	p.add(ann.Mark(p, memory.Protect, root)) // folded again
	if s := p.state(root); s.SupersededBy != mid.ID {
		p.Errorf("folded again, what a purged revision replaced is %s", shown(s))
	}

	base := ann.Belief(p, "base")
	one := ann.Revise(p, "one", base)
	two := ann.Make(p, &memory.Belief{Statement: "two"}, Replacing(base), Dated(p.clock()))
	p.add(base, one, two)
	if s := p.state(one); !s.Outranked {
		p.Fatalf("the earlier of two rivals is %s, want it outranked", shown(s))
	}
	p.purge(ann.Mark(p, memory.Purge, two), two)
	if s := p.state(one); s.Outranked {
		p.Errorf("the rival of a purged revision is %s, want it shown", shown(s))
	}
	if s := p.state(base); s.SupersededBy != one.ID {
		p.Errorf("what two replaced is %s, want it replaced by the one that is left", shown(s))
	}

	of := ann.Belief(p, "assessed")
	to := memory.Confidence(1)
	doubt := ann.Make(p, &memory.Assess{Of: of.Ref(), To: &to, Reason: "hunter2"})
	p.add(of, doubt)
	p.purge(ann.Mark(p, memory.Purge, doubt), doubt)
	if s := p.state(of); s.Confidence == to {
		p.Errorf("what a purged claim lowered is %s, want it as if nothing had been said", shown(s))
	}

	own, other := ann.Raw(p, "of run x", InRun("x")), ann.Raw(p, "of run y", InRun("y"))
	onOwn := ann.Make(p, &memory.Belief{Statement: "on its own run's"}, From(own), InRun("x"))
	onOther := ann.Make(p, &memory.Belief{Statement: "on another run's"}, From(other), InRun("x"))
	between := ann.Make(p, &memory.Belief{Statement: "between"}, From(other), InRun("z"))
	above := ann.Make(p, &memory.Belief{Statement: "above"}, From(between), InRun("x"))
	p.add(own, other, onOwn, onOther, between, above)
	before := []state.State{p.state(onOwn), p.state(onOther), p.state(between), p.state(above)}
	p.purge(ann.Mark(p, memory.Purge, own, other), own, other)
	for range 2 {
		for i, r := range []*memory.Record{onOwn, onOther, between, above} {
			s := p.state(r)
			if s.AnyRaw != before[i].AnyRaw || s.ReachesRaw != before[i].ReachesRaw {
				p.Errorf("once its words were purged, %q is %s, want %s", r.Headline(), shown(s), shown(before[i]))
			}
		}
		p.healthy()
		p.add(ann.Mark(p, memory.Status, onOwn, onOther, between, above)) // folded again
	}
	late := ann.Belief(p, "came late", own)
	p.add(late)
	if s := p.state(late); !s.AnyRaw || !s.ReachesRaw {
		p.Errorf("what comes to rest on purged words is %s, want it on words", shown(s))
	}
}

// testPurgeCrowd checks that search over the rest works as if the purged records had never
// existed: some in the middle of a segment, a whole segment, and some that wait.
func testPurgeCrowd(p *place) {
	const crowd = 5000
	ann := NewOwner("ann")
	var all []*memory.Record
	for i := range crowd {
		all = append(
			all,
			ann.Raw(p, fmt.Sprintf("paper %d of %d about harbour %d, river %d and number%d", i, crowd, i%7, i%11, i)),
		)
	}
	model := memstore.Open(p.clock)
	for part := range slices.Chunk(all, 1000) {
		p.bothAppend(model, store.Batch{Records: part})
	}
	for i := range 30 { // they wait
		r := ann.Raw(p, fmt.Sprint("a harbour that waits ", i))
		all = append(all, r)
		p.bothAppend(model, store.Batch{Records: []*memory.Record{r}})
	}
	gone := []*memory.Record{all[0], all[999], all[2500], all[2501], all[crowd-1], all[crowd+3]}
	same := func(when string) {
		p.Helper()
		for _, words := range []string{
			"harbour", "river number2501", "waits", "number2500", "number2499 paper",
			"number0 number999 number4999",
		} {
			m := store.Match{Terms: query(words).Terms, Limit: 40}
			got, err := p.Match(p.Context(), m)
			if err != nil {
				p.Fatal(err)
			}
			want, err := model.Match(p.Context(), m)
			if err != nil {
				p.Fatal(err)
			}
			if !slices.EqualFunc(got, want, func(a, b store.Hit) bool {
				const little = 1e-9
				return a.ID == b.ID && a.Score-b.Score < little && b.Score-a.Score < little
			}) {
				p.Errorf("%s: Match of %q gives %d hits that are not those of the model's %d", when, words, len(got), len(want))
			}
		}
	}
	same("before")
	p.bothAppend(model, store.Batch{Records: []*memory.Record{ann.Mark(p, memory.Purge, gone...)}, Purge: idsOf(gone)})
	same("after")
	rest := all[2501:2600] // a neighbourhood, in which a later merge must not stumble
	p.bothAppend(model, store.Batch{Records: []*memory.Record{ann.Mark(p, memory.Purge, rest...)}, Purge: idsOf(rest)})
	var more []*memory.Record
	for i := range 700 {
		more = append(more, ann.Raw(p, fmt.Sprint("later harbour ", i)))
	}
	for part := range slices.Chunk(more, 70) {
		p.bothAppend(model, store.Batch{Records: part})
	}
	same("after more came")
	p.treeIs("after a crowd was purged")
}
