package anamnesis

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// id checks the id of a document.
func (o *object) id(field, s string) {
	switch {
	case strings.TrimSpace(s) == "":
		o.fail(field, "is blank")
	case s != strings.TrimSpace(s):
		o.fail(field, "has blanks around it")
	case len(s) > MaxID:
		o.fail(field, "must be at most %d bytes, got %d", MaxID, len(s))
	case strings.IndexByte(s, 0) >= 0:
		o.fail(field, "contains a NUL byte")
	}
}

// cited reads the id of another document, or null, which is "".
func (o *object) cited(name string) *string {
	raw := o.take(name, false)
	if raw == nil {
		return nil
	}
	if raw[0] == 'n' {
		return new("")
	}
	s := o.asText(o.path+name, raw)
	if s != nil {
		o.id(o.path+name, *s)
	}
	return s
}

// time checks that a string is a time of RFC 3339 that a record can hold.
func (o *object) time(name, s string) {
	if o.err == nil && s != "" && parseTime(s).IsZero() {
		o.fail(o.path+name, "must be a time such as 2026-02-05T16:00:00Z, got %q", shorten.To(s, maxShown))
	}
}

// optionalTime reads a time that may be absent.
func (o *object) optionalTime(name string) *string {
	s := o.text(name)
	if s != nil && parseTime(*s).IsZero() {
		o.fail(o.path+name, "must be a time such as 2026-02-05T16:00:00Z, got %q", shorten.To(*s, maxShown))
	}
	return s
}

// parseTime reads RFC 3339 strictly, which the standard library does not. What is
// no time of the years 1 to 9999 is the zero Time.
func parseTime(s string) memory.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !spelledAsTime(s) {
		return memory.Time{}
	}
	at := memory.At(t)
	if _, err := at.MarshalText(); err != nil {
		return memory.Time{}
	}
	return at
}

// spelledAsTime reports whether every digit of a time is where it belongs.
func spelledAsTime(s string) bool {
	zeros := strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return '0'
		}
		return c
	}, s)
	rest, ok := strings.CutPrefix(zeros, "0000-00-00T00:00:00")
	if fraction, point := strings.CutPrefix(rest, "."); point {
		rest = strings.TrimLeft(fraction, "0")
		ok = ok && len(rest) < len(fraction)
	}
	if rest == "+00:00" || rest == "-00:00" {
		offset := s[len(s)-len("00:00"):]
		return ok && offset[:2] < "24" && offset[3:] < "60"
	}
	return ok && rest == "Z"
}

// number returns the literal of a number, or "" if it is absent.
func (o *object) number(name string) string {
	raw := o.take(name, false)
	if raw == nil {
		return ""
	}
	if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		o.fail(o.path+name, "must be a number, got %s", shown(raw))
		return ""
	}
	return string(raw)
}

// integer reads a whole number of at least least.
func (o *object) integer(name string, least int64) *int64 {
	literal := o.number(name)
	if literal == "" {
		return nil
	}
	n, ok := decimal(literal, 0)
	if !ok || n < least {
		o.fail(
			o.path+name, "must be a whole number from %d to %d, got %s", least, int64(maxInteger),
			shorten.To(literal, maxShown),
		)
	}
	return &n
}

// between reads any number from 0 to most and keeps its spelling.
func (o *object) between(name string, most float64) json.Number {
	literal := o.number(name)
	if literal == "" {
		return ""
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil || f < 0 || f > most {
		o.fail(o.path+name, "must be a number from 0 to %v, got %s", most, shorten.To(literal, maxShown))
	}
	return json.Number(literal)
}

// confidence reads a number from 0 to 1 with at most three decimals, exactly.
func (o *object) confidence(name string) *memory.Confidence {
	literal := o.number(name)
	if literal == "" {
		return nil
	}
	f, err := strconv.ParseFloat(literal, 64)
	n, exact := decimal(literal, 3)
	switch {
	case err != nil || f < 0 || f > 1:
		o.fail(o.path+name, "must be a number from 0 to 1, got %s", shorten.To(literal, maxShown))
		return nil
	case !exact || n < 0 || n > thousandth:
		o.fail(o.path+name, "has at most three decimals, got %s", shorten.To(literal, maxShown))
		return nil
	}
	return new(memory.Confidence(n))
}
