package probes

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Names finds names in texts: as whole words in any form of Unicode, in code and file names too, and not inside other
// words. A name of one word that was given with a capital is surely found only with one: "Will" is not "will".
type Names struct {
	names []name
	first map[string][]int // by the first word
	runs  []int            // of a script without spaces: they are found anywhere
}

type name struct {
	words   []string
	joined  string // of several words, as code writes it
	text    string // as folded
	capital bool
}

// NewNames returns those names; blank ones are passed over. Found says of each by its place in the list.
func NewNames(list []string) *Names {
	n := &Names{first: make(map[string][]int)}
	for i, given := range list {
		words := wordsOf(given)
		one := name{text: strings.Join(words, " ")}
		for _, w := range words {
			one.words = append(one.words, Fold(w))
		}
		one.capital = len(words) == 1 && strings.ToLower(words[0]) != words[0]
		if one.text = Fold(one.text); len(one.words) > 1 {
			one.joined = strings.Join(one.words, "")
		}
		n.names = append(n.names, one)
		switch {
		case one.text == "":
		case strings.ContainsFunc(one.text, spaceless):
			n.runs = append(n.runs, i)
		default:
			n.first[one.words[0]] = append(n.first[one.words[0]], i)
			if one.joined != "" {
				n.first[one.joined] = append(n.first[one.joined], i)
			}
		}
	}
	return n
}

// spaceless reports whether a letter is of a script that puts no spaces between words.
func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar)
}

// A Hit is a name that stands in a text.
type Hit struct {
	Name int  // its place in the list
	Sure bool // false where it was given with a capital and stands here without one
}

// In returns the names that stand in a text, each once.
func (n *Names) In(text string) (out []Hit) {
	if len(n.first) == 0 && len(n.runs) == 0 {
		return nil
	}
	out = n.among(out, wordsOf(text))
	if strings.ContainsFunc(text, unicode.IsUpper) { // notifyAda
		out = n.among(out, wordsOf(apart(text)))
	}
	if len(n.runs) > 0 {
		folded := Fold(strings.Join(wordsOf(text), " "))
		for _, i := range n.runs {
			if strings.Contains(folded, n.names[i].text) {
				out = add(out, Hit{i, true})
			}
		}
	}
	return out
}

func (n *Names) among(out []Hit, words []string) []Hit {
	folded := make([]string, len(words))
	for i, w := range words {
		folded[i] = Fold(w)
	}
	for at, w := range folded {
		for _, i := range n.first[w] {
			one := n.names[i]
			whole := w == one.joined ||
				at+len(one.words) <= len(folded) && slices.Equal(folded[at:at+len(one.words)], one.words)
			if whole {
				out = add(out, Hit{i, !one.capital || strings.ToLower(words[at]) != words[at]})
			}
		}
	}
	return out
}

func add(out []Hit, h Hit) []Hit {
	at := slices.IndexFunc(out, func(o Hit) bool { return o.Name == h.Name })
	if at < 0 {
		return append(out, h)
	}
	out[at].Sure = out[at].Sure || h.Sure
	return out
}

// Fold returns a text in the form in which names are compared: no case, no accents, no forms of width.
func Fold(text string) string {
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < 0x80
	}
	if !ascii {
		text = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, norm.NFKD.String(text))
	}
	return strings.ToLower(text)
}

// wordsOf takes a text apart into runs of letters, marks and digits. What is not seen, such as a soft hyphen, parts
// nothing.
func wordsOf(text string) (out []string) {
	var b strings.Builder
	end := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsDigit(r):
			b.WriteRune(r)
		case unicode.Is(unicode.Cf, r):
		default:
			end()
		}
	}
	end()
	return out
}

// apart puts a space where code begins a new word with a capital.
func apart(text string) string {
	var b strings.Builder
	var before rune
	for _, r := range text {
		if unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}
