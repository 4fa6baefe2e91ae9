package trust

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ext"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

func TestASourceIsNamedForReaders(t *testing.T) {
	c := newCast(t)
	long := strings.Repeat("a", 61)
	for _, tt := range []struct {
		r    *memory.Record
		by   string
		want string
	}{
		{c.write(c.tool, captured("x"), ofPage), "Ann", "wiki.test"},
		{c.write(c.agent, belief("x"), run("", core.ContextOutside+`a (b) [c] {d}; "e" `+"`f`\n")), "",
			"a _b_ _c_ _d__ _e_ _f__"},
		{c.write(c.tool, &memory.Raw{Text: "x", Speaker: "curl;"}), "Ann", "curl_"},
		{c.write(c.tool, captured("x")), "Ann", "a tool"},
		{c.write(c.tool, belief("x")), "Ann", "Ann"},
		{c.write(c.agent, &memory.Raw{Text: "x", Speaker: "curl"}), "Ann", "Ann"},
		{c.write(c.owner.as(memory.OriginImport), belief("x")), "Ann", "an import"},
		{c.write(c.friend, belief("x")), "", "words of others"},
		{c.write(c.tool, captured("x"), run("", core.ContextOutside+long[1:])), "", long[1:]},
	} {
		if got := sourceName(tt.r, tt.by); got != tt.want {
			t.Errorf("%s is %q, want %q", tt.r.Headline(), got, tt.want)
		}
	}
	if got := asName(long); len(got) > mostSource+len("…") || got == long {
		t.Errorf("a long name is %q", got)
	}
}

// Each place is named once, what an agent made of outside words by these.
func TestSourcesAreNamedOnce(t *testing.T) {
	c := newCast(t)
	page := c.holds(c.tool, captured(port), ofPage)
	made := c.holds(c.agent, belief(port), from(page))
	read := c.holds(c.agent, belief(port), shown(page, made), after(ext.HadRead))
	curl := c.holds(c.tool, &memory.Raw{Text: "x", Speaker: "curl"})
	anns := c.holds(c.friend, belief(host))
	for want, ids := range map[string][]memory.ID{
		"":                      nil,
		"wiki.test":             {page.Ref.ID, made.Ref.ID, page.Ref.ID, read.Ref.ID},
		"curl, wiki.test":       {curl.Ref.ID, read.Ref.ID},
		"wiki.test, curl":       {read.Ref.ID, curl.Ref.ID},
		"Ann, words of others":  {anns.Ref.ID, {7}},
		"words of others, curl": {{7}, {8}, curl.Ref.ID},
		"wiki.test, curl, Ann":  {made.Ref.ID, curl.Ref.ID, anns.Ref.ID},
	} {
		if got := strings.Join(c.sources(ids), ", "); got != want {
			t.Errorf("%d ids are of %q, want %q", len(ids), got, want)
		}
	}
}

func TestSourcesAreCountedInWords(t *testing.T) {
	c := newCast(t)
	one, two := c.holds(c.agent, belief(port)), c.holds(c.agent, belief(host))
	raw := c.holds(c.agent, captured(broker))
	via := func(v memory.Via) func(*memory.Header) { return func(h *memory.Header) { h.Provenance.Via = v } }
	for _, tt := range []struct {
		r      *memory.Record
		fallen []memory.ID
		want   string
	}{
		{c.write(c.agent, captured("x")), nil, "direct"},
		{c.write(c.agent, &memory.Raw{Text: "x", Source: "hook"}), nil, "hook"},
		{c.write(c.agent, belief("x")), nil, "direct"},
		{c.write(c.agent, belief("x"), via(memory.ViaTold)), nil, "told"},
		{c.write(c.agent, belief("x"), via(memory.ViaImport)), nil, "import"},
		{c.write(c.agent, belief("x"), from(one)), nil, "1 belief"},
		{c.write(c.agent, belief("x"), from(one, raw, two)), nil, "2 beliefs, 1 raw"},
		{c.write(c.agent, belief("x"), from(one, raw, two)), []memory.ID{one.Ref.ID},
			"1 raw, 1 belief, 1 source no longer counts"},
		{c.write(c.agent, belief("x"), from(one, two)), []memory.ID{one.Ref.ID, two.Ref.ID}, "2 sources no longer count"},
	} {
		fallen := map[memory.ID]string{}
		for _, id := range tt.fallen {
			fallen[id] = "rejected"
		}
		if got := SourceWords(tt.r, &Rating{Fallen: fallen}); got != tt.want {
			t.Errorf("%d sources, %d fallen: %q, want %q", len(tt.r.Header.Provenance.From), len(fallen), got, tt.want)
		}
	}
}

