package extract

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

var noon = time.Date(2026, 5, 14, 12, 0, 0, 0, time.UTC) // a Thursday

// kindsOf returns the kinds of drafts with their types: note/decision goal.
func kindsOf(drafts []Draft) string {
	var out []string
	for _, d := range drafts {
		k := string(d.Kind)
		if d.Type != "" {
			k += "/" + d.Type
		}
		out = append(out, k)
	}
	return strings.Join(out, " ")
}

func TestRememberKinds(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		// how things are
		{"Alice works at Acme", "belief/fact"},
		{"Alice left Acme and joined StartupX", "belief/fact"},
		{"Alice no longer works at Acme.", "belief/fact"},
		{"Alice is allergic to peanuts.", "belief/fact"},
		{"The API requires OAuth tokens.", "belief/fact"},
		{"I think the server runs Debian 12.", "belief/fact"},
		{"I live in Lisbon.", "belief/fact"},
		{"We use Postgres 16 in production.", "belief/fact"},
		{"Dr. Smith moved to Berlin, e.g. for work.", "belief/fact"},
		{"remember that the staging database is called stage-2", "belief/fact"},
		{"also knows TypeScript", "belief/fact"},
		{"Alice doesn't eat meat.", "belief/fact"},
		{"The deadline is 2026-06-01.", "belief/fact"},
		{"Our backend listens on port 8443.", "belief/fact"},
		{"Maria's team owns the billing service.", "belief/fact"},
		{"Acme acquired Globex in March 2026.", "belief/fact"},
		// decisions
		{"We decided to use SQLite instead of Postgres because it is one file.", "note/decision"},
		{"We chose Redis over Memcached.", "note/decision"},
		{"I picked Svelte rather than React for the dashboard.", "note/decision"},
		{"The team settled on trunk-based development.", "note/decision"},
		{"We will use gRPC between the services.", "note/decision"},
		{"We're going with the blue design.", "note/decision"},
		{"Decision: keep the monolith until 2027.", "note/decision"},
		{"We've decided on weekly releases.", "note/decision"},
		// tastes
		{"likes hiking", "note/preference"},
		{"Bob hates hiking.", "note/preference"},
		{"prefers remote work", "note/preference"},
		{"I prefer tabs over spaces.", "note/preference"},
		{"Carol can't stand meetings before ten.", "note/preference"},
		{"My favourite editor is Vim.", "note/preference"},
		{"I'm a big fan of jazz.", "note/preference"},
		{"Dave doesn't like coriander.", "note/preference"},
		// rules
		{"Never push to main on Fridays.", "note/constraint"},
		{"Always run the linter before committing.", "note/constraint"},
		{"Do not commit generated files.", "note/constraint"},
		{"Don't ever force-push to the release branch.", "note/constraint"},
		{"All migrations must be reversible.", "note/constraint"},
		{"You must never edit the generated code by hand.", "note/constraint"},
		{"We never deploy on Fridays.", "note/constraint"},
		{"Please always write tests first.", "note/constraint"},
		{"Secrets must not be logged.", "note/constraint"},
		// corrections and quotes
		{"Actually, the port is 8443, not 8080.", "note/correction"},
		{"Correction: the release is on Tuesday.", "note/correction"},
		{`Ann said: "We ship on Friday."`, "note/quote"},
		{`Bob Miller wrote, "the cache is the problem"`, "note/quote"},
		// what happened
		{"Yesterday we deployed version 2.3.1 to production.", "episode"},
		{"The deploy failed on 2026-05-01.", "episode"},
		{"Bob fixed the login bug in v1.4.2.", "episode"},
		{"I met Carla at the conference last week.", "episode"},
		{"Alice and Bob visited the Berlin office in April 2026.", "episode"},
		// people
		{"Bob is Alice's manager.", "relationship/person"},
		{"My manager is Carol.", "relationship/person"},
		{"Dan is my brother.", "relationship/person"},
		{"Erin reports to Frank.", "relationship/person"},
		{"Alice knows Bob.", "relationship/person"},
		{"My wife Sara works at Google since March 2026.", "relationship/person belief/fact"},
		// goals
		{"I want to finish the migration by Friday.", "goal"},
		{"My goal is to run a marathon.", "goal"},
		{"I plan to learn Rust this year.", "goal"},
		{"Alice wants to become a pilot.", "goal"},
		{"We need to ship the beta by the end of June.", "goal"},
		{"Goal: halve the build time.", "goal"},
		{"I'm hoping to move to Norway.", "goal"},
	} {
		_, got := Remember(tt.text, noon)
		if kindsOf(got) != tt.want {
			t.Errorf("Remember(%q) = %s, want %s: %+v", tt.text, kindsOf(got), tt.want, got)
		}
	}
}

