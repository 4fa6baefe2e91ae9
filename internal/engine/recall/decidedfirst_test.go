package recall_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// readings returns the answers to a question in the order in which each reading gives them, by the name of the
// reading: each a text in which refs are short.
func readings(t testing.TB, e *engine.Engine, query string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	line := func(r *api.Result) string { return short(r.Ref) + " [" + strings.Join(r.Marks, "; ") + "]\n" }
	for _, r := range search(t, e, api.SearchRequest{Query: query}).Results {
		out["search"] += line(&r)
	}
	recalled, err := e.Recall(t.Context(), api.RecallRequest{Query: query})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recalled.Results {
		out["recall"] += line(&r.Result)
	}
	pack, err := e.Context(t.Context(), api.ContextRequest{Query: query})
	if err != nil {
		t.Fatal(err)
	}
	load, err := e.Load(t.Context(), api.LoadRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]api.ContextReply{"context": pack, "load": load} {
		text, err := r.Render("text", false)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if !strings.Contains(line, "link:") { // of open conflicts
				out[name] += line + "\n"
			}
		}
	}
	return out
}

// firstOf asks each reading and wants one memory before another, which has a mark if it is given.
func firstOf(t testing.TB, e *engine.Engine, query, first, second, mark string) {
	t.Helper()
	for name, text := range readings(t, e, query) {
		a, b := placeOf(text, first), placeOf(text, second)
		if a < 0 || b >= 0 && b < a {
			t.Errorf("%s %q: %s is at line %d, %s at %d:\n%s", name, query, short(first), a, short(second), b, text)
		}
		if b >= 0 && !strings.Contains(strings.Split(text, "\n")[b], mark) {
			t.Errorf("%s %q: %s is not marked %q:\n%s", name, query, short(second), mark, text)
		}
		if name == "search" && b < 0 {
			t.Errorf("search %q: %s is missing:\n%s", query, short(second), text)
		}
	}
}

// placeOf returns the first line that is about a memory: one that names another in a mark is about that one.
func placeOf(text, ref string) int {
	for i, line := range strings.Split(text, "\n") {
		about, _, _ := strings.Cut(strings.ReplaceAll(line, short(ref)+";", short(ref)+"]"), ";")
		if strings.Contains(about, short(ref)) && !strings.Contains(about, " "+short(ref)) {
			return i
		}
	}
	return -1
}

// corrected is a fact of an agent that a person corrected and approved.
func corrected(t testing.TB, p *people, was, is string) (now string) {
	t.Helper()
	old := remember(t, p.Agent, was).Memories[0].Ref
	r, err := p.Owner.Correct(t.Context(), api.CorrectRequest{Ref: old, Text: is})
	if err != nil {
		t.Fatal(err)
	}
	approve(t, p.Owner, r.Ref)
	return r.Ref
}

