package evolve

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/sentences"
)

// A token is a word as the rules see it.
type token struct {
	text  string
	word  string // in small letters
	key   string // one for all forms of a word and all ways to write a figure
	class string // of a value: number, time, date, weekday, month, version; "" for a word
	value float64
	verb  bool     // it stands behind "does" or "will"
	name  bool     // it has a capital though it begins no sentence, or is who the memory is about
	ends  rune     // the mark behind it that ends a part of the sentence
	in    []string // the lists in which the word stands
}

// A statement is one thing that a text says of a subject.
type statement struct {
	tokens []token // without articles and words of time such as "now"
	verb   int     // the place of the first verb
	ended  bool    // no longer
	denied bool
	now    bool    // it says that it is so now, or how it came to be so
	ruled  bool    // it rules a value out, and says of no change: not X but Y
	also   bool    // beside something else
	whole  []token // of the sentence
}

// Bounds of what is read as statements.
const (
	mostRead  = 1200 // bytes
	mostWords = 60   // of a sentence
)

var plainMarks = strings.NewReplacer("’", "'", "\u00a0", " ", "“", "", "”", "", "\"", "", "`", "")

// read returns the statements of a memory: its sentences, and the parts of those that say more than one thing.
func read(m Memory) (all []statement) {
	text := plainMarks.Replace(m.Text)
	if len(text) > mostRead || !sentences.Prose(text) {
		return nil
	}
	for _, sentence := range sentences.Split(text) {
		ts := tokenize(sentence, m.About)
		if len(ts) < 2 || len(ts) > mostWords || slices.ContainsFunc(ts, func(t token) bool { return t.is("if") }) ||
			usedTo(ts) {
			continue
		}
		for i := 1; i < min(4, len(ts)-3); i++ { // Ben says
			if ts[i].is("says") && verbAt(ts[:i]) < 0 && verbAt(ts[i+1:]) > 0 {
				ts = ts[i+1:]
				break
			}
		}
		whole := state(ts)
		if whole == nil {
			continue
		}
		all = append(all, *whole)
		parts := split(ts)
		if len(parts) < 2 {
			continue
		}
		subject := slices.Clone(whole.tokens[:whole.verb])
		for _, part := range parts {
			if at := verbAt(part); at == 0 && len(subject) > 0 {
				part = append(slices.Clone(subject), part...)
			} else if at == 1 && part[0].is("he") {
				part = append(slices.Clone(subject), part[1:]...)
			}
			if s := state(part); s != nil {
				s.whole = whole.tokens[min(whole.verb, len(whole.tokens)):]
				all = append(all, *s)
			}
		}
	}
	return all
}

// split parts a sentence where it says another thing: behind a mark, and before "and" with a verb behind it.
func split(ts []token) (parts [][]token) {
	from := 0
	for i, t := range ts {
		joins := i > from && (t.is("joins") || t.is("but"))
		if joins && verbAt(ts[from:i]) >= 0 && begins(ts[i+1:]) {
			parts, from = append(parts, ts[from:i]), i+1
		} else if t.ends != 0 && i+1 < len(ts) && (t.ends == ':' || t.ends == ';' || verbAt(ts[from:i+1]) >= 0) {
			parts, from = append(parts, ts[from:i+1]), i+1
			if ts[from].is("but") || ts[from].word == "and" {
				from++
			}
		}
	}
	if from < len(ts) {
		parts = append(parts, ts[from:])
	}
	return parts
}

// begins reports whether words behind "and" are a statement: a verb, a pronoun or a name with a verb stands first.
func begins(ts []token) bool {
	at := verbAt(ts)
	return at == 0 || at > 0 && at < 3
}

