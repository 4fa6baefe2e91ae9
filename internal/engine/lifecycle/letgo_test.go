package lifecycle_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// servicePort says of a service which port it has.
func servicePort(service string, port int) string {
	return fmt.Sprintf("The %s service listens on port %d.", service, port)
}

// proposal has an agent say one port and then another, and returns the link between them.
func proposal(t testing.TB, first, then *engine.Engine, service string) string {
	t.Helper()
	remember(t, first, servicePort(service, 8080))
	r := remember(t, then, servicePort(service, 9090))
	if len(r.Links) != 1 {
		t.Fatalf("of two ports of %s: %d links", service, len(r.Links))
	}
	return r.Links[0].Ref
}

// links returns what all conflicts say of each link.
func links(t testing.TB, e *engine.Engine) map[string]api.LinkView {
	t.Helper()
	r, err := e.Conflicts(t.Context(), api.OpenRequest{All: true, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]api.LinkView)
	for _, l := range r.Conflicts {
		out[l.Ref] = l
	}
	return out
}

// sessionsPass has sessions write one fact each.
func sessionsPass(t testing.TB, p *people, from, to int) {
	t.Helper()
	for i := from; i <= to; i++ {
		remember(t, p.In(fmt.Sprintf("s%d", i)), fmt.Sprintf("Locker %d in the cellar holds %d umbrellas.", i, 3*i+1))
	}
}

// A proposal of a rule between agents' own memories ends when it was not settled within ten sessions in which something
// was written; what touches a person's words stays. It can be seen, and taken back once and for all.
func TestProposalsThatNobodyTookUpAreLetGo(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	s0 := p.In("s0")
	own := proposal(t, s0, s0, "billing")
	said := proposal(t, p.Owner, s0, "harbour")
	approved := proposal(t, s0, s0, "atlas")
	approve(t, p.Owner, links(t, s0)[approved].Old.Ref)
	remember(t, s0, "The tower has a clock.") // the session that made it does not count
	sessionsPass(t, p, 1, 10)
	remember(t, p.In("s10"), "The tower has a bell.")
	if _, err := p.In("reads").Load(ctx, api.LoadRequest{}); err != nil { // no reading ends anything
		t.Fatal(err)
	}
	at := memory.At(p.Now()).String()
	if l := links(t, s0)[own]; l.State != "open" && l.State != "proposed" || l.For != "agent" {
		t.Fatalf("after ten sessions it is %s for %q: the tenth may still take it up", l.State, l.For)
	}
	marked := func() bool {
		return slices.ContainsFunc(search(t, s0, api.SearchRequest{Query: "billing service port"}).Results,
			func(r api.Result) bool { return strings.Contains(r.Text, "billing") && len(r.Undecided) > 0 })
	}
	if !marked() {
		t.Error("what is undecided is not marked")
	}
	sessionsPass(t, p, 11, 11)
	all := links(t, p.Owner)
	if l := all[own]; l.State != "let_go" || l.Ended != "not settled within ten sessions" {
		t.Errorf("in the eleventh session it is %s, %q", l.State, l.Ended)
	}
	for _, ref := range []string{said, approved} {
		if l := all[ref]; l.State != "open" && l.State != "proposed" || l.For != "" {
			t.Errorf("what touches a person's words is %s for %q", l.State, l.For)
		}
	}
	if marked() {
		t.Error("what was let go is marked")
	}
	got := search(t, s0, api.SearchRequest{Query: "which port has the billing service"})
	if got.Results[0].Ref != all[own].New.Ref {
		t.Errorf("what was said last is not first: %v", order(got))
	}
	before, err := p.Owner.Search(ctx, api.SearchRequest{Query: "billing service port", AsOf: at})
	if err != nil || !slices.ContainsFunc(before.Results, func(r api.Result) bool { return len(r.Undecided) > 0 }) {
		t.Errorf("as of a time before it is not undecided: %v", err)
	}
	st, err := p.Owner.Status(ctx, api.Nothing{})
	if err != nil || st.Proposals["let_go"] != 1 || st.Proposals["for_agent"] != 0 || st.Proposals["for_person"] == 0 {
		t.Errorf("%v, %+v", err, st.Proposals)
	}
	rv, err := p.Owner.Review(ctx, api.KindRequest{})
	if err != nil || !maps.Equal(rv.Proposals, st.Proposals) {
		t.Errorf("%v: review counts %+v, status %+v", err, rv.Proposals, st.Proposals)
	}
	tr, err := p.Owner.Trace(ctx, api.TraceRequest{Ref: all[own].New.Ref})
	if err != nil || !strings.Contains(fmt.Sprintf("%+v", tr), "let_go") {
		t.Errorf("%v: a trace does not say that it was let go: %+v", err, tr)
	}

	// the last act of an agent is what it wrote; what was let go is named
	u, err := p.In("s11").Undo(ctx, api.UndoRequest{DryRun: true})
	if err != nil || slices.Contains(u.Of, own) {
		t.Errorf("%v: undo takes back %+v", err, u)
	}
	if u, err = p.In("s11").Undo(ctx, api.UndoRequest{Ref: own}); err != nil || len(u.Claims) != 1 {
		t.Fatalf("%v, %+v", err, u)
	}
	if l := links(t, s0)[own]; l.State != "open" && l.State != "proposed" {
		t.Errorf("taken back it is %s", l.State)
	}
	sessionsPass(t, p, 12, 24)
	if l := links(t, s0)[own]; l.State != "open" && l.State != "proposed" {
		t.Errorf("it was let go again: %s", l.State)
	}
}

