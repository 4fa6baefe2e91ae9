package strict

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// A shape is what a type has in JSON: the names of its members, exactly, and what is
// in them. Nil is a type that is not known here, or reads itself.
type shape struct {
	members map[string]reflect.Type
	of      reflect.Type // of the elements
}

var shapes sync.Map // *shape by reflect.Type

var (
	ownJSON = reflect.TypeFor[json.Unmarshaler]()
	ownText = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// shapeOf returns the shape of a type.
func shapeOf(t reflect.Type) *shape {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return nil
	}
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	var s *shape
	p := reflect.PointerTo(t)
	switch {
	case p.Implements(ownJSON) || p.Implements(ownText):
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map:
		s = &shape{of: t.Elem()}
	case t.Kind() == reflect.Struct:
		s = &shape{members: make(map[string]reflect.Type)}
		s.fields(t)
	}
	shapes.Store(t, s)
	return s
}

// fields adds the members of a struct, and of those in it that have no name.
func (s *shape) fields(t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case name == "-":
		case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			s.fields(inner)
		case f.IsExported():
			if name == "" {
				name = f.Name
			}
			if s.members[name] == nil {
				s.members[name] = f.Type
			}
		}
	}
}

// member returns the shape of a member; right is how its name is written, where it
// stands in another case.
func (s *shape) member(name string) (child *shape, right string) {
	switch {
	case s == nil:
		return nil, ""
	case s.members == nil:
		if s.of == nil {
			return nil, ""
		}
		return shapeOf(s.of), ""
	}
	if t, ok := s.members[name]; ok {
		return shapeOf(t), ""
	}
	for right := range s.members {
		if strings.EqualFold(right, name) { // encoding/json would take it
			return nil, right
		}
	}
	return nil, ""
}

func (s *shape) element() *shape {
	if s == nil || s.of == nil {
		return nil
	}
	return shapeOf(s.of)
}
