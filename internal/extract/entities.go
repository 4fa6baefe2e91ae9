package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/lazy"
)

var (
	handle   = lazy.Regexp(`^@[A-Za-z0-9][A-Za-z0-9_-]{1,38}$`)
	filePath = lazy.Regexp(
		`^(?:[\w.@-]+/)+[\w.@-]+$|^[\w-]+\.(?:go|py|ts|tsx|js|jsx|rs|java|rb|c|h|cc|cpp|sql|yaml|yml|toml|json|md|sh|` +
			`proto|html|css|mod|lock)$`,
	)
	codeName = lazy.Regexp(`^[A-Za-z_][\w.:]*(?:[a-z][A-Z]|_[A-Za-z]|::)[\w.:]*(?:\(\))?$|^[a-zA-Z_]\w*\(\)$`)
)

// calendar are capitalised words that name no one.
var calendar = lazy.Words(`monday tuesday wednesday thursday friday saturday sunday january february march april ` +
	`may june july
	august september october november december christmas easter thanksgiving halloween i i'm i've i'll i'd ok english
	french german spanish italian chinese japanese american european today tomorrow mom dad wow hey yes no thanks`)

// redactedMark begins what stands in place of a secret.
const redactedMark = "REDACTED:"

// everyday are nouns that begin a sentence without an article and name no one: Rent is due.
var everyday = lazy.Words(`standup stand-up rent lunch breakfast dinner supper yoga training practice rehearsal school
	class work sleep sport football tennis swimming music dance art history maths physics coffee tea water milk bread
	sugar salt food money cash salary insurance electricity gas heating internet parking traffic weather rain snow post
	mail email documentation support marketing sales finance accounting legal security compliance staging production
	monitoring logging tracing caching routing search login checkout signup onboarding authentication authorization
	encryption compression replication deployment migration maintenance testing linting formatting indentation
	attendance revenue turnout tuition admission entry delivery shipping payment billing invoicing accountancy planning
	feedback advice information data code software hardware furniture luggage equipment homework retro planning review
	kickoff therapy surgery physiotherapy choir church karaoke pilates`)

// ofPlace, ofCompany: the word before a name that says what it names.
var (
	ofPlace   = lazy.Words(`in from near to`)
	ofCompany = lazy.Words(`at joined left for quit joins leaves founded`)
)

// tools are names of software that are known without a hint.
var tools = lazy.Words(`postgresql postgres sqlite mysql redis docker kubernetes terraform github gitlab git ` +
	`jenkins golang python
	rust typescript javascript react vue svelte kafka rabbitmq nginx grafana prometheus jira slack notion figma linear vim
	emacs vscode webpack vite jest pytest bun deno node npm pnpm yarn bazel cmake helm ansible aws gcp azure`)

// entities returns what a text names, in the order of the text, each once.
func entities(list []sentence, known map[string]bool) []Entity {
	var out []Entity
	place := map[string]int{}
	add := func(e Entity) {
		e.Name = name(strings.TrimSuffix(e.Name, "'s"))
		if e.Name == "" {
			return
		}
		if k, ok := place[e.Name]; ok {
			if out[k].Kind == "topic" {
				out[k].Kind = e.Kind
			}
			return
		}
		place[e.Name] = len(out)
		out = append(out, e)
	}
	for _, s := range list {
		s.named(known, add)
	}
	return out
}

// named calls add with each entity of a sentence.
func (s sentence) named(known map[string]bool, add func(Entity)) {
	for i := 0; i < len(s.words); i++ {
		w := s.words[i]
		switch {
		case strings.HasPrefix(strings.TrimLeft(w.text, "[("), redactedMark):
		case handle.Get().MatchString(w.text):
			add(Entity{w.text, "person"})
		case strings.HasPrefix(w.low, "\x7f"):
			if strings.Contains(s.text[max(0, w.start-1):w.start], "`") && len(w.text) <= 80 {
				add(Entity{strings.Trim(w.text, "`"), "topic"})
			}
		case filePath.Get().MatchString(w.text) && !strings.Contains(w.low, "and/or"):
			add(Entity{w.text, "topic"})
		case codeName.Get().MatchString(w.text) && !strings.Contains(w.text, "'"):
			add(Entity{w.text, s.kindOf(i, i+1)})
		case isCapital(w.text) && unicode.IsLetter(rune(w.text[0])):
			j := s.nameAt(i)
			if j == i || (i == 0 || s.words[i-1].after == '.') && !s.leadName(i, j, known) {
				continue
			}
			add(Entity{s.properly(i, j), s.kindOf(i, j)})
			i = j - 1
		case tools.Has(w.low):
			add(Entity{w.text, "tool"})
		}
	}
	for i := range s.words {
		if (s.words[i].low == "my" || s.words[i].low == "our") && i+1 < len(s.words) && owned.Has(s.words[i+1].low) {
			add(Entity{s.words[i].low + " " + s.words[i+1].low, kindOfOwned(s.words[i+1].low)})
		}
	}
}

// owned are what "my" and "our" name without a name.
var owned = lazy.Words(`wife husband partner girlfriend boyfriend mother mom father dad sister brother son daughter ` +
	`boss manager team
	company project startup dog cat landlord roommate colleague api backend frontend server website app repo`)