func TestASourceThatDoesNotCountSaysWhy(t *testing.T) {
	for want, spoil := range map[string]func(c *cast, it *store.Item){
		"":                            func(c *cast, it *store.Item) {},
		"its signature does not hold": func(c *cast, it *store.Item) { it.Doubt, it.State.Quarantined = store.Forged, true },
		"quarantined": func(c *cast, it *store.Item) {
			it.State.Quarantined, it.State.Review = true, state.ReviewRejected
		},
		"rejected":                func(c *cast, it *store.Item) { reviewed(it, state.ReviewRejected) },
		"disputed":                func(c *cast, it *store.Item) { c.witness(it, c.owner, score.Dispute) },
		"retracted by its author": func(c *cast, it *store.Item) { c.witness(it, c.friend, score.Dispute) },
		"disputed by 2 witnesses": func(c *cast, it *store.Item) {
			other := actor{did: didOf(5), origin: memory.OriginOwner}
			c.graph = score.NewIntroductions(c.owner.did, []score.Introduction{
				{By: c.owner.did, Whom: c.friend.did}, {By: c.owner.did, Whom: other.did},
			})
			c.witness(it, c.owner, score.Dispute)
			c.witness(it, other, score.Dispute)
		},
	} {
		c := newCast(t)
		it := c.holds(c.friend, belief(port))
		spoil(c, it)
		if got := c.flaw(it); got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
	c := newCast(t)
	it := c.holds(c.agent, belief(port))
	c.witness(it, c.unknown, score.Dispute)
	if got := c.flaw(it); got != "" {
		t.Errorf("a stranger's dispute makes it %q", got)
	}
	it.State.Forgotten, it.Doubt = true, store.Withheld
	if got := c.flaw(it); got != "" {
		t.Errorf("forgotten, it is %q as a source", got)
	}
}

// A limit is the least of all, and names the first that was so low.
func TestALimitIsTheLeast(t *testing.T) {
	ref := func(n byte) memory.Ref { return memory.Ref{Kind: memory.KindNote, ID: memory.ID{n}} }
	l := new(limit)
	*l = *unlimited
	for i, tt := range []struct {
		next  score.Limit
		score int
		level score.Level
		ref   byte
		who   string
	}{
		{score.Limit{Score: score.One, Level: score.Consensus, Ref: ref(1), Authors: []string{"ann"}},
			score.One, score.Consensus, 1, "ann"},
		{score.Limit{Score: 4000, Level: score.Anchored, Ref: ref(2), Authors: []string{"bob", ""}}, 4000, score.Anchored,
			2, "ann bob"},
		{score.Limit{Score: 4000, Level: score.Attested, Ref: ref(3), Authors: []string{"ann"}}, 4000, score.Attested, 2,
			"ann bob"},
		{score.Limit{Score: 5000, Level: score.Unverified, Ref: ref(4), Missing: true}, 4000, score.Unverified, 2, "ann bob"},
		{score.Limit{Score: 10, Level: score.Consensus, Ref: ref(5), Missing: true}, 10, score.Unverified, 5, "ann bob"},
	} {
		l.lower(tt.next)
		if l.Score != tt.score || l.Level != tt.level || l.Ref != ref(tt.ref) || strings.Join(l.Authors, " ") != tt.who ||
			!l.external || l.Missing != (tt.ref == 5) {
			t.Errorf("after %d: %+v, want %d %s of %d by %s", i+1, l, tt.score, tt.level, tt.ref, tt.who)
		}
	}
	l.expose(&limit{after: []memory.ID{{1}, {2}}, unsaid: true})
	l.expose(&limit{after: []memory.ID{{2}, {3}}, repeats: true})
	if !slices.Equal(l.after, []memory.ID{{1}, {2}, {3}}) || !l.unsaid || !l.repeats {
		t.Errorf("it was exposed to %+v", l)
	}
	l.flaw(memory.ID{1})
	l.flaw(memory.ID{1})
	if len(l.flawed) != 1 {
		t.Errorf("the same flaw twice: %v", l.flawed)
	}
}

// Words of other runs are evidence; those of its own run, and two of one run, are no more than one.
func TestEvidenceIsOfOtherRuns(t *testing.T) {
	for runs, want := range map[string]int{
		"": 0, "own": 0, "a": 1, "a a": 1, "a b": 2, "a b c": 2, "own a": 1, "none": 1, "none none": 1, "none a": 2,
	} {
		ev := new(event)
		for _, r := range strings.Fields(runs) {
			ev.add("own", strings.TrimPrefix(r, "none"))
		}
		if ev.n != want || ev.words != (runs != "") {
			t.Errorf("of the runs %q: %+v, want %d", runs, ev, want)
		}
	}
}

func TestWhatALineageReaches(t *testing.T) {
	c := newCast(t)
	raw := func(r string) *store.Item { return c.holds(c.owner, captured("take "+r), run(r, "")) }
	one, two := raw("one"), raw("two")
	said := c.holds(c.agent, captured("take it"), run("three", core.ContextCorrect))
	below := c.holds(c.agent, belief(port), from(one), run("four", ""))
	bad := reviewed(c.holds(c.agent, belief(host), from(two)), state.ReviewRejected)
	purged := memory.Ref{Kind: memory.KindRaw, ID: memory.ID{7}}
	c.gone[purged.ID] = purged
	lost := func(ref memory.Ref) func(*memory.Header) {
		return func(h *memory.Header) {
			h.Provenance.From, h.Provenance.Via = append(h.Provenance.From, ref), memory.ViaInference
		}
	}
	for _, tt := range []struct {
		what          string
		r             *memory.Record
		any, evidence bool
		runs          int
	}{
		{"nothing", c.write(c.agent, belief("x")), false, false, 0},
		{"words of another run", c.write(c.agent, belief("x"), from(one), run("nine", "")), true, true, 1},
		{"words of its own run", c.write(c.agent, belief("x"), from(one), run("one", "")), true, false, 0},
		{"its own statement beside other words", c.write(c.agent, belief("x"), from(one, two), run("one", "")), true,
			false, 0},
		{"words of two runs", c.write(c.agent, belief("x"), from(one, two), run("nine", "")), true, true, 2},
		{"words below", c.write(c.agent, belief("x"), from(below), run("nine", "")), true, true, 1},
		{"words below of its own run", c.write(c.agent, belief("x"), from(below), run("one", "")), true, false, 0},
		{"an agent's statement", c.write(c.agent, belief("x"), from(said), run("nine", "")), true, false, 0},
		{"what does not count", c.write(c.agent, belief("x"), from(bad), run("nine", "")), false, false, 0},
		{"what is not held", c.write(c.agent, belief("x"), lost(memory.Ref{Kind: memory.KindRaw, ID: memory.ID{6}})),
			false, false, 0},
		{"purged words", c.write(c.agent, belief("x"), lost(purged)), true, true, 1},
		{"purged words under another kind",
			c.write(c.agent, belief("x"), lost(memory.Ref{Kind: memory.KindNote, ID: purged.ID})), false, false, 0},
		{"purged words of its statement", c.write(c.agent, belief("x"), lost(purged), run("remember/2", "")), true, false, 0},
	} {
		any, evidence := c.reaches(tt.r)
		if any != tt.any || evidence != tt.evidence || c.eventOf(tt.r).n != tt.runs {
			t.Errorf("%s: words %v, evidence %v of %d runs; want %v, %v, %d",
				tt.what, any, evidence, c.eventOf(tt.r).n, tt.any, tt.evidence, tt.runs)
		}
	}
}

func TestASourceCountsByAPathThatDoes(t *testing.T) {
	c := newCast(t)
	raw, other := c.holds(c.owner, captured(port)), c.holds(c.owner, captured(host))
	good := c.holds(c.agent, belief(port), from(raw))
	bad := reviewed(c.holds(c.agent, belief(host), from(other)), state.ReviewRejected)
	old := c.holds(c.agent, belief(broker))
	root := c.holds(c.agent, belief("x"), from(good, bad, old), func(h *memory.Header) {
		h.Provenance.Via, h.Provenance.Supersedes = memory.ViaRevision, []memory.Ref{old.Ref}
	})
	stranger := &store.Item{Ref: memory.Ref{Kind: memory.KindNote, ID: memory.ID{9}}, Record: c.write(c.agent,
		note("insight"))}
	got := c.Counting(root.Record, []*store.Item{raw, other, good, bad, old, root, nil, {}, stranger})
	want := map[memory.ID]string{
		bad.Ref.ID: "rejected", other.Ref.ID: "it supports only memories that do not count",
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := c.Counting(nil, []*store.Item{raw}); len(got) != 1 {
		t.Errorf("of no root: %v", got)
	}
}

func TestPeopleAreNamedAsTheReaderKnowsThem(t *testing.T) {
	c := newCast(t)
	team := c.owner.did + "/team"
	c.shared[team] = true
	short := c.unknown.did[len("did:key:"):][:12]
	in := func(h *memory.Header) { h.Space = team }
	mute := actor{did: c.unknown.did, grant: memory.ID{7}, origin: memory.OriginAgent}
	for _, tt := range []struct {
		r               *memory.Record
		by, writtenTeam string
	}{
		{c.write(c.owner, belief("x"), in), "", ""},
		{c.write(c.agent, belief("x"), in), "", ""},
		{c.write(c.friend, belief("x"), in), "Ann", "Ann in team"},
		{c.write(c.unknown, belief("x"), in), short, short + " in team"},
		{c.write(mute, belief("x"), in), short, short + " in team"},
		{c.write(c.friend, belief("x")), "Ann", ""},
	} {
		if by, in := c.By(tt.r), c.writtenIn(tt.r); by != tt.by || in != tt.writtenTeam {
			t.Errorf("by %q, %q; want %q, %q", by, in, tt.by, tt.writtenTeam)
		}
	}
	for did, want := range map[string]string{c.owner.did: "you", c.friend.did: "Ann", c.unknown.did: "", "": ""} {
		if got := c.NameOf(did); got != want {
			t.Errorf("%s is called %q, want %q", did, got, want)
		}
	}
	nobody := &Context{Ring: c.Ring}
	if got := nobody.NameOf(""); got != "" || nobody.By(c.write(c.friend, belief("x"))) != "" || nobody.Knows("") {
		t.Errorf("without a reader nobody is %q", got)
	}
}

// A keeper's name for a member counts where no one else has it for the reader.
func TestAMembersNameIsNoOthers(t *testing.T) {
	c := newCast(t)
	team := c.owner.did + "/team"
	for name, want := range map[string]string{
		"Bob": "Bob", " Bob  Ray ": "Bob Ray", "ann": "", "YOU": "", "": "", "Cleo": "",
	} {
		c.members = vouches{team: {c.unknown.did: {name, c.friend.did}, didOf(6): {"cleo", c.friend.did}}}
		if got := c.vouchedName(c.unknown.did, team); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
	if name, by := c.VouchedBy(c.unknown.did, "other"); name != "" || by != "" {
		t.Errorf("in another space %q by %q vouches", name, by)
	}
	for target, want := range map[string]string{
		"author:" + c.friend.did: c.friend.did, "author:": "", "author": "", "writer:" + c.friend.did: "",
	} {
		if got, ok := vouchedFor(c.Ring, &memory.Mark{Target: target}); got != want || ok != (want != "") {
			t.Errorf("%s is about %q, %v", target, got, ok)
		}
	}
}

func TestAMemberIsObserved(t *testing.T) {
	for what, tt := range map[string]struct {
		of   func(c *cast, in func(*memory.Header)) *store.Item
		want bool
	}{
		"their own words": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in)
		}, true},
		"in another space": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown,
				belief(port))
		}, false},
		"somebody else's": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.friend, belief(port),
				in)
		}, false},
		"an import": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown.as(memory.OriginImport), belief(port), in)
		}, false},
		"disputed": {func(c *cast, in func(*memory.Header)) *store.Item {
			it := c.holds(c.unknown, belief(port), in)
			c.witness(it, c.owner, score.Dispute)
			return it
		}, false},
		"withheld": {func(c *cast, in func(*memory.Header)) *store.Item {
			it := c.holds(c.unknown, belief(port), in)
			it.Doubt = store.Withheld
			return it
		}, false},
		"of a foreign store": {func(c *cast, in func(*memory.Header)) *store.Item {
			c.foreign = true
			return c.holds(c.unknown, belief(port), in)
		}, false},
		"of the reader's": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in, from(c.holds(c.owner, belief(host))))
		}, true},
		"of another member's": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in, from(c.holds(c.unknown, belief(host), in)))
		}, true},
		"of a stranger's": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in, from(c.holds(c.friend, belief(host), in)))
		}, false},
		"of what rests on a stranger's": {func(c *cast, in func(*memory.Header)) *store.Item {
			up := c.holds(c.unknown, belief(host), in, from(c.holds(c.friend, belief(host), in)))
			return c.holds(c.unknown, belief(port), in, from(up))
		}, false},
		"of an import by the reader": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in, from(c.holds(c.owner.as(memory.OriginImport), belief(host))))
		}, false},
		"of their own captured words": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in, from(c.holds(c.unknown, captured(host))))
		}, true},
		"of a tool's words": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in, from(c.holds(c.unknown.as(memory.OriginTool), captured(host))))
		}, false},
		"of what was rejected": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in, from(reviewed(c.holds(c.owner, belief(host)), state.ReviewRejected)))
		}, false},
		"of what is withheld": {func(c *cast, in func(*memory.Header)) *store.Item {
			up := c.holds(c.owner, belief(host))
			up.Doubt = store.Withheld
			return c.holds(c.unknown, belief(port), in, from(up))
		}, false},
		"of captured words that are not held": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in, from(&store.Item{Ref: memory.Ref{Kind: memory.KindRaw,
				ID: memory.ID{7}}}))
		}, true},
		"of a note that is not held": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in, from(&store.Item{Ref: memory.Ref{Kind: memory.KindNote,
				ID: memory.ID{7}}}))
		}, false},
		"of purged words": {func(c *cast, in func(*memory.Header)) *store.Item {
			ref := memory.Ref{Kind: memory.KindRaw, ID: memory.ID{7}}
			c.gone[ref.ID] = ref
			return c.holds(c.unknown, belief(port), in, from(&store.Item{Ref: ref}))
		}, true},
		"of a purged note": {func(c *cast, in func(*memory.Header)) *store.Item {
			ref := memory.Ref{Kind: memory.KindNote, ID: memory.ID{7}}
			c.gone[ref.ID] = ref
			return c.holds(c.unknown, belief(port), in, from(&store.Item{Ref: ref}))
		}, false},
		"after what is not held": {func(c *cast, in func(*memory.Header)) *store.Item {
			return c.holds(c.unknown, belief(port), in, func(h *memory.Header) { h.Recalled = []memory.ID{{7}} })
		}, true},
	} {
		c := newCast(t)
		team := c.owner.did + "/team"
		c.members = vouches{team: {c.unknown.did: {"Bob", c.friend.did}}}
		it := tt.of(c, func(h *memory.Header) { h.Space = team })
		if got := c.Rate(it); got.Member != tt.want {
			t.Errorf("%s: a member's %v, want %v", what, got.Member, tt.want)
		} else if got.Member && got.Section(it) != InObserved {
			t.Errorf("%s: in %s", what, got.Section(it))
		}
	}
	c := newCast(t)
	if c.member(c.write(c.unknown, belief(port))) {
		t.Error("without members somebody is one")
	}
}

