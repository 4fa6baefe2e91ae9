package secrets

import (
	"bytes"
	"unicode/utf8"
)

// Bounds of what people write about passwords in sentences.
const (
	saidWords   = 6 // between the word for it and the verb
	saidShort   = 6
	saidLetters = 12 // of letters alone after "is"
	saidLong    = 128
	pinShort    = 4
	pinLong     = 12
	phraseLeast = 4 // words of a passphrase
	phraseMost  = 24
	wordLong    = 24
)

// saidRules find a password in a sentence, in four languages. The name of the rule says how sure it is:
// password-said is one in quotes or with digits or signs in it, password-perhaps may be a long word.
func saidRules() []*rule {
	anchors := []string{
		"password", "passwort", "kennwort", "passphrase", "passcode", "mot de passe", "contrase", "clave", "api key",
		"api-key", "api-schl", "cl\xc3\xa9 ", "pin", "credentials", "zugangsdaten", "identifiants", "credenciales", "pw",
		"ароль", // the end of пароль, in capitals or not
	}
	of := func(id string, sure bool) *rule {
		return &rule{id: id, fold: true, border: true, anchors: anchors, look: func(s *scanner, at, n int) (int, int, bool) {
			return lookSaid(s.text, at, n, sure)
		}}
	}
	signs := &rule{id: "password-said", anchors: signWords, look: lookSigned}
	return []*rule{of("password-said", true), of("password-perhaps", false), signs}
}

func lookSaid(text []byte, at, length int, sure bool) (start, end int, ok bool) {
	word := string(bytes.ToLower(text[at : at+length]))
	i := wordEnd(text, at+length)
	switch {
	case word == "pin" && (string(text[at:at+length]) != "PIN" || i > at+length):
		return 0, at + length, false
	case word == "pw" && i > at+length, word == "password" && i > at+length && text[i-1] != 's':
		return 0, at + length, false
	}
	verb, begin, direct := verbAfter(text, at, i, word)
	if begin == 0 {
		return 0, i, false
	}
	weak := word == "clave" || word == "api key" || word == "api-key" || word == "api-schl" || word == "cl\xc3\xa9 "
	p := saying{word: word, verb: verb, direct: direct, weak: weak}
	start, end, quote, strong := p.value(text, begin)
	if start == 0 {
		return 0, i, false
	}
	if quote || strong {
		return start, end, sure && start < end
	}
	return start, end, !sure && p.perhaps(text, start, end)
}

// wordEnd is where the letters end that begin at at, of any alphabet.
func wordEnd(text []byte, at int) int {
	return run(text, at, func(c byte) bool { return lower(c) || upper(c) || c >= utf8.RuneSelf })
}

// verbs say what a password is.
var verbs = map[string]bool{
	"is": true, "was": true, "ist": true, "war": true, "lautet": true, "est": true, "es": true, "era": true,
}

// verbAfter looks for the verb or the sign after the word for a password; direct says that there is none,
// and the value may follow at once.
func verbAfter(text []byte, at, i int, word string) (verb string, begin int, direct bool) {
	first := i
	for n := 0; n <= saidWords; n++ {
		gap := inline(text, i)
		if gap < len(text) && text[gap] == ':' {
			if n > 2 || gap+1 < len(text) && text[gap+1] == '=' {
				return "", 0, false
			}
			return ":", inline(text, gap+1), false
		}
		if word == "pw" && n == 0 && gap < len(text) && text[gap] == '=' {
			return "=", inline(text, gap+1), false
		}
		if gap == i || gap == len(text) {
			return "", 0, false
		}
		end := wordEnd(text, gap)
		if end < len(text) && text[end] == '\'' { // l'application
			end = wordEnd(text, end+1)
		}
		said := string(bytes.ToLower(text[gap:end]))
		if verbs[said] {
			return said, inline(text, end), false
		}
		if said == "to" && changes(text, at) {
			return said, inline(text, end), false
		}
		if n == 0 && (end == gap || !ends(text, end)) {
			return "", gap, word != "api key" && word != "api-key"
		}
		if end == gap {
			return "", 0, false
		}
		i = end
	}
	return "", first, false
}

