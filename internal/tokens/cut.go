package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cut returns a text that costs more than most tokens as its beginning with a sign behind it, which together
// cost no more; a text that costs no more is returned as it is. If not even the sign fits, nothing is returned.
//
// The beginning is the longest that fits, or ends at a word if one ends in its last third. In a word of more than
// window bytes there may be a longer one. It never ends within what is seen as one character: before a mark that
// combines, or between the parts of one emoji. Blanks at its end are left out.
func Cut(s string, most int, sign string) string {
	if Fits(s, most) {
		return s
	}
	if !Fits(sign, most) {
		return ""
	}
	from, to := exceeds(s, most)
	for {
		base := seam(s, from-window/2)
		spent := Of(s[:base])
		fits := func(end int) bool {
			if end <= base {
				return end == base && base == 0
			}
			text := strings.TrimRightFunc(s[base:end], unicode.IsSpace)
			return text == "" || spent.Max()+len(text)/longest <= most && spent.Add(Of(text+sign)).Max() <= most
		}
		if end := search(s, base, from, to, fits); end > base || base == 0 {
			return strings.TrimRightFunc(s[:wordEnd(s, end, fits)], unicode.IsSpace) + sign
		}
		from, to = base, base
	}
}

// window is how many bytes are tried one by one.
const window = 256

// exceeds returns a piece of a text within which it comes to cost more than so many tokens.
func exceeds(s string, most int) (from, to int) {
	from, to = len(s), len(s)
	for _, o := range []vocabulary{o200k(), cl100k()} {
		sum, v := 0, reading{s, 0}
		for i := 0; i < to; {
			end := o.split(v, i)
			if end = min(end, i+longest*(most-sum+1)); end-i < longest*(most-sum) {
				sum += o.piece(s[i:end])
			} else {
				sum = all
			}
			if sum > most {
				from, to = min(from, i), min(to, end)
				break
			}
			i = end
		}
	}
	return min(from, to), to
}

// seam returns the last place up to i where what is before costs what it costs alone.
func seam(s string, i int) int {
	for i = min(i, len(s)); i > 0; i-- {
		if utf8.RuneStart(s[i-1]) && i < len(s) && utf8.RuneStart(s[i]) && Apart(s[:i], s[i:]) {
			return i
		}
	}
	return 0
}

// search returns the last end of a character from base to to that fits. What is before from is short.
func search(s string, base, from, to int, fits func(end int) bool) int {
	if to-from > window {
		low, high := from, from+window // in so long a piece, nearly always what is shorter costs less
		for high < to && fits(ending(s, high)) {
			low, high = high, from+2*(high-from)
		}
		for high = min(high, to); high-low > 1+(low-from)/window; {
			if mid := (low + high) / 2; fits(ending(s, mid)) {
				low = mid
			} else {
				high = mid
			}
		}
		to = low
	}
	end := ending(s, to)
	for end > base && !fits(end) {
		end = ending(s, end-1)
	}
	return max(end, base)
}

// wordEnd returns where the last word before end ends, if that is in the last third and end is within a word.
func wordEnd(s string, end int, fits func(end int) bool) int {
	if end == len(s) || end == 0 || strings.ContainsRune(blanks, rune(s[end])) {
		return end
	}
	at := len(strings.TrimRightFunc(s[:strings.LastIndexAny(s[:end], blanks)+1], unicode.IsSpace))
	if at > end*2/3 && ends(s, at) && fits(at) {
		return at
	}
	return end
}

const blanks = " \t\r\n"

// ending returns the last place up to i at which a character ends as a reader sees it.
func ending(s string, i int) int {
	for i > 0 && i < len(s) && !ends(s, i) {
		i--
	}
	return i
}

// ends reports whether what a reader sees as one character ends before i.
func ends(s string, i int) bool {
	const joiner = '\u200d'
	if !utf8.RuneStart(s[i]) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i:])
	switch {
	case before == joiner && !unicode.IsSpace(after), after == joiner, before == '\r' && after == '\n':
		return false
	case after >= 0x1f3fb && after <= 0x1f3ff, after >= 0xe0020 && after <= 0xe007f: // shades, tags of flags
		return false
	case after >= 0x1160 && after <= 0x11ff: // a syllable of Hangul goes on
		return false
	case regional(before) && regional(after):
		n := 0
		for rest := s[:i]; ; n++ {
			r, size := utf8.DecodeLastRuneInString(rest)
			if !regional(r) {
				return n%2 == 0
			}
			rest = rest[:len(rest)-size]
		}
	}
	c := classesOf(after)
	return class(c&0xf) != mark && class(c>>4) != mark
}

// regional tells the letters of flags, which stand in pairs.
func regional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
