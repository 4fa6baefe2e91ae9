package recall_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/memory"
)

// scripts are words in many scripts, and some that are hard on a budget.
var scripts = strings.Fields(`the store keeps a record of each decision and its reason river bridge harbour release ` +
	`deploy
	handleUserInput ERR_CONN_RESET v1.2.3 3f9a22c1d8e0f00dbeef aGVsbG8gd29ybGQgdGhpcyBpcw== https://example.org/a?b=c&d=%20
	数据库迁移前先备份 日本語のテキスト 안녕하세요 Бюджет مرحبا नमस्ते สวัสดี 🚫🔥 👩‍👩‍👧 "quoted" </memory> <tag> a|b [link](x) ** 1234567890123
	` + "`code` \u202eabc e\u0301e\u0301 supercalifragilisticexpialidocious")

// phrase is some of these words.
func phrase(r *rand.Rand, most int) string {
	out := make([]string, 1+r.IntN(most))
	for i := range out {
		out[i] = scripts[r.IntN(len(scripts))]
	}
	return strings.Join(out, " ")
}

// populate writes n memories of any kind, tier, length and script, as the owner
// and as an agent.
func populate(t *testing.T, r *rand.Rand, p *people, n int) {
	t.Helper()
	kinds := []string{"episode", "note", "belief", "value", "goal", "drive", "relationship", "playbook"}
	types := []string{"constraint", "constraint", "decision", "insight", "known_fix"}
	var raws []string
	for range n {
		e := p.Owner
		if r.IntN(3) == 0 {
			e = p.Agent
		}
		text := phrase(r, []int{3, 12, 12, 60, 400}[r.IntN(5)])
		if r.IntN(4) == 0 {
			raws = append(raws, capture(t, e, text))
			continue
		}
		in := api.AddRequest{Draft: api.Draft{Kind: kinds[r.IntN(len(kinds))], Text: text}}
		in.Approve = r.IntN(4) == 0 && e == p.Owner
		switch in.Kind {
		case "note":
			in.Type = types[r.IntN(len(types))]
		case "relationship":
			in.Text = phrase(r, 3)
			in.Description = text
		}
		if len(raws) > 0 && r.IntN(3) == 0 {
			in.From = []string{raws[r.IntN(len(raws))]}
		}
		w, err := e.Add(t.Context(), in)
		if err != nil {
			t.Fatalf("add %+v: %v", in, err)
		}
		switch r.IntN(20) {
		case 0:
			reject(t, p.Owner, "wrong", w.Ref)
		case 1:
			mark(t, p.Owner, memory.Forget, "old", w.Ref)
		case 2:
			mark(t, p.Owner, memory.Done, "", w.Ref)
		}
	}
}

// A store for two kinds of pack, each made of a question or of none.
type packed struct {
	what  string
	build func(level string, budget int) (api.ContextReply, error)
}

func packs(t *testing.T, e *engine.Engine, query string) []packed {
	return []packed{
		{what: fmt.Sprintf("context %q", query), build: func(level string, budget int) (api.ContextReply, error) {
			return e.Context(t.Context(), api.ContextRequest{Query: query, Level: level, Budget: budget})
		}},
		{what: "load", build: func(level string, budget int) (api.ContextReply, error) {
			return e.Load(t.Context(), api.LoadRequest{Level: level, Budget: budget, Verbose: query != ""})
		}},
	}
}

// checkBudget looks at one pack in every format.
func checkBudget(t *testing.T, what string, r api.ContextReply, budget int) {
	t.Helper()
	for _, format := range []string{"text", "markdown"} { // json is the reply itself
		body, err := r.Render(format, budget%2 == 0) // with pictures, every other time
		if err != nil {
			t.Fatalf("%s, %s: %v", what, format, err)
		}
		if got := pack.Estimate(string(body)); got > budget {
			t.Errorf("%s, %s: %d tokens of %d", what, format, got, budget)
		}
	}
	body, err := r.MarshalJSON()
	size := pack.Estimate(string(body))
	if err != nil || size > budget {
		t.Errorf("%s, as a reply: %d tokens of %d, %v", what, size, budget, err)
	}
	p := readPage(t, r)
	if p.Budget != budget || p.Used > p.Budget || p.Used < size {
		t.Errorf("%s says %d of %d used, want %d of %d", what, p.Used, p.Budget, size, budget)
	}
	for _, o := range p.Omitted {
		if o.Reason == "" || o.Count < 1 {
			t.Errorf("%s leaves out %+v without a reason", what, o)
		}
	}
}

// levels are the named budgets.
var levels = []struct {
	name   string
	tokens int
}{{"minimal", 500}, {"task", 2000}, {"deep", 4000}}

// checkLevels asks that each level holds all of the one below it, and that none
// loses count of what there is.
func checkLevels(t *testing.T, in packed) {
	t.Helper()
	var before map[string][]string
	all := -1
	for _, l := range levels {
		r, err := in.build(l.name, 0)
		if err != nil {
			t.Fatalf("%s, %s: %v", in.what, l.name, err)
		}
		checkBudget(t, in.what+", "+l.name, r, l.tokens)
		p := readPage(t, r)
		has := p.Refs()
		for section, refs := range before {
			for _, ref := range refs {
				if !slices.Contains(has[section], ref) {
					t.Errorf("%s: %s lacks %s, which the level below it has", in.what, l.name, ref)
				}
			}
		}
		before = has
		shown, left := p.Count()
		if all >= 0 && shown+left != all {
			t.Errorf("%s: %s shows %d and leaves out %d, want %d together", in.what, l.name, shown, left, all)
		}
		all = shown + left
	}
}

