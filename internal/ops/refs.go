package ops

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// refs are the names of the members that hold refs, or ids of receipts and invitations.
var refs = []string{"ref", "refs", "from", "because", "episode", "target", "id"}

// refMembers returns those that a request has.
func refMembers(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		of := f.Type
		if of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		switch {
		case f.Anonymous && of.Kind() == reflect.Struct && name == "":
			out = append(out, refMembers(of)...)
		case of.Kind() == reflect.String && slices.Contains(refs, name):
			out = append(out, name)
		}
	}
	return out
}

// emptyRef refuses a ref that is given and empty: left out, it may mean the last one
// or everything, and who gives it means a record. The request was decoded before.
func emptyRef(request []byte, refs []string) error {
	var members map[string]json.RawMessage
	if len(request) == 0 || json.Unmarshal(request, &members) != nil {
		return nil
	}
	for name, raw := range members {
		at := slices.IndexFunc(refs, func(ref string) bool { return strings.EqualFold(ref, name) })
		var one string
		var many []string
		switch {
		case at < 0 || string(raw) == "null":
			continue
		case json.Unmarshal(raw, &one) == nil:
			many = []string{one}
		case json.Unmarshal(raw, &many) != nil:
			continue
		}
		for _, ref := range many {
			if strings.TrimSpace(ref) == "" {
				return fmt.Errorf("%s: is empty; name a record as kind:id or by the first digits of its id", refs[at])
			}
		}
	}
	return nil
}
