package sim

import (
	"slices"
	"strings"
	"unicode"

	parting "github.com/stemma-memory/stemma/internal/sentences"
)

// set makes a set of the words of a text.
func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

// The words the plain rules know.
var (
	emptyWords = set(`a an the this that these those of in on at to for from by with and or but is are was were be ` +
		`been am do does did
		has have had will would can could should must may i we you he she it they my our your his her its their me us him ` +
		`them not no as
		than then so if when while now also too very just s t don doesn didn isn wasn aren won`)
	changeWords = set(`left joined moved now switched changed became quit replaced migrated renamed resigned retired ` +
		`relocated transferred
		instead anymore longer stopped upgraded dropped`)
	noWords   = set(`not no never don doesn didn isn wasn aren won cannot`)
	goodWords = set(`like likes liked love loves loved enjoy enjoys enjoyed adore adores prefer prefers favour favours`)
	badWords  = set(
		`hate hates hated dislike dislikes disliked loathe loathes avoid avoids detest detests despise despises`,
	)
	alsoWords  = set(`also additionally besides moreover furthermore`)
	usualWords = set(`prefers prefer usually tends tend generally always typically normally often`)
	failWords  = set(`fail failed fails failure error errors broke broken crashed crash red panic timeout exception`)
	goodEnds   = set(
		`pass passed passes ok fixed works worked succeeded success green solved resolved shipped merged done`,
	)
	musts    = set(`must never always should`)
	pronouns = set(`i he she it they we you user`)
)

// matters are classes of words that are about one thing.
var matters = func() map[string]string {
	m := map[string]string{}
	for matter, words := range map[string]string{
		"work": "work works worked working job joined join joins left quit hired employed employer company " +
			"resigned retired colleague",
		"live":    "live lives lived living moved moves resides relocated home house apartment city",
		"tool":    "use uses used using switched migrated adopted replaced runs",
		"distant": "remote remotely wfh",
	} {
		for _, w := range strings.Fields(words) {
			m[w] = matter
		}
	}
	return m
}()

// said is a text as the plain rules see it.
type said struct {
	text    string
	words   []string        // lower case
	subject string          // of whom it speaks, "" if it does not say
	stems   map[string]bool // of the words that mean something, without the subject
	all     map[string]bool // and with it
	matters map[string]bool
}

func reads(text string) said {
	s := said{text: text, stems: map[string]bool{}, all: map[string]bool{}, matters: map[string]bool{}}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		s.words = append(s.words, strings.ToLower(w))
	}
	for i, w := range s.words {
		if i == 0 || i == 1 && emptyWords[s.words[0]] && !pronouns[s.words[0]] {
			s.subject = w
		}
	}
	if goodWords[s.subject] || badWords[s.subject] || alsoWords[s.subject] || usualWords[s.subject] ||
		changeWords[s.subject] || matters[s.subject] != "" {
		s.subject = "" // it begins with what is done
	}
	for _, w := range s.words {
		if m := matters[w]; m != "" {
			s.matters[m] = true
		}
		if emptyWords[w] || changeWords[w] || goodWords[w] || badWords[w] || alsoWords[w] || usualWords[w] {
			continue
		}
		s.all[stem(w)] = true
		if w != s.subject {
			s.stems[stem(w)] = true
		}
	}
	// who works from home works at a distance
	if s.matters["work"] && s.matters["live"] && slices.Contains(s.words, "home") {
		s.matters["distant"] = true
	}
	return s
}

// stem takes off the commonest endings.
func stem(w string) string {
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if short, ok := strings.CutSuffix(w, end); ok && len(short) > 2 {
			return short
		}
	}
	return w
}

func (s said) has(words map[string]bool) bool {
	return slices.ContainsFunc(s.words, func(w string) bool { return words[w] })
}

// shared counts what two texts have in common besides their subject.
func (s said) shared(t said) int { return both(s.stems, t.stems) }

// common counts what two texts have in common, their subject included.
func (s said) common(t said) int { return both(s.all, t.all) }

func both(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

// matter says whether two texts are about one matter.
func (s said) matter(t said) bool {
	for m := range s.matters {
		if t.matters[m] {
			return true
		}
	}
	return s.shared(t) > 0
}

// of says whether two texts speak of one subject, as far as they say.
func (s said) of(t said) bool {
	return s.subject == t.subject || s.subject == "" || t.subject == "" || pronouns[s.subject] || pronouns[t.subject]
}

// sentences splits a text, at most 50.
func sentences(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		for from, to := range parting.Spans(line) {
			if s := strings.TrimRight(line[from:to], ".!?。"); s != "" && len(all) < 50 {
				all = append(all, s)
			}
		}
	}
	return all
}