// Verifications are a person's and an agent's, each the last one.
func TestTheLastVerificationsCount(t *testing.T) {
	c := newCast(t)
	it := c.holds(c.agent, belief(port))
	code := func(path, symbol, sum string) []memory.Evidence {
		return []memory.Evidence{{Type: core.CodeType, Path: path, Symbol: symbol, SHA256: sum}}
	}
	sum := strings.Repeat("a", 64)
	verify := func(by actor, result string, ev []memory.Evidence, change ...func(*memory.Header)) *store.Item {
		r := c.write(by, &memory.Verify{Of: it.Ref, Result: result, Evidence: ev}, change...)
		return &store.Item{Ref: r.Ref(), Record: r}
	}
	first := verify(c.owner, "", code("a.go", "F", sum))
	second := verify(c.owner, "", code("a.go", "G", sum))
	agents := verify(c.agent, "", code("a.go", "G", sum))
	failed := verify(c.owner, "changed", code("a.go", "G", sum))
	others := verify(c.unknown, "", code("a.go", "G", sum))
	late := verify(c.owner, "", code("b.go", "", sum), func(h *memory.Header) { h.At = memory.At(noon.Add(time.Hour)) })
	all := []*store.Item{agents, second, first, failed, others, late}
	v := verifiedTwice(c.Ring, noon, []*store.Item{it}, all)[it.Ref.ID]
	if v == nil || v.person != second.Record || v.agent != agents.Record || !v.stands() {
		t.Errorf("at noon %+v", v)
	}
	if got := verifiedTwice(c.Ring, late.Record.Header.At.Time(), []*store.Item{it},
		all)[it.Ref.ID]; got.person != late.Record {
		t.Error("at its own time a verification does not count")
	}
	now := verifiedTwice(c.Ring, time.Time{}, []*store.Item{it}, all)[it.Ref.ID]
	if now.person != late.Record || now.stands() {
		t.Errorf("now %+v", now)
	}
	if got, want := v.says(), "by a person on 2026-03-01, and by an agent on 2026-03-01"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if got, want := now.says(),
		"by a person on 2026-03-01, before its code changed, and by an agent on 2026-03-01"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	for _, one := range []*verified{nil, {}, {person: first.Record}, {agent: agents.Record}} {
		if one.stands() || one.says() != "" {
			t.Errorf("%+v stands or says %q", one, one.says())
		}
	}
	for _, other := range [][]memory.Evidence{
		code("b.go", "G", sum), code("a.go", "H", sum), code("a.go", "G", strings.Repeat("b", 64)), nil,
	} {
		if (&verified{person: second.Record, agent: verify(c.agent, "", other).Record}).stands() {
			t.Errorf("%+v is the same code", other)
		}
	}
	it.State.Review = state.ReviewApproved
	it.State.Verified, it.State.AgentVerified = memory.At(noon), true
	rated := &Rating{verified: v}
	for _, cond := range rated.Conditions(it) {
		want := map[string]string{
			"verified": v.says(), "approved": "by a person on an unknown day",
		}[cond.Name]
		if want != "" && (!cond.Met || cond.Says != want) {
			t.Errorf("%s: %v %q, want %q", cond.Name, cond.Met, cond.Says, want)
		}
	}
	rated.bare = true
	for _, cond := range rated.Conditions(it) {
		if cond.Name == "approved" && (cond.Met || !strings.HasSuffix(cond.Says, "none of its sources counts any more")) {
			t.Errorf("bare, it is approved: %q", cond.Says)
		}
	}
	if got := (*Rating)(nil).Conditions(it); len(got) == 0 {
		t.Error("without a rating there are no conditions")
	}
	// an agent's word does not hide a person's
	it.State.VerifiedBy = c.agent.did
	c.verified[it.Ref.ID] = v
	if got := c.Rate(it); got.State.AgentVerified || got.State.VerifiedBy != c.owner.did {
		t.Errorf("verified by %s, an agent: %v", got.State.VerifiedBy, got.State.AgentVerified)
	}
}

