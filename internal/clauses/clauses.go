// Package clauses tells what of a text stays where another text takes the place of a part of it.
//
// A wrong part says what no one said, so that it is careful: where the language does not join clauses plainly, or
// where a clause leans on another one, there is no rest.
package clauses

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/words"
)

// mostBytes is how long a text may be that is parted.
const mostBytes = 600

// A clause is a part of a text that says one thing, as it stands there.
type clause struct {
	text  string
	first bool // it begins the text, so that it says without the others what it says with them
	after bool // it ends its sentence
	terms []string
}

// Rest returns what of an older text stays where a newer one takes the place of a part of it: whole clauses in
// their own words, each run of them for itself. It is empty where nothing stays, or it cannot be told what does.
func Rest(older, newer string) []string {
	all := parts(older)
	if len(all) < 2 {
		return nil
	}
	said := terms(newer)
	gone := make([]bool, len(all))
	stays, goes := false, false
	for i := range all {
		gone[i] = slices.ContainsFunc(all[i].terms, func(t string) bool {
			return slices.Contains(said, t) && !shared(all, i, t)
		})
		stays, goes = stays || !gone[i], goes || gone[i]
	}
	if !stays || !goes || gone[0] && leads(all[0].text) {
		return nil
	}
	var out []string
	for i := 0; i < len(all); i++ {
		if gone[i] {
			continue
		}
		if !all[i].first && !alone(all[0], all[i]) {
			return nil
		}
		run := all[i].text
		for ; i+1 < len(all) && !gone[i+1] && all[i].after; i++ {
			run += " " + all[i+1].text
		}
		out = append(out, sentence(run, older))
	}
	return out
}

// shared reports whether another clause has a term too: it does not tell which of them is meant.
func shared(all []clause, of int, term string) bool {
	for i := range all {
		if i != of && slices.Contains(all[i].terms, term) {
			return true
		}
	}
	return false
}

// parts returns the clauses of a text, one where it is not plain how it is joined.
func parts(text string) []clause {
	text = strings.TrimSpace(text)
	if len(text) > mostBytes || !sentences.Prose(text) || strings.ContainsAny(text, "\"“”„«»`?()[]\n") || tangled(text) {
		return nil
	}
	var all []clause
	for _, s := range sentences.Split(text) {
		if len(all) > 0 && !begins(s) {
			return nil
		}
		for i, part := range split(s) {
			all = append(all, clause{text: part, first: len(all) == 0, terms: terms(part)})
			if i > 0 {
				all[len(all)-2].after = false
			}
		}
		all[len(all)-1].after = true
	}
	return all
}

// tangled reports whether a text has a word that ties its clauses: what one says depends on another.
func tangled(text string) bool {
	ts, _ := evolve.Words(text)
	return slices.ContainsFunc(ts, func(t evolve.Word) bool {
		return is(t, "if", "within", "since", "says", "instead") || slices.Contains(tying, t.Low)
	})
}

// tying are words by which a clause leans on another, or by which all of them hold only for some time or together.
var tying = strings.Fields(`that than then so therefore thus hence although though unless until till while whereas when
	where during before once both either neither nor respectively together same former latter one ones each otherwise
	too also damit daher deshalb deswegen obwohl bis während wenn als bevor sobald sowohl weder noch beide jeweils
	sonst auch so quand lorsque jusqu jusqu'à pendant avant donc ainsi bien aussi les_deux cuando hasta mientras antes
	entonces también ambos así`)

// split parts a sentence behind a mark and before a word that joins, where a clause begins there and one has ended.
func split(s string) []string {
	fields := strings.Fields(s)
	var out []string
	from := 0
	for i := 1; i < len(fields); i++ {
		low := strings.ToLower(strings.Trim(fields[i], ",;"))
		joins := evolve.Is("joins", low) || evolve.Is("but", low) || fields[i] == "–" || fields[i] == "—"
		marked := strings.ContainsAny(fields[i-1][len(fields[i-1])-1:], ",;")
		next := i
		if joins {
			next++
		}
		if !joins && !marked || next >= len(fields) || !says(fields[from:i]) ||
			!begins(strings.Join(fields[next:], " ")) {
			continue
		}
		out = append(out, strings.TrimRight(strings.Join(fields[from:i], " "), ",;"))
		from = next
	}
	return append(out, strings.Join(fields[from:], " "))
}

