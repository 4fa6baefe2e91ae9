package mcpserver

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/toolset"
)

// define makes the definition of a tool from the operation's types. A test writes
// what it makes into the files that are shipped: making it again would be most of
// the time a process takes to start.
func define(t tool) (*mcp.Tool, error) {
	op, ok := ops.Find(t.op)
	if !ok {
		return nil, fmt.Errorf("tool %s: no such operation", t.op)
	}
	in, err := request(op, t.args)
	if err != nil {
		return nil, err
	}
	if toolset.Shortened(t.op) {
		if in.Properties == nil {
			in.Properties = make(map[string]*jsonschema.Schema)
		}
		in.Properties["verbose"] = &jsonschema.Schema{Type: "boolean"}
		in.PropertyOrder = append(in.PropertyOrder, "verbose")
	}
	if t.ref != "" {
		in.Properties[t.ref] = in.Properties["ref"]
		delete(in.Properties, "ref")
		for _, names := range [][]string{in.Required, in.PropertyOrder} {
			if i := slices.Index(names, "ref"); i >= 0 {
				names[i] = t.ref
			}
		}
	}
	d := &mcp.Tool{Name: t.op, Description: op.Doc, InputSchema: in}
	if !toolset.Shortened(t.op) { // a short answer says itself what is in it
		d.OutputSchema = reply(op.Out)
	}
	if t.name != "" {
		d.Name = t.name
	}
	if t.text != "" {
		d.Description = t.text
	}
	yes, no := true, false
	d.Annotations = &mcp.ToolAnnotations{
		ReadOnlyHint: t.hint == reads, IdempotentHint: t.hint == reads || t.hint == sets, OpenWorldHint: &no,
	}
	switch t.hint {
	case adds, sets:
		d.Annotations.DestructiveHint = &no
	case replaces:
		d.Annotations.DestructiveHint = &yes
	}
	return d, nil
}

// request is the schema of an operation's request: of all its members, or of those
// named in args, and then others are taken too.
func request(op ops.Op, args string) (*jsonschema.Schema, error) {
	s, err := op.Request()
	if err != nil {
		return nil, err
	}
	for _, name := range toolset.Withheld(op.Name) {
		delete(s.Properties, name)
	}
	if args != "" {
		listed := strings.Fields(args)
		for _, name := range listed {
			if s.Properties[name] == nil {
				return nil, fmt.Errorf("tool %s: its request has no %s", op.Name, name)
			}
		}
		for name := range s.Properties {
			if !slices.Contains(listed, name) {
				delete(s.Properties, name)
				s.AdditionalProperties = nil
			}
		}
	}
	s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(name string) bool { return s.Properties[name] == nil })
	for _, p := range s.Properties {
		if len(p.Types) == 2 && p.Types[0] == "null" { // what is left out is not given as null
			p.Type, p.Types = p.Types[1], nil
		}
	}
	return s, nil
}

// listedFields is how many fields of a reply a tool's description lists.
const listedFields = 4

// reply says of an operation's reply what its first members are that are always
// there, without what stands in them: more tells a model nothing that the reply
// itself does not, and would be paid for in every conversation.
func reply(t reflect.Type) json.RawMessage {
	members := members(t)
	members = members[:min(len(members), listedFields)]
	if len(members) == 0 {
		return json.RawMessage(`{"type":"object"}`)
	}
	return json.RawMessage(`{"type":"object","properties":{` + strings.Join(members, ",") + `}}`)
}

func members(t reflect.Type) []string {
	if t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Kind() != reflect.Struct {
		return nil
	}
	var list []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			list = append(list, members(f.Type)...)
		case name == "" || name == "-" || strings.Contains(options, "omit"):
		default:
			list = append(list, fmt.Sprintf(`%q:{%s}`, name, typeOf(f.Type)))
		}
	}
	return list
}

// typeOf names a type as a schema does; "" is any.
func typeOf(t reflect.Type) string {
	if how := reflect.TypeFor[json.Marshaler](); t.Implements(how) || reflect.PointerTo(t).Implements(how) {
		return ""
	}
	switch t.Kind() {
	case reflect.String:
		return `"type":"string"`
	case reflect.Bool:
		return `"type":"boolean"`
	case reflect.Int,
		reflect.Int8,
		reflect.Int16,
		reflect.Int32,
		reflect.Int64,
		reflect.Uint,
		reflect.Uint8,
		reflect.Uint16,
		reflect.Uint32,
		reflect.Uint64:
		return `"type":"integer"`
	case reflect.Float32, reflect.Float64:
		return `"type":"number"`
	case reflect.Struct, reflect.Map:
		return `"type":"object"`
	case reflect.Slice:
		return `"type":"array"`
	}
	return ""
}
