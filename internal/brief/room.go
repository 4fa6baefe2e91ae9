package brief

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/tokens"
)

// What memories say is given whole as long as a short reply has room for it. The room is in tokens.
const (
	room     = 2000 // for memories
	linkRoom = 600  // for the words of what they are linked to
	nearRoom = 30   // for the words of each that is near
	least    = 40   // an entry that has room for less is left out
)

// fill gives entries their room, the first ones first, and returns how many have one. No entry takes more than half
// of it while others need the rest; what they leave makes entries whole that were cut. how says where all words
// of an entry are that stays cut.
func fill(all []*One, most int, how string) int {
	left, n := most, 0
	whole := make(map[int]string) // the texts of those that are cut
	for i, one := range all {
		allowed := left
		if len(all) > 1 {
			allowed = min(left, most/2)
		}
		if !one.fits(allowed) {
			if allowed < least {
				break
			}
			whole[i] = one.Text
			one.shorten(whole[i], allowed, how)
		}
		left -= cost(one)
		n++
	}
	for i := range n {
		if text, cut := whole[i]; cut && left > 0 {
			spent := cost(all[i])
			all[i].shorten(text, spent+left, how)
			left -= cost(all[i]) - spent
		}
	}
	return n
}

func cost(one *One) int { return tokens.Count(one.json()) }

func (one *One) fits(most int) bool { return tokens.Fits(one.json(), most) }

func (one *One) json() string {
	b, _ := json.Marshal(one) // texts can be written
	return string(b)
}

// shorten gives an entry as much of a text as so many tokens hold, and says how much there is if that is not all.
func (one *One) shorten(text string, most int, how string) {
	one.Text, one.Cut = text, ""
	if one.fits(most) {
		return
	}
	one.Text, one.Cut = "", howMuch(text)+how
	for left := most - cost(one); left > 0; {
		one.Text = tokens.Cut(text, left, "…")
		over := cost(one) - most
		if over <= 0 {
			return
		}
		left -= over
	}
	one.Text = ""
}

// howMuch says how long a text is: in characters where it has no words.
func howMuch(text string) string {
	const longWord = 20
	words := len(strings.Fields(text))
	if n := utf8.RuneCountInString(text); n > words*longWord {
		return "of " + thousands(n) + " characters"
	}
	return "of " + thousands(words) + " words"
}

// thousands writes a number as it is read: 1,830.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// lines returns lines that each quote some words, as many as there is room for, and how many are left out.
func lines(all []quoting, most int) (out []string, left int) {
	for i, q := range all {
		text, allowed := q.words, most
		if len(all) > 1 {
			allowed = min(most, linkRoom/2)
		}
		if !tokens.Fits(text, allowed) {
			if allowed < least {
				return out, len(all) - i
			}
			text = tokens.Cut(text, allowed, "…")
		}
		most -= tokens.Count(text)
		line := fmt.Sprintf(q.form, text)
		if text != q.words {
			line += " (" + howMuch(q.words) + "; `why` of it has all)"
		}
		out = append(out, line)
	}
	return out, 0
}

// A quoting is a line with the words of another memory, which have their place in its form.
type quoting struct{ form, words string }