func kindOfOwned(w string) string {
	switch w {
	case "team", "company", "startup":
		return "organisation"
	case "project", "api", "backend", "frontend", "server", "website", "app", "repo":
		return "project"
	case "dog", "cat":
		return "topic"
	}
	return "person"
}

// nameAt returns the end of the run of capitalised words at i; i where it is none.
func (s sentence) nameAt(i int) int {
	if s.words[i].low == "we" || i == 0 && s.any(i, openers) > 0 ||
		calendar.Has(
			strings.TrimSuffix(s.words[i].low, "s"),
		) || calendar.Has(s.words[i].low) || pronouns.Has(s.words[i].low) || i == 0 && notNames.Has(s.words[i].low) &&
		!strings.Contains(s.words[i].text, "'s") {
		return i
	}
	j := i
	for j < len(s.words) && isCapital(s.words[j].text) && !calendar.Has(s.words[j].low) &&
		!strings.HasPrefix(s.words[j].low, "i'") {
		j++
		if s.words[j-1].after != 0 || strings.HasSuffix(s.words[j-1].low, "'s") || j-i == 4 {
			break
		}
	}
	return j
}

func (s sentence) properly(i, j int) string {
	return strings.TrimSuffix(strings.TrimSpace(s.text[s.words[i].start:s.words[j-1].end]), "'s")
}

// leadName reports whether a capitalised run at a sentence's beginning is a name by its use.
func (s sentence) leadName(i, j int, known map[string]bool) bool {
	n := s.properly(i, j)
	if known[strings.ToLower(n)] || tools.Has(s.words[i].low) || j-i > 1 {
		return !notNames.Has(s.words[i].low)
	}
	if s.any(i, openers) > 0 || everyday.Has(strings.TrimSuffix(s.words[i].low, "'s")) {
		return false
	}
	if strings.HasSuffix(s.words[j-1].low, "'s") || unicode.IsUpper(rune(n[len(n)-1])) ||
		strings.ContainsAny(n, "0123456789") {
		return true
	}
	if j+1 < len(s.words) && s.words[j].low == "and" && isCapital(s.words[j+1].text) {
		return true
	}
	return j < len(s.words) && s.words[j-1].after == 0 && starts(s, j) && !strings.HasSuffix(s.words[i].low, "ing") &&
		!plural(s, i, j)
}

// plural tells "Tests are", which is no name.
func plural(s sentence, i, j int) bool {
	w := s.words[i].low
	if _, ok := verbs()[w]; ok {
		return true
	}
	return strings.HasSuffix(w, "s") && j < len(s.words) && (s.words[j].low == "are" || s.words[j].low == "have")
}

func (s sentence) kindOf(i, j int) string {
	n := strings.ToLower(s.properly(i, j))
	before := ""
	if i > 0 && s.words[i-1].after == 0 {
		before = s.words[i-1].low
	}
	last := s.words[j-1].low
	switch {
	case tools.Has(n):
		return "tool"
	case slices.Contains(
		[]string{"inc", "corp", "gmbh", "ltd", "university", "labs", "foundation", "bank", "agency"}, last,
	):
		return "organisation"
	case before == "for" && i > 1 && !slices.Contains([]string{"work", "works", "worked", "working"}, s.words[i-2].low):
		return "topic"
	case ofCompany.Has(before):
		return "organisation"
	case ofPlace.Has(before) && !(i > 1 && slices.Contains(
		[]string{"talk", "talked", "spoke", "reports", "report", "switched", "migrated"}, s.words[i-2].low,
	)):
		return "place"
	case before == "using" || before == "use" || before == "uses" || before == "chose":
		return "tool"
	case (i == 0 || s.words[i-1].after != 0 || s.skip(0) == i || before == "met" || before == "friend" ||
		before == "with" || before == "and") && personal(s, j):
		return "person"
	case strings.HasSuffix(last, "'s") && j < len(s.words) && relatives.Has(s.words[j].low), before == "is" && i > 1 &&
		relatives.Has(s.words[i-2].low):
		return "person"
	case before == "met" || before == "friend" || relatives.Has(before):
		return "person"
	}
	return "topic"
}

// personal reports whether the verb behind a name is one that people do.
func personal(s sentence, j int) bool {
	if strings.HasSuffix(s.words[j-1].low, "'s") && j < len(s.words) {
		w := s.words[j].low
		return relatives.Has(w) || owned.Has(w) || w == "birthday" || w == "house"
	}
	for j < len(s.words) && adverbs.Has(s.words[j].low) {
		j++
	}
	if j >= len(s.words) {
		return false
	}
	v, ok := findVerb(s.words[j].low, third, past)
	if ok && slices.Contains([]string{"use", "require", "need", "support", "store", "return", "accept", "contain",
		"cost", "expect", "default",
		"depend", "run", "fail", "crash", "drop", "handle", "include", "release", "break", "listen", "restart", "score"},
		v.lemma) {
		return false
	}
	return ok || j+1 < len(s.words) && (s.words[j].low == "is" || s.words[j].low == "was") &&
		(statuses.Has(s.words[j+1].low) || s.words[j+1].low == "a" || strings.HasSuffix(s.words[j+1].low, "'s") ||
			s.words[j+1].low == "my" || s.words[j+1].low == "the")
}

// namesIn returns what a sentence is about.
func (s sentence) namesIn(known map[string]bool) []string {
	var out []string
	s.named(known, func(e Entity) { out = append(out, strings.TrimSuffix(e.Name, "'s")) })
	return out
}
