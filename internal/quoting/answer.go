package quoting

import (
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// How much is a quotation: five words in a row, or ten characters of writing without spaces; a whole sentence of the
// record counts from three words on. What is less may stand anywhere by chance.
const (
	stretch    = 10 // two of a word, one of a character
	wholeWords = 6
	run        = 5 // words by which a stretch is found
)

// MostAnswer bounds an answer, in bytes.
const MostAnswer = 4 << 20

// mostSteps bounds how often the words of an answer are found among those given. Only one word said over and over
// reaches it.
const mostSteps = 5_000_000

// mostCompared bounds how many words of sources are looked at beside quotations.
const mostCompared = 100_000_000

// ErrRepeats says that an answer cannot be compared.
var ErrRepeats = errors.New("the answer repeats the same words too often to be compared")

// A Source is the words of a record, of which some are given.
type Source struct {
	Ref    string
	Words  string
	Spans  []Span
	Denied string // what a person decided against the record: no sentence rests on it
}

// A Verdict says how a sentence of an answer stands to the words that were given.
type Verdict string

// The verdicts. Only Quotes and Part say that a sentence rests on words.
const (
	Quotes  Verdict = "quotes"  // one sentence of a record or more, word for word
	Part    Verdict = "part"    // a part of a sentence, word for word; the rest is left out
	Differs Verdict = "differs" // it goes on otherwise than the record does
	Negated Verdict = "negated" // a negation stands about the quotation, here or in the record
	Asked   Verdict = "asked"   // in a question
	None    Verdict = "none"    // nothing is quoted
)

// Rests reports whether a sentence rests on words, as far as words tell.
func (v Verdict) Rests() bool { return v == Quotes || v == Part }

// A Sentence is one of an answer.
type Sentence struct {
	Line    int     `json:"line"` // of the answer, from 1
	Text    string  `json:"text"`
	Verdict Verdict `json:"verdict"`
	Quotes  []Quote `json:"quotes,omitempty"`
	Adds    string  `json:"adds,omitempty"` // its words that are no quotation
	Why     string  `json:"why,omitempty"`  // the word that denies, and where it stands
}

// A Quote is a stretch of words that a record has too.
type Quote struct {
	Ref     string   `json:"ref"`
	Also    []string `json:"also,omitempty"` // other entries with the same words
	Words   string   `json:"words"`
	LeftOut string   `json:"left_out,omitempty"` // what the sentence of the record says beside it
	Says    string   `json:"says,omitempty"`     // how the answer goes on, where the record goes on otherwise
	Has     string   `json:"has,omitempty"`      // and how the record does
}

// mostShown bounds what is shown of the words of a sentence, in bytes.
const mostShown = 400

// reading compares one answer.
type reading struct {
	sources []*source
	runs    map[string][]int // by so many words in a row, where they stand among all words of the sources
	whole   map[string][]int // by the words of a short sentence of a source, where it begins
	all     []int            // of each place, the number of its source and the word there
	at      []int

	steps, compared int
}

// source is a Source with its words.
type source struct {
	Source
	words []word
	begin []int // of each word, the first word of its sentence
	end   []int // and the one after its last
	given []bool
}

// Quotations says for each sentence of an answer which of the sources it quotes.
func Quotations(sources []Source, answer string) ([]Sentence, error) {
	r := &reading{runs: make(map[string][]int), whole: make(map[string][]int)}
	for i := range sources {
		r.add(sources[i])
	}
	return r.read(answer)
}

func (r *reading) add(of Source) {
	s := &source{Source: of, words: wordsOf(of.Words)}
	s.begin, s.end, s.given = make([]int, len(s.words)), make([]int, len(s.words)), make([]bool, len(s.words))
	next := 0
	for _, to := range append(sentences.Bounds(of.Words), len(of.Words)) {
		first := next
		for next < len(s.words) && s.words[next].from < to {
			next++
		}
		for i := first; i < next; i++ {
			s.begin[i], s.end[i] = first, next
		}
	}
	span := 0
	for i, w := range s.words {
		for span < len(of.Spans) && of.Spans[span].To < w.to {
			span++
		}
		s.given[i] = span < len(of.Spans) && of.Spans[span].From <= w.from
	}
	no := len(r.sources)
	r.sources = append(r.sources, s)
	from := len(r.all)
	for i := range s.words {
		r.all, r.at = append(r.all, no), append(r.at, i)
	}
	for i := range s.words {
		if i+run <= len(s.words) && together(s.given[i:i+run]) {
			key := joined(s.words[i : i+run])
			r.runs[key] = append(r.runs[key], from+i)
		}
		if n := s.end[i] - i; s.begin[i] == i && n > 0 && together(s.given[i:i+n]) && weight(s.words[i:i+n]) >= wholeWords &&
			weight(s.words[i:i+n]) < stretch {
			key := joined(s.words[i : i+n])
			r.whole[key] = append(r.whole[key], from+i)
		}
	}
}

func together(given []bool) bool {
	for _, is := range given {
		if !is {
			return false
		}
	}
	return true
}

func joined(words []word) string {
	var b strings.Builder
	for i := range words {
		b.WriteString(words[i].text)
		b.WriteByte(' ')
	}
	return b.String()
}

func weight(words []word) (n int) {
	for i := range words {
		n += words[i].weight
	}
	return n
}

// unquoted are marks of an answer that are no words of it: what it cites, and tags.
var unquoted = sync.OnceValue(func() *regexp.Regexp {
	const tag, note, link = `</?[a-zA-Z][^<>\n]{0,200}>`, `\[\^?\d{1,3}\]`, `\]\([^()\s]+\)`
	const ref = `[a-z]{3,12}:[0-9a-f]{4,64}`
	return regexp.MustCompile(tag + "|" + note + "|" + link + `|[\[(]` + ref + `[\])]|\b` + ref + `\b`)
})

// read reads an answer.
func (r *reading) read(answer string) ([]Sentence, error) {
	plain := unquoted().ReplaceAllStringFunc(answer, func(s string) string { return strings.Repeat(" ", len(s)) })
	around := contexts{text: plain}
	var out []Sentence
	line, counted := 1, 0
	for from, to := range sentences.Spans(answer) {
		line += strings.Count(answer[counted:from], "\n")
		counted = from
		said := &saying{text: plain[from:to], whole: answer[from:to], words: wordsOf(plain[from:to])}
		if weight(said.words) == 0 {
			continue
		}
		if err := r.find(said); err != nil {
			return nil, err
		}
		why := around.enter(from, to, said)
		s, err := r.judge(said)
		if err != nil {
			return nil, err
		}
		s.Line, s.Text = line, shorten.To(answer[from:to], mostShown)
		if why != "" && len(s.Quotes) > 0 {
			s.Verdict, s.Why = Negated, why
		}
		around.leave(said)
		if n := len(out); n > 0 && around.takesBack && len(s.Quotes) == 0 && len(out[n-1].Quotes) > 0 {
			out[n-1].Verdict, out[n-1].Why = Negated, "the next sentence: "+s.Text
		}
		out = append(out, s)
	}
	return out, nil
}
