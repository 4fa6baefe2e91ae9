package ops

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/strict"
)

// decode reads one JSON object and refuses members the request does not have, has
// twice or in another case, and what is no Unicode.
// An empty request is the zero one.
func decode(raw []byte, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	if Nests(raw) > MaxDepth {
		return fmt.Errorf("the request nests more than %d deep", MaxDepth)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return plainly(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is text after the request")
	}
	return strict.Valid(raw, reflect.TypeOf(into))
}

// MaxDepth is how many objects and lists of a request may be open at once.
const MaxDepth = 32

// Nests says how many objects and lists of a JSON text are open at once, at most,
// without decoding it.
func Nests(raw []byte) int {
	most, now, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}

// plainly says what is wrong with a request in the words of who wrote it: without
// the names of Go's types.
func plainly(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch unknown, is := strings.CutPrefix(err.Error(), "json: unknown field "); {
	case is:
		return fmt.Errorf("there is no member %s", shorten.To(unknown, 100))
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("the request must be an object, got %s", shorten.To(kind.Value, 40))
	case errors.As(err, &kind):
		return fmt.Errorf("%s: must be %s, got %s", shorten.To(member(kind.Field), 100), typeWords(kind.Type),
			shorten.To(kind.Value, 40))
	case errors.As(err, &syntax):
		return fmt.Errorf("the request is not JSON, at byte %d: %s", syntax.Offset, shorten.To(syntax.Error(), 100))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the request is not JSON: it ends in the middle")
	}
	return err
}

// member is where a value stands, without the names of Go's types that stand
// between: members begin with small letters.
func member(path string) string {
	parts := strings.Split(path, ".")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p != "" && p[0] >= 'A' && p[0] <= 'Z' }),
		".")
}

// typeWords says what a value of a type is in JSON.
func typeWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "text in base64"
		}
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Pointer:
		return typeWords(t.Elem())
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
