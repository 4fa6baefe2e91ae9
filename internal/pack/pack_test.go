package pack

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestWhatFitsWithoutSayingWhatIsLeftOutIsShownWhole(t *testing.T) {
	const spare = 8 // tokens: pieces weigh a little more than the whole
	tried := 0
	stores(40, func(seed uint64, r *rand.Rand, req Request) {
		req.Budget, req.Omitted = MaxBudget, nil
		for _, f := range formats {
			all := build(t, req).Page(f)
			if len(all.Left) > 0 || all.Used+spare < MinBudget {
				continue
			}
			tried++
			req.Budget = all.Used + spare + all.Used/50
			if got := build(t, req).Page(f); len(got.Left) > 0 {
				t.Fatalf("seed %d, %s: %v left out at %d tokens, though all takes %d", seed, f, got.Left, req.Budget, all.Used)
			}
			req.Budget = MaxBudget
		}
	})
	if tried < 10 {
		t.Fatalf("only %d packs held everything", tried)
	}
}

func TestTheOrderOfEntriesDoesNotMatter(t *testing.T) {
	stores(12, func(seed uint64, r *rand.Rand, req Request) {
		req.Budget = 100 + r.IntN(3000)
		seen := map[string]bool{} // of two with one ref, which is the duplicate depends on what else they hold
		req.Entries = slices.DeleteFunc(
			req.Entries, func(e Entry) bool { was := seen[e.Ref]; seen[e.Ref] = true; return was },
		)
		first := build(t, req)
		r.Shuffle(len(req.Entries), func(i, j int) { req.Entries[i], req.Entries[j] = req.Entries[j], req.Entries[i] })
		second := build(t, req)
		for _, f := range formats {
			if got, want := second.Render(f), first.Render(f); !bytes.Equal(got, want) {
				t.Fatalf("seed %d, %s:\n%s\nwant\n%s", seed, f, got, want)
			}
		}
	})
}

func TestSectionsKeepTheirOrder(t *testing.T) {
	stores(40, func(seed uint64, r *rand.Rand, req Request) {
		for i := range req.Entries {
			req.Entries[i].Ref = fmt.Sprint("note:", i)
		}
		req.Level = Deep
		p := build(t, req)
		for _, f := range formats {
			body, last := string(p.Render(f)), -1
			for _, s := range req.Layout.Sections {
				title := "\n" + s.Title + ":\n"
				switch {
				case f == JSON:
					title = `{"name":"` + s.Name + `"`
				case f == Markdown:
					title = "\n### " + s.Emoji + " " + s.Title + "\n"
				case req.Fancy:
					title = "\n" + s.Emoji + " " + s.Title + ":\n"
				}
				at := strings.Index(body, title)
				if at >= 0 && at < last {
					t.Fatalf("seed %d, %s: %s stands too early\n%s", seed, f, s.Title, body)
				}
				if at < 0 && slices.ContainsFunc(req.Entries, func(e Entry) bool { return e.Section == s.Name }) &&
					len(req.Entries) < 10 {
					t.Fatalf("seed %d, %s: no %s\n%s", seed, f, s.Title, body)
				}
				last = max(last, at)
			}
		}
	})
}

func TestPriorityComesBeforeScore(t *testing.T) {
	p := build(t, Request{Entries: []Entry{
		{Ref: "note:1", Section: "needs", Text: "changed decision", Priority: 1, Score: 1},
		{Ref: "note:2", Section: "needs", Text: "deleted constraint", Priority: 4, Score: 0},
		{Ref: "note:3", Section: "needs", Text: "deleted decision", Priority: 3, Score: .5},
	}})
	got := p.Page(Text).Shown
	if want := []string{"note:2", "note:3", "note:1"}; !slices.Equal(got, want) {
		t.Errorf("shown %v, want %v", got, want)
	}
}

func TestNoSectionStarvesAnother(t *testing.T) {
	var req Request
	for _, s := range Context.Sections {
		for i := range 100 {
			score := .1
			if s.Name == "unverified" {
				score = 1
			}
			req.Entries = append(req.Entries, Entry{Ref: fmt.Sprintf("note:%s%d", s.Name, i), Section: s.Name, Score: score,
				Text: "always run the tests of a package before committing a change to it"})
		}
	}
	for _, level := range []Level{Minimal, Task, Deep} {
		req.Level = level
		for _, f := range formats {
			page := build(t, req).Page(f)
			for _, s := range Context.Sections {
				if s.Late || level == Minimal && (s.Share < 15 || f == JSON && s.Share > 20) {
					continue // it has no room for one of each
				}
				if !slices.ContainsFunc(page.Shown, func(ref string) bool { return strings.HasPrefix(ref, "note:"+s.Name) }) {
					t.Errorf("%s, %s: nothing of %s", level, f, s.Name)
				}
			}
			if free := level.Tokens() - page.Used; free > max(80, level.Tokens()*6/100) { // pieces take less side by side
				t.Errorf("%s, %s: %d tokens are not used", level, f, free)
			}
		}
	}
}

