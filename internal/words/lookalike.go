package words

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// lookalikes are letters of other scripts, and odd Latin ones, that look like a Latin letter, which follows each.
const lookalikes = `аaвbеeкkмmнhоoрpсcтtуyхxіiјjѕsһhԁdԛqԝwѵvӏlьb` +
	`АAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSҺHԀDԚQԜWӀI` +
	`αaβbεeηnιiκkνvοoρpτtυuχxωwγyσo` +
	`ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX` +
	`ıiɑaɡgɩiᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz` +
	`օoսuոnհhցgԱUՕOՏS`

// plainOf gives the Latin letter that another looks like.
var plainOf = sync.OnceValue(func() map[rune]rune {
	m := make(map[rune]rune)
	all := []rune(lookalikes)
	for i := 0; i+1 < len(all); i += 2 {
		m[all[i]] = all[i+1]
	}
	return m
})

// unmasked writes words with Latin letters where letters of other scripts stand for them: in a word that has a Latin
// letter too, and in one that has nothing but such letters beside words that are Latin. Greek and Cyrillic texts are
// left as they are.
func unmasked(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool {
		return r > unicode.MaxLatin1 && (plainOf()[r] != 0 || r == '\u2800')
	}) {
		return text
	}
	latin := func(r rune) bool { return unicode.Is(unicode.Latin, r) && plainOf()[r] == 0 }
	other := func(r rune) bool { return unicode.IsLetter(r) && plainOf()[r] == 0 }
	whole := strings.ContainsFunc(text, latin)
	var b strings.Builder
	for len(text) > 0 {
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		if end == 0 {
			_, end = utf8.DecodeRuneInString(text)
			b.WriteString(text[:end])
			text = text[end:]
			continue
		}
		word := text[:end]
		text = text[end:]
		mixed := strings.ContainsFunc(word, latin)
		if !mixed && (!whole || strings.ContainsFunc(word, other)) {
			b.WriteString(word)
			continue
		}
		for _, r := range word {
			if !mixed {
				r = unicode.ToLower(r)
			}
			if p := plainOf()[r]; p != 0 {
				r = p
			}
			if r != '\u2800' {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// isMark reports whether a mark is put over or through a letter, or none that is seen: no part of a word.
func isMark(r rune) bool {
	return 0x300 <= r && r <= 0x36f || 0x1ab0 <= r && r <= 0x1aff || 0x1dc0 <= r && r <= 0x1dff ||
		0x20d0 <= r && r <= 0x20ff || 0xfe20 <= r && r <= 0xfe2f || unicode.Is(unicode.Variation_Selector, r)
}
