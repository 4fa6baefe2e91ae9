package recall

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// quoted returns what a raw says to a question, with who said it, in at most so many characters.
func quoted(raw *memory.Raw, asked []string, most int) string {
	said := raw.Said()
	if strings.TrimSpace(said) == "" {
		said = memory.Headline(raw)
	}
	if raw.Speaker == "" {
		return excerpt(said, asked, most)
	}
	by := raw.Speaker + ": "
	return by + excerpt(said, asked, most-utf8.RuneCountInString(by))
}

// mostRead is how many bytes of a text an excerpt is looked for in.
const mostRead = 256 << 10

// gap stands where an excerpt leaves something out.
const gap = "…"

// excerpt returns of a text what bears on a question, on one line of at most so many characters: its first line,
// where that has all there is of the question's terms; or all of it, where that fits; or the sentences that have
// most of the terms, and what follows them.
func excerpt(text string, asked []string, most int) string {
	text = strings.ToValidUTF8(shorten.To(text, mostRead), "\uFFFD")
	head, whole := oneLine(shorten.FirstLine(text)), oneLine(text)
	if utf8.RuneCountInString(head) <= most && (head == whole || len(has(head, asked)) == len(has(text, asked))) {
		return head
	}
	if utf8.RuneCountInString(whole) <= most {
		return whole
	}
	wanted := make(map[string]bool, len(asked))
	for _, t := range asked {
		wanted[t] = true
	}
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, sentences(oneLine(line), most/2)...)
	}
	terms := make([][]string, len(all))
	for i, s := range all {
		terms[i] = has(s, asked)
	}
	taken := make([]bool, len(all))
	room := most - 2*(len(gap)+1)
	take := func(i int) bool {
		cost := utf8.RuneCountInString(all[i]) + 1
		if i > 0 && !taken[i-1] {
			cost += 2
		}
		if taken[i] || cost > room {
			return false
		}
		room -= cost
		taken[i] = true
		return true
	}
	first := -1
	for len(wanted) > 0 {
		best, most := -1, 0
		for i := range all {
			n := 0
			for _, t := range terms[i] {
				if wanted[t] {
					n++
				}
			}
			if n > most && !taken[i] {
				best, most = i, n
			}
		}
		if best < 0 || !take(best) {
			break
		}
		if first < 0 {
			first = best
		}
		for _, t := range terms[best] {
			delete(wanted, t)
		}
	}
	first = max(first, 0)
	for i := first; i < len(all) && (taken[i] || take(i)); i++ {
	}
	return joined(all, taken)
}

// has returns those of a question's terms that a text has, each once.
func has(text string, asked []string) (out []string) {
	in := make(map[string]bool)
	for _, t := range words.Terms(text) {
		in[t] = true
	}
	for _, t := range asked {
		if in[t] {
			out = append(out, t)
		}
	}
	return out
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// joined sets the sentences taken one behind the other, with a sign where others stood between.
func joined(all []string, taken []bool) string {
	var b strings.Builder
	left := false
	for i, s := range all {
		if !taken[i] {
			left = true
			continue
		}
		if b.Len() > 0 || left {
			if left {
				if b.Len() > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(gap)
			}
			b.WriteByte(' ')
		}
		b.WriteString(s)
		left = false
	}
	if left {
		b.WriteString(" " + gap)
	}
	return strings.TrimSpace(b.String())
}

// sentences parts a line at the ends of sentences, and at a blank where one is longer than so many characters.
func sentences(text string, longest int) []string {
	var out []string
	start, length, blank := 0, 0, -1
	for i, r := range text {
		length++
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch {
		case strings.ContainsRune(".!?", r) && next == ' ', strings.ContainsRune("。！？", r):
			out, start, length, blank = append(out, strings.TrimSpace(text[start:i+utf8.RuneLen(r)])), i+utf8.RuneLen(r), 0, -1
		case unicode.IsSpace(r):
			blank = i
		}
		if length >= longest {
			end := i + utf8.RuneLen(r)
			if blank > start {
				end = blank
			}
			out, start, blank = append(out, strings.TrimSpace(text[start:end])), end, -1
			length = utf8.RuneCountInString(text[end : i+utf8.RuneLen(r)])
		}
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		out = append(out, rest)
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}