// Near misses: words of the rules, without what the rules are about.
func TestRememberNothing(t *testing.T) {
	for _, text := range []string{
		"", " ", "?!", "...", "Hello!", "Thanks for the help!", "Good morning, Alice!", "Congrats on the job!", "ok", "Sure.",
		"Does Alice work at Acme?", "Where does Bob live", "Is the server running Debian", "Did we decide to use SQLite?",
		"Who is Alice's manager?", "Why do you prefer tabs?", "What if we never deploy on Fridays?", "Can you fix the tests?",
		"Run the tests and show me the output.", "Please add a test for the parser.", "Fix the login bug.",
		"Write a summary of the meeting.",
		"Use the release branch rules", "Know the release branch rules", "Remember to call Alice.",
		"Show me what Alice likes.",
		"I never said that.", "You always forget the tests.", "It never works.", "You always do this to me.",
		"Never mind.", "Don't worry about it.",
		"Don't forget the milk today.", "I never thought about it.", "That must be nice.",
		"It must be hard to work there.", "You must be joking.",
		"You must be so proud.", "I must say it looks good.", "They must have left already.", "Always happy to help.",
		"Never been better.",
		"We have not decided yet.", "We haven't decided whether to use SQLite.", "We could use Redis.",
		"Maybe we should choose Redis.", "Should we go with the blue design?",
		"I like it.", "I love that!", "I'd like to know more.", "I would love your opinion.", "That looks like a bug.",
		"It is like a dream.",
		"I want to know why.", "I want to see it.", "I want you to fix the build.", "I plan to.", "I don't want to move.",
		"It was great.", "That was amazing!", "This is it.", "There is something wrong.", "It works.", "They left.",
		"She said so.",
		"If Alice leaves Acme, we lose.", "Imagine we had more time.", "Let's deploy.", "Let me check.", "Alice?",
		"Ich wohne in Berlin.", "Nous avons décidé d'utiliser SQLite.", "爱丽丝在北京工作", "Алиса работает в Акме",
		"Alice trabaja en Acme",
		"```\nAlice works at Acme\n```", "    Alice works at Acme", "> Alice works at Acme", "$ never push",
		`He shouted "never push to main" and laughed.`,
		"the quick brown fox", "v1.2.3", "https://example.org/never/push.", "TODO", "Actually, no.",
		"Actually, I was thinking.", "No, thanks.",
		"Bob is great.", "The food was nice.", "My day was good.", "I know.", "I know what you mean.",
		"Sounds good to me.", "Glad that Bob likes it here.",
	} {
		if _, got := Remember(text, noon); len(got) > 0 {
			t.Errorf("Remember(%q) = %s %q, want nothing", text, kindsOf(got), got[0].Text)
		}
	}
}

