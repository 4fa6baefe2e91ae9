package httpapi

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/toolset"
)

var update = flag.Bool("update", false, "write the clients in other languages again")

// A described is the description of the face, as the clients are made of it.
type described struct {
	Paths map[string]map[string]struct {
		OperationID string
		Summary     string
		Tags        []string
		RequestBody struct {
			Content map[string]struct{ Schema shape }
		}
		Responses map[string]struct {
			Content map[string]struct{ Schema shape }
		}
	}
	Components struct{ Schemas map[string]shape }
}

// A shape is a JSON Schema, as far as the description uses it.
type shape struct {
	Ref         string `json:"$ref"`
	Type        any
	Description string
	Enum        []any
	Required    []string
	Properties  map[string]shape
	Items       *shape
	Others      json.RawMessage `json:"additionalProperties"`
}

// kind is the type of a value without null, and whether it may be null.
func (s shape) kind() (kind string, null bool) {
	all, is := s.Type.([]any)
	if !is {
		kind, _ = s.Type.(string)
		return kind, false
	}
	for _, t := range all {
		if t == "null" {
			null = true
		} else {
			kind = t.(string)
		}
	}
	return kind, null
}

// values is the schema of what an object has under names that are not known before.
func (s shape) values() (shape, bool) {
	var v shape
	if len(s.Properties) > 0 || len(s.Others) == 0 || s.Others[0] != '{' || json.Unmarshal(s.Others, &v) != nil {
		return v, false
	}
	return v, true
}

// An operation is what a client has a method for.
type operation struct {
	name, doc, reply string
	request          shape
	writes, lines    bool // lines is that it is asked with lines of JSON
	replies          bool // with lines of JSON
}

// describedOperations returns the operations of the face and the schemas they refer to.
func describedOperations(t *testing.T) ([]operation, map[string]shape) {
	t.Helper()
	text, err := Describe(Info{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	var d described
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	var all []operation
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		post, is := d.Paths[path]["post"]
		if !is || strings.Contains(post.Summary, "The same as ") || !strings.HasPrefix(path, "/v1/") ||
			slices.Contains(post.Tags, "server") {
			continue
		}
		answer := post.Responses["200"].Content
		op := operation{
			name: post.OperationID, doc: post.Summary, writes: post.Tags[0] == "write",
			request: post.RequestBody.Content["application/json"].Schema,
			reply:   strings.TrimPrefix(answer["application/json"].Schema.Ref, componentsOf),
		}
		_, op.lines = post.RequestBody.Content[LinesType]
		_, op.replies = answer[LinesType]
		all = append(all, op)
	}
	return all, d.Components.Schemas
}

// between puts a text between two marks of a file.
func between(file, text string) string {
	const begin, end = "# generated: begin\n", "# generated: end\n"
	before, rest, ok := strings.Cut(file, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return file
	}
	return before + begin + text + end + after
}

// The clients in other languages have the operations and types of the API of today.
func TestClientsAreOfTheAPI(t *testing.T) {
	all, schemas := describedOperations(t)
	if len(all) < 100 || len(schemas) < 100 {
		t.Fatalf("%d operations, %d schemas", len(all), len(schemas))
	}
	const python = "../../clients/python/stemma_client.py"
	old, err := os.ReadFile(python)
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]string{
		"../../clients/typescript/src/api.ts": typescript(all, schemas),
		"../../clients/typescript/src/toolset.ts": "// Made by internal/httpapi/clients_test.go. Do not edit.\n\n" +
			"/** The six tools, as MCP lists them. */\nexport const definitions = " +
			strings.TrimSpace(string(toolset.Definitions)) + " as const;\n",
		python: between(string(old), pythonOf(all, schemas)),
	}
	for file, want := range made {
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s is not what the API says (%v): run go test ./internal/httpapi -run TestClients -update", file, err)
		}
	}
	if !strings.Contains(made[python], "def search(") {
		t.Errorf("%s has no place for what is generated", python)
	}
}