// tokenize makes the tokens of a sentence.
func tokenize(sentence string, about []string) (ts []token) {
	fields := strings.Fields(sentence)
	for i, field := range fields {
		ends := rune(0)
		if last := field[len(field)-1]; strings.IndexByte(",;:)", last) >= 0 {
			ends = rune(last)
		} else if field == "-" || field == "–" || field == "—" {
			if len(ts) > 0 {
				ts[len(ts)-1].ends = ';'
			}
			continue
		}
		text := strings.TrimFunc(field, func(c rune) bool {
			return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("$€£%+#/_-", c)
		})
		for _, cut := range []string{"l'", "d'", "n'", "j'", "qu'", "L'", "D'"} {
			if rest, is := strings.CutPrefix(text, cut); is {
				if cut == "n'" {
					ts = append(ts, word("ne"))
				}
				text = rest
			}
		}
		text = strings.TrimSuffix(strings.TrimSuffix(text, "'s"), "'")
		lower := strings.ToLower(text)
		if verb, is := strings.CutSuffix(lower, "n't"); is {
			if verb == "ca" || verb == "wo" {
				verb = map[string]string{"ca": "can", "wo": "will"}[verb]
			}
			ts = append(ts, word(verb))
			text, lower = "not", "not"
		}
		if lower == "cannot" {
			ts = append(ts, word("can"))
			text, lower = "not", "not"
		}
		if text == "" {
			continue
		}
		t := word(text)
		t.name = i > 0 && text != lower && lower != "i" && t.class == "" ||
			slices.ContainsFunc(about, func(a string) bool { return strings.EqualFold(a, text) })
		t.ends = ends
		ts = append(ts, t)
	}
	return phrases(ts)
}

// word is the token of a word.
func word(text string) token {
	t := token{text: text, word: strings.ToLower(text), key: keyOf(text)}
	t.in = where()[t.word]
	plain := strings.TrimRight(t.word, "s")
	for _, class := range []string{"weekday", "month"} {
		if Is(class, plain) {
			t.class, t.key = class, plain
		}
	}
	if t.is("number") {
		t.class, t.value = "number", lists()["number"][t.word]
	}
	if strings.ContainsAny(t.word, "0123456789") {
		t.figure()
	}
	return t
}

// figure reads a value that is written in digits.
func (t *token) figure() {
	text := strings.Trim(t.word, "$€£%+")
	below := strings.HasPrefix(text, "-")
	text = strings.TrimPrefix(text, "-")
	switch {
	case strings.ContainsRune(text, ':') && isFigure(text, ":"):
		t.class, t.key = "time", strings.TrimLeft(text, "0")
	case isFigure(text, "-") && len(text) == len("2006-01-02"):
		t.class, t.key = "date", text
	case isFigure(text, ".,"):
		whole := strings.ReplaceAll(text, ",", "")
		if at := strings.LastIndexByte(whole, '.'); at > 0 && len(whole)-at == 4 && strings.Count(whole, ".") == 1 &&
			!strings.ContainsRune(text, ',') && whole[0] != '0' {
			whole = strings.ReplaceAll(whole, ".", "") // 2.400 Euro
		}
		if v, err := strconv.ParseFloat(whole, 64); err == nil {
			t.class, t.value, t.key = "number", v, strconv.FormatFloat(v, 'g', -1, 64)
			if below {
				t.value, t.key = -v, "-"+t.key
			}
			if strings.ContainsRune(text, '.') && whole == text {
				t.key = text // 1.10 is no 1.1
			}
		} else {
			t.class, t.key = "version", text
		}
	case len(text) > 1 && text[0] == 'v' && isFigure(text[1:], "."):
		t.class, t.key = "version", text[1:]
	}
}

// identifier reports whether a word names one thing of many: INF-20.
func (t token) identifier() bool {
	return t.class == "" && strings.ContainsRune(t.word, '-') && strings.ContainsAny(t.word, "0123456789")
}

// isFigure reports whether a text is of digits with marks of some kind between them.
func isFigure(text, marks string) bool {
	return text != "" && text[0] >= '0' && text[0] <= '9' && strings.Trim(text, "0123456789"+marks) == ""
}

// phrases joins the tokens that only together say what the lists know, and days with their months.
func phrases(ts []token) (out []token) {
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		for n := min(4, len(ts)-i); n > 1 && t.is(begun); n-- {
			var all []string
			for _, u := range ts[i : i+n] {
				all = append(all, u.word)
			}
			if p := strings.Join(all, " "); Is(phrase, p) {
				t = token{text: p, word: p, key: p, ends: ts[i+n-1].ends, in: where()[p]}
				i += n - 1
				break
			}
		}
		if last := len(out) - 1; last >= 0 && (t.class == "month" && out[last].class == "number" ||
			t.class == "number" && out[last].class == "month") {
			day, month := out[last], t
			if t.class == "number" {
				day, month = t, out[last]
			}
			out[last] = token{
				text: day.text + " " + month.text, word: day.word, key: day.key + month.key, class: "date", in: day.in,
				ends: t.ends,
			}
			continue
		}
		out = append(out, t)
	}
	return out
}

