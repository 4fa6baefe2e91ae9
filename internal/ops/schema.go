package ops

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// Request returns the JSON Schema of the operation's request, made from its type:
// what it refuses, decoding refuses too. It stands by itself, without references.
func (o Op) Request() (*jsonschema.Schema, error) {
	s, err := SchemaOf(o.In)
	if err != nil {
		return nil, fmt.Errorf("schema of the request of %s: %w", o.Name, err)
	}
	o.explain(s)
	return s, nil
}

// SchemaOf returns the JSON Schema of a type as it is written, without references.
func SchemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	types := map[reflect.Type]*jsonschema.Schema{bytesType: asText, rawType: anything}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		return nil, err
	}
	plain(s)
	return s, nil
}

// Replies returns the schemas of all replies and of what stands in them, each
// struct once, by its name. They refer to one another by prefix and name, so
// that what holds its like, such as a tree, can be said.
func Replies(prefix string) (map[string]*jsonschema.Schema, error) {
	var types []reflect.Type
	for _, o := range All {
		types = named(o.Out, types)
	}
	names := make(map[reflect.Type]string, len(types))
	taken := make(map[string]reflect.Type, len(types))
	for _, t := range types {
		name := t.Name()
		if other := taken[name]; other != nil {
			return nil, fmt.Errorf("schema: %s and %s have one name", t, other)
		}
		taken[name], names[t] = t, name
	}
	out := make(map[string]*jsonschema.Schema, len(types))
	for _, t := range types {
		refs := make(map[reflect.Type]*jsonschema.Schema, 4*len(types))
		for u, name := range names {
			if u != t {
				refs[u] = &jsonschema.Schema{Ref: prefix + name}
			}
			// A struct holds its like only through these.
			refs[reflect.PointerTo(u)] = &jsonschema.Schema{Ref: prefix + name}
			refs[reflect.SliceOf(u)] = &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Ref: prefix + name}}
			refs[reflect.SliceOf(reflect.PointerTo(u))] = refs[reflect.SliceOf(u)]
		}
		refs[bytesType], refs[rawType] = asText, anything
		for _, f := range embedded(t) {
			delete(refs, f)
		}
		s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: refs})
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", t, err)
		}
		plain(s)
		out[names[t]] = s
	}
	for _, o := range All {
		if out[o.Out.Name()] == nil { // it writes itself
			out[o.Out.Name()] = &jsonschema.Schema{Type: "object"}
		}
	}
	return out, nil
}

// named adds to list the structs with a name that t is or holds and that are
// written as objects.
func named(t reflect.Type, list []reflect.Type) []reflect.Type {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return named(t.Elem(), list)
	case reflect.Struct:
	default:
		return list
	}
	if slices.Contains(list, t) || writesItself(t) {
		return list
	}
	if t.Name() != "" {
		list = append(list, t)
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() || f.Anonymous {
			list = named(f.Type, list)
		}
	}
	return list
}

// embedded returns the structs whose fields stand among those of t.
func embedded(t reflect.Type) []reflect.Type {
	var list []reflect.Type
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && f.Tag.Get("json") == "" {
			list = append(list, f.Type)
			if f.Type.Kind() == reflect.Struct {
				list = append(list, embedded(f.Type)...)
			}
		}
	}
	return list
}

// Bytes are written as text, and JSON as it is.
var (
	bytesType = reflect.TypeFor[[]byte]()
	asText    = &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	rawType   = reflect.TypeFor[json.RawMessage]()
	anything  = &jsonschema.Schema{Description: "any JSON"}
)

// plain says of a list that it is one, and not null, and of what stands elsewhere
// only where: no reply and no request writes null where it matters.
func plain(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		s.Type, s.Types = "", nil
	}
	if slices.Equal(s.Types, []string{"null", "string"}) && s.ContentEncoding != "" {
		s.Type, s.Types = "string", nil
	}
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Type, s.Types = "array", nil
	}
	for _, p := range s.Properties {
		plain(p)
	}
	plain(s.Items)
	plain(s.AdditionalProperties)
}

// writesItself reports whether values of a type say themselves how they are
// written.
func writesItself(t reflect.Type) bool {
	for _, how := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(how) || reflect.PointerTo(t).Implements(how) {
			return true
		}
	}
	return false
}
