package evolve

import (
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// ones are numbers in words.
var ones = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
	"nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
	"seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "dozen": 12}

var ordinals = map[string]int{
	"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
	"tenth": 10,
}

// lengths are units of time in milliseconds.
var lengths = sync.OnceValue(func() map[string]float64 {
	m := map[string]float64{}
	for line := range strings.Lines(`1 ms millisecond milliseconds
1000 s sec secs second seconds
60000 min mins minute minutes
3600000 h hr hrs hour hours
86400000 d day days
604800000 week weeks
2592000000 month months
31536000000 year years`) {
		f := strings.Fields(line)
		n, _ := strconv.ParseFloat(f[0], 64)
		for _, w := range f[1:] {
			m[w] = n
		}
	}
	return m
})

var sizes = map[string]float64{
	"b": 1, "byte": 1, "bytes": 1, "kb": 1e3, "kib": 1e3, "mb": 1e6, "mib": 1e6, "megabytes": 1e6, "gb": 1e9,
	"gib": 1e9, "gigabytes": 1e9, "gigs": 1e9, "tb": 1e12, "tib": 1e12,
}

// measures are other units, of the least one of their kind.
var measures = map[string]measure{"g": {"mass", 1}, "grams": {"mass", 1}, "kg": {"mass", 1e3},
	"gram": {"mass", 1}, "kilo": {"mass", 1e3}, "kilogram": {"mass", 1e3}, "kilograms": {"mass", 1e3},
	"litre": {"volume", 1e3}, "liter": {"volume", 1e3},
	"kilos": {"mass", 1e3}, "tons": {"mass", 1e6}, "tonnes": {"mass", 1e6},
	"mm": {"length", 1}, "cm": {"length", 10}, "metre": {"length", 1e3}, "metres": {"length", 1e3},
	"meter": {"length", 1e3}, "meters": {"length", 1e3}, "km": {"length", 1e6},
	"kilometres": {"length", 1e6}, "kilometers": {"length", 1e6}, "ml": {"volume", 1}, "l": {"volume", 1e3},
	"litres": {"volume", 1e3}, "liters": {"volume", 1e3}}

type measure struct {
	class string
	n     float64
}

var months = map[string]int{"january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "april": 4, "apr": 4,
	"may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8,
	"september": 9, "sept": 9, "sep": 9, "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12, "dec": 12}

var weekdays = map[string]string{"monday": "mon", "tuesday": "tue", "wednesday": "wed", "thursday": "thu",
	"friday": "fri", "saturday": "sat", "sunday": "sun",
	"mon": "mon", "tue": "tue", "wed": "wed", "thu": "thu", "fri": "fri"}

var money = map[string]bool{
	"eur": true, "euro": true, "euros": true, "usd": true, "dollars": true, "dollar": true, "gbp": true,
	"pounds": true, "$": true, "€": true, "£": true, "chf": true, "francs": true, "kr": true,
}

// isDay says whether a word is a date like 2026-05-04.
func isDay(w string) bool {
	if len(w) == len("2026-05") && w[4] == '-' && w[:2] == "20" {
		_, err := strconv.Atoi(w[:4] + w[5:])
		return err == nil
	}
	if len(w) != len("2026-05-04") || w[4] != '-' || w[7] != '-' {
		return false
	}
	_, err := strconv.Atoi(w[:4] + w[5:7] + w[8:])
	return err == nil
}

// number reads a number, in digits or words, and what is written to it without a space.
func number(w string) (n float64, unit string, ok bool) {
	if v, ok := ones[w]; ok {
		return float64(v), "", true
	}
	for _, sign := range []string{"$", "€", "£"} {
		if cut, found := strings.CutPrefix(w, sign); found {
			n, _, ok := number(cut)
			return n, sign, ok
		}
	}
	w = strings.TrimPrefix(w, "#")
	end := 0
	for end < len(w) && (w[end] >= '0' && w[end] <= '9' || (w[end] == ',' || w[end] == '.') && end+1 < len(w) &&
		w[end+1] >= '0' && w[end+1] <= '9') {
		end++
	}
	if end == 0 {
		return 0, "", false
	}
	digits, unit := w[:end], w[end:]
	if strings.Count(digits, ".") > 1 {
		return 0, "", false
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	if err != nil {
		return 0, "", false
	}
	unit = strings.TrimLeft(unit, "-")
	switch unit {
	case "k":
		return n * 1000, "", true
	case "", "%", "st", "nd", "rd", "th", "am", "pm", "x", "$", "€", "£", "m":
		return n, unit, true
	}
	if lengths()[unit] > 0 || sizes[unit] > 0 || measures[unit].n > 0 {
		return n, unit, true
	}
	return 0, "", false
}

func figure(n float64) string { return strconv.FormatFloat(n, 'g', 10, 64) }

// values joins numbers and their units to tokens of a class.
func (r *reading) values() {
	var out []token
	ts := r.tokens
	word := func(i int) string {
		if i < len(ts) && (i == 0 || ts[i].clause == ts[i-1].clause) {
			return ts[i].word
		}
		return ""
	}
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		set := func(class, value string, used int) {
			t.class, t.key = class, "#"+class+":"+value
			i += used
		}
		n, unit, isNumber := number(t.word)
		next := word(i + 1)
		day, isWeekday := weekdays[strings.TrimSuffix(t.word, "s")]
		switch {
		case often[t.word] != "" && t.word != "once":
			set("frequency", figure(lengths()[often[t.word]]), 0)
		case (t.word == "once" || t.word == "twice") && (next == "a" || next == "per" || next == "an" ||
			next == "every") && lengths()[word(i+2)] > 0:
			times := 1.0
			if t.word == "twice" {
				times = 2
			}
			set("frequency", figure(lengths()[word(i+2)]/times), 2)
		case t.word == "every" && lengths()[next] > 0 && len(next) > 2 && next[len(next)-1] != 's':
			set("frequency", figure(lengths()[next]), 1)
		case t.word == "every" && lengths()[word(i+2)] > 0 && isFigure(next):
			k, _, _ := number(next)
			set("frequency", figure(k*lengths()[word(i+2)]), 2)
		case isDay(t.word) && len(t.word) == len("2026-05"):
			set("month", strconv.Itoa(atoi(t.word[5:])), 0)
		case isDay(t.word):
			set("date", strconv.Itoa(atoi(t.word[5:7]))+"-"+strconv.Itoa(atoi(t.word[8:])), 0)
		case isWeekday:
			set("weekday", day, 0)
		case t.word == "night" || t.word == "morning" || t.word == "afternoon" || t.word == "evening":
			set("daypart", t.word, 0)
		case t.word == "noon" || t.word == "midday":
			set("time", "12:00", 0)
		case t.word == "midnight":
			set("time", "0:00", 0)
		case months[t.word] > 0 && (t.word != "may" && t.word != "march" || t.capital):
			if d, u, ok := number(next); ok && d == float64(int(d)) && d >= 1 && d <= 31 && (u == "" || u == "st" ||
				u == "nd" || u == "rd" || u == "th") {
				set("date", strconv.Itoa(months[t.word])+"-"+figure(d), 1)
			} else {
				set("month", strconv.Itoa(months[t.word]), 0)
			}
		case t.word == "half" && (next == "an" || next == "a") && lengths()[word(i+2)] > 0:
			set("duration", figure(lengths()[word(i+2)]/2), 2)
		case (t.word == "a" || t.word == "an" || isNumber) && lengths()[next] > 0 && word(i+2) == "and" &&
			word(i+3) == "a" && word(i+4) == "half":
			if !isNumber {
				n = 1
			}
			set("duration", figure((n+0.5)*lengths()[next]), 4)
		case isNumber && (unit == "am" || unit == "pm" || unit == "" && (next == "am" || next == "pm")):
			used := 0
			if unit == "" {
				unit, used = next, 1
			}
			if n >= 12 {
				n -= 12
			}
			if unit == "pm" {
				n += 12
			}
			set("time", figure(n)+":00", used)
		case isClock(t.word):
			h, m, _ := strings.Cut(t.word, ":")
			set("time", strconv.Itoa(atoi(h))+":"+m[:2], 0)
		case isNumber && (months[next] > 0 || next == "of" && months[word(i+2)] > 0) && n >= 1 && n <= 31:
			used := 1
			if next == "of" {
				used = 2
			}
			set("date", strconv.Itoa(months[word(i+used)])+"-"+figure(n), used)
		case (t.word == "a" || t.word == "an") && len(next) > 3 && lengths()[next] > 0 && i > 0 && lasting.Has(ts[i-1].word):
			set("duration", figure(lengths()[next]), 1)
		case isNumber && lengths()[unit] > 0:
			set("duration", figure(n*lengths()[unit]), 0)
		case isNumber && unit == "" && lengths()[next] > 0 && t.word != "one":
			set("duration", figure(n*lengths()[next]), 1)
		case isNumber && sizes[unit] > 0:
			set("size", figure(n*sizes[unit]), 0)
		case isNumber && unit == "" && sizes[next] > 0:
			set("size", figure(n*sizes[next]), 1)
		case isNumber && measures[unit].n > 0:
			set(measures[unit].class, figure(n*measures[unit].n), 0)
		case isNumber && unit == "" && measures[next].n > 0:
			set(measures[next].class, figure(n*measures[next].n), 1)
		case isNumber && unit == "m":
			set("length", figure(n*1000), 0)
		case isNumber && unit == "" && next == "m":
			set("length", figure(n*1000), 1)
		case isNumber && (unit == "%" || next == "%" || next == "percent"):
			used := 0
			if unit != "%" {
				used = 1
			}
			set("percent", figure(n), used)
		case isNumber && unit == "" && next == "per" && word(i+2) == "cent":
			set("percent", figure(n), 2)
		case isNumber && (money[unit] || money[next]):
			used := 0
			if unit == "" {
				used = 1
			}
			set("money", figure(n), used)
		case isNumber && (unit == "th" || unit == "st" || unit == "nd" || unit == "rd"):
			set("ordinal", figure(n), 0)
		case ordinals[t.word] > 0 && t.word != "second":
			set("ordinal", strconv.Itoa(ordinals[t.word]), 0)
		case t.word == "first" && (next == "floor" || next == "grade"):
			set("ordinal", "1", 0)
		case i > 0 && yearly.Has(ts[i-1].word) && isYear(t.word):
			set("year", t.word, 0)
		case isNumber && unit == "" && !(t.word == "one" && (i+1 >= len(ts) || next == "of" || next == "" ||
			emptyWords.Has(next))):
			if strings.Contains(t.word, ".") {
				set("number", strings.TrimPrefix(t.word, "#"), 0) // 3.1 and 3.10 are two versions
			} else {
				set("number", figure(n), 0)
			}
		case isVersionLike(t.word):
			set("number", strings.TrimPrefix(t.word, "v"), 0)
		}
		out = append(out, t)
	}
	r.tokens = out
}

// yearly are words before a year.
var yearly = lazy.Words(`in of for since until till by during before after from early late spring summer autumn winter`)

func isYear(w string) bool {
	return len(w) == len("2026") && (w[:2] == "19" || w[:2] == "20") && isFigure(w) && !strings.Contains(w, ".")
}

func isFigure(w string) bool { _, unit, ok := number(w); return ok && unit == "" }

// lasting are words after which "an hour" is how long something is.
var lasting = lazy.Words(`takes took lasts lasted take last needs needed for within after in of is was`)

// often are words for how often, by the unit of time.
var often = map[string]string{
	"daily": "day", "nightly": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year",
	"annual": "year", "hourly": "hour", "minutely": "minute",
}

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }

func isClock(w string) bool {
	h, m, ok := strings.Cut(w, ":")
	if !ok || len(h) == 0 || len(h) > 2 || len(m) < 2 || len(m) > 2 {
		return false
	}
	return strings.IndexFunc(h+m, func(c rune) bool { return c < '0' || c > '9' }) < 0
}

// isVersionLike says whether a word is like 1.2.3, v4 or 10.0.0.1.
func isVersionLike(w string) bool {
	w = strings.TrimPrefix(w, "v")
	return w != "" && unicode.IsDigit(rune(w[0])) && strings.IndexFunc(w, func(c rune) bool {
		return c != '.' &&
			(c < '0' || c > '9')
	}) < 0
}
