package bearing

import (
	"strconv"
	"time"
)

// months are the months by the first three letters and in full.
var months = func() map[string]time.Month {
	m := make(map[string]time.Month)
	for i := time.January; i <= time.December; i++ {
		low := []byte(i.String())
		low[0] |= 0x20
		m[string(low)] = i
		if i != time.May {
			m[string(low[:3])] = i
		}
	}
	m["sept"] = time.September
	return m
}()

// period reads the time that a question names and marks its words. Zero is that there is none.
func (p *phrase) period() (since, until time.Time) {
	day := time.Date(p.now.Year(), p.now.Month(), p.now.Day(), 0, 0, 0, 0, p.now.Location())
	for i := range p.low {
		from, to, end := p.span(i, day)
		if end == i {
			continue
		}
		switch before := p.at(i - 1); before {
		case "since", "after", "from":
			to = time.Time{}
			p.take(i-1, end)
		case "before", "until", "till":
			from, to = time.Time{}, from
			p.take(i-1, end)
		case "in", "on", "during", "of", "for":
			p.take(i-1, end)
		default:
			if _, month := months[p.at(i)]; month {
				continue // May may be a name
			}
			if end == i+1 && len(p.low[i]) == 4 && p.low[i][0] <= '9' {
				continue // a number by itself
			}
			p.take(i, end)
		}
		return from, to
	}
	return time.Time{}, time.Time{}
}

// span reads a time at a place: from, to and where its words end.
func (p *phrase) span(i int, day time.Time) (from, to time.Time, end int) {
	switch w := p.at(i); w {
	case "today":
		return day, day.AddDate(0, 0, 1), i + 1
	case "yesterday":
		return day.AddDate(0, 0, -1), day, i + 1
	case "last", "this", "past":
		back := 1
		if w == "this" {
			back = 0
		}
		switch p.at(i + 1) {
		case "week":
			monday := day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
			return monday.AddDate(0, 0, -7*back), monday.AddDate(0, 0, 7-7*back), i + 2
		case "month":
			first := time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, day.Location())
			return first.AddDate(0, -back, 0), first.AddDate(0, 1-back, 0), i + 2
		case "year":
			first := time.Date(day.Year(), 1, 1, 0, 0, 0, 0, day.Location())
			return first.AddDate(-back, 0, 0), first.AddDate(1-back, 0, 0), i + 2
		}
	default:
		for _, layout := range []struct {
			text                string
			years, months, days int
		}{{"2006-01-02", 0, 0, 1}, {"2006-01", 0, 1, 0}} {
			if t, err := time.ParseInLocation(layout.text, w, day.Location()); err == nil {
				return t, t.AddDate(layout.years, layout.months, layout.days), i + 1
			}
		}
		if m, ok := months[w]; ok {
			if y := year(p.at(i + 1)); y != 0 {
				first := time.Date(y, m, 1, 0, 0, 0, 0, day.Location())
				return first, first.AddDate(0, 1, 0), i + 2
			}
			y := day.Year()
			if m > day.Month() {
				y--
			}
			first := time.Date(y, m, 1, 0, 0, 0, 0, day.Location())
			return first, first.AddDate(0, 1, 0), i + 1
		}
		if y := year(w); y != 0 {
			first := time.Date(y, 1, 1, 0, 0, 0, 0, day.Location())
			return first, first.AddDate(1, 0, 0), i + 1
		}
	}
	return from, to, i
}

// year reads a year of four digits, 0 if a word is none.
func year(w string) int {
	n, err := strconv.Atoi(w)
	if err != nil || len(w) != 4 || n < 1900 || n > 2200 {
		return 0
	}
	return n
}