func TestRememberSaysWhoAndWhen(t *testing.T) {
	for _, tt := range []struct{ text, about, from string }{
		{"Alice left Acme and joined StartupX", "Acme Alice StartupX", ""},
		{"I live in Lisbon since March 2026.", "Lisbon user", "2026-03-01"},
		{"I joined Acme on 2026-05-01.", "Acme user", "2026-05-01"},
		{"I joined Acme on May 1, 2026.", "Acme user", "2026-05-01"},
		{"I joined Acme on the 1st of May 2026.", "Acme user", "2026-05-01"},
		{"I joined Acme yesterday.", "Acme user", "2026-05-13"},
		{"I joined Acme last Friday.", "Acme user", "2026-05-08"},
		{"I joined Acme last week.", "Acme user", "2026-05-04"},
		{"I joined Acme two years ago.", "Acme user", "2024-01-01"},
		{"I joined Acme last month.", "Acme user", "2026-04-01"},
		{"I joined Acme in December.", "Acme user", "2025-12-01"},
		{"The report is due by 2026-06-01.", "", ""},
		{"The meeting is on 2026-06-01.", "", ""},
		{"I joined Acme on 2026-02-31.", "Acme user", ""},
		{"I joined Acme 99 times.", "Acme user", ""},
	} {
		_, got := Remember(tt.text, noon)
		if len(got) != 1 {
			t.Errorf("Remember(%q) gives %d drafts", tt.text, len(got))
			continue
		}
		from, _, _ := strings.Cut(got[0].ValidFrom.String(), "T")
		if about := strings.Join(got[0].About, " "); about != tt.about || from != tt.from {
			t.Errorf("Remember(%q) is about %q from %q, want %q from %q", tt.text, about, from, tt.about, tt.from)
		}
	}
	if _, got := Remember("I joined Acme yesterday.", time.Time{}); !got[0].ValidFrom.IsZero() {
		t.Errorf("yesterday of no day is %s", got[0].ValidFrom)
	}
}

func TestRememberHedges(t *testing.T) {
	_, sure := Remember("Alice works at Acme.", noon)
	for _, text := range []string{
		"I think Alice works at Acme.", "Maybe Alice works at Acme.", "Alice probably works at Acme.",
		"Apparently Alice works at Acme.",
	} {
		_, got := Remember(text, noon)
		if len(got) != 1 || got[0].Confidence >= sure[0].Confidence || got[0].Confidence < least {
			t.Errorf("Remember(%q) = %+v, want one less sure than %s", text, got, sure[0].Confidence)
		}
	}
}

func TestRememberDecision(t *testing.T) {
	_, got := Remember("We decided to use SQLite instead of Postgres or MySQL because it is one file.", noon)
	if len(got) != 1 || !slices.Equal(got[0].Alternatives, []string{"Postgres", "MySQL"}) ||
		got[0].Reason != "it is one file" {
		t.Errorf("the decision = %+v", got)
	}
}

func TestRememberBySpeaker(t *testing.T) {
	for said, want := range map[string]string{
		"I work at Acme.":                  "Ann works at Acme",
		"I'm allergic to cats.":            "Ann is allergic to cats",
		"I've moved to my sister's house.": "Ann has moved to their sister's house",
		"I don't eat meat.":                "Ann does not eat meat",
		"We adopted a dog.":                "Ann and others adopted a dog",
		"My brother lives in Oslo.":        "Ann's brother lives in Oslo",
		`I own "The Wind" by Ann Li.`:      `Ann owns "The Wind" by Ann Li`,
		`I wrote a song called "My Way".`:  `Ann wrote a song called "My Way"`,
	} {
		_, got := RememberBy("Ann", said, noon)
		if len(got) != 1 || got[0].Text != want || !slices.Contains(got[0].About, "Ann") {
			t.Errorf("RememberBy(Ann, %q) = %+v, want %q about her", said, got, want)
		}
	}
}

