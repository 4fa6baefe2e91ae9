package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

const hour = time.Hour

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

// testClock asks that a claim dated ahead comes to count when its time has
// come, although nothing is written then.
func testClock(p *place) {
	ann := NewOwner("ann")
	start := p.clock()
	claim := func(at time.Duration, verb string, of *memory.Record) *memory.Record {
		return ann.Make(p, markOf(verb, of), Dated(start.Add(at)))
	}
	a, b := ann.Belief(p, "alpha"), ann.Belief(p, "beta")
	revised := ann.Make(p, &memory.Belief{Statement: "gamma"}, Replacing(b), Dated(start.Add(2*hour)))
	ahead := minutes(5)
	p.add(a, b)
	p.add(claim(ahead+hour, memory.Forget, a), claim(ahead+3*hour, memory.Recover, a))
	p.add(revised)
	all := []*memory.Record{a, b, revised}
	for _, tt := range []struct {
		after time.Duration
		live  []*memory.Record
	}{
		{0, all},
		{hour - time.Millisecond, all},
		{hour, []*memory.Record{b, revised}},
		{2*hour - ahead - time.Millisecond, []*memory.Record{b, revised}},
		{2*hour - ahead, []*memory.Record{revised}},
		{3*hour - time.Millisecond, []*memory.Record{revised}},
		{3 * hour, []*memory.Record{a, revised}},
	} {
		p.set(start.Add(tt.after))
		when := fmt.Sprint(" after ", tt.after)
		var got []memory.ID
		for _, it := range p.get(all...) {
			if it.State.Live() {
				got = append(got, it.Ref.ID)
			}
		}
		p.wantSet("Get"+when, got, tt.live...)
		p.wantSet("List"+when, p.list(store.Query{}), tt.live...)
		p.wantSet("List of as many as are live"+when, p.list(store.Query{Limit: len(tt.live)}), tt.live...)
		p.wantSet("Match"+when, p.found(query("alpha beta gamma")), tt.live...)
		if got := p.stats().Live[memory.KindBelief]; got != len(tt.live) {
			p.Errorf("Stats.Live%s = %d, want %d", when, got, len(tt.live))
		}
		p.tallied(when)
	}
	p.conflict("a revision of what has been replaced since", store.Batch{
		Records: []*memory.Record{ann.Revise(p, "late", b)}, Expect: []memory.ID{b.ID},
	})
	delta := ann.Belief(p, "delta")
	p.add(delta, claim(ahead+4*hour, memory.Reject, delta))
	p.set(start.Add(4 * hour))
	if any, err := store.AnyRejected(p.Context(), p.Store); err != nil || !any ||
		p.get(delta)[0].State.Review != state.ReviewRejected {
		p.Errorf("a rejection has come due: rejected %v, %v, %s", any, err, p.get(delta)[0].State.Review)
	}
}

// testClockOfRivals asks that a claim dated ahead about one of two rival revisions decides between
// them when its time has come, although nothing is written then.
func testClockOfRivals(p *place) {
	ann := NewOwner("ann")
	start := p.clock()
	base := ann.Belief(p, "base")
	one := ann.Make(p, &memory.Belief{Statement: "alpha"}, Replacing(base), Dated(start))
	two := ann.Make(p, &memory.Belief{Statement: "gamma"}, Replacing(base), Dated(start.Add(time.Minute)))
	ahead := minutes(5)
	forget := ann.Make(p, markOf(memory.Forget, two), Dated(start.Add(ahead+hour)))
	recover := ann.Make(p, markOf(memory.Recover, two), Dated(start.Add(ahead+2*hour)))
	p.add(base, one, forget, two)
	p.add(recover)
	for _, tt := range []struct {
		after time.Duration
		live  *memory.Record
	}{{0, two}, {hour - time.Millisecond, two}, {hour, one}, {2*hour - time.Millisecond, one}, {2 * hour, two}} {
		p.set(start.Add(tt.after))
		when := fmt.Sprint(" after ", tt.after)
		for i, it := range p.get(one, two) {
			if want := []*memory.Record{one, two}[i] == tt.live; it.State.Live() != want {
				p.Errorf("rival %d%s is %s, want it live: %v", i, when, shown(it.State), want)
			}
		}
		p.wantSet("List"+when, p.list(store.Query{}), tt.live)
		p.wantSet("Match"+when, p.found(query("base alpha gamma")), tt.live)
		p.tallied(when)
	}
	p.add(ann.Mark(p, memory.Protect, one)) // written when all is due
	if s := p.state(two); !s.Live() {
		p.Errorf("the shown rival is %s after a claim about the other one", shown(s))
	}
}