// says reports whether words have a subject and a verb.
func says(fields []string) bool {
	_, said := evolve.Words(strings.TrimRight(strings.Join(fields, " "), ",;"))
	if len(said) > 0 && slices.Contains(speaking, strings.ToLower(fields[0])) {
		return true
	}
	if slices.ContainsFunc(said, func(s evolve.Statement) bool { return len(s.Subject) > 0 }) {
		return true
	}
	return len(fields) > 2 && slices.ContainsFunc(fields[1:min(len(fields), mostSubject)], finite)
}

// mostSubject is before which word of a clause its verb stands.
const mostSubject = 5

// finite reports whether a word looks like a verb that the rules do not know, as German, French and Spanish have
// them: it is small and ends as one.
func finite(word string) bool {
	const least = 4
	small := !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLower(r) })
	return small && len(word) > least && !evolve.Is("light", word) &&
		slices.ContainsFunc([]string{"en", "t", "ons", "mos"}, func(end string) bool { return strings.HasSuffix(word, end) })
}

// begins reports whether a clause begins a text by itself: with who speaks, an article or a name, and then a verb. One
// that begins with "it" or "its port" is about what another one names.
func begins(s string) bool {
	ts, _ := evolve.Words("So " + s) // a name keeps its capital
	if len(ts) < 4 {
		return false
	}
	first, next := ts[1], ts[2]
	switch {
	case slices.Contains(speaking, first.Low):
		return says(strings.Fields(s)) || finite(next.Text)
	case slices.Contains(articles, first.Low):
		if is(next, "be", "have", "modal", "do") || is(next, "he") {
			return false // "das ist gut"
		}
	case first.Name && first.Text != first.Low:
	default:
		return false
	}
	return says(strings.Fields(s))
}

// Who speaks, and the words before a thing that is known without another clause.
var (
	speaking = strings.Fields("we i wir ich nous je nosotros yo on")
	articles = strings.Fields(`the our my a an der die das den unser unsere unserer mein meine ein eine le la les notre
		nos mon ma mes un une el los las nuestro nuestra nuestros nuestras mi mis una`)
)

// alone reports whether a clause says by itself what it says behind the first one: that one is about who speaks,
// and not about a thing whose port or day this one may tell; or this one names its own.
func alone(first, c clause) bool {
	return slices.Contains(speaking, low(first.text)) || slices.Contains(speaking, low(c.text)) ||
		!slices.Contains(articles, low(c.text))
}

// leads reports whether a text begins with what holds for all its clauses: "In May …, and".
func leads(first string) bool {
	return !slices.Contains(speaking, low(first)) && !begins(first)
}

func low(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return strings.ToLower(word)
}

// sentence makes a text of clauses, with the end of the whole one.
func sentence(run, whole string) string {
	run = strings.TrimRight(run, " .,;–—")
	r, n := utf8.DecodeRuneInString(run)
	run = string(unicode.ToUpper(r)) + run[n:]
	if strings.HasSuffix(strings.TrimSpace(whole), ".") {
		run += "."
	}
	return run
}

// terms are the words by which clauses are told apart.
func terms(text string) []string {
	ts, _ := evolve.Words(text)
	var own []string
	for _, t := range ts {
		if !is(t, "article", "light", "be", "have", "do", "modal", "he", "vague", "now", "joins", "but", "not") {
			own = append(own, t.Text)
		}
	}
	return words.Query(strings.Join(own, " "))
}

func is(t evolve.Word, lists ...string) bool {
	return slices.ContainsFunc(lists, func(list string) bool { return slices.Contains(t.In, list) })
}
