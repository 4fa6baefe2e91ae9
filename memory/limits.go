package memory

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of a record, in bytes of UTF-8 and in numbers of things.
const (
	MaxRawText   = 1 << 20  // of the words of a raw
	MaxText      = 64 << 10 // of every other text field
	MaxTags      = 64       // tags of one record
	MaxTagBytes  = 64       // of one tag
	MaxAbout     = 64       // entities of one record
	MaxNameBytes = 256      // of one entity's name
	MaxSources   = 1024     // sources of one record, and of every other list of refs
	MaxItems     = 256      // lines of one list, such as lessons or steps
	maxEvidence  = 1024     // pieces of evidence of one record
)

// text checks one text field: valid UTF-8 without NUL, within its bound, and
// absent rather than blank.
func text(field, s string) error {
	return textUpTo(field, s, MaxText)
}

func textUpTo(field, s string, most int) error {
	switch {
	case len(s) > most:
		return bad(field, "must be at most %d bytes, got %d", most, len(s))
	case !utf8.ValidString(s):
		return bad(field, "is not valid UTF-8")
	case strings.IndexByte(s, 0) >= 0:
		return bad(field, "contains a NUL byte")
	case s != "" && strings.TrimSpace(s) == "":
		return bad(field, "is blank; leave it out")
	}
	return nil
}

// need checks a text field that must say something.
func need(field, s string) error {
	if strings.TrimSpace(s) == "" {
		return bad(field, "is blank")
	}
	return text(field, s)
}

// lines checks a list of texts, none of them blank.
func lines(field string, list []string) error {
	return texts(field, list, MaxItems, MaxText)
}

func texts(field string, list []string, most, bytes int) error {
	if len(list) > most {
		return bad(field, "has %d entries, at most %d are allowed", len(list), most)
	}
	for _, s := range list {
		if strings.TrimSpace(s) == "" {
			return bad(field, "has a blank entry")
		}
		if err := textUpTo(field, s, bytes); err != nil {
			return err
		}
	}
	return nil
}

// set checks a list that is kept sorted and without repetition.
func set(field string, list []string, most, bytes int) error {
	if err := texts(field, list, most, bytes); err != nil {
		return err
	}
	for i, s := range list {
		if s != strings.TrimSpace(s) {
			return bad(field, "has an entry with blanks around it")
		}
		if i > 0 && list[i-1] >= s {
			return bad(field, "must be sorted and unique")
		}
	}
	return nil
}

// asSet sorts list and drops repetitions and blanks around the entries.
func asSet(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strings.TrimSpace(s)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// refs checks a list of refs: bounded and without repetition.
func refs(field string, list []Ref) error {
	if len(list) > MaxSources {
		return bad(field, "has %d refs, at most %d are allowed", len(list), MaxSources)
	}
	if len(list) == 0 {
		return nil
	}
	seen := make(map[ID]bool, len(list))
	for _, r := range list {
		if err := oneRef(field, r); err != nil {
			return err
		}
		if seen[r.ID] {
			return bad(field, "names %s twice", r.Short())
		}
		seen[r.ID] = true
	}
	return nil
}

func oneRef(field string, r Ref) error {
	if r.ID.IsZero() || !wellFormedKind(string(r.Kind)) {
		return bad(field, "points at nothing")
	}
	return nil
}

// oneOf checks a closed enumeration; "" is for the caller to refuse.
func oneOf(field, s string, allowed []string) error {
	if s == "" || slices.Contains(allowed, s) {
		return nil
	}
	return bad(field, "must be one of %s, got %q", strings.Join(allowed, ", "), clip(s))
}

// word checks an open enumeration: a short lower-case word.
func word(field, s string) error {
	if s != "" && !wellFormedKind(s) {
		return bad(field, "must be a word of lower-case letters, digits and _, at most %d long, got %q", maxKindLen, clip(s))
	}
	return nil
}

// checkBase64 checks bytes written as standard base64 with padding. The decoder
// of the standard library would pass over line breaks: one more spelling.
func checkBase64(field, s string) ([]byte, error) {
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || strings.ContainsAny(s, "\r\n") {
		return nil, bad(field, "is not standard base64 with padding")
	}
	return b, nil
}

// hexDigest checks a SHA-256 written as 64 lower-case hex digits; "" is valid and means none.
func hexDigest(field, s string) error {
	if s == "" {
		return nil
	}
	if _, err := ParseID(s); err != nil {
		return bad(field, "must be 64 lower-case hex digits")
	}
	return nil
}
