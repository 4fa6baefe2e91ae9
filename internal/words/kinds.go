package words

import "sync"

// timely and counted are words of time and number. May and second are more often other words.
const (
	timely = `monday tuesday wednesday thursday friday saturday sunday january february march april june july
		august september october november december today yesterday tomorrow tonight ago week weekend month year
		decade hour minute morning afternoon evening night noon midnight spring summer autumn winter recently
		since until daily weekly monthly yearly`
	counted = `two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand
		million dozen twice couple several half`
)

// ofKind holds the terms of both.
var ofKind = sync.OnceValue(func() map[string]byte {
	m := make(map[string]byte)
	for _, t := range Terms(timely) {
		m[t] = 't'
	}
	for _, t := range Terms(counted) {
		m[t] = 'n'
	}
	return m
})

// OfTime reports whether a term is a word of time: a weekday, a month, yesterday, a week, the number of a year.
func OfTime(term string) bool {
	return ofKind()[term] == 't' || len(term) == len("2006") && allDigits(term) && (term[:2] == "19" || term[:2] == "20")
}

// OfNumber reports whether a term is a number, in digits or in words.
func OfNumber(term string) bool { return ofKind()[term] == 'n' || allDigits(term) }

func allDigits(term string) bool {
	for _, c := range []byte(term) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return term != ""
}
