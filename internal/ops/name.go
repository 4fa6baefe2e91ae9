package ops

import (
	"reflect"
	"runtime"
	"strings"
)

// NameOf returns the name of the operation that a method of the engine does, such
// as (*stemma.Engine).Capture; "" for a function that does none.
func NameOf(do any) string {
	v := reflect.ValueOf(do)
	if v.Kind() != reflect.Func {
		return ""
	}
	name := method(v)
	for _, op := range All {
		if method(op.fn) == name && name != "" {
			return op.Name
		}
	}
	return ""
}

// method returns the name of a method of the engine, "" for another function.
func method(v reflect.Value) string {
	const of = ".(*Engine)."
	f := runtime.FuncForPC(v.Pointer())
	if f == nil {
		return ""
	}
	_, name, ok := strings.Cut(f.Name(), of)
	if !ok {
		return ""
	}
	return name
}
