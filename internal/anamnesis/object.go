package anamnesis

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// maxShown is how much of a wrong value an error repeats.
const maxShown = 40

// A reading is one document being read. The first thing that is wrong ends it:
// after that every member reads as absent.
type reading struct {
	err     error
	partial bool // what a document must have may be missing
}

func (r *reading) fail(field, format string, args ...any) {
	if r.err == nil {
		r.err = &memory.FieldError{Field: field, Problem: fmt.Sprintf(format, args...)}
	}
}

// An object is one level of a document. Members are taken out by name, compared
// to the letter; what is left is unknown.
type object struct {
	*reading
	path    string // with a point at its end
	members map[string]json.RawMessage
}

// object reads raw, which has passed canon, as an object.
func (r *reading) object(path string, raw json.RawMessage) *object {
	o := &object{reading: r, path: path}
	if raw[0] != '{' {
		name := strings.TrimSuffix(path, ".")
		if name == "" {
			name = "document"
		}
		r.fail(name, "must be an object, got %s", shown(raw))
		return o
	}
	if err := json.Unmarshal(raw, &o.members); err != nil {
		r.fail(path, "%v", err)
	}
	return o
}

// shown names a value in an error.
func shown(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		var s string
		_ = json.Unmarshal(raw, &s) // it has passed canon
		return strconv.Quote(shorten.To(s, maxShown))
	}
	return shorten.To(string(raw), maxShown)
}

// take removes a member and gives its value. Absent is nil.
func (o *object) take(name string, required bool) json.RawMessage {
	raw, ok := o.members[name]
	if o.err != nil {
		return nil
	}
	if !ok {
		if required && !o.partial {
			o.fail(o.path+name, "is missing")
		}
		return nil
	}
	delete(o.members, name)
	return raw
}

// text reads an optional string.
func (o *object) text(name string) *string {
	raw := o.take(name, false)
	if raw == nil {
		return nil
	}
	return o.asText(o.path+name, raw)
}

func (o *object) asText(field string, raw json.RawMessage) *string {
	if raw[0] != '"' {
		o.fail(field, "must be a string, got %s", shown(raw))
		return nil
	}
	s := new("")
	if err := json.Unmarshal(raw, s); err != nil {
		o.fail(field, "%v", err)
	}
	return s
}

// need reads a string that must say something.
func (o *object) need(name string) string {
	raw := o.take(name, true)
	if raw == nil {
		return ""
	}
	s := o.asText(o.path+name, raw)
	if s == nil {
		return ""
	}
	if strings.TrimSpace(*s) == "" {
		o.fail(o.path+name, "is blank")
	}
	return *s
}

// word reads one of a closed list.
func (o *object) word(name string, allowed []string) string {
	s := o.need(name)
	if s != "" && !slices.Contains(allowed, s) {
		last := len(allowed) - 1
		o.fail(
			o.path+name, "must be %s or %s, got %q", strings.Join(allowed[:last], ", "), allowed[last],
			shorten.To(s, maxShown),
		)
	}
	return s
}

// object reads an object one level down, or nil if it is absent.
func (o *object) object(name string, required bool) *object {
	raw := o.take(name, required)
	if raw == nil {
		return nil
	}
	return o.reading.object(o.path+name+".", raw)
}

// list reads an array of at most most entries and calls each with every one and
// its path. It is false if the member is absent.
func (o *object) list(name string, most int, each func(field string, raw json.RawMessage)) bool {
	raw := o.take(name, false)
	if raw == nil {
		return false
	}
	if raw[0] != '[' {
		o.fail(o.path+name, "must be a list, got %s", shown(raw))
		return false
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		o.fail(o.path+name, "%v", err)
	}
	if len(entries) > most {
		o.fail(o.path+name, "has %d entries, at most %d are allowed", len(entries), most)
	}
	for i, entry := range entries {
		if o.err != nil {
			return false
		}
		each(fmt.Sprintf("%s%s[%d]", o.path, name, i), entry)
	}
	return true
}

// unknown returns what has not been taken, in canonical form.
func (o *object) unknown() Unknown {
	if o.err != nil || len(o.members) == 0 {
		return nil
	}
	u := make(Unknown, len(o.members))
	for name, raw := range o.members {
		value, err := canon.Transform(raw)
		if err != nil {
			o.fail(o.path+name, "%v", err)
			return nil
		}
		u[name] = value
	}
	return u
}
