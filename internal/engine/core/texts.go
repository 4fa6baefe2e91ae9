package core

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/memory"
)

// Fields without words, by kind and name; those of headers, drafts and pieces of evidence by
// name alone. All other fields are texts, so that a field added later is scanned by default.
var (
	// shapes are checked to be keys, digests or bytes.
	shapes = []string{
		"author", "nonce", "raw.base64", "anchor.sha256", "anchor.proof", "evidence.sha256", "evidence.commit",
		"key.key", "key.previous", "key.next", "key.from",
	}
	// readByMachines names places and things: with a piece taken out it would name
	// nothing, or something else.
	readByMachines = []string{
		"space", "alias", "evidence.path", "evidence.symbol", "evidence.repo", "evidence.reference",
		"anchor.reference", "anchor.final", "mark.target", "mark.verb", "mark.value", "witness.request",
	}
)

// Cleaned returns v, a header, a body or a draft, without the secrets in its texts. Changed
// parts are copied first.
func Cleaned[T any](c *Cleaning, kind memory.Kind, v T) T {
	in := reflect.ValueOf(&v).Elem()
	value := in
	if in.Kind() == reflect.Interface {
		value = in.Elem()
	}
	if out, changed := c.value(kind, "", value); changed {
		in.Set(out)
	}
	return v
}

var (
	typeOfJSON     = reflect.TypeFor[json.RawMessage]()
	typeOfRef      = reflect.TypeFor[memory.Ref]()
	typeOfTime     = reflect.TypeFor[memory.Time]()
	typeOfEvidence = reflect.TypeFor[memory.Evidence]()
)

// value cleans one value. Where nothing is changed it is not copied either.
func (c *Cleaning) value(kind memory.Kind, field string, v reflect.Value) (_ reflect.Value, changed bool) {
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		clean := c.field(kind, field, s)
		if clean == s {
			return v, false
		}
		out := reflect.New(v.Type()).Elem()
		out.SetString(clean)
		return out, true
	case reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		inner, changed := c.value(kind, field, v.Elem())
		if !changed {
			return v, false
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(inner)
		return out, true
	case reflect.Slice:
		return c.list(kind, field, v)
	case reflect.Struct:
		return c.members(kind, field, v)
	}
	return v, false
}

func (c *Cleaning) list(kind memory.Kind, field string, v reflect.Value) (_ reflect.Value, changed bool) {
	if v.Type() == typeOfJSON {
		raw := v.Interface().(json.RawMessage)
		clean := c.json(field, raw)
		return reflect.ValueOf(clean), !bytes.Equal(clean, raw)
	}
	out := v
	for i := range v.Len() {
		entry, other := c.value(kind, field, v.Index(i))
		if !other {
			continue
		}
		if !changed {
			out = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(out, v)
			changed = true
		}
		out.Index(i).Set(entry)
	}
	return out, changed
}

func (c *Cleaning) members(kind memory.Kind, field string, v reflect.Value) (_ reflect.Value, changed bool) {
	t := v.Type()
	switch t {
	case typeOfRef, typeOfTime:
		return v, false
	case typeOfEvidence:
		kind, field = "", "evidence"
	}
	if field == "provenance" {
		field = ""
	}
	out := v
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		if field != "" {
			name = field + "." + name
		}
		member, other := c.value(kind, name, v.Field(i))
		if !other {
			continue
		}
		if !changed {
			out = reflect.New(t).Elem()
			out.Set(v)
			changed = true
		}
		out.Field(i).Set(member)
	}
	return out, changed
}

// field cleans one text by what it is for.
func (c *Cleaning) field(kind memory.Kind, field, s string) string {
	if len(s) < leastSecret {
		return s
	}
	full := field
	if kind != "" {
		full = string(kind) + "." + field
	}
	switch {
	case full == "raw.base64":
		return c.bytes(field, s)
	case slices.Contains(shapes, full):
	case slices.Contains(readByMachines, full):
		c.refuse(field, s)
	default:
		return c.text(field, s)
	}
	return s
}

// mostPasses is how often taking secrets out of JSON may bring others to light.
const mostPasses = 8

