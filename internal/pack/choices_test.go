package pack

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/tokens"
)

// spoken is a text of some sentences.
func spoken(r *rand.Rand, most int) string {
	var b strings.Builder
	for range 1 + r.IntN(most) {
		s := phrase(r, 14)
		b.WriteString(strings.ToUpper(s[:1]) + s[1:] + []string{". ", "? ", "! ", "\n"}[r.IntN(4)])
	}
	return strings.TrimSpace(b.String())
}

// talked adds to a made-up store what a person decided, conversations, and a text that no budget holds.
func talked(r *rand.Rand, req Request) Request {
	req.Asked = strings.Fields("store decis reason databas test commit main fts5")[r.IntN(4):]
	if r.IntN(3) == 0 {
		req.Query = ""
	}
	if r.IntN(2) == 0 {
		req.Zone, req.Notice, req.Waits, req.Gathered = "UTC", phrase(r, 9), phrase(r, 9), "all"
	}
	for i := range req.Entries {
		req.Entries[i].Firm = r.IntN(6) == 0
		if r.IntN(3) == 0 {
			req.Entries[i].Text = spoken(r, 12)
		}
	}
	for i := range 1 + r.IntN(4) {
		e := Entry{Section: req.Layout.Sections[r.IntN(len(req.Layout.Sections))].Name, Kind: "raw", Score: r.Float64()}
		for j := range 1 + r.IntN(9) {
			e.Turns = append(e.Turns, Turn{
				Ref: fmt.Sprintf("raw:%02x%06x", i, j), By: []string{"user", "assistant"}[j%2], Text: spoken(r, 5),
				Hit: r.IntN(3) == 0, Person: j%2 == 0, Score: e.Score * r.Float64(),
			})
		}
		e.Turns[r.IntN(len(e.Turns))].Hit = true
		req.Entries = append(req.Entries, e)
	}
	if r.IntN(2) == 0 {
		req.Entries = append(req.Entries, Entry{
			Ref: "raw:ffffffff", Section: req.Layout.Sections[0].Name, Score: 1 + r.Float64(),
			Text: strings.ReplaceAll(spoken(r, 400), "\n", " "),
		})
	}
	return req
}

// What is chosen for a budget changes only where that is meant: of each made-up store, budget and format the file has
// the tokens used, how many records are shown and how many are left out, and a digest of the page. -update writes it
// again.
func TestWhatIsChosenDoesNotChangeUnnoticed(t *testing.T) {
	var b strings.Builder
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		req := talked(r, madeUp(r, []Layout{Context, Load}[seed%2]))
		for _, budget := range []int{100, 160, 300, 500, 1100, 2600} {
			req.Budget = budget
			for _, f := range []Format{Text, Markdown, JSON, Short, Lined} {
				page := build(t, req).Page(f)
				left := 0
				for _, o := range page.Left {
					left += o.Count
				}
				fmt.Fprintf(&b, "%d %d %s: %d, %d shown, %d left, %x\n", seed, budget, f, page.Used, len(page.Shown), left,
					sha256.Sum256(append(page.Body, strings.Join(page.Shown, " ")...)))
			}
		}
	}
	asked := strings.Fields("store decis reason databas test")
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 8))
		text := spoken(r, 1+r.IntN(60))
		if seed%3 == 0 { // one long piece
			text = strings.NewReplacer(".", "", "?", "", "!", "", "\n", " ").Replace(strings.Repeat(text+" ", 1+r.IntN(30)))
		}
		for _, most := range []int{10, 30, 96, 300} {
			passage, of := Passage(text, asked[:1+r.IntN(5)], "", most)
			fmt.Fprintf(&b, "passage %d %d: %d bytes of %d words, %x\n", seed, most, len(passage), of,
				sha256.Sum256([]byte(passage)))
		}
	}
	got := shortDigests(b.String())
	name := filepath.Join("testdata", "choices.txt")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	had := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(had) || line != had[i] {
			t.Fatalf("%s:%d: %q, want %q", name, i+1, line, had[min(i, len(had)-1)])
		}
	}
}

// shortDigests keeps eight digits of the digest at the end of each line.
func shortDigests(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		line = strings.TrimSuffix(line, "\n")
		b.WriteString(line[:len(line)-56] + "\n")
	}
	return b.String()
}