func TestEntities(t *testing.T) {
	for text, want := range map[string]string{
		"Alice left Acme and joined StartupX.":            "Alice:person Acme:organisation StartupX:organisation",
		"Yesterday Bob met Carla in Berlin.":              "Bob:person Carla:person Berlin:place",
		"We use Redis in internal/cache/lru.go.":          "user:person Redis:software internal/cache/lru.go:file",
		"Tests are slow.":                                 "",
		"The parser calls parseTime() on Monday.":         "parseTime():software",
		"Ask @octo-cat about it.":                         "@octo-cat:person",
		"My boss likes tea.":                              "user:person my boss:person",
		"Great news! It works.":                           "",
		"See https://example.org/Acme for more.":          "",
		"Bob is Alice's manager.":                         "Bob:person Alice:person",
		"New York University invited Dana Scully to talk": "New York University:organisation Dana Scully:person",
	} {
		got, _ := Remember(text, noon)
		var list []string
		for _, e := range got {
			list = append(list, e.Name+":"+e.Kind)
		}
		if s := strings.Join(list, " "); s != want {
			t.Errorf("entities of %q = %q, want %q", text, s, want)
		}
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string]int{
		"One. Two! Three?": 3, "Version 1.2.3 is out. See example.org. Done.": 3, "Mr. Smith left at 5 p.m. with J. Doe.": 1,
		"- first item\n- second item\n\nthird": 3, "a line\nthat goes on. And ends.": 2, "E.g. this.": 1,
		"`a. b. c` is code.":            1,
		`She said "Go. Now." and left.`: 1, "```\ncode. code.\n```": 0, "Wait... what?": 2, "1. one thing\n2. another": 2,
	} {
		if got := sentences(text); len(got) != want {
			t.Errorf("sentences(%q) are %d, want %d: %+v", text, len(got), want, got)
		}
	}
}

func TestSameWordsSameDrafts(t *testing.T) {
	text := "Alice left Acme. My wife Sara likes tea. We chose Go over Rust. Never push to main. I want to learn " +
		"Rust by Friday."
	e, d := Remember(text, noon)
	if len(d) < 5 {
		t.Fatalf("%d drafts: %+v", len(d), d)
	}
	for range 100 {
		if e2, d2 := Remember(text, noon); !reflect.DeepEqual(e, e2) || !reflect.DeepEqual(d, d2) {
			t.Fatalf("another time: %+v %+v", e2, d2)
		}
	}
}

// held fails unless every draft is one that could be signed, and cites what is there.
func held(t *testing.T, drafts []Draft, n int) {
	t.Helper()
	for _, d := range drafts {
		b := d.Memory()
		if b == nil {
			t.Fatalf("no body: %+v", d)
		}
		if err := memory.Check(b); err != nil || memory.KindOf(b) != d.Kind {
			t.Fatalf("%+v: %v", d, err)
		}
		if len(d.From) == 0 || !slices.IsSorted(d.From) || d.From[0] < 0 || d.From[len(d.From)-1] >= n ||
			len(d.About) > memory.MaxAbout || d.Rule == "" {
			t.Fatalf("%+v cites or names what it may not, of %d", d, n)
		}
		for _, a := range d.About {
			if len(a) > memory.MaxNameBytes || strings.TrimSpace(a) != a || a == "" {
				t.Fatalf("%+v is about %q", d, a)
			}
		}
		if d.Confidence > memory.Certain {
			t.Fatalf("%+v is too sure", d)
		}
	}
}

func FuzzRules(f *testing.F) {
	for _, s := range []string{
		"I've moved to Oslo since March 2026.", "We chose X over Y, Z or W because of \"q\".", "my my my", "I'm", "I",
		"Never ever", "``` a", "'s is a",
		"Alice's", "I want to", "must must must", "\xff\xfe I work at \x00Acme",
		"we, we used Go for tests. used Go for tests", "$ go test\nFAIL 3 failed",
	} {
		f.Add(s, "Ann")
	}
	f.Fuzz(func(t *testing.T, text, speaker string) {
		_, drafts := RememberBy(speaker, text, noon)
		held(t, drafts, 1)
		var events []Event
		for i, kind := range []string{
			"user_prompt", "tool_call", "tool_output", "turn", "assistant_response", "tool_output",
			"test_summary",
		} {
			events = append(
				events,
				Event{Text: text, Speaker: speaker, Type: kind, At: noon.Add(time.Duration(i) * time.Second)},
			)
		}
		held(t, Process(events), len(events))
		held(t, Process(events[3:4]), 1)
		past := []Past{
			{Text: text, OutcomeType: "failure", Lessons: []string{text}},
			{Text: text, OutcomeType: "failure", Lessons: []string{text}},
			{Text: text, OutcomeType: "failure", Lessons: []string{text}},
		}
		held(t, Patterns(past), len(past))
		readAll(t, text)
	})
}