// Members of replies are named as all others are, and have a type that a client can name.
func TestMembersHaveNames(t *testing.T) {
	plain := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	_, schemas := describedOperations(t)
	for name, s := range schemas {
		for member, of := range s.Properties {
			kind, _ := of.kind()
			if !plain.MatchString(member) || kind == "array" && of.Items == nil {
				t.Errorf("%s.%s: %+v", name, member, of)
			}
		}
	}
}

// pascal is the name of a type of an operation.
func pascal(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

func typescript(all []operation, schemas map[string]shape) string {
	var b strings.Builder
	b.WriteString("// Made by internal/httpapi/clients_test.go from the description of the API. Do not edit.\n")
	object := func(name, doc string, s shape) {
		fmt.Fprintf(&b, "\n%sexport interface %s {\n", comment("", doc), name)
		for _, member := range slices.Sorted(maps.Keys(s.Properties)) {
			p, optional := s.Properties[member], "?"
			if slices.Contains(s.Required, member) {
				optional = ""
			}
			fmt.Fprintf(&b, "%s  %s%s: %s;\n", comment("  ", p.Description), member, optional, tsType(p))
		}
		b.WriteString("}\n")
	}
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		if len(schemas[name].Properties) == 0 { // it writes itself
			fmt.Fprintf(&b, "\nexport type %s = Record<string, any>;\n", name)
			continue
		}
		object(name, "", schemas[name])
	}
	for _, op := range all {
		if len(op.request.Properties) > 0 {
			object(pascal(op.name)+"Request", "What "+op.name+" is asked.", op.request)
		}
	}
	b.WriteString("\n/** All operations, and whether they write. */\nexport const operations = {\n")
	for _, op := range all {
		if !op.lines && !op.replies {
			fmt.Fprintf(&b, "  %s: %t,\n", op.name, op.writes)
		}
	}
	b.WriteString("} as const;\n\nexport type Operation = keyof typeof operations;\n")
	b.WriteString("\n/** What a call may say beside its request. */\n" +
		"export interface CallOptions {\n  signal?: AbortSignal;\n}\n")
	b.WriteString("\n/** A method for each operation. */\nexport abstract class Operations {\n")
	b.WriteString("  abstract ask(name: Operation, request: object, options?: CallOptions): Promise<any>;\n")
	for _, op := range all {
		if op.lines || op.replies {
			continue
		}
		request := "request: " + pascal(op.name) + "Request"
		switch {
		case len(op.request.Properties) == 0:
			request = "request: Record<string, never> = {}"
		case len(op.request.Required) == 0:
			request += " = {}"
		}
		const method = "\n%s  %s(%s, options?: CallOptions): Promise<%s> {\n" +
			"    return this.ask(%q, request, options);\n  }\n"
		fmt.Fprintf(&b, method, comment("  ", op.doc), op.name, request, op.reply, op.name)
	}
	b.WriteString("}\n")
	return b.String()
}

func comment(indent, text string) string {
	if text == "" {
		return ""
	}
	return indent + "/** " + strings.ReplaceAll(text, "*/", "* /") + " */\n"
}

func tsType(s shape) string {
	kind, null := s.kind()
	out := "unknown"
	switch {
	case s.Ref != "":
		out = strings.TrimPrefix(s.Ref, componentsOf)
	case len(s.Enum) > 0:
		var all []string
		for _, v := range s.Enum {
			text, _ := json.Marshal(v)
			all = append(all, string(text))
		}
		out = strings.Join(all, " | ")
	case kind == "string" || kind == "boolean":
		out = kind
	case kind == "integer" || kind == "number":
		out = "number"
	case kind == "array" && s.Items != nil:
		out = "Array<" + tsType(*s.Items) + ">"
	case kind == "array":
		out = "Array<unknown>"
	case kind == "object":
		out = "Record<string, unknown>"
		if v, ok := s.values(); ok {
			out = "Record<string, " + tsType(v) + ">"
		} else if len(s.Properties) > 0 {
			var all []string
			for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
				all = append(all, name+"?: "+tsType(s.Properties[name]))
			}
			out = "{ " + strings.Join(all, "; ") + " }"
		}
	}
	if null {
		out += " | null"
	}
	return out
}