// changes says that a sentence changes something, just before at.
func changes(text []byte, at int) bool {
	low := bytes.ToLower(text[max(0, at-40):at])
	for _, w := range []string{"chang", "set ", "reset", "updat", "rotat"} {
		if bytes.Contains(low, []byte(w)) {
			return true
		}
	}
	return false
}

// A saying is how a sentence names its value.
type saying struct {
	word, verb string
	direct     bool // it follows the word at once
	weak       bool // the word is used for other things, too
}

// quotePairs are signs that open a quotation, and those that close it.
var quotePairs = [][2]string{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"«", "»"}, {"“", "”"}, {"„", "“"}, {"‹", "›"},
	{"**", "**"}, {`\"`, `\"`},
}

// value finds what a sentence says, and whether it is surely a password.
func (p saying) value(text []byte, at int) (start, end int, quote, strong bool) {
	for _, q := range quotePairs {
		if !bytes.HasPrefix(text[at:], []byte(q[0])) {
			continue
		}
		start = at + len(q[0])
		rest := text[start:min(len(text), start+saidLong)]
		n := bytes.Index(rest, []byte(q[1]))
		if n < 0 || bytes.IndexByte(rest[:n], '\n') >= 0 || bytes.IndexByte(rest[:n], gone) >= 0 {
			return 0, 0, false, false
		}
		trimmed := bytes.Trim(rest[:n], " \u00a0\u202f")
		start += bytes.Index(rest[:n], trimmed)
		end = start + len(trimmed)
		return start, end, p.quoted(trimmed), false
	}
	if p.word == "credentials" || p.word == "zugangsdaten" || p.word == "identifiants" || p.word == "credenciales" {
		if at = afterUser(text, at); at == 0 || p.verb == "" {
			return 0, 0, false, false
		}
	}
	end = run(text[:min(len(text), at+saidLong)], at, func(c byte) bool { return !blank(c) && c != '"' && c != '\\' })
	b := bytes.TrimRight(text[at:end], ".,;:)]?'`")
	end = at + len(b)
	if len(b) == 0 || placeholder(b) || technical(b) || gives(b) || bytes.Contains(b, []byte("://")) || expression(b) {
		return 0, 0, false, false
	}
	if p.verb == ":" || p.verb == "=" {
		if long := p.words(text, at, end); long > 0 {
			return at, long, false, true
		}
	}
	if onlyDigits(b) {
		return at, end, false, !p.direct && len(b) >= pinShort && len(b) <= pinLong && over(text, end)
	}
	return at, end, false, p.strong(b)
}

// words is where a secret of several words ends that begins at at, its first word at end: a
// passphrase of words alone, or a password whose second word has what words have not. It is 0
// where there is none.
func (p saying) words(text []byte, at, end int) int {
	phrase := p.word == "passphrase"
	n := 1
	for first := end; ; n++ {
		if !allLetters(text[at:first]) {
			return 0
		}
		if n >= phraseLeast && phrase && over(text, end) {
			return end
		}
		if end == len(text) || text[end] != ' ' || n == phraseMost {
			return 0
		}
		begin := end + 1
		end = run(text[:min(len(text), begin+wordLong)], begin, func(c byte) bool {
			return !blank(c) && c != '"' && c != '\\'
		})
		word := bytes.TrimRight(text[begin:end], ".,;:)]'`")
		end = begin + len(word)
		if !phrase {
			odd := hasDigit(word) && bytes.ContainsAny(word, "!#$%&*+=?@^~")
			if len(word) >= pinShort && odd && over(text, end) && !predicates.has(string(bytes.ToLower(text[at:first]))) {
				return end
			}
			return 0
		}
		if !allLetters(word) || functionWords.has(string(word)) {
			return 0
		}
	}
}

// allLetters says that a word is of letters alone, and long enough for one of a phrase.
func allLetters(b []byte) bool {
	for _, c := range b {
		if !lower(c) && !upper(c) {
			return false
		}
	}
	return len(b) >= 3
}

