package anamnesis

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/stemma-memory/stemma/memory"
)

const schemaFile = "../../docs/schema/anamnesis-memory-v0.1.json"

func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// valid says what the published schema says of a document.
func valid(t testing.TB, s *jsonschema.Schema, raw []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return s.Validate(v)
}

func TestTheSchemaTakesWhatWeWrite(t *testing.T) {
	s := schema(t)
	if s.ID != SchemaURL {
		t.Errorf("$id = %s, want %s", s.ID, SchemaURL)
	}
	for name, raw := range examples(t) {
		if err := valid(t, s, raw); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, b := range bodies() {
		r := record(t, memory.Header{}, b)
		out, err := Write(
			Render(RenderInput{Record: r, SupersededBy: r.Ref(), Trust: &Computed{Level: "attested", At: r.Header.At}}),
		)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(t, s, out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTheSchemaAndParseAgree: a value of a wrong type, out of its list or out of
// its range, put anywhere into a good document, is refused by both or by none.
func TestTheSchemaAndParseAgree(t *testing.T) {
	s := schema(t)
	junk := []any{
		nil, true, "", " ", "maybe", -1, 0, 2, 0.5, 1.1, 1e300, []any{}, []any{nil}, []any{"a"}, []any{tree{}}, tree{},
		"2026-02-05", "2026-02-05T16:00:00Z", " x", strings.Repeat("x", 257),
	}
	var refused, taken int
	for seed := range uint64(600) {
		m := newMaker(seed)
		doc := m.document()
		spoiled := spoil(m, doc, junk)
		raw := encoded(t, doc)
		_, err := Parse(raw)
		if wrong := valid(t, s, raw); (err == nil) != (wrong == nil) {
			t.Fatalf("document %d with another %s: Parse says %v, the schema %v\n%s", seed, spoiled, err, wrong, raw)
		}
		if err != nil {
			refused++
		} else {
			taken++
		}
	}
	if refused < 100 || taken < 100 {
		t.Errorf("%d documents were refused and %d taken, want many of both", refused, taken)
	}
}

// spoil puts one of junk in the place of a member somewhere in doc, or takes the
// member out, and names it.
func spoil(m maker, doc tree, junk []any) string {
	names := slices.Sorted(maps.Keys(doc))
	if len(names) == 0 {
		return ""
	}
	name := names[m.IntN(len(names))]
	inside, deeper := doc[name].(tree)
	if l, ok := doc[name].([]any); ok && len(l) > 0 {
		inside, deeper = l[m.IntN(len(l))].(tree)
	}
	if deeper && m.IntN(4) > 0 {
		if within := spoil(m, inside, junk); within != "" {
			return name + "." + within
		}
	}
	if m.IntN(5) == 0 {
		delete(doc, name)
	} else {
		doc[name] = junk[m.IntN(len(junk))]
	}
	return name
}

// TestEveryListIsClosed: each of the enumerations, by Parse and by the schema.
func TestEveryListIsClosed(t *testing.T) {
	s := schema(t)
	tests := []struct {
		member string
		values []string
		make   func(value string) string
	}{
		{"content.type", ContentTypes, func(v string) string { return instead(t, "insight", v) }},
		{"witnesses[0].attestation", Attestations, func(v string) string {
			return with(`"witnesses":[{"agent_id":"w","attestation":"` + v + `"}]`)
		}},
		{
			"anchors[0].type", AnchorTypes,
			func(v string) string { return with(`"anchors":[{"type":"` + v + `","reference":"r"}]`) },
		},
	}
	for _, tt := range tests {
		for _, v := range tt.values {
			raw := []byte(tt.make(v))
			if _, err := Parse(raw); err != nil {
				t.Errorf("%s %q: Parse = %v", tt.member, v, err)
			}
			if err := valid(t, s, raw); err != nil {
				t.Errorf("%s %q: schema = %v", tt.member, v, err)
			}
			for _, w := range []string{v + "s", strings.ToUpper(v), v + "|" + v, " " + v} {
				raw := []byte(tt.make(w))
				if _, err := Parse(raw); err == nil || !strings.Contains(err.Error(), tt.member+": must be") {
					t.Errorf("%s %q: Parse = %v, want an error that names the member", tt.member, w, err)
				}
				if err := valid(t, s, raw); err == nil {
					t.Errorf("%s %q: the schema takes it", tt.member, w)
				}
			}
		}
	}
}