// What follows an ordinal number or an abbreviation belongs to the sentence, also at the start of a line.
func TestASentenceIsKeptWhole(t *testing.T) {
	for text, want := range map[string]string{
		"Das Treffen ist am 5. März.":               "Das Treffen ist am 5. März",
		"Das Treffen ist\nam\n5. März. Das reicht.": "Das Treffen ist am 5. März",
		"- 5 ports are open.":                       "5 ports are open",
		"The office is in St. Gallen. We like it.":  "The office is in St. Gallen",
		"The room is on Gen. Guisan Street.":        "The room is on Gen. Guisan Street",
	} {
		_, drafts := Remember(text, noon)
		if len(drafts) == 0 || drafts[0].Text != want {
			t.Errorf("of %q: %+v, want %q", text, drafts, want)
		}
	}
}

// So are the words of a speaker, of whom a statement is made.
func TestAStatementOfASpeakerKeepsItsDots(t *testing.T) {
	drafts := Process([]Event{{Speaker: "Ben", Text: "I work at Acme Inc. in St. Gallen, since 2020.", At: noon}})
	if len(drafts) == 0 || !strings.HasPrefix(drafts[0].Text, "Ben works at Acme Inc. in St. Gallen") {
		t.Errorf("got %+v", drafts)
	}
}

// Remember drafts what a statement, or a few sentences, tell. Who says "I" is the user. Relative words, such as
// "yesterday", are read only where now is not zero. Every draft rests on event 0, the text itself.
func Remember(text string, now time.Time) ([]Entity, []Draft) {
	return RememberBy("", text, now)
}

// RememberBy is Remember for words of a named speaker, who then stands in the drafts instead of "I".
func RememberBy(speaker, text string, now time.Time) ([]Entity, []Draft) {
	found, drafts, _ := remember(speaker, text, now)
	return found, kept(drafts)
}

// Words that open a sentence and belong to the noun behind them stay: without "no", a statement says the opposite.
func TestAnOpenerThatBelongsToANounStays(t *testing.T) {
	for _, text := range []string{
		"No password is asked for by quern1", "No password is needed", "no tokens are logged by the gateway",
		"No cookies are set by the mill", "Right hand drive is the default in Oslo", "News feeds are cached for an hour",
		"Plus members are billed monthly", "Man pages are built by the release job",
	} {
		_, drafts := Remember(text, noon)
		if len(drafts) != 1 || !strings.EqualFold(drafts[0].Text, text) {
			t.Errorf("%q became %+v", text, drafts)
		}
	}
	for text, want := range map[string]string{
		"No, the password is asked for by the saw":  "The password is asked for by the saw",
		"Note the API is served on port 80":         "The API is served on port 80",
		"Well the mill is closed on Sunday":         "The mill is closed on Sunday",
		"Right, Acme is closed on Sunday":           "Acme is closed on Sunday",
		"No we use Redis for the queue":             "We use Redis for the queue",
		"Currently deploys are run from the laptop": "Deploys are run from the laptop",
	} {
		_, drafts := Remember(text, noon)
		if len(drafts) != 1 || drafts[0].Text != want {
			t.Errorf("%q became %+v, want %q", text, drafts, want)
		}
	}
}