func TestWhichWitnessCounts(t *testing.T) {
	c := newCast(t)
	it := c.holds(c.friend, belief(port))
	says := func(by actor, change ...func(*memory.Header)) *memory.Record {
		return c.write(by, &memory.Witness{Of: it.Ref, Attestation: score.Confirm, Notes: "seen"}, change...)
	}
	at := func(d time.Duration) func(*memory.Header) {
		return func(h *memory.Header) { h.At = memory.At(noon.Add(d)) }
	}
	lost := actor{did: c.unknown.did, grant: memory.ID{7}, origin: memory.OriginAgent}
	named := func(h *memory.Header) { h.Agent = "codex" }
	friends := actor{did: didOf(8), origin: memory.OriginAgent}
	grant := c.write(c.friend, &memory.Key{Op: memory.OpDelegate, Key: friends.did,
		Origins: []memory.Origin{memory.OriginAgent}})
	c.Ring.Add(grant)
	friends.grant = grant.ID
	for _, tt := range []struct {
		what    string
		r       *memory.Record
		refused string
		name    string
	}{
		{"the reader", says(c.owner), "", "you"},
		{"the author", says(c.friend), "", "Ann"},
		{"a stranger", says(c.unknown), "", ""},
		{"the reader's agent", says(c.agent, named), "it is from an agent, not a person", "agent codex"},
		{"the author's agent", says(friends), "it is from an agent, not a person", "agent"},
		{"a key without its delegation", says(lost), "its delegation is not held, or does not cover it", ""},
		{"just ahead", says(c.owner, at(AheadBy)), "", "you"},
		{"too far ahead", says(c.owner, at(AheadBy+time.Second)), "dated ahead: counts from 2026-03-01T12:00:01.000Z", "you"},
	} {
		v := c.Verdict(tt.r, tt.r.Body.(*memory.Witness), c.friend.did, nil)
		if v.Refused != tt.refused || v.Rejected || v.Upheld || v.Says != score.Confirm {
			t.Errorf("%s: %+v, want %q", tt.what, v, tt.refused)
		}
		shows := c.Witness(v, map[memory.ID]string{})
		if shows.Name != tt.name || !shows.Counts || shows.Notes != "seen" || shows.Controller == "" {
			t.Errorf("%s: %+v, want the name %q", tt.what, shows, tt.name)
		}
		if shows = c.Witness(v, map[memory.ID]string{v.ID: "why"}); shows.Counts || shows.Why != "why" {
			t.Errorf("%s: refused it is %+v", tt.what, shows)
		}
	}
	w := says(c.friend)
	decide := func(by actor, verb string, of *memory.Record, change ...func(*memory.Header)) *store.Item {
		ref := of.Ref()
		r := c.write(by, &memory.Mark{Verb: verb, Of: &ref}, change...)
		return &store.Item{Ref: r.Ref(), Record: r}
	}
	for _, tt := range []struct {
		want  string
		marks []*store.Item
	}{
		{"rejected", []*store.Item{decide(c.owner, memory.Reject, w)}},
		{"upheld", []*store.Item{decide(c.owner, memory.Approve, w)}},
		{"upheld", []*store.Item{decide(c.owner, memory.Reject, w), decide(c.owner, memory.Approve, w)}},
		{"rejected", []*store.Item{decide(c.owner, memory.Reject, w, at(time.Minute)), decide(c.owner, memory.Approve, w)}},
		{"", []*store.Item{decide(c.agent, memory.Reject, w), decide(c.friend, memory.Reject, w)}},
		{"", []*store.Item{decide(c.owner, memory.Reject, says(c.friend)), decide(c.owner, memory.Forget, w)}},
		{"", []*store.Item{{Ref: w.Ref(), Record: w}}},
	} {
		v := c.Verdict(w, w.Body.(*memory.Witness), c.friend.did, tt.marks)
		if got := v.resolved(); got != tt.want {
			t.Errorf("%d marks: %q, want %q", len(tt.marks), got, tt.want)
		}
	}
}

