package memory

import (
	"encoding/json"
	"reflect"
)

// spoilString sets the nth string in h and b to value and tells its name, or
// "" if there are not so many. Blanks in sets and in ext are left alone, as New
// trims the one and does not read the other.
func spoilString(h *Header, b Body, n int, value string) string {
	name := ""
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		switch {
		case name != "" || v.Type() == reflect.TypeFor[Time]() || v.Type() == reflect.TypeFor[json.RawMessage]():
		case v.Kind() == reflect.Pointer && !v.IsNil():
			walk(path, v.Elem())
		case v.Kind() == reflect.Struct:
			for f, value := range v.Fields() {
				if path != "" || f.Name != "Kind" { // the kind of the header is the body's
					walk(path+"."+f.Name, value)
				}
			}
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				walk(path, v.Index(i))
			}
		case v.Kind() == reflect.String:
			if n--; n < 0 {
				name = path
				v.SetString(value)
			}
		}
	}
	walk("", reflect.ValueOf(h))
	if name == "" {
		walk("body", reflect.ValueOf(b))
	}
	return name
}