// again are the ways in which an agent says something again.
var again = map[string]func(t testing.TB, p *people, text string) string{
	"remember": func(t testing.TB, p *people, text string) string { return remember(t, p.Agent, text).Memories[0].Ref },
	"belief":   func(t testing.TB, p *people, text string) string { return add(t, p.Agent, "belief", text) },
	"note": func(t testing.TB, p *people, text string) string {
		return write(t, p.Agent, api.AddRequest{Draft: api.Draft{Kind: "note", Type: "decision", Text: text}})
	},
	"promote": func(t testing.TB, p *people, text string) string {
		raw, err := p.Agent.Capture(t.Context(), api.CaptureRequest{Text: "Looked: " + text})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Agent.Promote(t.Context(), api.PromoteRequest{
			From: []string{raw.Ref}, Draft: api.Draft{Kind: "belief", Text: text},
		})
		if err != nil {
			t.Fatal(err)
		}
		return r.Ref
	},
	"consolidate": func(t testing.TB, p *people, text string) string {
		r, err := p.Agent.Consolidate(t.Context(), api.ConsolidateRequest{
			From:  []string{add(t, p.Agent, "episode", "Read a file"), add(t, p.Agent, "episode", "Ran a command")},
			Draft: api.Draft{Kind: "belief", Text: text},
		})
		if err != nil {
			t.Fatal(err)
		}
		return r.Ref
	},
	"capture": func(t testing.TB, p *people, text string) string {
		r, err := p.Agent.Capture(t.Context(), api.CaptureRequest{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return r.Ref
	},
}

// What a person decided stands first in every reading, however an agent says what it replaced.
func TestWhatAPersonDecidedStandsFirst(t *testing.T) {
	t.Parallel()
	for name, say := range again {
		for _, fact := range [][3]string{
			{"The staging port is 8080", "The staging port is 9090", "staging port"},
			{"Der Server steht in Köln", "Der Server steht in Bonn", "Server"},
		} {
			t.Run(name+" "+fact[2], func(t *testing.T) {
				p := newPeople(t)
				now := corrected(t, p, fact[0], fact[1])
				said := say(t, p, fact[0])
				for _, query := range []string{fact[2], fact[0]} {
					firstOf(t, p.Agent, query, now, said, "says what "+short(now)+" replaced")
				}
			})
		}
	}
}

// The same of what is three revisions back, was said before the person decided, and is said twice.
func TestWhatAPersonReplacedLongAgoStandsBelow(t *testing.T) {
	p := newPeople(t)
	twin := add(t, p.Agent, "note", "The staging port is 8080")
	now := corrected(t, p, "The staging port is 8080", "The staging port is 9090")
	for _, text := range []string{"The staging port is 9191", "The staging port is 9292"} {
		r, err := p.Owner.Correct(t.Context(), api.CorrectRequest{Ref: now, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		now = r.Ref
	}
	mark := "says what " + short(now) + " replaced"
	firstOf(t, p.Agent, "staging port 8080", now, twin, mark)
	firstOf(t, p.Agent, "staging port 8080", now, add(t, p.Agent, "belief", "The staging port is 8080"), mark)
	firstOf(t, p.Agent, "staging port 9090", now, add(t, p.Agent, "belief", "The staging port is 9090"), mark)
}

// What an agent says in other words is below what it contradicts, if a person decided that.
func TestAContradictionOfADecisionStandsBelow(t *testing.T) {
	for name, say := range again {
		if name == "capture" {
			continue // words alone are not compared
		}
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			now := corrected(t, p, "The staging port is 8080", "The staging port is 9090")
			said := say(t, p, "Staging listens on port 8080")
			for _, query := range []string{"staging port", "what listens on 8080"} {
				firstOf(t, p.Agent, query, now, said, "contradicts "+short(now))
			}
		})
	}
}

// Of twins of two kinds the one that a person approved is first.
func TestATwinOfADecisionStandsBelow(t *testing.T) {
	p := newPeople(t)
	note := write(t, p.Agent, api.AddRequest{Draft: api.Draft{Kind: "note", Type: "decision", Text: "Deploy with Kamal"}})
	approve(t, p.Owner, note)
	belief := add(t, p.Agent, "belief", "Deploy with Kamal")
	firstOf(t, p.Agent, "deploy with kamal", note, belief, "")
}

// What a person ended and an agent says again stands below the end.
func TestWhatAPersonEndedStandsBelow(t *testing.T) {
	for name, say := range again {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			old := remember(t, p.Agent, "The beta runs for partners").Memories[0].Ref
			ended, err := p.Owner.Correct(t.Context(), api.CorrectRequest{Ref: old, Is: "over"})
			if err != nil {
				t.Fatal(err)
			}
			p.At.Add(3600)
			said := say(t, p, "The beta runs for partners")
			found := search(t, p.Agent, api.SearchRequest{Query: "beta partners"})
			text := ""
			for _, r := range found.Results {
				text += short(r.Ref) + " [" + strings.Join(r.Marks, "; ") + "]\n"
			}
			if a, b := placeOf(text, ended.Ref), placeOf(text, said); a < 0 || b < a ||
				!strings.Contains(text, "says what "+short(ended.Ref)+" ended") {
				t.Errorf("%s", text)
			}
		})
	}
}