func TestWhoHasASay(t *testing.T) {
	c := newCast(t)
	for _, tt := range []struct {
		it   *store.Item
		want bool
	}{
		{c.holds(c.owner, belief("x")), true}, {c.holds(c.friend, belief("x")), true},
		{c.holds(c.unknown, belief("x")), false}, {c.holds(c.agent, belief("x")), false},
		{approved(c.holds(c.agent, belief("x")), c.owner), true}, {approved(c.holds(c.agent, belief("x")), c.friend), true},
		{approved(c.holds(c.agent, belief("x")), c.unknown), false},
		{reviewed(approved(c.holds(c.agent, belief("x")), c.owner), state.ReviewRejected), false},
	} {
		if got := c.PersonSays(tt.it); got != tt.want {
			t.Errorf("%s, reviewed %q by %q: %v", tt.it.Record.Header.Author, tt.it.State.Review, tt.it.State.ReviewedBy, got)
		}
	}
	c.Upheld = map[string]int{c.friend.did: 8, c.unknown.did: 8}
	c.scoring.Failed = map[string]int{c.friend.did: 2}
	for did, want := range map[string]int{
		c.owner.did: score.Reputation(0, 0), c.friend.did: score.Reputation(8, 2), c.unknown.did: 0, "": 0,
	} {
		if got := c.Reputation(did); got != want {
			t.Errorf("the reputation of %s is %d, want %d", did, got, want)
		}
	}
	p := score.Seed()
	if got, want := c.Most(), (Most{Any: p.Signature + p.Reputation*score.Reputation(8, 0)/score.One}); got != want {
		t.Errorf("at most %+v, want %+v", got, want)
	}
	c.Upheld = nil
	if got, want := c.Most().Any, p.Signature+p.Reputation/2; got != want {
		t.Errorf("of nobody known at most %d, want %d", got, want)
	}
	c.spoken = true
	if got, want := c.Most(), (Most{score.One, 6000}); got != want {
		t.Errorf("where somebody witnessed at most %+v, want %+v", got, want)
	}
}