// What is late takes no place from what binds, nor from what answers best.
func TestWhatIsLateTakesNoPlace(t *testing.T) {
	late := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		req := Request{Query: "a question", Asked: []string{"question"}}
		for i := range 40 {
			s := Context.Sections[r.IntN(len(Context.Sections))]
			req.Entries = append(req.Entries, Entry{
				Ref: fmt.Sprintf("note:%s%d", s.Name, i), Section: s.Name, Score: r.Float64(), Firm: r.IntN(4) == 0,
				Text: strings.Repeat("some words of a memory that are not short. ", 1+r.IntN(3)),
			})
		}
		others := req
		others.Entries = slices.DeleteFunc(slices.Clone(req.Entries), func(e Entry) bool { return e.Section == "perhaps" })
		best := slices.Clone(others.Entries)
		slices.SortStableFunc(best, func(a, b Entry) int { return cmp.Compare(b.Score, a.Score) })
		for _, budget := range []int{100, 150, 200, 300, 500, 800, 1200} {
			req.Budget, others.Budget = budget, budget
			for _, f := range formats {
				got, want := build(t, req).Page(f), build(t, others).Page(f)
				for _, ref := range want.Shown {
					binds := strings.HasPrefix(ref, "note:constraints")
					answers := slices.ContainsFunc(best[:firsts], func(e Entry) bool { return e.Ref == ref })
					if (binds || answers) && !slices.Contains(got.Shown, ref) {
						t.Errorf("seed %d, %d, %s: %s is not shown: %v, without what is late %v", seed, budget, f, ref,
							got.Shown, want.Shown)
					}
				}
				if slices.ContainsFunc(got.Shown, func(ref string) bool { return strings.HasPrefix(ref, "note:perhaps") }) {
					late++
				}
			}
		}
	}
	if late < 50 {
		t.Errorf("what is late was shown %d times: too few to prove anything", late)
	}
}

func TestConstraintsThatDoNotFitAreAnnouncedWithABudgetThatHoldsThem(t *testing.T) {
	req := Request{Query: "release", Budget: 200}
	for i := range 30 {
		req.Entries = append(req.Entries, Entry{Ref: fmt.Sprintf("note:%08x", i), Section: "constraints", Tier: "observed",
			Text: strings.Repeat("never release on a Friday without asking the one on call first; ", 3)})
	}
	for _, f := range formats {
		req.Budget = 200
		page := build(t, req).Page(f)
		if page.Used > 200 || len(page.Shown) == 0 || len(page.Left) != 1 {
			t.Fatalf("%s: %d tokens, %d shown, left %v", f, page.Used, len(page.Shown), page.Left)
		}
		left := page.Left[0]
		if want := 30 - len(page.Shown); left.Count != want || left.Needs == 0 {
			t.Errorf("%s: left out %+v, want %d and a budget", f, left, want)
		}
		said := fmt.Sprintf("%d more did not fit: raise", left.Count)
		if f == JSON {
			said = `"needs_budget":` + strconv.Itoa(left.Needs)
		}
		if !strings.Contains(string(page.Body), said) {
			t.Errorf("%s: %q is not said:\n%s", f, said, page.Body)
		}
		req.Budget = left.Needs
		if got := len(build(t, req).Page(f).Shown); got != 30 {
			t.Errorf("%s: %d of 30 shown at the budget of %d that was said to hold them", f, got, left.Needs)
		}
	}
}

func TestTheBestEntryIsShownHoweverSmallTheBudget(t *testing.T) {
	long := strings.Repeat("a very long constraint about the release ", 50)
	for _, f := range formats {
		for _, query := range []string{"", long, strings.Repeat("数", 300)} {
			req := Request{Budget: MinBudget, Query: query, Entries: []Entry{
				{Ref: "note:3f9a22c1", Section: "constraints", Text: long, Path: long, Why: long, At: "2026-11-02"},
				{Ref: "note:4f9a22c1", Section: "verified", Text: long, Tier: "grounded"},
			}}
			for _, s := range Context.Sections {
				req.Omitted = append(req.Omitted, Omission{s.Name, "not approved", 5, 0}, Omission{s.Name, "hidden", 7, 0})
			}
			page := build(t, req).Page(f)
			if page.Used > MinBudget || !slices.Contains(page.Shown, "note:3f9a22c1") {
				t.Errorf("%s: %d tokens, shown %v\n%s", f, page.Used, page.Shown, page.Body)
			}
			if got, want := leftIn(t, f, page.Body), 12*len(Context.Sections)+1; got != want {
				t.Errorf("%s: %d left out, want %d\n%s", f, got, want, page.Body)
			}
		}
	}
}

func TestWrongWeightsDoNotBreakTheBudget(t *testing.T) {
	var req Request
	for i := range 50 {
		req.Entries = append(
			req.Entries, Entry{Ref: fmt.Sprint("note:", i), Section: "verified", Text: strings.Join(some, " ")},
		)
	}
	req.Budget = 400
	p := build(t, req)
	c := newChooser(p, p.form(Text))
	for i := range c.entries {
		c.make(i).turns[0].weighs = true // as if they took no tokens
	}
	s := c.choose(400)
	body, used := c.print(&s)
	if used > 400 || used != Estimate(string(body)) || len(c.left(&s)) == 0 {
		t.Errorf("%d tokens used of 400, left %v", used, c.left(&s))
	}
}

func TestBuildRefuses(t *testing.T) {
	tests := []struct {
		req  Request
		want string
	}{
		{Request{Budget: 99}, "pack: budget of 99 tokens: from 100 to 50000"},
		{Request{Budget: 50001}, "pack: budget of 50001 tokens: from 100 to 50000"},
		{Request{Budget: -1}, "pack: budget of -1 tokens: from 100 to 50000"},
		{Request{Level: "all"}, `pack: no level "all": minimal, task or deep`},
		{Request{Entries: []Entry{{Ref: "note:1", Section: "facts"}}}, `pack: note:1: no section "facts"`},
		{Request{Omitted: []Omission{{Section: "needs", Reason: "hidden", Count: -1}}}, `pack: -1 left out of "needs"`},
	}
	for _, tt := range tests {
		if _, err := Build(tt.req); err == nil || err.Error() != tt.want {
			t.Errorf("Build: %v, want %s", err, tt.want)
		}
	}
}
