package evolve

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/words"
)

// Bounds of what is a plain statement.
const (
	mostRead  = 1200 // bytes
	mostWords = 90
)

// readMemory reads a text. Its "I" is read as a name if own says so.
func readMemory(m Memory, own bool) *reading {
	r := &reading{verb: -1, said: map[string]int8{}, own: own}
	text := m.Text
	if len(text) > mostRead {
		r.strange = true
		return r
	}
	text = joined.Replace(unquoted(strings.ToValidUTF8(text, "")))
	trimmed := strings.TrimSpace(text)
	r.question = strings.HasSuffix(trimmed, "?")
	r.split(trimmed)
	if len(r.tokens) > mostWords || r.foreign(text) {
		r.strange = true
		return r
	}
	r.frame(m.About)
	r.withoutResolve()
	r.withoutReason()
	for i, t := range r.tokens { // who is meant
		if r.speaker != "" && (t.word == "he" || t.word == "she" || t.word == "his" || t.word == "her") {
			r.tokens[i].word, r.tokens[i].name, r.tokens[i].owner = r.speaker, true, t.word == "his" || t.word == "her"
		}
	}
	r.values()
	r.key(m.About)
	r.deny()
	r.findSubject()
	r.suppose()
	for _, t := range r.tokens {
		if t.content {
			if was, twice := r.said[t.key]; !twice || was == -1 {
				r.said[t.key] = t.affirmed()
			}
		}
	}
	for _, t := range r.tokens { // demo1 is demo1.example.org
		if t.content && strings.ContainsAny(t.word, "./_") && t.class == "" {
			for _, part := range words.Terms(t.word) {
				if _, known := r.said[part]; !known && len(part) > 3 {
					r.said[part] = 1
				}
			}
		}
	}
	return r
}

// withoutReason takes off the reason that ends a statement: because days grew too long.
func (r *reading) withoutReason() {
	const least = 4
	for i, t := range r.tokens {
		if t.word == "because" && i >= least {
			r.tokens, r.reasoned = r.tokens[:i], true
			return
		}
	}
}

// plainMarks brings marks, and a few phrases that are as good as a word, to one form.
var plainMarks = strings.NewReplacer(
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "’", "'", "‘", "'", "`", " ", "\u00a0", " ",
	"out of order", "broken", "out of service", "broken", "go through", "pass", "goes through", "passes",
)

// unquoted leaves out what is only quoted: two words or more in quotation marks.
func unquoted(text string) string {
	text = plainMarks.Replace(text)
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '"')
		if open < 0 {
			break
		}
		length := strings.IndexByte(text[open+1:], '"')
		if length < 0 {
			break
		}
		inside := text[open+1 : open+1+length]
		b.WriteString(text[:open])
		if len(strings.Fields(inside)) < 2 {
			b.WriteString(inside)
		}
		text = text[open+length+2:]
	}
	b.WriteString(text)
	return b.String()
}

// split makes tokens of a text. Clauses end at punctuation.
func (r *reading) split(text string) {
	clause, first := 0, true
	ends, at := sentences.Bounds(text), 0
	for field := range strings.FieldsSeq(text) {
		at += strings.Index(text[at:], field) + len(field)
		word := strings.TrimFunc(field, func(c rune) bool {
			return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-$€£%+#=/_", c)
		})
		if field == "-" || field == "–" || field == "—" {
			clause++
			continue
		}
		word = strings.TrimRight(strings.TrimLeft(word, "-/"), "-/")
		lower := strings.ToLower(word)
		t := token{text: word, word: lower, sign: 1, clause: clause, first: first}
		t.capital = !first && word != lower && lower != "i"
		if cut, ok := strings.CutSuffix(t.word, "'s"); ok {
			switch cut {
			case "it", "he", "she", "that", "there", "what", "who", "here":
				r.push(token{word: cut, sign: 1, clause: clause, first: first})
				t.word, t.first = "is", false
			case "let":
				t.word = "let"
			default:
				t.word, t.owner = cut, true
			}
		} else if cut, ok := strings.CutSuffix(t.word, "'"); ok {
			t.word, t.owner = cut, true
		}
		switch {
		case strings.HasSuffix(t.word, "n't"):
			verb := map[string]string{"won't": "will", "can't": "can", "shan't": "shall"}[t.word]
			if verb == "" {
				verb = strings.TrimSuffix(t.word, "n't")
			}
			r.push(token{word: verb, sign: 1, clause: clause, first: first})
			t.word, t.first = "not", false
		case strings.ContainsRune(t.word, '\'') && len(t.word) < 9:
			before, after, _ := strings.Cut(t.word, "'")
			if full := map[string]string{"m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would"}[after]; full != "" {
				r.push(token{word: before, sign: 1, clause: clause, first: first})
				t.word, t.first = full, false
			}
		case t.word == "cannot":
			r.push(token{word: "can", sign: 1, clause: clause, first: first})
			t.word, t.first = "not", false
		}
		if t.capital && len(word) == 1 && word >= "A" && word <= "Z" {
			t.word += "_" // zone A
		}
		t.colon = field[len(field)-1] == ':'
		if parts := strings.Split(t.word, "-"); len(parts) == 2 && concepts()[t.word].key == "" &&
			concepts()[parts[1]].key != "" && len(parts[0]) > 2 {
			r.push(token{text: parts[0], word: parts[0], sign: 1, clause: clause, first: first, half: true}) // thread-safe
			t.word, t.first = parts[1], false
		}
		r.push(t)
		first = false
		switch last := field[len(field)-1]; {
		case last == '.' || last == '!' || last == '?':
			if _, ended := slices.BinarySearch(ends, at); ended {
				clause, first = clause+1, true
			}
		case last == ',' || last == ';' || last == ')':
			clause++
		case last == ':':
			clause++
			first = false
		}
	}
}