// What honest work does stands: an agent's newer word about what no person decided, a person's own newer word, and
// what a person approved last.
func TestWhatIsNewestStandsFirst(t *testing.T) {
	t.Parallel()
	t.Run("an agent about what an agent said", func(t *testing.T) {
		p := newPeople(t)
		old := remember(t, p.Agent, "The staging port is 8080").Memories[0].Ref
		now := remember(t, p.Agent, "The staging port is now 9090").Memories[0].Ref
		firstOf(t, p.Agent, "staging port 8080", now, old, "")
	})
	t.Run("an agent says it once more", func(t *testing.T) {
		p := newPeople(t)
		remember(t, p.Agent, "The default port is 8080")
		other := remember(t, p.Agent, "The default port is 9090, not 8080").Memories[0].Ref
		once := remember(t, p.Agent, "The default port is 8080")
		if len(once.Memories) != 1 {
			t.Fatalf("%+v", once)
		}
		if twice := remember(t, p.Agent, "The default port is 8080"); len(twice.Memories) != 0 || len(twice.SaidAgain) != 1 {
			t.Errorf("%+v", twice)
		}
		firstOf(t, p.Agent, "default port 9090", once.Memories[0].Ref, other, short(once.Memories[0].Ref))
	})
	t.Run("a person says it again", func(t *testing.T) {
		p := newPeople(t)
		was := corrected(t, p, "The staging port is 8080", "The staging port is 9090")
		now := remember(t, p.Owner, "The staging port is 8080").Memories[0].Ref
		r := search(t, p.Agent, api.SearchRequest{Query: "staging port 9090"}).Results
		if r[0].Ref != now || r[1].Ref != was {
			t.Errorf("%+v", r)
		}
	})
	t.Run("a person approves what an agent says again", func(t *testing.T) {
		for name, say := range again {
			if name == "capture" {
				continue
			}
			p := newPeople(t)
			was := corrected(t, p, "The staging port is 8080", "The staging port is 9090")
			now := say(t, p, "The staging port is 8080")
			approve(t, p.Owner, now)
			firstOf(t, p.Agent, "staging port 9090", now, was, short(now))
		}
	})
	t.Run("two decisions", func(t *testing.T) {
		p := newPeople(t)
		old := remember(t, p.Agent, "The default port is 8080").Memories[0].Ref
		approve(t, p.Owner, old)
		now := remember(t, p.Agent, "The default port is 9090, not 8080").Memories[0].Ref
		approve(t, p.Owner, now)
		firstOf(t, p.Agent, "default port is 8080", now, old, "contradicts "+short(now))
	})
}

// Two records of one title are not one if they say different things beside it.
func TestOneTitleIsNotOneMemory(t *testing.T) {
	p := newPeople(t)
	first := write(t, p.Agent, api.AddRequest{Draft: api.Draft{
		Kind: "episode", Text: "Deploy the API", Outcome: "it failed", OutcomeType: "failure",
	}})
	if _, err := p.Owner.Reject(t.Context(), api.DecideRequest{Refs: []string{first}}); err != nil {
		t.Fatal(err)
	}
	for _, d := range []api.Draft{
		{Kind: "episode", Text: "Deploy the API", Outcome: "it worked", OutcomeType: "success"},
		{Kind: "playbook", Text: "Deploy the API", Steps: []string{"push", "wait"}},
	} {
		r, err := p.Agent.Add(t.Context(), api.AddRequest{Draft: d})
		if err != nil || r.Type != d.Kind || r.Rejected == nil || !r.Rejected.Alike {
			t.Errorf("%v, %+v", err, r)
		}
	}
	same, err := p.Agent.Add(t.Context(), api.AddRequest{Draft: api.Draft{
		Kind: "episode", Text: "Deploy the API", Outcome: "it failed", OutcomeType: "failure",
	}})
	if err != nil || same.Type != "raw" {
		t.Errorf("%v, %+v", err, same)
	}
}