// afterUser skips the name of a user and the sign after it.
func afterUser(text []byte, at int) int {
	i := run(text[:min(len(text), at+nameLong)], at, named)
	gap := inline(text, i)
	if i == at || gap == len(text) || text[gap] != '/' && text[gap] != ':' {
		return 0
	}
	return inline(text, gap+1)
}

// quoted says that what a sentence has in quotes is a password.
func (p saying) quoted(b []byte) bool {
	low := string(bytes.ToLower(b))
	spaces := bytes.IndexByte(b, ' ') >= 0
	switch {
	case len(b) < envShort, placeholder(b), technical(b), tame.has(low), predicates.has(low), gives(b), expression(b):
		return false
	case spaces:
		return p.word == "passphrase" && len(b) >= saidLetters
	case p.direct || p.weak:
		return hasDigit(b) && len(b) >= saidShort
	}
	return len(b) >= saidShort || hasDigit(b)
}

// strong says that a word has what passwords have and words have not.
func (p saying) strong(b []byte) bool {
	if len(b) < saidShort || p.word == "pin" {
		return false
	}
	letters, big, small, sign := false, false, false, false
	for i, c := range b {
		letters = letters || lower(c) || upper(c)
		big, small = big || upper(c), small || lower(c)
		sign = sign || i+1 < len(b) && bytes.IndexByte([]byte("!#$%&*+=?@^~|"), c) >= 0
	}
	switch {
	case !letters:
		return false
	case p.direct:
		return len(b) >= passwordSaid && hasDigit(b) && (big && small || sign)
	case p.weak:
		return hasDigit(b) && (len(b) >= saidLetters || sign && len(b) >= passwordSaid)
	}
	return hasDigit(b) || sign
}

// perhaps says that a word of letters alone may be a password: it ends the sentence, is no word that is
// said of passwords, and is long or follows what announces one.
func (p saying) perhaps(text []byte, start, end int) bool {
	b := bytes.TrimRight(text[start:end], "!")
	low := string(bytes.ToLower(b))
	if p.direct || p.weak || p.word == "pin" || len(b) < saidShort || !over(text, end) ||
		predicates.has(low) || tame.has(low) {
		return false
	}
	for _, c := range b {
		if !lower(c) && !upper(c) && c < utf8.RuneSelf {
			return false
		}
	}
	if p.verb == ":" || p.verb == "lautet" {
		return true
	}
	for _, tail := range wordTails {
		if bytes.HasSuffix([]byte(low), []byte(tail)) {
			return false
		}
	}
	return len(b) >= saidLetters
}

// over says that a sentence or a line ends at at.
func over(text []byte, at int) bool {
	return at == len(text) || bytes.IndexByte([]byte(".,;\n\r)"), text[at]) >= 0 || text[at] == gone
}

const (
	// predicates are what is said of passwords.
	predicates wordSet = "expired changed stored needed required mandatory correct strong visible secure public private " +
		"secret optional unique random obsolete compromised leaked known safe weak falsch richtig sicher " +
		"geheim abgelaufen bekannt erforderlich notwendig korrekt incorrecta correcta obligatoria segura " +
		"incorrecto incorrect correcte valide oublié below above elsewhere somewhere attached siehe unten " +
		"oben caducada vencida expiré perdu nothing everything"
)

// functionWords are in sentences, and not in phrases that somebody drew.
const functionWords wordSet = "the and for not you your our from with must set ask see kept this that are was has " +
	"have had needs need before after when will can may should which who how what where why its their his her they " +
	"does did but also all any only per every each then than into over under about until please " +
	"once during used stored shown typed asked given taken same"

// wordTails end words that are said of something.
var wordTails = []string{
	"ed", "ing", "ory", "able", "ible", "ive", "ous", "ful", "less", "ary", "ment", "tion", "lich", "bar", "isch", "ig",
	"ert", "oire", "aire", "ado", "ada", "ido", "ida", "oria", "orio", "aria", "ario", "ct", "cte", "ly", "ted", "wrong",
	"where", "iert", "eben", "ssen", "ort", "ten", "mente", "ise", "isé", "isée", "ant", "ente", "al", "ally",
}