func TestAnAnchorIsWhatTheReaderFound(t *testing.T) {
	const page = "https://wiki.test/port"
	for what, tt := range map[string]struct {
		by     func(c *cast) actor // who anchored what a friend wrote
		typ    string
		checks func(c *cast, of memory.Ref) []*memory.Record
		status score.Status
		bound  bool
		why    string
	}{
		"never checked": {func(c *cast) actor { return c.owner }, "url", nil, score.Unverifiable, false,
			"never checked here"},
		"checked": {func(c *cast) actor { return c.owner }, "url", func(c *cast, of memory.Ref) []*memory.Record {
			return []*memory.Record{c.write(c.owner, &memory.Verify{Of: of, Method: CheckedUnbound, Notes: "as it was"})}
		}, score.Verified, false, "as it was"},
		"checked and bound": {func(c *cast) actor { return c.owner }, "url", func(c *cast, of memory.Ref) []*memory.Record {
			return []*memory.Record{c.write(c.agent, &memory.Verify{Of: of, Method: CheckedBound})}
		}, score.Verified, true, ""},
		"bound before it changed": {func(c *cast) actor { return c.owner }, "url", func(c *cast,
			of memory.Ref) []*memory.Record {
			return []*memory.Record{
				c.write(c.owner, &memory.Verify{Of: of, Method: CheckedBound}),
				c.write(c.owner, &memory.Verify{Of: of, Method: CheckedUnbound, Result: "changed"}),
			}
		}, score.Changed, true, ""},
		"bound no more": {func(c *cast) actor { return c.owner }, "url", func(c *cast, of memory.Ref) []*memory.Record {
			return []*memory.Record{
				c.write(c.owner, &memory.Verify{Of: of, Method: CheckedUnbound}),
				c.write(c.owner, &memory.Verify{Of: of, Method: CheckedBound}, func(h *memory.Header) {
					h.At = memory.At(noon.Add(-2 * time.Hour))
				}),
			}
		}, score.Verified, false, ""},
		"checked by a friend": {func(c *cast) actor { return c.owner }, "url", func(c *cast, of memory.Ref) []*memory.Record {
			return []*memory.Record{c.write(c.friend, &memory.Verify{Of: of, Method: CheckedBound})}
		}, score.Unverifiable, false, "never checked here"},
		"checked long ago": {func(c *cast) actor { return c.owner }, "url", func(c *cast, of memory.Ref) []*memory.Record {
			return []*memory.Record{c.write(c.owner, &memory.Verify{Of: of, Method: CheckedBound}, func(h *memory.Header) {
				h.At = memory.At(noon.AddDate(-1, 0, 0))
			})}
		}, score.Stale, true, ""},
	} {
		c := newCast(t)
		it := c.holds(c.friend, belief(port))
		b := &memory.Anchor{Of: it.Ref, Type: tt.typ, Reference: page}
		a := c.hold(c.write(tt.by(c), b))
		var further []*store.Item
		if tt.checks != nil {
			for _, r := range tt.checks(c, a.Ref) {
				further = append(further, &store.Item{Ref: r.Ref(), Record: r})
			}
		}
		further = append(further, it, a)
		got := c.anchored(a, b, it.Record, further)
		if got.Status != tt.status || got.Bound != tt.bound || got.Why != tt.why || got.Reference != page {
			t.Errorf("%s: %s, bound %v, %q; want %s, %v, %q", what, got.Status, got.Bound, got.Why, tt.status, tt.bound, tt.why)
		}
	}
}

// What an agent can make itself holds nothing of what an agent of the same person wrote, until the person looked.
func TestAnAgentsOwnAnchorHoldsNothing(t *testing.T) {
	for _, typ := range []string{"file", "git_commit", "rfc3161", "url"} {
		c := newCast(t)
		it, other := c.holds(c.agent, belief(port)), c.holds(c.owner, belief(port))
		b := &memory.Anchor{Of: it.Ref, Type: typ, Reference: "x"}
		mine, persons := c.write(c.agent, &memory.Anchor{Of: it.Ref, Type: "url", Reference: "https://a.test"}),
			c.write(c.owner, &memory.Anchor{Of: it.Ref, Type: "url", Reference: "https://a.test"})
		byAgent := c.write(c.agent, &memory.Verify{Of: mine.Ref()})
		byPerson := c.write(c.owner, &memory.Verify{Of: mine.Ref()})
		own := typ != "url"
		for i, tt := range []struct {
			a, of, check *memory.Record
			want         bool
		}{
			{mine, it.Record, nil, own}, {mine, it.Record, byAgent, own}, {mine, it.Record, byPerson, false},
			{persons, it.Record, nil, false}, {mine, other.Record, nil, false},
			{mine, c.write(c.friend, belief(port)), nil, false},
		} {
			if got := c.selfMade(tt.a, b, tt.of, tt.check); got != tt.want {
				t.Errorf("%s, %d: made by the author %v, want %v", typ, i, got, tt.want)
			}
		}
	}
}