// The shares of a layout are all of the room.
func TestSharesAreAllOfTheRoom(t *testing.T) {
	for _, l := range []Layout{Context, Load} {
		sum, loud := 0, ""
		for _, s := range l.Sections {
			sum += s.Share
			if s.Loud {
				loud += s.Name
			}
		}
		if sum != 100 || loud != "constraints" {
			t.Errorf("%s: the shares are %d percent, and %q are loud", l.Name, sum, loud)
		}
	}
	for level, want := range map[Level]int{Minimal: 500, Task: 2000, Deep: 4000, "": 2000, "other": 0} {
		if got := level.Tokens(); got != want {
			t.Errorf("%q has %d tokens, want %d", level, got, want)
		}
	}
	for budget, want := range map[int]bool{99: false, 100: true, 50_000: true, 50_001: false, -1: false, 0: true} {
		if _, err := Build(Request{Budget: budget}); (err == nil) != want {
			t.Errorf("a budget of %d: %v", budget, err)
		}
	}
	for _, req := range []Request{{Level: "other"}, {Entries: []Entry{{Section: "other"}}},
		{Omitted: []Omission{{Count: -1}}}} {
		if _, err := Build(req); err == nil {
			t.Errorf("%+v is built", req)
		}
	}
	for tier, want := range map[string]string{
		"grounded": "✅", "observed": "👁️", "inferred": "🤖", "hypothesis": "💭", "": "•", "other": "•",
	} {
		if got := tierMark(tier); got != want {
			t.Errorf("%q is marked %s, want %s", tier, got, want)
		}
	}
}

// What is over the budget all the same gives up words about what is missing first, and then the last entries.
func TestWhatIsGivenUpFirst(t *testing.T) {
	p := build(t, Request{Entries: []Entry{
		{Ref: "note:1", Section: "verified", Text: "one", Score: 2}, {Ref: "note:2", Section: "verified", Text: "two",
			Score: 1},
		{Ref: "note:3", Section: "unverified", Text: "three", Score: 3},
	}})
	c := newChooser(p, p.form(Text))
	s := c.choose(p.budget)
	var told []string
	for range 20 {
		shown := 0
		for _, v := range s.views {
			shown += len(v.turns)
		}
		told = append(told, fmt.Sprint(s.terse, " ", shown))
		if !c.shrink(&s) {
			break
		}
	}
	var want []string
	for terse := range terseness {
		want = append(want, fmt.Sprint(terse, " 3"))
	}
	for _, shown := range []int{2, 1, 0} {
		want = append(want, fmt.Sprint(terseness-1, " ", shown))
	}
	if got, want := strings.Join(told, ", "), strings.Join(want, ", "); got != want {
		t.Errorf("what is shown goes by %s, want %s", got, want)
	}
}

// What is made whole counts as often as it answers.
func TestWhatIsMadeWholeIsCounted(t *testing.T) {
	turn := func(n string, hit bool) Turn {
		return Turn{Ref: "raw:" + n, By: "user", Text: "the port of it is " + n, Hit: hit, Score: 1}
	}
	p := build(t, Request{Query: "port", Entries: []Entry{
		{Section: "verified", Kind: "raw", Score: 1, Turns: []Turn{turn("1", true), turn("2", false), turn("3", true)}},
	}})
	c := newChooser(p, p.form(Text))
	sec := slices.IndexFunc(c.order, func(of []int) bool { return len(of) > 0 })
	for what, do := range map[string]func(s *selection){
		"deepened": func(s *selection) { c.deepen(s, 2000, 2000, 1) },
		"extended": func(s *selection) { c.extend(s, sec, 0, 2000); c.recount(s, sec) },
	} {
		s := selection{
			views: make([]view, 1), weight: make([]tokens.Cost, 1), count: make([]int, len(c.order)),
			sum: make([]tokens.Cost, len(c.order)), needs: make([]int, len(c.order)),
		}
		if !c.add(&s, sec, c.hits[sec][0], 2000, 2000) || s.count[sec] != 1 {
			t.Fatalf("one turn is not shown, or counts %d", s.count[sec])
		}
		if do(&s); len(s.views[0].turns) != 3 || s.count[sec] != 2 {
			t.Errorf("%s: %d turns are shown, of which %d answer, want 3 and 2", what, len(s.views[0].turns), s.count[sec])
		}
	}
}