// verbAt returns the place of the first verb of a part, -1 if there is none. What may also be a noun is none where a
// verb comes behind it.
func verbAt(ts []token) int {
	plural, maybe := false, -1
	for i, t := range ts {
		base, form := t.is("verb"), t.is("form")
		switch {
		case t.name && i > 0 || t.class != "":
		case t.isAux() && !(t.word == "a" && !romance(ts)), t.verb, t.is("left"), t.is("stop"),
			t.is("takes"), t.is("replace"), t.is("change") && t.word != "a":
			return i
		case i > 0 && form, i > 0 && base && (plural || ts[0].word == "i" || ts[0].word == "we"):
			return i
		case i == 0 && (base || form):
			maybe = 0
		}
		if maybe == 0 && i > 5 {
			return 0
		}
		plural = plural || strings.HasSuffix(t.word, "s")
	}
	return maybe
}

// romance reports whether a sentence is French or Spanish, where "a" is no article.
func romance(ts []token) bool {
	return slices.ContainsFunc(ts, func(t token) bool { return t.is("romance") })
}

func (t token) isAux() bool { return t.is("be") || t.is("have") || t.is("modal") || t.is("do") }

// usedTo reports whether a sentence says how something was once ("X used to listen"), not what it is used for.
func usedTo(ts []token) bool {
	for i := 1; i+1 < len(ts); i++ {
		if ts[i].word == "used" && ts[i+1].word == "to" && !ts[i-1].is("be") {
			return true
		}
	}
	return false
}

// state makes the statement of a part, nil where it states nothing.
func state(ts []token) *statement {
	s := &statement{}
	negated, more, helped := false, false, false
	for i, t := range ts {
		switch {
		case t.is("article") && !(t.name && i > 0) && !(t.word == "a" && romance(ts)):
		case t.is("do"):
			helped = true
		case i > 0 && (ts[i-1].ends == ',' || ts[i-1].word == "and") && len(s.tokens) > 2 &&
			i+1 < len(ts) && (t.is("ended") || t.word == "not"):
			s.ruled = s.ruled || t.word == "not"
			s.tokens = append(s.tokens, word("instead of")) // with tabs, not with spaces
		case s.ended && t.is("but"), negated && t.is("but") && len(s.tokens) > 2:
			s.ruled = !more
			return s.done(true, true) // not X but Y
		case t.is("now"):
			s.now = true
		case t.is("ended"):
			s.ended = true
		case t.is("more"):
			more = true
		case t.is("also"):
			s.also = true
		case t.is("not") && t.word != "nunca":
			negated = true
		default:
			if last := len(s.tokens) - 1; last == 0 && t.identifier() && s.tokens[0].class == "" && !isVerb(s.tokens[0]) {
				s.tokens = s.tokens[:0] // the ticket INF-20 is INF-20
			}
			t.verb = helped && isVerb(t)
			helped = helped && !t.verb
			s.tokens = append(s.tokens, t)
		}
	}
	return s.done(negated, more)
}

// done finishes a statement of its tokens, nil where they state nothing.
func (s *statement) done(negated, more bool) *statement {
	s.ended, s.denied = s.ended || negated && more, negated
	if s.verb = verbAt(s.tokens); s.verb < 0 || len(s.tokens) < 2 || len(s.tokens) < 3 && !s.ended && s.verb > 0 {
		return nil
	}
	if s.tokens[0].is("vague") || s.verb == 0 && s.tokens[1].is("vague") {
		return nil
	}
	return s
}

// content returns the keys of words that say what some tokens are about.
func content(ts []token) (keys []string) {
	for _, t := range ts {
		if !t.is("light") && !t.isAux() && !t.is("he") && t.word != "we" && t.word != "i" {
			keys = append(keys, t.key)
		}
	}
	return keys
}