// json removes the secrets from an object in its written form, where a field's name comes
// before its value. The result is JSON with the same fields.
func (c *Cleaning) json(field string, raw json.RawMessage) json.RawMessage {
	if len(raw) < leastSecret || c.Err != nil {
		return raw
	}
	if !c.reading {
		raw = WithoutPrivate(raw)
	}
	if c.Policy == SecretsAllow && !c.reading {
		return raw
	}
	for range mostPasses {
		found := secrets.Find(string(raw))
		for _, f := range found {
			c.add(f.Rule, field)
		}
		if len(found) == 0 || c.reading || c.Err != nil {
			return raw
		}
		raw = withMarks(raw, found)
	}
	c.Err = Invalid("%s: contains what looks like secrets and is nothing without them; nothing was stored", field)
	return raw
}

// WithoutPrivate removes private spans from the strings of an object. If a field's name
// contains one, the whole text of its object goes, since the rest would not be JSON.
func WithoutPrivate(raw json.RawMessage) json.RawMessage {
	if secrets.Private(string(raw)) == string(raw) {
		return raw
	}
	var out []byte
	at := 0
	for _, v := range scalars(raw) {
		var text string
		if raw[v.start] != '"' || json.Unmarshal(raw[v.start:v.end], &text) != nil {
			continue
		}
		clean, err := canon.Marshal(secrets.Private(text))
		if err != nil {
			continue
		}
		out = append(append(out, raw[at:v.start]...), clean...)
		at = v.end
	}
	out = append(out, raw[at:]...)
	if secrets.Private(string(out)) != string(out) || !json.Valid(out) {
		return json.RawMessage(`{"private":"[private]"}`)
	}
	return out
}

// WithoutSecrets removes private spans and what looks like a secret from an object that is noted
// and not signed: a request. One that would be nothing without them goes whole.
func WithoutSecrets(raw json.RawMessage) json.RawMessage {
	c := Cleaning{Policy: SecretsRedact}
	if raw = c.json("request", raw); c.Err != nil {
		return json.RawMessage(`{"private":"[private]"}`)
	}
	return raw
}

// withMarks puts the names of rules in the place of what findings take up, or of
// the whole values they touch where they cross their ends.
func withMarks(raw json.RawMessage, found []secrets.Finding) json.RawMessage {
	var out []byte
	at := 0
	for _, v := range scalars(raw) {
		for len(found) > 0 && found[0].End <= v.start {
			found = found[1:]
		}
		if len(found) > 0 && found[0].Start < v.end {
			out = append(append(out, raw[at:v.start]...), marked(raw, v, found)...)
			at = v.end
		}
	}
	clean, err := canon.Transform(append(out, raw[at:]...))
	if err != nil {
		return raw // and found again
	}
	return clean
}

// marked returns one value without its secrets.
func marked(raw json.RawMessage, v span, found []secrets.Finding) []byte {
	const open, close = "[REDACTED:", "]"
	whole := []byte(`"` + open + found[0].Rule + close + `"`)
	if raw[v.start] != '"' {
		return whole
	}
	var out []byte
	at := v.start
	for _, f := range found {
		if f.Start >= v.end {
			break
		}
		if f.Start <= v.start || f.End >= v.end {
			return whole
		}
		out = append(append(out, raw[at:f.Start]...), open+f.Rule+close...)
		at = f.End
	}
	if out = append(out, raw[at:v.end]...); !json.Valid(out) { // an escape was cut in two
		return whole
	}
	return out
}

// A span is the position of a value in JSON.
type span struct{ start, end int }

// scalars returns the values in raw that are no objects and no lists, and no names of
// members either.
func scalars(raw []byte) []span {
	var out []span
	for i := 0; i < len(raw); {
		start := i
		switch c := raw[i]; {
		case c == '"':
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(raw))
			if i == len(raw) || raw[i] != ':' { // canonical: no blank before the colon
				out = append(out, span{start, i})
			}
		case strings.IndexByte("{}[],: \t\r\n", c) >= 0:
			i++
		default:
			for i < len(raw) && strings.IndexByte("{}[],: \t\r\n\"", raw[i]) < 0 {
				i++
			}
			out = append(out, span{start, i})
		}
	}
	return out
}
