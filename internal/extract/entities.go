package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/lazy"
	prose "github.com/stemma-memory/stemma/internal/sentences"
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
var calendar = lazy.Words(`monday tuesday wednesday thursday friday saturday sunday january february march april may
	june july august september october november december christmas easter thanksgiving halloween i i'm i've i'll i'd ok
	english french german spanish italian chinese japanese american european today tomorrow mom dad wow hey yes no thanks`)

// redactedMark begins what replaces a secret.
const redactedMark = "REDACTED:"

// entities returns what a text names, in the order of the text, each once.
func entities(list []sentence, known map[string]bool) []Entity {
	var out []Entity
	place := map[string]int{}
	for _, s := range list {
		if !s.tells() {
			continue
		}
		s.named(known, func(n string, i, j int) {
			if n = name(strings.TrimSuffix(n, "'s")); n == "" {
				return
			}
			if k, ok := place[n]; ok {
				if out[k].Kind == kindOther {
					out[k].Kind = s.kindOf(n, i, j)
				}
				return
			}
			place[n] = len(out)
			out = append(out, Entity{n, s.kindOf(n, i, j)})
		})
	}
	return out
}

// tells reports whether a sentence may name what a memory is about: no question, greeting, fragment, code or log does.
func (s sentence) tells() bool {
	return s.states() && prose.Prose(aside.Get().ReplaceAllString(s.text, "x"))
}

// aside is code within a sentence.
var aside = lazy.Regexp("`[^`]*`|[\\w.]+\\(\\)|https?://\\S+|\\[REDACTED[^\\]]*\\]")

// named calls add with each name in a sentence and the words, from i up to j, in which it stands.
func (s sentence) named(known map[string]bool, add func(n string, i, j int)) {
	for i := 0; i < len(s.words); i++ {
		w := s.words[i]
		switch {
		case strings.HasPrefix(strings.TrimLeft(w.text, "[("), redactedMark):
		case handle.Get().MatchString(w.text):
			add(w.text, i, i+1)
		case strings.HasPrefix(w.low, "\x7f"):
			if strings.Contains(s.text[max(0, w.start-1):w.start], "`") && len(w.text) <= 80 {
				add(strings.Trim(w.text, "`"), i, i+1)
			}
		case filePath.Get().MatchString(w.text) && !strings.Contains(w.low, "and/or"):
			add(w.text, i, i+1)
		case codeName.Get().MatchString(w.text) && !strings.Contains(w.text, "'"):
			add(w.text, i, i+1)
		case isCapital(w.text) && unicode.IsLetter(rune(w.text[0])):
			j := s.nameAt(i)
			first := i == 0 || s.words[i-1].after == '.'
			switch {
			case j == i:
			case first && j-i > 1 && s.everyday(i, j), s.noName(i, j):
				i = j - 1
			case first && !s.leadName(i, j, known):
			default:
				add(s.properly(i, j), i, j)
				i = j - 1
			}
		case tools.Has(w.low) && !ambiguous.Has(w.low):
			add(w.text, i, i+1)
		}
	}
	for i := range s.words {
		if (s.words[i].low == "my" || s.words[i].low == "our") && i+1 < len(s.words) && owned.Has(s.words[i+1].low) {
			add(s.words[i].low+" "+s.words[i+1].low, i, i+2)
		}
	}
}

// noName reports whether capitalised words name nothing: API, SQL, the Board, German.
func (s sentence) noName(i, j int) bool {
	if tools.Has(s.low(i, j)) {
		return false
	}
	the := i > 0 && articles.Has(s.words[i-1].low)
	for _, w := range s.words[i:j] {
		low := strings.TrimSuffix(w.low, "'s")
		if !notions.Has(low) && !peoples.Has(low) && !(the && isCommon(low) && !companies.Has(low)) {
			return false
		}
	}
	return true
}

var articles = lazy.Words(`the a an my our your his her their this each every no`)

// low is a name in small letters.
func (s sentence) low(i, j int) string { return strings.ToLower(s.properly(i, j)) }