// Records say how many sessions passed: each store that has them counts the same, in whatever order they came. What one
// store let go is let go where its records come.
func TestEachStoreLetsTheSameGo(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	s0 := p.In("s0")
	own := proposal(t, s0, s0, "billing")
	sessionsPass(t, p, 1, 10)
	var early, late bytes.Buffer
	if _, err := p.Owner.Export(ctx, &early, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	sessionsPass(t, p, 11, 11)
	if _, err := p.Owner.Export(ctx, &late, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(early.String()), "\n")
	slices.Reverse(lines[1:])
	other := func(bundle string) *people {
		q := &people{Clock: p.Clock, T: t, Path: t.TempDir() + "/memory.db", Config: p.Config}
		q.Owner, q.Agent = q.As(memory.OriginOwner), q.As(memory.OriginAgent)
		if _, err := q.Owner.Import(ctx, strings.NewReader(bundle), nil); err != nil {
			t.Fatal(err)
		}
		return q
	}
	q := other(strings.Join(lines, "\n") + "\n")
	if l := links(t, q.Owner)[own]; l.State == "let_go" || l.State == "" {
		t.Fatalf("in the other store it is %q", l.State)
	}
	sessionsPass(t, q, 12, 12)
	if l := links(t, q.Owner)[own]; l.State != "let_go" {
		t.Errorf("the other store did not let it go: %s", l.State)
	}
	if l := links(t, other(late.String()).Owner)[own]; l.State != "let_go" || l.Ended == "" {
		t.Errorf("where the records came it is %s", l.State)
	}
}

// Programs that begin a session at once let a proposal go once.
func TestProgramsLetAProposalGoOnce(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	s0 := p.In("s0")
	var own []string
	for _, s := range []string{"billing", "harbour", "atlas"} {
		own = append(own, proposal(t, s0, s0, s))
	}
	sessionsPass(t, p, 1, 10)
	var wg sync.WaitGroup
	for i := range 6 {
		e := p.In(fmt.Sprintf("at once %d", i))
		wg.Go(func() {
			_, err := e.Remember(ctx, api.RememberRequest{Text: fmt.Sprintf("Shelf %d holds %d maps.", i, i+4)})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	sessionsPass(t, p, 12, 12)
	for _, ref := range own {
		if l := links(t, p.Owner)[ref]; l.State != "let_go" {
			t.Errorf("%s is %s", ref, l.State)
		}
		u, err := p.Owner.Undo(ctx, api.UndoRequest{Ref: ref, DryRun: true})
		if err != nil || len(u.Undone) != 1 {
			t.Errorf("%v: %d marks let one proposal go", err, len(u.Undone))
		}
	}
}

// A session begins with at most three pairs that are undecided between agents' own memories, the oldest first, and how
// to settle one; what touches a person's words is put to the person.
func TestASessionBeginsWithThreeUndecidedPairs(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	s0 := p.In("s0")
	proposal(t, p.Owner, s0, "harbour")
	for _, s := range []string{"billing", "atlas", "heron", "kestrel", "merlin"} {
		proposal(t, s0, s0, s)
	}
	begin := func(budget int) string {
		made, err := p.In("s1").Load(t.Context(), api.LoadRequest{Budget: budget})
		if err != nil {
			t.Fatal(err)
		}
		text, err := made.Render("text", false)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	part := func(text, title string) string {
		_, rest, ok := strings.Cut(text, title)
		if !ok {
			return ""
		}
		rest, _, _ = strings.Cut(rest, "\n\n")
		return rest
	}
	text := begin(2000)
	asked := part(text, "Settle or ask (`correct OLD by NEW`")
	at := -1
	for _, s := range []string{"billing", "atlas", "heron"} {
		i := strings.Index(asked, "The "+s+" service")
		if i <= at {
			t.Errorf("%s stands at %d, after %d", s, i, at)
		}
		at = i
	}
	if strings.Contains(asked, "kestrel") || strings.Contains(asked, "harbour") || strings.Count(asked, "link:") > 3 {
		t.Errorf("more is asked:\n%s", asked)
	}
	if mine := part(text, "Open conflicts"); strings.Contains(mine, "billing") {
		t.Errorf("a person is asked about agents' own memories:\n%s", mine)
	}
	if t.Failed() {
		t.Log(text)
	}

	// a short start keeps what binds and what was decided
	for i := range 5 {
		write(t, p.Owner, api.AddRequest{Draft: api.Draft{
			Kind: "note", Type: "decision", Text: fmt.Sprintf("Tower %d is built of stone", i),
		}, Meta: api.Meta{Approve: true}})
		write(t, p.Owner, api.AddRequest{Draft: api.Draft{
			Kind: "note", Type: "constraint", Text: fmt.Sprintf("Never open gate %d at night", i),
		}, Meta: api.Meta{Approve: true}})
	}
	short := begin(800)
	for i := range 5 {
		for _, s := range []string{fmt.Sprintf("Never open gate %d at night", i), fmt.Sprintf("Tower %d is built", i)} {
			at := strings.Index(short, s)
			if pairs := strings.Index(short, "Settle or ask"); at < 0 || pairs >= 0 && pairs < at {
				t.Errorf("a short start has %q at %d, what is undecided at %d:\n%s", s, at, pairs, short)
			}
		}
	}
}
