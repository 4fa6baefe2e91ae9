package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Letters returns the letters and digits of a text, without case and diacritics: what is left of
// it when it is written in capitals, in quotation marks or in Markdown. Two things that a mark
// alone tells apart stay apart: numbers (1.5 and 15) and the names of languages (C, C++ and C#).
// A letter that only looks like a Latin one, as the Cyrillic a, is that one.
// A text without letters and digits is folded as Folded does.
func Letters(text string) string {
	text = unmasked(text)
	out := make([]byte, 0, len(text))
	var before class // of the character before, ignorable ones left out
	var gap bool     // something stands between the digit before and this character
	run := 0         // letters since the last mark or space
	for i := 0; i < len(text); {
		k, size := classAt(text, i)
		char := text[i : i+size]
		i += size
		switch {
		case k == ignorable:
			if isVowelSign(char) {
				out = append(out, char...)
			}
			continue
		case k.inWord() || k == spaceless:
			if gap && before == digit && k == digit {
				out = append(out, ' ')
			}
			out = appendFolded(out, char)
			before, gap = k, false
			run++
			continue
		case (char == "+" || char == "#") && run == 1 && before != digit:
			out = append(out, char...)
			continue
		}
		gap, run = true, 0
	}
	if len(out) == 0 {
		return Folded(text)
	}
	return string(out)
}

// isVowelSign reports whether a mark is part of the word, as in Hindi, and not a diacritic or a
// form of an emoji.
func isVowelSign(char string) bool {
	r, _ := utf8.DecodeRuneInString(char)
	return unicode.In(r, unicode.Mn, unicode.Mc) && !isMark(r)
}

// SameLetters reports whether two texts are the same letters and digits.
func SameLetters(a, b string) bool {
	letters := Letters(a)
	return letters != "" && letters == Letters(b)
}

// Plain returns a text in lower case, without the marks of Markdown and the characters that no
// reader sees: its words are found where a mark stood within one.
func Plain(text string) string {
	if plain, ok := plainASCII(text); ok {
		return plain
	}
	out := make([]rune, 0, len(text))
	for _, r := range unmasked(text) {
		switch {
		case isMark(r):
		case r == '*' || r == '`' || r == '~' || r == utf8.RuneError || unicode.Is(unicode.Cf, r) || r == '\u200b':
		default:
			out = append(out, unicode.ToLower(r))
		}
	}
	return string(out)
}

// plainASCII is Plain of a text that is ASCII alone.
func plainASCII(text string) (string, bool) {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return "", false
		}
	}
	if strings.ContainsAny(text, "*`~") {
		text = strings.NewReplacer("*", "", "`", "", "~", "").Replace(text)
	}
	return strings.ToLower(text), true
}
