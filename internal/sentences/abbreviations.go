package sentences

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// CLDR's suppressions: the words that end with a dot and end no sentence. Version and licence: docs/deps.md.
var (
	//go:embed cldr/en.txt
	cldrEnglish string
	//go:embed cldr/de.txt
	cldrGerman string
	//go:embed cldr/fr.txt
	cldrFrench string
	//go:embed cldr/es.txt
	cldrSpanish string
	//go:embed cldr/it.txt
	cldrItalian string
	//go:embed cldr/pt.txt
	cldrPortuguese string
	//go:embed cldr/ru.txt
	cldrRussian string
)

var published = [...]struct {
	of   lang
	list *string
}{
	{english, &cldrEnglish}, {german, &cldrGerman}, {french, &cldrFrench}, {spanish, &cldrSpanish},
	{italian, &cldrItalian}, {portuguese, &cldrPortuguese}, {russian, &cldrRussian},
}

// What CLDR leaves out, since in its language it may also end a sentence, or is in the list of another language.
var more = [...]struct {
	of   lang
	list string
}{
	{everywhere, "etc. Inc. Ltd. Co. Corp. Jr. Sr. St. Hr. Hrn. Fr. Frl. Gen. Rev. Capt. Sgt. Lt. ca. vol. pp. al."},
	{english, "est. dept. approx. incl. excl. ed. eds. Ave. Blvd. Rd. Mt. Ft. Sen. Gov. Gen. misc. tech. ver. asst."},
	{german, "bzw. usw. usf. bspw. zzt. max. min. Tsd. Bd. Hrsg. Tel. Str. ggü. lt. abzgl. versch. allg. z.T. " +
		"u.a. o.ä. s.o. s.u. i.d.R. u.v.m. etw. jmd. u.s.w. m.E. Art. Ziff. Kap. Abb. Aufl. Jh. Pos."},
	{french, "env. chap. art. p. tél. bd. av. Mlle. Mme. MM. Ets. St. Ste. vol. hab. c.-à-d."},
	{spanish, "pág. págs. núm. art. tel. aprox. ud. uds. Ud. Uds. EE.UU. EE. prof. gral. admón. máx. mín."},
	{italian, "ecc. pagg. pp. art. n. nr. tel. cap. ed. sigg. sig.ra. dott.ssa. prof. ss. es."},
	{portuguese, "pág. págs. núm. n. art. aprox. máx. mín. prof. profs. Sr. Srs. Sra. Exa."},
	{russian, "др. пр. г. гг. в. вв. им. стр. рис. см. ср. млн. млрд. коп. р. т. д. п. пер. просп. обл. мин. " +
		"макс. акад. т.д. т.п. т.н. и.о. ст. гл. табл."},
}

// leading are abbreviations that always have something behind them, in every language.
const leading = "Dr. dr. Mr. Mrs. Ms. Mx. Prof. prof. vs. cf. cfr. vgl. e.g. i.e. z.B. d.h. p.ex. p.ej. p.es. " +
	"par.ex. т.е. т.к. т.н. Drs. Dra. Srta. Mme. Mlle. Hrn. Frl. dott. sig. viz. resp."

// numbered are abbreviations only before a number.
const numbered = "no. nos. nr. nrn. fig. figs. art. p. pp. vol. ch. sec. núm. pág. стр. рис. n. s. bd. kap. tab. eq. " +
	"abs. § ver. v. op. cap. chap. ст. п. гл."

// What is known of an abbreviation.
const (
	leads  lang = 1 << 14 // ends no sentence, whatever follows
	begins lang = 1 << 15 // is the first part of one, as z. of z. B.
)

type abbreviations struct {
	exact  map[string]lang // as written, without blanks and the last dot
	folded map[string]bool // in small letters, in whatever language; before a number or a small letter
}