// keyword matches names that Python has taken.
var keyword = regexp.MustCompile(`^(from|is|import|in|and|or|not|as|with|class|def|for|if|pass|global|lambda|None)$`)

func pythonOf(all []operation, schemas map[string]shape) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		s := schemas[name]
		if len(s.Properties) == 0 { // it writes itself
			fmt.Fprintf(&b, "\n%s = Dict[str, Any]\n", name)
			continue
		}
		fmt.Fprintf(&b, "\n%s = TypedDict(\n    %q,\n    {\n", name, name)
		for _, member := range slices.Sorted(maps.Keys(s.Properties)) {
			fmt.Fprintf(&b, "        %q: %s,\n", member, pyType(s.Properties[member], true))
		}
		b.WriteString("    },\n    total=False,\n)\n")
	}
	b.WriteString("\n# All operations, and whether they write.\nOPERATIONS: Dict[str, bool] = {\n")
	for _, op := range all {
		if !op.lines && !op.replies {
			fmt.Fprintf(&b, "    %q: %s,\n", op.name, map[bool]string{true: "True", false: "False"}[op.writes])
		}
	}
	b.WriteString("}\n\n\nclass Operations:\n    \"\"\"A method for each operation.\"\"\"\n\n")
	b.WriteString("    def ask(self, name: str, request: Dict[str, Any]) -> Any:\n        raise NotImplementedError\n")
	for _, op := range all {
		if !op.lines && !op.replies {
			b.WriteString(pythonMethod(op))
		}
	}
	return b.String()
}

func pythonMethod(op operation) string {
	var parameters, passed []string
	names := slices.SortedFunc(maps.Keys(op.request.Properties), func(x, y string) int {
		rx, ry := slices.Contains(op.request.Required, x), slices.Contains(op.request.Required, y)
		if rx != ry {
			if rx {
				return -1
			}
			return 1
		}
		return strings.Compare(x, y)
	})
	star, words := false, false
	if _, has := op.request.Properties["text"]; has && len(op.request.Required) == 0 {
		words = true // what is said stands first, also where it may be left out
		names = append([]string{"text"}, slices.DeleteFunc(names, func(name string) bool { return name == "text" })...)
	}
	for _, name := range names {
		safe := name
		if keyword.MatchString(name) {
			safe += "_"
		}
		of := pyType(op.request.Properties[name], false)
		passed = append(passed, fmt.Sprintf("%q: %s", name, safe))
		if slices.Contains(op.request.Required, name) {
			parameters = append(parameters, safe+": "+of)
			continue
		}
		if !star && !(words && name == "text") {
			star = true
			parameters = append(parameters, "*")
		}
		parameters = append(parameters, safe+": Optional["+of+"] = None")
	}
	signature := "self"
	for _, p := range parameters {
		signature += ",\n        " + p
	}
	request := "{}"
	if len(passed) > 0 {
		request = "{\n            " + strings.Join(passed, ",\n            ") + ",\n        }"
	}
	const method = "\n    def %s(\n        %s,\n    ) -> %s:\n        \"\"\"%s\"\"\"\n        return self.ask(%q, %s)\n"
	return fmt.Sprintf(method, op.name, signature, op.reply, strings.ReplaceAll(op.doc, `"`, "'"), op.name, request)
}

// pyType names a type; in a definition, those defined later are named in quotes.
func pyType(s shape, quoted bool) string {
	kind, null := s.kind()
	out := "Any"
	switch {
	case s.Ref != "":
		if out = strings.TrimPrefix(s.Ref, componentsOf); quoted {
			out = fmt.Sprintf("%q", out)
		}
	case kind == "string":
		out = "str"
	case kind == "boolean":
		out = "bool"
	case kind == "integer":
		out = "int"
	case kind == "number":
		out = "float"
	case kind == "array" && s.Items != nil:
		out = "List[" + pyType(*s.Items, quoted) + "]"
	case kind == "array":
		out = "List[Any]"
	case kind == "object":
		out = "Dict[str, Any]"
		if v, ok := s.values(); ok {
			out = "Dict[str, " + pyType(v, quoted) + "]"
		}
	}
	if null && quoted {
		out = "Optional[" + out + "]"
	}
	return out
}
