package storetest

import (
	"slices"

	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// query asks for a text in all spaces.
func query(text string) store.Match {
	const plenty = 1000
	return store.Match{Terms: words.Query(text), Limit: plenty}
}

// testMatch asks for records by their words, of which none is an operator.
func testMatch(p *place) {
	ann := NewOwner("ann")
	work := ann.On("work")
	river := ann.Raw(p, "The river bridge was painted red.")
	bridge := ann.Belief(p, "A bridge crosses nothing.", river)
	tagged := ann.Make(
		p, &memory.Belief{Statement: "It is loud."}, func(h *memory.Header) { h.About = []string{"Bridget"} },
	)
	other := work.Raw(p, "Another bridge")
	hidden := ann.Raw(p, "a hidden bridge")
	mark := ann.Make(
		p,
		&memory.Mark{Of: &memory.Ref{Kind: memory.KindRaw, ID: hidden.ID}, Verb: memory.Forget, Reason: "bridge"},
	)
	p.add(river, bridge, tagged, other, hidden, mark)

	with := func(m store.Match, change func(*store.Match)) store.Match { change(&m); return m }
	for _, tt := range []struct {
		what string
		m    store.Match
		want []*memory.Record
	}{
		{"a word", query("bridge"), []*memory.Record{river, bridge, other}},
		{"a form of it", query("BRIDGES"), []*memory.Record{river, bridge, other}},
		{"any of the words", query("painting loud unheard"), []*memory.Record{river, tagged}},
		{
			"all of the words", with(query("river bridge"), func(m *store.Match) { m.Least = 2 }),
			[]*memory.Record{river},
		},
		{"an entity", query("bridget"), []*memory.Record{tagged}},
		{"a word of nobody", query("zeppelin"), nil},
		{"no words", store.Match{Limit: 9}, nil},
		{
			"one space", with(query("bridge"), func(m *store.Match) { m.Spaces = []string{work.Space} }),
			[]*memory.Record{other},
		},
		{"no space", with(query("bridge"), func(m *store.Match) { m.Spaces = []string{"nowhere"} }), nil},
		{
			"hidden too", with(query("bridge"), func(m *store.Match) { m.Hidden = true }),
			[]*memory.Record{river, bridge, other, hidden},
		},
		{
			"kinds", with(query("bridge"), func(m *store.Match) { m.Kinds = []memory.Kind{memory.KindBelief} }),
			[]*memory.Record{bridge},
		},
		{
			"claims", with(query("bridge"), func(m *store.Match) { m.Kinds = []memory.Kind{memory.KindMark} }),
			[]*memory.Record{mark},
		},
	} {
		p.wantSet("Match of "+tt.what, p.found(tt.m), tt.want...)
	}
	if got := p.found(query("river bridge")); len(got) != 3 || got[0] != river.ID {
		p.Errorf("Match of two words gives %s, want first the one that has both", short(got))
	}
	older, newer := ann.Raw(p, "twin words"), ann.Raw(p, "twin words")
	p.add(older, newer)
	p.want("Match of equals", p.found(query("twin")), newer, older)
	p.want("Match with a limit", p.found(with(query("twin"), func(m *store.Match) { m.Limit = 1 })), newer)
	if got := p.found(with(query("bridge"), func(m *store.Match) { m.Limit = 0 })); len(got) != 3 {
		p.Errorf("Match without a limit gives %d, want 3", len(got))
	}
	for _, text := range []string{
		`"`, `""`, `"bridge`, `bridge"`, "bridge OR NOT", "NEAR(bridge)", "-bridge", "bridge*", "*", "terms:bridge",
		"bridge AND",
		"(bridge", "bridge & | !", "bridge:*", "<->", "'", "''", `\`, `bridge\`, "%", "{bridge}", "^bridge", "+", "$1",
		"?1", "; drop table words",
		"bridge\x00", "\xff bridge", "brìdge", strings.Repeat("bridge ", 500), strings.Repeat("x", 5000),
	} {
		for _, terms := range [][]string{words.Query(text), strings.Fields(text), {text}} {
			m := store.Match{Terms: terms, Limit: 9}
			if got := p.found(m); len(got) > 3 {
				p.Errorf("Match(%q) gives %d, want at most 3", terms, len(got))
			}
		}
		if got := p.found(query(text)); strings.Contains(text, "bridge") && len(got) < 3 {
			p.Errorf("Match of the text %q gives %d, want 3", text, len(got))
		}
	}
}

// testCrowd asks that what must not be shown takes no place from what may be.
func testCrowd(p *place) {
	crowd, batch := 10000, 1000
	if testing.Short() {
		crowd = batch
	}
	ann := NewOwner("ann")
	work := ann.On("work")
	long := strings.Repeat("a long text about something else entirely ", 20)
	raw, belief := ann.Raw(p, "harbour "+long), ann.Belief(p, "the harbour "+long)
	p.add(raw, belief) // older and longer than the crowd, so that nothing speaks for them
	for n := 0; n < crowd; n += batch {
		var rs []*memory.Record
		for i := range batch {
			rs = append(rs, work.Belief(p, fmt.Sprint("harbour harbour harbour ", n+i)))
		}
		p.add(rs...)
	}
	var forgotten []*memory.Record
	for i := range 200 {
		forgotten = append(forgotten, ann.Belief(p, fmt.Sprint("harbour harbour ", i)))
	}
	p.add(forgotten...)
	p.add(ann.Mark(p, memory.Forget, forgotten...))

	here := store.Match{Terms: []string{"harbour"}, Spaces: []string{ann.Space}, Limit: 2}
	p.wantSet("Match on the small space", p.found(here), raw, belief)
	raws := store.Match{Terms: []string{"harbour"}, Kinds: []memory.Kind{memory.KindRaw}, Limit: 1}
	p.want("Match of the only raw", p.found(raws), raw)
	if got := p.found(store.Match{Terms: []string{"harbour"}, Limit: 7}); len(got) != 7 {
		p.Errorf("Match of all gives %d, want 7", len(got))
	}
	p.want("List of the small space", p.list(store.Query{Spaces: []string{ann.Space}, Limit: 2}), belief, raw)
	p.want("List of the raws", p.list(store.Query{Kinds: []memory.Kind{memory.KindRaw}, Limit: 1}), raw)
	all := p.list(store.Query{})
	for _, few := range []int{1, 3, crowd, 10 * crowd} { // says what is read together, not what is given
		if got := p.list(store.Query{Few: few}); !slices.Equal(got, all) {
			p.Errorf("List of who takes %d gives %s, want %s", few, short(got), short(all))
		}
	}
	if got := len(all); got != crowd+2 {
		p.Errorf("List of all gives %d, want %d", got, crowd+2)
	}
}
