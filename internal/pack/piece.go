package pack

import (
	"sort"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/tokens"
)

// gap stands where a passage leaves something out.
const gap = "…"

// gapCost is more than a gap and the blanks around it take, in tokens.
const gapCost = 3

// leastLine is how many tokens at least the beginning of a line may take.
const leastLine = 4

// A piece is a sentence of a turn.
type piece struct {
	text string // on one line
	cost int    // tokens, when counted
	has  uint64 // those of the question's terms that are in it, by place, and whether meaning found it
	from int    // where in it begins what meaning found

	begins *tokens.Beginnings // when first asked for
	sought *sought            // when first asked for
}

// placeOf returns where in a piece some words stand of which it is about known where; 0 is the beginning.
func (p *piece) placeOf(some string, about int) int {
	const away = 32
	return max(0, strings.LastIndex(p.text[:min(len(p.text), about+len(some)+away)], some))
}

// tokens counts what a piece takes, with a blank.
func (p *piece) tokens() int {
	if p.cost == 0 {
		p.cost = tokens.Count(p.text) + 1
	}
	return p.cost
}

// within returns what a piece takes if that is no more than so much. A long one is not counted to its end.
func (p *piece) within(room int) (cost int, is bool) {
	if p.cost == 0 && !tokens.Fits(p.text, room-1) {
		return 0, false
	}
	return p.tokens(), p.tokens() <= room
}

// cutTo returns the beginning of a piece that takes at most so many tokens with a sign at its end. It is empty
// where too little fits.
func (p *piece) cutTo(most int) string {
	if most < leastLine {
		return ""
	}
	if _, fits := p.within(most + 1); fits {
		return p.text
	}
	if p.begins == nil {
		p.begins = tokens.BeginningsOf(p.text)
	}
	return signed(prefix(p.text, p.begins, most-1))
}

// cutTo returns the beginning of a line that takes at most so many tokens with a sign at its end. It is empty
// where too little fits.
func cutTo(s string, most int) string {
	if most < leastLine {
		return ""
	}
	if tokens.Fits(s, most) {
		return s
	}
	return signed(prefix(s, tokens.BeginningsOf(s), most-1))
}

// signed puts the sign of a cut behind a beginning.
func signed(cut string) string {
	if cut == "" {
		return ""
	}
	return strings.TrimRight(cut, " ") + gap
}

// prefix returns the longest beginning of a line that takes at most so many tokens. It ends at a word if one ends
// near, and never within what is shown as one character.
func prefix(s string, of *tokens.Beginnings, most int) string {
	starts := make([]int, 0, 8*most) // of the characters that may stay
	for i, r := range s {
		if len(starts) == cap(starts) {
			break
		}
		if r != joiner && !unicode.Is(unicode.M, r) {
			starts = append(starts, i)
		}
	}
	const places = 256 // that are tried of a long one: a text without blanks takes long to count
	step := 1 + len(starts)/places
	fit := sort.Search(len(starts)/step, func(i int) bool { return !of.Fit(starts[i*step], most) })
	if fit == 0 {
		return ""
	}
	end := starts[(fit-1)*step]
	if at := strings.LastIndexByte(s[:end], ' '); at > end*2/3 && end < len(s) && s[end] != ' ' {
		end = at
	}
	return strings.TrimRightFunc(s[:end], trailing)
}
