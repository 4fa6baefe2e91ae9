package evolve_test

import (
	"strings"
	"testing"

	. "github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/memory"
)

// Statements that can all be true at once: nothing of them updates or contradicts another.
var wild = [][]string{
	{
		"Alice likes tea", "Alice visited Rome in June", "Alice visited Paris in May", "Alice lives in Berlin",
		"Alice works at Acme", "Alice has two children", "Alice plays the violin", "Alice speaks French",
		"Alice is allergic to nuts", "Alice runs every morning", "Alice studied physics at Bonn",
		"Alice bought a bicycle last week", "Alice prefers short meetings", "Alice wrote the parser",
		"Alice met Bob at a conference", "Alice started learning Go in March", "Alice adopted a dog",
		"Alice finished the report on Friday", "Alice is reading Middlemarch", "Alice owns the billing service",
		"Alice's birthday is on 3 May", "Alice went hiking with Carol", "Alice wants to learn piano",
		"Alice fixed the flaky test yesterday",
		"Alice has a house in the country", "Alice moved to Berlin in 2019",
		"Alice joined the climbing club", "Alice is married to Dan", "Alice reviewed the pull request",
		"Alice no longer eats meat", "Alice hates flying", "Alice can swim",
	},
	{
		"We decided to use Postgres for orders",
		"We decided to deploy on Tuesdays", "We decided to write docs in Markdown",
		"We decided to pin all dependencies",
		"We decided to drop support for Windows 7", "We use Go for the backend",
		"We use React for the front end", "We keep secrets in Vault", "We run the tests before each merge",
		"We meet on Mondays at ten", "We log in JSON", "We decided to cache sessions in Redis",
		"We decided to rename the crate to core",
		"We decided to hire two engineers", "We review each change in pairs",
		"We decided against microservices",
		"We moved the build to GitHub Actions", "We switched the linter to ruff",
		"We store images in S3", "We send mail with Postmark", "We decided to charge per seat",
		"We support three languages",
		"We stopped using Slack for alerts", "We back up the database every night",
	},
	{
		"The API returns JSON", "The API has a rate limit of 100 requests",
		"The API needs a token", "The API is written in Go",
		"The API runs on port 8080", "The API was slow on Friday", "The API is deployed to Frankfurt",
		"The API has 40 endpoints", "The API uses Redis for sessions", "The API logs to stdout",
		"The API times out after 30 seconds",
		"The API is documented in OpenAPI", "The API was rewritten in 2024",
		"The API checks the signature first", "The API caches answers for five minutes",
	},
}

// Written after the rules were changed by those above. One rule, of what only moved, was made after these were
// counted first.
var wildHeld = [][]string{
	{
		"Boris drinks coffee", "Boris flew to Oslo in April",
		"Boris teaches maths", "Boris rents a flat in Graz",
		"Boris got a new laptop", "Boris keeps bees", "Boris sings in a choir", "Boris broke his wrist in 2021",
		"Boris is afraid of spiders", "Boris started a podcast", "Boris quit smoking", "Boris knows Kubernetes",
		"Boris is on call this week", "Boris has a twin sister",
		"Boris cooked dinner for eight", "Boris sold his car",
		"Boris dislikes long emails", "Boris answers for security", "Boris became a father in May",
		"Boris commutes by train", "Boris wears glasses",
		"Boris passed his driving test", "Boris speaks no Spanish",
		"Boris lost his keys on Monday", "Boris changed the login form",
	},
	{
		"The team decided to adopt trunk based development", "The team decided to skip the March release",
		"The team agreed to answer tickets within a day", "The team chose Svelte for the dashboard",
		"They agreed to share the test servers", "They voted to keep the old logo", "The team sits in Lisbon",
		"The team has nine members", "The team writes a changelog", "The team no longer holds retros",
		"The team moved to a bigger room", "The team lead is Ines", "The team demos every second Thursday",
		"I decided to learn Rust", "I decided to sell the piano",
		"I prefer tabs", "I use vim", "I live near the harbour",
		"I stopped drinking coffee at night", "I started running",
		"I work from home on Fridays", "I have two cats",
	},
	{
		"The worker retries five times", "The worker needs 2 GB of memory", "The worker reads from the queue",
		"The worker was written by Ana",
		"The worker exits when the queue is empty", "The worker starts at boot",
		"The worker stores results in S3",
		"The worker fails without a network", "The worker is a single binary",
		"The worker has no tests",
		"The worker prints one line per job", "The worker was moved to its own repository",
		"The worker uses a lock file", "The worker supports Windows", "The worker now sends metrics",
	},
}

// Of 3,026 pairs of which both can be true a few at most may be told to clash or to replace each
// other: whoever writes down six decisions is not asked about fifteen contradictions.
func TestWhatCanAllBeTrue(t *testing.T) {
	for name, set := range map[string]struct {
		groups [][]string
		most   int
	}{"tuned": {wild, 5}, "held": {wildHeld, 7}} {
		if n, said := falsely(t, set.groups); said > set.most {
			t.Errorf("%s: %d of %d pairs are said to be related, at most %d", name, said, n, set.most)
		}
	}
}

// A change of one thing is none of another thing of its kind.
func TestAChangeIsOfWhatItNames(t *testing.T) {
	for old, new := range map[string]string{
		"Amir has an allergy to nuts.":    "Amir bought a house.",
		"Pavel plays the piano.":          "Pavel bought a piano stool.",
		"We have a warehouse in Lyon.":    "The warehouse in Nantes opened.",
		"Olga has a house in Bonn.":       "Olga sold the house in Kiel.",
		"The job runs on host a1.":        "The job on host b2 stopped.",
		"The parser handles JSON.":        "The parser no longer handles XML.",
		"The app supports dark mode.":     "The app no longer supports Windows 7.",
		"Alice likes tea.":                "Alice visited Rome in June.",
		"We decided to pin dependencies.": "We decided to hire two engineers.",
	} {
		if r := Rules(Memory{Text: new}, []Memory{{Text: old}}); r != nil {
			t.Errorf("%q is said to %s %q: %s", new, r.Type, old, r.Reason)
		}
	}
	for old, new := range map[string]string{
		"The parser handles XML.":   "The parser no longer handles XML.",
		"Olga has a house in Kiel.": "Olga sold the house in Kiel.",
	} {
		if r := Rules(Memory{Text: new}, []Memory{{Text: old}}); r == nil || r.Type != memory.Update {
			t.Errorf("%q does not update %q: %+v", new, old, r)
		}
	}
}

func falsely(t *testing.T, groups [][]string) (n, said int) {
	for _, group := range groups {
		for i, o := range group {
			for j, w := range group {
				if i == j {
					continue
				}
				n++
				about := strings.Fields(o)[:1]
				r := Rules(Memory{Text: w, About: about}, []Memory{{Text: o, About: about}})
				if r != nil && r.Type != memory.Extend {
					said++
					t.Logf("%-10s %.2f %q → %q (%s)", r.Type, r.Confidence, o, w, r.Reason)
				}
			}
		}
	}
	return n, said
}