func TestAnAuthorSignsATargetIn(t *testing.T) {
	c := newCast(t)
	names := func(e memory.Evidence) *memory.Record {
		return c.write(c.agent, belief(port), func(h *memory.Header) { h.Provenance.Evidence = []memory.Evidence{e} })
	}
	commit := strings.Repeat("0a", 20)
	for what, tt := range map[string]struct {
		e    memory.Evidence
		a    memory.Anchor
		want bool
	}{
		"the same page": {memory.Evidence{Type: "url", Reference: "https://a.test/b"}, memory.Anchor{Type: "url",
			Reference: "https://a.test/b"}, true},
		"another page": {memory.Evidence{Type: "url", Reference: "https://a.test/b"}, memory.Anchor{Type: "url",
			Reference: "https://a.test/c"}, false},
		"the same commit": {memory.Evidence{Type: core.CodeType, Path: "a.go", Commit: commit},
			memory.Anchor{Type: "git_commit", Reference: commit}, true},
		"another commit": {memory.Evidence{Type: core.CodeType, Path: "a.go", Commit: commit},
			memory.Anchor{Type: "git_commit", Reference: commit[1:]}, false},
		"a commit as file": {memory.Evidence{Type: core.CodeType, Path: "a.go", Commit: commit},
			memory.Anchor{Type: "file", Reference: commit}, false},
		"no commit": {memory.Evidence{Type: core.CodeType, Path: "a.go"}, memory.Anchor{Type: "git_commit",
			Reference: commit}, false},
	} {
		if got := SignedIn(names(tt.e), &tt.a); got != tt.want {
			t.Errorf("%s: %v, want %v", what, got, tt.want)
		}
	}
	if SignedIn(c.write(c.agent, belief(port)), &memory.Anchor{Type: "url", Reference: ""}) {
		t.Error("what names nothing has signed something in")
	}
}

// A text is no name: it is found in another however it is written, from either side.
func TestTextsAreShared(t *testing.T) {
	c := newCast(t)
	for _, tt := range []struct {
		a, b memory.Body
		want bool
	}{
		{belief("Take Port 9443"), belief("take port 9443 now"), true},
		{belief("take port 9443 now"), belief("Take Port 9443"), true},
		{belief("take port 9443"), belief("the port is 8080"), false},
		{belief("kafka"), belief("kafka"), false}, // a word alone
		{belief("a-b_c"), belief("a-b_c"), false},
		{&memory.Note{Type: "insight", Summary: "x y"}, &memory.Note{Type: "insight", Summary: "z u"}, false},
		{&memory.Playbook{Name: "p q", Steps: []string{"stop it now"}}, belief("stop it now"), true},
	} {
		if got := sharesText(c.write(c.agent, tt.a), c.write(c.agent, tt.b)); got != tt.want {
			t.Errorf("%+v and %+v: %v", tt.a, tt.b, got)
		}
	}
	if got := textsIn(&memory.Record{Bytes: []byte("{")}); !reflect.DeepEqual(got, []string{""}) {
		t.Errorf("what cannot be read has the texts %q", got)
	}
}

// A passage has three words for each that is sought, and at least 24: what stands further apart is not together.
func TestAPassageIsShort(t *testing.T) {
	for gap, want := range map[int]int{0: 2, 22: 2, 23: 1, 40: 1} {
		terms := append(append([]string{"port"}, slices.Repeat([]string{"x"}, gap)...), "nine")
		if got := len(inPassage(terms, map[string]bool{"port": true, "nine": true})); got != want {
			t.Errorf("%d words between: %d together, want %d", gap, got, want)
		}
	}
	wanted := map[string]bool{}
	var terms []string
	for i := range 10 {
		wanted[fmt.Sprint("w", i)] = true
		terms = append(append(terms, fmt.Sprint("w", i)), "x", "x")
	}
	if got := len(inPassage(terms, wanted)); got != 10 {
		t.Errorf("ten words in thirty: %d together", got)
	}
	if got := len(inPassage(append(slices.Repeat([]string{"x"}, 4), terms...), wanted)); got != 10 {
		t.Errorf("ten words behind others: %d together", got)
	}
	twice := append(append([]string{"port", "port"}, slices.Repeat([]string{"x"}, 22)...), "nine")
	if got := len(inPassage(twice, map[string]bool{"port": true, "nine": true})); got != 2 {
		t.Errorf("the second of two is forgotten: %d together", got)
	}
}

func TestWhatDirectsAnAgent(t *testing.T) {
	c := newCast(t)
	for _, tt := range []struct {
		b           memory.Body
		directs, is bool
	}{
		{note("constraint"), true, true}, {note("preference"), true, false}, {note("convention"), true, false},
		{note("insight"), false, false}, {&memory.Value{Name: "x"}, true, true}, {&memory.Goal{Title: "x"}, false, true},
		{&memory.Drive{Type: "x", Intensity: 500}, true, true}, {&memory.Playbook{Name: "x", Steps: []string{"y"}}, true,
			false},
		{belief("x"), false, false},
	} {
		r := c.write(c.agent, tt.b)
		if got := Directs(r); got != tt.directs {
			t.Errorf("%T directs: %v", tt.b, got)
		}
		if got := binds(r); got != tt.is {
			t.Errorf("%T binds: %v", tt.b, got)
		}
	}
	for over, want := range map[string]string{heldUntil + "2026-01-02": "2026-01-02", "holds from 2026-01-02": "",
		"": ""} {
		if got := (&Rating{Over: over}).Ended(); got != want {
			t.Errorf("%q ended %q, want %q", over, got, want)
		}
	}
}

