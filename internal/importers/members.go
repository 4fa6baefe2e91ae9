package importers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/shorten"
)

// members are those of an object, or the columns of a row, of another program.
// What is taken of them is gone; the rest is for ext.
type members map[string]any

// parseObject reads a JSON object with its numbers as they are.
func parseObject(raw []byte) (members, error) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var m members
	if err := d.Decode(&m); err != nil {
		return nil, err
	}
	if m == nil {
		return nil, fmt.Errorf("must be an object")
	}
	if d.More() {
		return nil, fmt.Errorf("text after the object")
	}
	return m, nil
}

// take returns a member and takes it away.
func (m members) take(names ...string) any {
	var out any
	for _, name := range names {
		if v, ok := m[name]; ok && out == nil {
			out = v
		}
		delete(m, name)
	}
	return out
}

// text takes a text. A number is one too; what is neither is an error.
func (m members) text(names ...string) (string, error) {
	switch v := m.take(names...).(type) {
	case nil:
		return "", nil
	case string:
		return clean(v), nil
	case []byte:
		return clean(string(v)), nil
	case json.Number:
		return v.String(), nil
	case int64, float64, bool:
		return fmt.Sprint(v), nil
	default:
		return "", fmt.Errorf("%s: must be a text", names[0])
	}
}

// peek returns a text or a number as a text, and leaves it where it is.
func (m members) peek(name string) string {
	s, err := members{name: m[name]}.text(name)
	if err != nil {
		return ""
	}
	return s
}

// unread puts a time back that was taken and cannot be read as one, so that it is kept.
func (m members) unread(name, made string) {
	if _, ok := stamp(made); !ok && made != "" {
		m[name] = made
	}
}

// clean returns a text that a record can hold: other programs do not mind bytes that
// are no text.
func clean(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	return strings.ReplaceAll(s, "\x00", "")
}

// texts takes a list of texts: a list, or a text that holds one in JSON, as in a
// column of a table.
func (m members) texts(names ...string) ([]string, error) {
	v := m.take(names...)
	if b, ok := v.([]byte); ok {
		v = string(b)
	}
	if s, ok := v.(string); ok {
		s = strings.TrimSpace(s)
		if s == "" || s == "null" {
			return nil, nil
		}
		if !strings.HasPrefix(s, "[") {
			return []string{clean(s)}, nil
		}
		var list any
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		if err := d.Decode(&list); err != nil {
			return nil, fmt.Errorf("%s: is not a JSON list: %w", names[0], err)
		}
		v = list
	}
	if v == nil {
		return nil, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s: must be a list", names[0])
	}
	var out []string
	for _, one := range list {
		switch one := one.(type) {
		case nil:
			continue
		case string:
			if s := clean(one); strings.TrimSpace(s) != "" {
				out = append(out, s)
			}
		default: // a step of a playbook is an object
			out = append(out, spokenOf(one))
		}
	}
	return out, nil
}

// spokenOf returns the texts in a value as one.
func spokenOf(v any) string {
	switch v := v.(type) {
	case string:
		return clean(v)
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if s := spokenOf(v[name]); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, "; ")
	case []any:
		var parts []string
		for _, one := range v {
			if s := spokenOf(one); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ", ")
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// number returns a number within bounds, or nil if there is none.
func (m members) number(least, most float64, names ...string) (*float64, error) {
	var f float64
	switch v := m.take(names...).(type) {
	case nil:
		return nil, nil
	case int64:
		f = float64(v)
	case float64:
		f = v
	case json.Number:
		var err error
		if f, err = v.Float64(); err != nil {
			return nil, fmt.Errorf("%s: %w", names[0], err)
		}
	default:
		return nil, fmt.Errorf("%s: must be a number", names[0])
	}
	if math.IsNaN(f) || f < least || f > most {
		return nil, fmt.Errorf("%s: must be from %v to %v, got %v", names[0], least, most, f)
	}
	f = math.Round(f*1000) / 1000
	return &f, nil
}

// is takes a truth: a number other than 0, or true.
func (m members) is(names ...string) bool {
	switch v := m.take(names...).(type) {
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case json.Number:
		return v.String() != "0"
	}
	return false
}

// sure takes a confidence.
func (m members) sure(names ...string) (*float64, error) {
	v := m.take(names...)
	if n, ok := v.(json.Number); ok {
		f, err := n.Float64()
		if err != nil {
			return nil, fmt.Errorf("confidence: %w", err)
		}
		v = f
	}
	return sure(v)
}

// rest returns what was not taken and says something, as a record can keep it.
func (m members) rest() map[string]any {
	out := make(map[string]any)
	for name, v := range m {
		if v = plain(v); v != nil {
			out[clean(shorten.To(name, 200))] = v
		}
	}
	return out
}

// plain returns a value that JSON can say; nil for what says nothing. A text that holds
// JSON, as in a column, is what it holds.
func plain(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		s := clean(v)
		if t := strings.TrimSpace(s); strings.HasPrefix(t, "[") || strings.HasPrefix(t, "{") {
			var held any
			if json.Unmarshal([]byte(t), &held) == nil {
				return plain(held)
			}
		}
		if s == "" {
			return nil
		}
		return s
	case []byte:
		return plain(string(v))
	case json.Number:
		// numbers that two programs would read differently are texts
		if f, err := v.Float64(); err == nil && math.Abs(f) < 1<<53 {
			return f
		}
		return v.String()
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
		return v
	case int64:
		if v >= 1<<53 || v <= -1<<53 {
			return fmt.Sprint(v)
		}
		return float64(v)
	case []any:
		if len(v) == 0 {
			return nil
		}
		out := make([]any, 0, len(v))
		for _, one := range v {
			if one = plain(one); one != nil {
				out = append(out, one)
			}
		}
		return out
	case map[string]any:
		if len(v) == 0 {
			return nil
		}
		out := make(map[string]any, len(v))
		for name, one := range v {
			if one = plain(one); one != nil {
				out[clean(name)] = one
			}
		}
		return out
	default:
		return v
	}
}

// unrowed removes the row that an error already names, since the reader of lines adds it.
func unrowed(row string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), row+": "))
}

// need takes a text that must be there.
func (m members) need(names ...string) (string, error) {
	s, err := m.text(names...)
	if err == nil && strings.TrimSpace(s) == "" {
		err = fmt.Errorf("%s: is missing", names[0])
	}
	return strings.TrimSpace(s), err
}

// digestOf returns sixteen digits that distinguish texts.
func digestOf(texts ...string) string {
	raw, _ := json.Marshal(texts) // texts are always encoded
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// sortedNames are the names of an object in order.
func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// An errString is an error that is its text.
type errString string

func (e errString) Error() string { return string(e) }

// asList returns a value that is a list; nothing for any other.
func asList(v any) []any {
	list, _ := v.([]any)
	return list
}