// owned are what "my" and "our" name without a name.
var owned = lazy.Words(`wife husband partner girlfriend boyfriend mother mom father dad sister brother son daughter boss
	manager team company project startup dog cat landlord roommate colleague api backend frontend server website app repo`)

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
		if s.words[j-1].after != 0 || strings.HasSuffix(s.words[j-1].low, "'s") || j-i >= 4 {
			break
		}
		if k := s.particles(j); k > j && k < len(s.words) && isCapital(s.words[k].text) {
			j = k
		}
	}
	return j
}

// particles returns the place behind the small words at j that stand within names: Rue de Rivoli, Anna von Stein.
func (s sentence) particles(j int) int {
	for n := 0; n < 2 && j < len(s.words) && s.words[j].after == 0 && within.Has(s.words[j].text); n++ {
		j++
	}
	return j
}

var within = lazy.Words(`de du des del della di van von der den zu zur la le les`)

func (s sentence) properly(i, j int) string {
	return strings.TrimSuffix(strings.TrimSpace(s.text[s.words[i].start:s.words[j-1].end]), "'s")
}

// leadName reports whether a capitalised run at a sentence's beginning is a name, by its words or its use.
func (s sentence) leadName(i, j int, known map[string]bool) bool {
	n, w := s.properly(i, j), strings.TrimSuffix(s.words[i].low, "'s")
	if known[strings.ToLower(n)] || tools.Has(strings.ToLower(n)) && !ambiguous.Has(w) {
		return !notNames.Has(s.words[i].low)
	}
	if j-i > 1 {
		return !notNames.Has(s.words[i].low) && !leading.Has(w)
	}
	if s.any(i, openers) > 0 || leading.Has(w) {
		return false
	}
	if isCommon(w) {
		return firstNames.Has(w) && s.human(j)
	}
	if strings.HasSuffix(s.words[j-1].low, "'s") || unicode.IsUpper(rune(n[len(n)-1])) ||
		strings.ContainsAny(n, "0123456789") || firstNames.Has(w) || knownPlaces.Has(w) {
		return true
	}
	if j+1 < len(s.words) && s.words[j].low == "and" && isCapital(s.words[j+1].text) {
		return true
	}
	if j == len(s.words) || s.words[j-1].after != 0 || abstract(w) || several(w) || plural(s, i, j) {
		return false
	}
	return s.doer(j) || (companies.Has(w) || tools.Has(w)) && (starts(s, j) || strings.HasSuffix(s.words[j].low, "s"))
}

// everyday reports whether all the words of a run are such as name nothing: Release Notes.
func (s sentence) everyday(i, j int) bool {
	if firstNames.Has(s.words[i].low) || tools.Has(s.low(i, j)) {
		return false
	}
	for _, w := range s.words[i:j] {
		if !isCommon(w.low) && !leading.Has(w.low) && !notions.Has(w.low) {
			return false
		}
	}
	return true
}

// isCommon reports whether a word is one of every day, or several of it.
func isCommon(w string) bool {
	return common.Has(w) || strings.HasSuffix(w, "s") && !firstNames.Has(w) && common.Has(w[:len(w)-1])
}

// abstract tells by its ending a noun that is no name: Punctuality, Planning.
func abstract(w string) bool {
	for _, end := range []string{
		"ing", "tion", "sion", "ment", "ness", "ity", "ship", "ance", "ence", "ism", "ology", "ware",
	} {
		if len(w) > len(end)+3 && strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// several tells by its ending a word that is likely a plural: Squirrels, but not Agnes, Mattis or Klaus.
func several(w string) bool {
	n := len(w)
	return n > 4 && w[n-1] == 's' && !strings.ContainsRune("aeiousy'", rune(w[n-2])) && !companies.Has(w) && !tools.Has(w)
}

// plural tells "Tests are", which is no name.
func plural(s sentence, i, j int) bool {
	w := s.words[i].low
	if _, ok := verbs()[w]; ok {
		return true
	}
	return strings.HasSuffix(w, "s") && j < len(s.words) && (s.words[j].low == "are" || s.words[j].low == "have")
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
	if !s.tells() {
		return nil
	}
	s.named(known, func(n string, _, _ int) { out = append(out, strings.TrimSuffix(n, "'s")) })
	return out
}