// testLarge asks for the greatest records there can be.
func testLarge(p *place) {
	ann := NewOwner("ann")
	text := strings.Repeat("many words of one kind. ", memory.MaxRawText/24-1)
	big := ann.Raw(p, text+strings.Repeat(" ", memory.MaxRawText-len(text)-8)+"zeppelin")
	var distinct strings.Builder
	for i := 0; distinct.Len() < memory.MaxRawText-16; i++ {
		fmt.Fprintf(&distinct, "w%xq ", i)
	}
	wordy := ann.Raw(p, distinct.String())
	odd := ann.Raw(p, "\u0001\u2028 \U0001f600 'quote' \"double\" \\ %s é e\u0301 \ufeff")
	var sources []*memory.Record
	for i := range memory.MaxSources {
		sources = append(sources, ann.Raw(p, fmt.Sprint("source ", i)))
	}
	all := ann.Make(p, &memory.Belief{Statement: "all of it"}, From(sources...), func(h *memory.Header) {
		for i := range memory.MaxTags {
			h.Tags = append(h.Tags, fmt.Sprintf("%0*d", memory.MaxTagBytes, i))
		}
	})
	p.add(big)
	p.add(wordy, odd)
	p.add(all) // its sources dangle
	p.dangling(memory.MaxSources, memory.MaxSources)
	p.add(sources...)
	p.dangling(0, memory.MaxSources)
	for i, it := range p.get(big, wordy, odd, all) {
		want := []*memory.Record{big, wordy, odd, all}[i]
		if string(it.Record.Bytes) != string(want.Bytes) {
			p.Errorf("the bytes of large record %d are not what they were", i)
		}
	}
	var want []graph.Edge
	for _, s := range sources {
		want = append(want, edge(all, graph.DerivedFrom, s))
	}
	p.edgesAre("Back of 1,024 sources", p.edges(graph.Back, all.ID), want...)
	p.want("Match of the last word of a long text", p.found(query("zeppelin")), big)
	if got := p.edges(graph.Forward, idsOf(sources)...); len(got) != len(sources) {
		p.Errorf("Forward of 1,024 ids gives %d", len(got))
	}
	if s := p.state(all); !s.AnyRaw || !s.ReachesRaw {
		p.Errorf("a belief on 1,024 raws does not reach them: %s", shown(s))
	}
}

// testContext checks that a cancelled call returns an error and does nothing.
func testContext(p *place) {
	ann := NewOwner("ann")
	a := ann.Raw(p, "a")
	p.add(a)
	before := dump(p, p.Store, []*memory.Record{a})
	ctx, cancel := context.WithCancel(p.Context())
	cancel()
	s := p.Store
	for name, call := range map[string]func() error{
		"Append": func() error {
			_, err := s.Append(ctx, store.Batch{Records: []*memory.Record{ann.Raw(p, "b")}})
			return err
		},
		"Get":        func() error { _, err := s.Get(ctx, a.ID); return err },
		"Resolve":    func() error { _, err := s.Resolve(ctx, "", a.ID.Short(), 1); return err },
		"Aliased":    func() error { _, err := s.Aliased(ctx, ann.Space, "a"); return err },
		"Edges":      func() error { _, err := s.Edges(ctx, graph.Back, a.ID); return err },
		"Match":      func() error { _, err := s.Match(ctx, query("a b")); return err },
		"PutVectors": func() error { return s.PutVectors(ctx, "m", store.Vector{ID: a.ID, Vec: []float32{1}}) },
		"Touch":      func() error { return s.Touch(ctx, Start, a.ID) },
		"Used":       func() error { _, err := s.Used(ctx, a.ID); return err },
		"Since":      func() error { _, err := s.Since(ctx, ann.Space, 0, 1); return err },
		"Spaces":     func() error { _, err := s.Spaces(ctx); return err },
		"Cursor":     func() error { _, err := s.Cursor(ctx, "c"); return err },
		"SetCursor":  func() error { return s.SetCursor(ctx, "c", 1) },
		"Note":       func() error { _, err := s.Note(ctx, "n"); return err },
		"NoteNames":  func() error { _, err := s.NoteNames(ctx, "n"); return err },
		"SwapNote":   func() error { return s.SwapNote(ctx, "n", nil, []byte("x")) },
		"Stats":      func() error { _, err := s.Stats(ctx); return err },
		"List": func() error {
			for _, err := range s.List(ctx, store.Query{}) {
				return err
			}
			return nil
		},
		"Vectors": func() error {
			for _, err := range s.Vectors(ctx, "m") {
				return err
			}
			return nil
		},
		"Check": func() error {
			for err := range s.Check(ctx) {
				return err
			}
			return nil
		},
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			p.Errorf("%s when cancelled gives %v, want context.Canceled", name, err)
		}
	}
	p.same("cancelled calls", dump(p, s, []*memory.Record{a}), before)
	p.vectors("m", nil)
	if at, err := p.Cursor(p.Context(), "c"); at != 0 || err != nil {
		p.Errorf("Cursor after a cancelled SetCursor = %d, %v", at, err)
	}
	if u, err := p.Used(p.Context(), a.ID); err != nil || u[0].Times != 0 {
		p.Errorf("Used after a cancelled Touch = %v, %v", u, err)
	}
}