// What a reply is as JSON is what it prints as json.
func TestRender(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	add(t, e, "belief", "the harbour is closed")
	r, err := e.Context(t.Context(), api.ContextRequest{Query: "harbour"})
	if err != nil {
		t.Fatal(err)
	}
	body, err := r.MarshalJSON()
	if printed, renderErr := r.Render("json", true); err != nil || renderErr != nil || string(printed) != string(body) {
		t.Errorf("printed %s, %v; the reply is %s, %v", printed, renderErr, body, err)
	}
	if _, err := r.Render("html", false); !isInvalid(err) {
		t.Errorf("as html: %v, want it invalid", err)
	}
}

// A budget too small for thirty constraints is kept, and says what it left out.
func TestManyConstraintsInASmallBudget(t *testing.T) {
	p := newPeople(t)
	for i := range 30 {
		in := api.AddRequest{Draft: api.Draft{
			Kind: "note", Type: "constraint", Text: fmt.Sprintf(
				"never do thing number %d without asking the one who is responsible for it", i,
			)}}
		in.Approve = true
		write(t, p.Owner, in)
	}
	for _, in := range packs(t, p.Agent, "thing") {
		r, err := in.build("", 200)
		if err != nil {
			t.Fatal(err)
		}
		checkBudget(t, in.what, r, 200)
		got := readPage(t, r)
		if shown, left := got.Count(); shown == 0 || shown+left != 30 || left == 0 {
			t.Errorf("%s shows %d and leaves out %d of 30", in.what, shown, left)
		}
		body, err := r.Render("text", false)
		if err != nil || !strings.Contains(string(body), "did not fit") && !strings.Contains(string(body), "left out") {
			t.Errorf("%s says nothing of what does not fit: %v\n%s", in.what, err, body)
		}
	}
}

// What a pack never shows: what is hidden, and goals that are done. A constraint that
// nobody approved is shown as any memory, and not as one.
func TestPacksLeaveOut(t *testing.T) {
	p := newPeople(t)
	note := func(e *engine.Engine, kind, text string, ok bool) string {
		in := api.AddRequest{Draft: api.Draft{Kind: "note", Type: kind, Text: text}}
		in.Approve = ok
		return write(t, e, in)
	}
	binding := note(p.Owner, "constraint", "never push to the harbour", true)
	waiting := note(p.Agent, "constraint", "never look at the harbour", false)
	idle := note(p.Agent, "constraint", "never paint a heron", false)
	decision := note(p.Owner, "decision", "the harbour is closed on Mondays", true)
	idea := note(p.Owner, "insight", "the harbour may be closed on Tuesdays", false)
	guess := note(p.Agent, "insight", "the harbour seems to be closed", false)
	rejected := note(p.Agent, "decision", "the harbour is always open", false)
	reject(t, p.Owner, "no", rejected)
	forgotten := note(p.Agent, "decision", "the harbour was opened by a mayor", false)
	mark(t, p.Owner, memory.Forget, "", forgotten)
	taken := note(p.Agent, "decision", "the harbour is made of cheese", false)
	mark(t, p.Owner, memory.Quarantine, "", taken)
	old := note(p.Owner, "decision", "the harbour has three piers", false)
	head := revise(t, p.Owner, old, "the harbour has four piers")
	goal, done := add(t, p.Owner, "goal", "see the harbour"), add(t, p.Owner, "goal", "see the river")
	mark(t, p.Owner, memory.Done, "", done)

	r, err := p.Agent.Context(t.Context(), api.ContextRequest{Query: "harbour"})
	if err != nil {
		t.Fatal(err)
	}
	got := readPage(t, r)
	want := map[string][]string{
		"constraints": {binding}, "goals": {goal}, "verified": {decision}, "observed": {idea, guess, head, waiting},
	}
	_ = idle
	for _, section := range slices.Sorted(maps.Keys(want)) {
		wantShort(t, "context: "+section, got.Refs()[section], want[section]...)
	}
	for _, name := range slices.Collect(maps.Keys(got.Refs())) {
		if want[name] == nil {
			t.Errorf("context has a section %s", name)
		}
	}
	if l, err := p.Agent.Load(t.Context(), api.LoadRequest{}); err != nil {
		t.Fatal(err)
	} else {
		page := readPage(t, l)
		wantShort(t, "load: constraints", page.Refs()["constraints"], binding)
		wantShort(t, "load: goals", page.Refs()["goals"], goal)
		for _, ref := range []string{idle, waiting} {
			if !slices.Contains(page.Refs()["decisions"], ref[:len("note:")+8]) {
				t.Errorf("load: a constraint that nobody approved binds nobody, and is known: %v", page.Refs()["decisions"])
			}
		}
		if _, left := page.Count(); left != 0 {
			t.Errorf("load leaves out %v", page.Omitted)
		}
	}
}

// A pack shows equals as a search does: the newest first.
func TestEqualsInPacksAreNewestFirst(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		var want []string
		for i := range 12 {
			ref := add(t, e, "belief", fmt.Sprintf("the harbour is closed on day %c", 'a'+i))
			want = append([]string{ref[:len("belief:")+8]}, want...)
		}
		for _, query := range []string{"harbour", ""} {
			r, err := e.Context(t.Context(), api.ContextRequest{Query: query})
			if err != nil {
				t.Fatal(err)
			}
			if got := readPage(t, r).Refs()["observed"]; !slices.Equal(got, want) {
				t.Errorf("context %q shows %v, want %v", query, got, want)
			}
		}
	})
}
