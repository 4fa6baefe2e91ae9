package ops

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	jsonschema "github.com/santhosh-tekuri/jsonschema/v6"
)

// Every request has a schema that refuses what decoding refuses: members it does
// not have, and values of another type.
func TestRequestSchemas(t *testing.T) {
	for _, o := range All {
		s, err := o.Request()
		if err != nil {
			t.Error(err)
			continue
		}
		check := compiled(t, o.Name, s)
		if err := check.Validate(map[string]any{"no such member": 1}); err == nil {
			t.Errorf("%s: the schema takes a member that there is not", o.Name)
		}
		for name, p := range s.Properties {
			if p.Type == "" {
				continue // pointers: null is left out
			}
			wrong := map[string]any{name: map[string]any{"of": "another type"}}
			if p.Type == "object" {
				wrong[name] = "of another type"
			}
			if err := check.Validate(wrong); err == nil {
				t.Errorf("%s: the schema takes %v", o.Name, wrong)
			}
		}
	}
}

// Each text of its own is one of a member that the operation has.
func TestTextsAreOfMembers(t *testing.T) {
	for name, members := range texts {
		op, ok := Find(name)
		if !ok || op.Name != name {
			t.Errorf("there is no operation %q", name)
			continue
		}
		s, err := op.Request()
		if err != nil {
			t.Fatal(err)
		}
		for member, text := range members {
			if got := s.Properties[member]; got == nil || got.Description != text {
				t.Errorf("%s: the schema says %+v of %s, want %q", name, got, member, text)
			}
		}
	}
}

// Bytes are written in base64, as decoding reads them, and not as numbers.
func TestBytesAreBase64(t *testing.T) {
	op, _ := Find("capture")
	s, err := op.Request()
	if err != nil {
		t.Fatal(err)
	}
	check := compiled(t, op.Name, s)
	if err := check.Validate(map[string]any{"blob": "AP8="}); err != nil {
		t.Errorf("the schema refuses base64: %v", err)
	}
	if err := check.Validate(map[string]any{"blob": []any{0, 255}}); err == nil {
		t.Error("the schema takes numbers for bytes")
	}
}

// The schemas of replies name one another and nothing else, and those of trees
// hold their like.
func TestReplySchemas(t *testing.T) {
	const prefix = "#/components/schemas/"
	all, err := Replies(prefix)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	refs := regexp.MustCompile(`"\$ref":"([^"]*/)([^"/]*)"`).FindAllSubmatch(text, -1)
	if len(refs) < len(All) {
		t.Errorf("%d references among the schemas, want more", len(refs))
	}
	for _, ref := range refs {
		if string(ref[1]) != prefix || all[string(ref[2])] == nil {
			t.Errorf("there is no schema %s%s", ref[1], ref[2])
		}
	}
	for _, o := range All {
		if all[o.Out.Name()] == nil {
			t.Errorf("%s: its reply has no schema", o.Name)
		}
	}
	if sources := all["Node"].Properties["sources"]; sources == nil || sources.Items == nil ||
		sources.Items.Ref != prefix+"Node" {
		t.Errorf("the sources of a node are %+v, want nodes", sources)
	}
}

func compiled(t *testing.T, name string, schema any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

func BenchmarkRequestSchemas(b *testing.B) {
	for b.Loop() {
		for _, o := range All {
			if _, err := o.Request(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// What nests too deep is refused before it is decoded; brackets in text do not count.
func TestDepth(t *testing.T) {
	for text, want := range map[string]int{``: 0, `{}`: 1, `{"a":[[]]}`: 3, `{"a":"[[[{{{"}`: 1, `{"a":"\"[["}`: 1,
		`[[],[]]`: 2} {
		if got := Nests([]byte(text)); got != want {
			t.Errorf("Nests(%s) = %d, want %d", text, got, want)
		}
	}
	deep := strings.Repeat(`{"a":`, MaxDepth+1) + "1" + strings.Repeat("}", MaxDepth+1)
	var into map[string]any
	if err := decode([]byte(deep), &into); err == nil || !strings.Contains(err.Error(), "deep") {
		t.Errorf("decode of what nests too deep = %v", err)
	}
}
