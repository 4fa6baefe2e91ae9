package pack

import "unicode/utf8"

// Estimator names the rule that Estimate counts by. It changes when the rule does, so that a number of
// tokens is always known with the rule that gave it.
const Estimator = "stemma-1"

// Costs are counted in hundredths of a token.
const (
	token       = 100
	slack       = 150 // on top of every text: short ones vary most
	pairStep    = 2   // from one letter of pairs to the next
	digitGroup  = 3   // digits that one token holds
	afterWord   = 28  // a word right behind another or behind a digit, as in camelCase and base64
	longWord    = 12  // letters a word has before further ones cost more: compounds are in no vocabulary
	longLetter  = 12
	capital     = 14 // a capital after a capital
	capitalRate = 95 // percent of its pair's cost
	mark        = 100
	markNext    = 75 // after another mark
	markAgain   = 45 // after the same mark
	markBefore  = 82 // a letter: the two are often one token
	apostrophe  = 45 // between letters
	lineEnd     = 100
	markedEnd   = 45 // after a mark: the two are often one token
	lastBlank   = 75 // at the end of the text; less than whatever may follow it
	blankRun    = 16 // spaces that one token holds for sure
	tabRun      = 4  // tabs or line ends
)

// Estimate returns how many tokens a text costs a language model, on the safe side: of 18,800 texts of
// English, code, JSON, digests, base64, addresses, numbers and emoji, 4 cost more in cl100k or o200k, by at
// most 5 %; in prose it says about 36 % more than they count, in code 38. Other languages were measured in the same
// way. It needs no vocabulary, so characters strung together by chance, as no language has them, may cost
// more than it says: rare ideographs a third, syllables of Hangul half as much again.
//
// It never falls when whole characters are appended, and a whole costs at most one token more than its
// parts: Estimate(a+b) <= Estimate(a)+Estimate(b)+1.
func Estimate(s string) int {
	if s == "" {
		return 0
	}
	return (weigh(s) + slack + token - 1) / token
}

// weigh returns the cost of a text without slack, in hundredths of a token. The parts of a text parted at
// blanks, line ends or marks weigh at least as much as the whole.
func weigh(s string) int {
	sum := 0
	for i := 0; i < len(s); {
		n, cost := piece(s, i)
		sum += cost
		i += n
	}
	return sum
}

// piece returns the length of what begins at i and what it costs.
func piece(s string, i int) (n, cost int) {
	c := s[i]
	switch classes[c] {
	case letter:
		return word(s, i)
	case digit:
		n = 1
		for i+n < len(s) && classes[s[i+n]] == digit {
			n++
		}
		cost = (n + digitGroup - 1) / digitGroup * token
		if i > 0 && s[i-1] == ' ' {
			cost += token // digits do not take the space before them along, as words do
		}
		return n, cost
	case blank:
		n = run(s, i)
		if n == 1 && i+n < len(s) {
			return n, 0
		}
		if n == 1 {
			return n, lastBlank
		}
		return n, token + n/blankRun*token
	case ending:
		n = run(s, i)
		cost = lineEnd
		if c != '\t' && i > 0 && classes[s[i-1]] == other {
			cost = markedEnd
		}
		return n, cost + n/tabRun*token
	case other:
		return 1, markCost(s, i)
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	return n, scriptCost(r)
}

// run counts how often the byte at i follows itself.
func run(s string, i int) int {
	n := 1
	for i+n < len(s) && s[i+n] == s[i] {
		n++
	}
	return n
}

// word reads the letters from i up to where a capital begins the next word.
func word(s string, i int) (n, cost int) {
	if i > 0 && (classes[s[i-1]] == letter || classes[s[i-1]] == digit) {
		cost = afterWord
	}
	sum, before := 0, byte(wordBegin)
	for ; i+n < len(s) && classes[s[i+n]] == letter; n++ {
		at, high := s[i+n]|0x20-'a', s[i+n] < 'a'
		pair := int(pairCosts[before][at])
		if n > 0 && high {
			if s[i+n-1] >= 'a' {
				break
			}
			pair = pair*capitalRate/100 + capital
		} else if n >= longWord {
			pair += longLetter
		}
		sum += pair
		before = at
	}
	return n, cost + max(sum, token)
}

func markCost(s string, i int) int {
	if i > 0 && classes[s[i-1]] == other {
		if s[i-1] == s[i] {
			return markAgain
		}
		return markNext
	}
	if i+1 < len(s) && classes[s[i+1]] == letter {
		if s[i] == '\'' && i > 0 && classes[s[i-1]] == letter {
			return apostrophe
		}
		return markBefore
	}
	return mark
}

// A class is a kind of byte.
type class byte

const (
	beyond class = iota // part of a character beyond ASCII
	letter
	digit
	blank
	ending // line ends and tabs
	other  // punctuation and control characters
)

var classes = func() (t [256]class) {
	for c := range utf8.RuneSelf {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			t[c] = letter
		case c >= '0' && c <= '9':
			t[c] = digit
		case c == ' ':
			t[c] = blank
		case c == '\n' || c == '\r' || c == '\t':
			t[c] = ending
		default:
			t[c] = other
		}
	}
	return t
}()
