package extract

import (
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

const monthNames = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|` +
	`oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`

// before a date: from then on, or then. "by", "until" and "before" say when something ends.
var (
	isoDate   = lazy.Regexp(`(?i)\b(since|on|from|in|as of|effective|starting)\s+(\d{4})-(\d{2})(?:-(\d{2}))?\b`)
	monthDate = lazy.Regexp(
		`(?i)\b(since|on|from|in|as of|effective|starting)\s+(?:(?:early|mid|late)[ -])?(?:the )?(?:(\d{1,2})(?:st|nd|rd|` +
			`th)?(?: of)? )?(` + monthNames + `)\.?(?: (\d{1,2})(?:st|nd|rd|th)?)?(?:,? (\d{4}))?\b`,
	)
	yearDate = lazy.Regexp(`(?i)\b(since|in|as of)\s+((?:19|20)\d{2})\b`)
	ago      = lazy.Regexp(
		`(?i)\b(\d{1,2}|a|one|two|three|four|five|six|seven|eight|nine|ten)\s+(day|week|month|year)s?\s+ago\b`,
	)
	lastDay = lazy.Regexp(
		`(?i)\b(?:last|this past) (monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|wed|thu|fri|sat|sun)\b`,
	)
	lastSpan = lazy.Regexp(`(?i)\b(?:last|this) (week|month|year|night|morning|weekend)\b`)
	dayWord  = lazy.Regexp(`(?i)\b(yesterday|today)\b`)
	begins   = lazy.Regexp(`(?i)\b(since|from|as of|effective|starting)\b`)
	ends     = lazy.Regexp(`(?i)\b(by|until|till|before|due|deadline|through|to)\s*(?:on |the )?$`)
)

var numbers = map[string]int{
	"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10,
}

// validFrom returns since when a sentence says that something holds. Words that are relative to the day they were
// said on are read only where now is known; a month without a year is the last one before now.
//
// With strict only a day that is said to be the first counts: "due on Friday" is no beginning.
func validFrom(open string, now time.Time, strict bool) memory.Time {
	if strict && !begins.Get().MatchString(open) {
		return memory.Time{}
	}
	if m := isoDate.Get().FindStringSubmatchIndex(open); m != nil && !ends.Get().MatchString(open[:m[4]]) {
		day := 1
		if m[8] >= 0 {
			day = number(open[m[8]:m[9]])
		}
		return date(number(open[m[4]:m[5]]), time.Month(number(open[m[6]:m[7]])), day)
	}
	if m := monthDate.Get().FindStringSubmatch(open); m != nil {
		return monthly(m, now)
	}
	if m := yearDate.Get().FindStringSubmatch(open); m != nil {
		return date(number(m[2]), 1, 1)
	}
	if now.IsZero() {
		return memory.Time{}
	}
	return relative(open, now.UTC())
}

func monthly(m []string, now time.Time) memory.Time {
	month := monthOf(m[3])
	day, year := 1, number(m[5])
	for _, d := range []string{m[2], m[4]} {
		if n := number(d); n > 0 {
			day = n
		}
	}
	if year == 0 {
		if now.IsZero() || strings.EqualFold(m[3], "may") && m[2] == "" && m[4] == "" && m[3] != "May" {
			return memory.Time{}
		}
		year = now.UTC().Year()
		if t := date(year, month, day); t.Time().After(now) {
			year--
		}
	}
	return date(year, month, day)
}

func relative(open string, now time.Time) memory.Time {
	year, month, day := now.Date()
	if m := dayWord.Get().FindStringSubmatch(open); m != nil {
		if strings.EqualFold(m[1], "yesterday") {
			day--
		}
		return memory.At(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
	}
	if m := ago.Get().FindStringSubmatch(open); m != nil {
		n := number(m[1])
		if n == 0 {
			n = numbers[strings.ToLower(m[1])]
		}
		switch strings.ToLower(m[2]) {
		case "day":
			day -= n
		case "week":
			day -= 7 * n
		case "month":
			month, day = month-time.Month(n), 1
		default:
			year, month, day = year-n, 1, 1
		}
		return memory.At(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
	}
	if m := lastDay.Get().FindStringSubmatch(open); m != nil {
		back := 1
		for ; back < 7 && !strings.HasPrefix(
			strings.ToLower(now.AddDate(0, 0, -back).Weekday().String()), strings.ToLower(m[1][:3]),
		); back++ {
		}
		return memory.At(time.Date(year, month, day-back, 0, 0, 0, 0, time.UTC))
	}
	if m := lastSpan.Get().FindStringSubmatch(open); m != nil {
		last := 0
		if strings.EqualFold(m[0][:4], "last") {
			last = 1
		}
		monday := day - (int(now.Weekday())+6)%7
		switch strings.ToLower(m[1]) {
		case "week":
			day = monday - 7*last
		case "weekend":
			if last == 0 {
				return memory.Time{} // past or to come: who knows
			}
			day = monday - 2
		case "month":
			month, day = month-time.Month(last), 1
		case "year":
			year, month, day = year-last, 1, 1
		default:
			day -= last
		}
		return memory.At(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
	}
	return memory.Time{}
}

// date returns a day that the calendar has, otherwise none.
func date(year int, month time.Month, day int) memory.Time {
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if year < 1 || t.Month() != month || t.Day() != day {
		return memory.Time{}
	}
	return memory.At(t)
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func monthOf(s string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if strings.HasPrefix(strings.ToLower(m.String()), strings.ToLower(s[:3])) {
			return m
		}
	}
	return 0
}