var known = sync.OnceValue(func() abbreviations {
	a := abbreviations{exact: make(map[string]lang, 2500), folded: make(map[string]bool, 1500)}
	ordinary := functionWords()
	put := func(of lang, entry string) {
		key := strings.TrimSuffix(strings.ReplaceAll(entry, " ", ""), ".")
		small := strings.ToLower(key)
		if of = of &^ ordinary[small]; of == 0 {
			return // in, to, so
		}
		a.folded[small] = true
		a.exact[key] |= of
		if r, size := utf8.DecodeRuneInString(key); unicode.IsLower(r) {
			a.exact[string(unicode.ToUpper(r))+key[size:]] |= of
		}
		if first, _, parts := strings.Cut(entry, ". "); parts {
			a.exact[first] |= of | begins
		}
	}
	for _, p := range published {
		for entry := range strings.Lines(*p.list) {
			put(p.of, strings.TrimSpace(entry))
		}
	}
	for _, m := range more {
		for entry := range strings.FieldsSeq(m.list) {
			put(m.of, entry)
		}
	}
	for entry := range strings.FieldsSeq(leading) {
		put(everywhere|leads, entry)
	}
	for entry := range strings.FieldsSeq(numbered) {
		a.folded[strings.TrimSuffix(entry, ".")] = true
	}
	// no word has none
	for key, of := range a.exact {
		if utf8.RuneCountInString(key) > 1 && (strings.Contains(key, ".") || !strings.ContainsAny(strings.ToLower(key),
			"aeiouyäöüáéíóúàèìòùâêîôûãõаеёиоуыэюяй")) {
			a.exact[key] = of | everywhere
		}
	}
	return a
})

// mostParts is how many parts with blanks between an abbreviation has: k. u. k.
const mostParts = 4

// forms yields the word before a dot, and with it the words before that end with a dot too.
func (s *segment) forms(begin, at int, token string, do func(key string) bool) {
	if do(token) {
		return
	}
	from := at - len(token)
	for range mostParts - 1 {
		head := strings.TrimRightFunc(s.text[begin:from], unicode.IsSpace)
		if !strings.HasSuffix(head, ".") {
			return
		}
		part := s.token(begin, begin+len(head)-1)
		if part == "" || len(part) > mostToken/4 {
			return
		}
		token = part + "." + token
		from = begin + len(head) - 1 - len(part)
		if do(token) {
			return
		}
	}
}

// shortens reports whether the word before a dot is an abbreviation of some language.
func (s *segment) shortens(begin, at int, token string) (yes bool) {
	if letterOf(token) != 0 || dotted(token) {
		return true
	}
	s.forms(begin, at, token, func(key string) bool {
		yes = known().folded[strings.ToLower(key)]
		return yes
	})
	return yes
}

// dotted reports whether a word is letters with dots between, as p.m is and config.yaml is not.
func dotted(token string) bool {
	if !strings.Contains(token, ".") {
		return false
	}
	for part := range strings.SplitSeq(token, ".") {
		if n := utf8.RuneCountInString(part); n == 0 || n > 2 || digits(part) {
			return false
		}
	}
	return true
}

// abbreviation reports whether the word before a dot is an abbreviation of the language about it, and whether a
// sentence may end with it.
func (s *segment) abbreviation(begin, at int, token string) (yes, final bool) {
	langs := lang(0)
	found := lang(0)
	s.forms(begin, at, token, func(key string) bool {
		of := known().exact[key]
		if of == 0 {
			return false
		}
		if langs == 0 {
			langs = s.languages(at)
		}
		if langs == everywhere && of&everywhere != everywhere && several(of&everywhere) < 2 {
			return false // of one language, and nothing says that this is it
		}
		if of&langs != 0 {
			found |= of
		}
		return found&leads != 0
	})
	if found != 0 {
		return true, found&leads == 0
	}
	if r := letterOf(token); r != 0 && !unicode.IsLower(r) { // an initial
		return r != 'I' || s.languages(at)&english == 0, true
	}
	switch {
	case dotted(token): // U.K.
		return true, true
	case s.initials(at): // the z. of z. B.
		return letterOf(token) != 0, false
	case strings.Trim(token, "IVXL") == "" && s.languages(at) == german: // Ludwig XIV. König
		return true, true
	}
	return false, false
}

// initials reports whether one letter and a dot follow the dot at a place.
func (s *segment) initials(at int) bool {
	rest := strings.TrimLeftFunc(s.text[at+1:s.to], unicode.IsSpace)
	r, size := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(r) && strings.HasPrefix(rest[size:], ".")
}
