package httpapi

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/otlp"
)

// The description is OpenAPI 3.1 as far as rules say it that can be checked: every
// reference leads somewhere, every schema compiles, operations have ids of their
// own, security and tags are declared.
func TestOpenAPI(t *testing.T) {
	s, raw, belief := filled(t)
	_, text := s.ask(t, "GET", "/openapi.json", "")
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	root := doc.(map[string]any)
	for _, ref := range regexp.MustCompile(`"\$ref":"#([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if at(doc, ref[1]) == nil {
			t.Errorf("there is nothing at %s", ref[1])
		}
	}
	if root["openapi"] != "3.1.1" || at(doc, "/info/title") == nil || at(doc, "/info/version") == nil {
		t.Errorf("it says of itself %v %v", root["openapi"], root["info"])
	}
	const here = "https://stemma.example/openapi.json"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(here, doc); err != nil {
		t.Fatal(err)
	}
	compile := func(pointer string) *jsonschema.Schema {
		t.Helper()
		schema, err := c.Compile(here + "#" + pointer)
		if err != nil {
			t.Fatalf("%s: %v", pointer, err)
		}
		return schema
	}
	for name := range at(doc, "/components/schemas").(map[string]any) {
		compile("/components/schemas/" + name)
	}
	ids := map[string]bool{}
	for path, item := range root["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			one := op.(map[string]any)
			id, _ := one["operationId"].(string)
			if id == "" || ids[id] || !slices.Contains([]string{"get", "post"}, method) || one["responses"] == nil ||
				one["summary"] == nil {
				t.Errorf("%s %s: operation %q", method, path, id)
			}
			ids[id] = true
			for status, r := range one["responses"].(map[string]any) {
				answer := r.(map[string]any)
				if answer["$ref"] == nil && answer["description"] == nil || !regexp.MustCompile(`^[1-5]\d\d$`).MatchString(status) {
					t.Errorf("%s: response %s", path, status)
				}
			}
			if body, ok := one["requestBody"].(map[string]any); ok {
				for media := range body["content"].(map[string]any) {
					compile("/paths/" + escape(path) + "/" + method + "/requestBody/content/" + escape(media) + "/schema")
				}
			}
		}
	}
	// Real requests and replies are what it says.
	for name, request := range reading(raw, belief) {
		op, _ := ops.Find(name)
		_, reply := s.ask(t, "POST", "/v1/"+name, request)
		check(t, name+" replies", compile("/components/schemas/"+op.Out.Name()), reply)
		if request != "" {
			check(
				t, name+" is asked",
				compile("/paths/"+escape("/v1/"+name)+"/post/requestBody/content/application~1json/schema"),
				request,
			)
		}
	}
	_, problem := s.ask(t, "POST", "/v1/no_such", "")
	check(t, "a problem", compile("/components/schemas/Problem"), problem)
	for _, op := range ops.All {
		for _, name := range append(op.Aliases, op.Name) {
			if !ids[name] {
				t.Errorf("%s is not described", name)
			}
		}
	}
}

func check(t *testing.T, what string, schema *jsonschema.Schema, text string) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		t.Errorf("%s with what its schema refuses: %v\n%s", what, err, text)
	}
}

// escape writes a name as it stands in a JSON pointer of an address.
func escape(name string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
}

// at returns what a JSON pointer leads to.
func at(v any, pointer string) any {
	for _, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		part, _ = url.PathUnescape(part)
		v = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
	}
	return v
}

// Every kind of problem has its place on the page that its type leads to.
func TestProblemsAreDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/http.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := []string{access.KindForbidden, access.KindTooMany, access.KindUnauthorized, access.KindPage,
		kindChanged, kindPassphrase, "method_not_allowed", "internal",
		kindMalformed, kindMedia, kindReused, kindTimeout, kindTooLarge, kindUnavailable}
	for _, s := range ops.Statuses {
		kinds = append(kinds, s.Name)
	}
	for _, kind := range kinds {
		if !bytes.Contains(page, []byte("\n### "+kind+"\n")) {
			t.Errorf("docs/reference/http.md does not tell of %s", kind)
		}
	}
}

// What is sent to a collector is an ExportMetricsServiceRequest in JSON.
func TestOTLP(t *testing.T) {
	s, _, _ := filled(t)
	l, err := s.api.Metrics.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(l.OTLP(otlp.Target{Version: "test"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"resourceMetrics":[`, `"scopeMetrics":[`, `"service.name"`,
		`"name":"stemma.requests"`, `"isMonotonic":true`, `"bucketCounts":["`,
		`{"key":"stemma.operation","value":{"stringValue":"capture"}}`, `"asInt":"1"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if strings.Contains(string(text), "null") || strings.Contains(string(text), "words of a test") {
		t.Errorf("what is sent: %s", text)
	}
}