// What no one vouches for is not read behind.
func TestWhatMayCount(t *testing.T) {
	c := newCast(t)
	for what, tt := range map[string]struct {
		it   *store.Item
		want bool
	}{
		"the reader's": {c.holds(c.owner, belief("x")), true},
		"an agent's":   {c.holds(c.agent, belief("x")), true},
		"a friend's":   {c.holds(c.friend, belief("x")), false},
		"approved":     {approved(c.holds(c.friend, belief("x")), c.unknown), true},
		"confirmed":    {&store.Item{Record: c.write(c.friend, belief("x")), State: state.State{Confirms: 1}}, true},
		"dated ahead": {&store.Item{Record: c.write(c.friend, belief("x")), State: state.State{Due: memory.At(noon)}},
			true},
		"only disputed": {&store.Item{Record: c.write(c.friend, belief("x")), State: state.State{Disputes: 1}}, false},
	} {
		if got := c.vouched(tt.it); got != tt.want {
			t.Errorf("%s: %v", what, got)
		}
	}
	one, two := c.holds(c.agent, belief("x")), approved(c.holds(c.agent, belief("y")), c.unknown)
	rated := c.rateAll([]*store.Item{one, nil, two, {}, one})
	if len(rated) != 2 || one.Tier == nil || two.State.Review != state.ReviewPending {
		t.Errorf("%d ratings; tier %v, review %q", len(rated), one.Tier, two.State.Review)
	}
	if got := beyond(c.write(c.agent, &memory.Note{Type: "insight", Summary: "x",
		Body: "more"})); !strings.Contains(got, "more") {
		t.Errorf("beyond its headline it says %q", got)
	}
	if got := beyond(c.write(c.agent, belief("x"))); got != "" {
		t.Errorf("beyond its headline it says %q", got)
	}
}

// What nothing may lift is held: the word of an unknown key that no one else confirms, and what is in doubt.
func TestScoresAreHeld(t *testing.T) {
	for what, tt := range map[string]struct {
		signature score.Signature
		voices    int
		doubt     store.Doubt
		is, want  score.Level
	}{
		"a known key":                   {score.Valid, 0, "", score.Attested, score.Attested},
		"an unknown key":                {score.UnknownKey, 0, "", score.Attested, score.Unverified},
		"an unknown key, with anchors":  {score.UnknownKey, 0, "", score.Anchored, score.Unverified},
		"an unknown key, confirmed":     {score.UnknownKey, 1, "", score.Attested, score.Attested},
		"an unknown key, and no more":   {score.UnknownKey, 0, "", score.Unverified, score.Unverified},
		"a known key, of a lost part":   {score.Valid, 1, store.Withheld, score.Attested, score.Unverified},
		"what is forged":                {score.Valid, 1, store.Forged, score.Attested, score.Rejected},
		"what is forged, and says less": {score.Valid, 0, store.Forged, score.Unverified, score.Rejected},
	} {
		c := newCast(t)
		out := &Rating{Doubt: tt.doubt, Facts: score.Facts{Signature: tt.signature}, approved: true}
		out.ConfirmVoices, out.Level, out.State.Review = tt.voices, tt.is, state.ReviewApproved
		(&scoring{}).hold(c.holds(c.friend, belief(port)), out)
		lifted := tt.doubt == ""
		if out.Level != tt.want || out.approved != lifted || (out.State.Review == state.ReviewApproved) != lifted {
			t.Errorf("%s: %s, approved %v, %s; want %s", what, out.Level, out.approved, out.State.Review, tt.want)
		}
	}
}

// Sources that share an ancestor, a page or a session are of one origin, also where that is behind them.
func TestSourcesOfOneOrigin(t *testing.T) {
	in := func(session string) func(*memory.Header) { return func(h *memory.Header) { h.Session = session } }
	page := func(url string) func(*memory.Header) {
		return func(h *memory.Header) { h.Provenance.Context = core.ContextOutside + url }
	}
	cites := func(url string) func(*memory.Header) {
		return func(h *memory.Header) { h.Provenance.Evidence = []memory.Evidence{{Type: "url", Reference: url}} }
	}
	c := newCast(t)
	raw := func(change ...func(*memory.Header)) *store.Item { return c.holds(c.owner, captured("x"), change...) }
	shared := raw()
	one, two := c.holds(c.agent, belief("a"), from(shared)), c.holds(c.agent, belief("b"), from(shared, raw()))
	for _, tt := range []struct {
		name string
		of   []*store.Item
		want Support
	}{
		{"two apart", []*store.Item{raw(), raw()}, Support{2, 2}},
		{"one session", []*store.Item{raw(in("s")), raw(in("s"))}, Support{2, 1}},
		{"two sessions", []*store.Item{raw(in("s")), raw(in("u"))}, Support{2, 2}},
		{"one page", []*store.Item{raw(page("wiki")), raw(page("wiki"))}, Support{2, 1}},
		{"a page and who cites it", []*store.Item{raw(page("https://a/b")), raw(cites("https://a/b"))}, Support{2, 1}},
		{"two pages", []*store.Item{raw(page("wiki")), raw(page("forum"))}, Support{2, 2}},
		{"one ancestor", []*store.Item{one, two}, Support{2, 1}},
		{"an ancestor and what was made of it", []*store.Item{shared, one}, Support{2, 1}},
		{"a chain of three", []*store.Item{
			raw(in("1"), page("p")), raw(in("1"), page("q")), raw(in("2"), page("q")),
		}, Support{3, 1}},
		{"one beside two of one", []*store.Item{raw(), raw(in("s")), raw(in("s"))}, Support{3, 2}},
	} {
		r := c.write(c.agent, belief("it"), from(tt.of...))
		if got := c.support(r, nil); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	fallen := raw(in("s"))
	r := c.write(c.agent, belief("it"), from(raw(in("s")), fallen, raw()))
	if got := c.support(r, map[memory.ID]string{fallen.Ref.ID: "rejected"}); got != (Support{2, 2}) {
		t.Errorf("one of them fell: %+v, want 2 sources of 2 origins", got)
	}
	if got := (SourceWords(r, &Rating{Support: Support{3, 1}})); got != "3 raws, 1 origin" {
		t.Errorf("in words: %q", got)
	}
}