func (r *reading) push(t token) {
	if t.word != "" && len(r.tokens) <= mostWords {
		r.tokens = append(r.tokens, t)
	}
}

// foreign says whether a text is of another language than English.
func (r *reading) foreign(text string) bool {
	letters, wide, strange, english := 0, 0, 0, 0
	for _, c := range text {
		if unicode.IsLetter(c) {
			letters++
			if c > unicode.MaxLatin1 {
				wide++
			}
		}
	}
	for _, t := range r.tokens {
		switch {
		case strangers.Has(t.word) && !falseFriends.Has(t.word):
			strange++
		case emptyWords.Has(t.word) && !strangers.Has(t.word):
			english++
		}
	}
	return wide*5 > letters || strange > 1 && strange >= english || strange > 0 && english == 0
}

// frame takes off who says it, and what stands before a colon.
func (r *reading) frame(about []string) {
	for range 3 {
		n := len(r.tokens)
		if n <= 2 {
			return
		}
		if w := r.tokens[0].word; r.tokens[0].colon && len(w) == len("2026") && (w[:2] == "20" || w[:2] == "19") &&
			isFigure(w) {
			r.day = w
			r.tokens = r.tokens[1:]
			continue
		}
		if n > 2 && r.tokens[0].clause < r.tokens[1].clause && (isDay(r.tokens[0].word) || r.tokens[0].word == "note" ||
			r.tokens[0].word == "fyi") {
			if isDay(r.tokens[0].word) {
				r.day = r.tokens[0].word
			}
			r.tokens = r.tokens[1:]
			continue
		}
		if n > 2 && r.tokens[0].colon && slices.ContainsFunc(
			about, func(a string) bool { return strings.EqualFold(a, r.tokens[0].word) },
		) && r.speaker == "" {
			r.speaker = r.tokens[0].word
			r.tokens = r.tokens[1:]
			r.tokens[0].first = true
			continue
		}
		if n > 3 && r.tokens[1].clause < r.tokens[2].clause && isDay(r.tokens[1].word) &&
			r.tokens[0].clause == r.tokens[1].clause {
			r.day = r.tokens[1].word
			r.tokens = r.tokens[2:]
			continue
		}
		if at := r.heading(); at > 0 {
			r.announced, r.tokens = true, r.tokens[at:]
			r.tokens[0].first = true
			continue
		}
		cut := -1
		for i := 1; i < min(5, n-2); i++ {
			if reporters.Has(r.tokens[i].word) && !determiners.Has(r.tokens[i+1].word) &&
				r.tokens[i].clause == r.tokens[0].clause && !slices.ContainsFunc(
				r.tokens[:i],
				func(t token) bool { return auxiliaries.Has(t.word) || prepositions.Has(t.word) },
			) {
				cut = i
				break
			}
			if reporters.Has(r.tokens[i].word) && determiners.Has(r.tokens[i+1].word) && i == 1 &&
				r.tokens[i].word != "wrote" && r.tokens[i].word != "writes" && r.tokens[i].word != "reports" &&
				r.tokens[i].word != "mentions" {
				cut = i
				break
			}
		}
		if cut < 0 {
			return
		}
		for _, t := range r.tokens[:cut] {
			if !pronouns.Has(t.word) && !emptyWords.Has(t.word) {
				r.speaker = t.word
			}
		}
		cut++
		for cut < n-2 && (wordSetTold.Has(r.tokens[cut].word) || r.tokens[cut-1].word == "told" &&
			r.tokens[cut-1].clause == r.tokens[cut].clause && r.tokens[cut].word != "that") {
			cut++
		}
		r.tokens = r.tokens[cut:]
		r.tokens[0].first = true
	}
}

// heading returns the place after a heading that tells of a change, 0 if there is none: "New hours:".
func (r *reading) heading() int {
	news := false
	for i, t := range r.tokens[:min(5, len(r.tokens)-2)] {
		if t.clause != r.tokens[0].clause {
			return 0
		}
		news = news || newsWords.Has(t.word)
		if t.colon {
			if news {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

var newsWords = lazy.Words(`new change changed changes update updated news correction revised moved`)

var wordSetTold = lazy.Words(`that me us him them how`)

// suppose finds questions and what is only thought of.
func (r *reading) suppose() {
	if len(r.tokens) == 0 {
		return
	}
	first := r.tokens[0].word
	if wordSetAsk.Has(first) && len(r.tokens) > 1 && (pronouns.Has(r.tokens[1].word) || r.question) {
		r.question = true
	}
	for i, t := range r.tokens {
		if i < 8 && supposing.Has(t.word) && !(t.word == "wants" || t.word == "plans") {
			r.supposed = true
		}
	}
}

var wordSetAsk = lazy.Words(
	`should is are was were do does did has have can could will would what who which when where why how shall may`,
)
