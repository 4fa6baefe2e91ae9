package ops

import "reflect"

// Invoke calls a function that returns an error, with or without a reply before it.
// The generic functions that check the types of an operation come together here: they
// would otherwise be in the program once for each request and reply, 1.5 MB of it.
func Invoke(do any, args ...any) (any, error) {
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		in[i] = reflect.ValueOf(arg)
	}
	out := reflect.ValueOf(do).Call(in)
	err, _ := out[len(out)-1].Interface().(error)
	if len(out) == 1 {
		return nil, err
	}
	return out[0].Interface(), err
}
