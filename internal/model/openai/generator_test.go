package openai

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/llm"
)

var relation = llm.Question{Task: llm.Detect, System: "Compare.", Tokens: 300, Seed: 1<<40 + 3,
	Parts: []llm.Part{{Name: "new", Text: "Alice left Acme"}, {Name: "candidate 1", Text: "Alice works at Acme"}},
	Schema: json.RawMessage(
		`{"title":"relation","type":"object","properties":{"relation":{"type":"string"}},"required":["relation"],` +
			`"additionalProperties":false}`,
	)}

func recorded(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// writing returns a generator that asks the handler, and all that it asked.
func writing(t *testing.T, answer func(q chatQuestion) (int, string)) (*Generator, *[]chatQuestion) {
	t.Helper()
	var asked []chatQuestion
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("asked %s %s with %q", r.Method, r.URL, r.Header.Get("Authorization"))
		}
		var q chatQuestion
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &q); err != nil {
			t.Error(err)
		}
		asked = append(asked, q)
		code, text := answer(q)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	g, err := NewGenerator(GeneratorConfig{Base: server.URL, Model: "small-1", Key: secret + "\n"})
	if err != nil {
		t.Fatal(err)
	}
	return g, &asked
}

func TestGenerate(t *testing.T) {
	ok := recorded(t, "ok.json")
	g, asked := writing(t, func(chatQuestion) (int, string) { return 200, ok })
	a, err := g.Generate(t.Context(), relation)
	if want := (llm.Answer{
		Text: `{"relation":"update","candidate":1,"confidence":0.9,"reason":"Alice left"}`, In: 219, Out: 20,
	}); err != nil || a != want {
		t.Errorf("got %+v, %v, want %+v", a, err, want)
	}
	r := relation.Render()
	got, _ := json.Marshal((*asked)[0])
	want, _ := json.Marshal(map[string]any{
		"model": "small-1", "max_tokens": 300, "temperature": 0, "seed": 3,
		"messages": []message{
			{"system", r.System + "\n\nAnswer with one JSON object and nothing else."}, {"user", r.User},
		},
		"response_format": map[string]any{
			"type":        "json_schema",
			"json_schema": map[string]any{"name": "relation", "strict": true, "schema": relation.Schema},
		},
	})
	var one, two any
	_, _ = json.Unmarshal(got, &one), json.Unmarshal(want, &two)
	got, _ = json.Marshal(one)
	if want, _ = json.Marshal(two); string(got) != string(want) {
		t.Errorf("asked\n%s\nwant\n%s", got, want)
	}
	if !strings.HasPrefix(g.Model(), "openai:127.0.0.1:") || !strings.HasSuffix(g.Model(), "/v1:small-1") {
		t.Errorf("model %q", g.Model())
	}
}

func TestReplies(t *testing.T) {
	tests := []struct {
		file string
		want llm.Answer
		kind error
	}{
		{"vllm.json", llm.Answer{Text: `{"relation":"none"}`, In: 40, Out: 9}, nil},
		{"ollama.json", llm.Answer{Text: `{"relation":"none"}`, In: 40, Out: 9}, nil},
		{"llamacpp.json", llm.Answer{Text: `{"relation":"none"}`, In: 40, Out: 9}, nil},
		{"length.json", llm.Answer{Text: `{"relation":"upd`, In: 81, Out: 1024, Cut: true}, nil},
		{"refusal.json", llm.Answer{In: 81, Out: 11, Refused: true}, llm.ErrDeclined},
		{"filter.json", llm.Answer{In: 81, Refused: true}, llm.ErrDeclined},
	}
	for _, tt := range tests {
		text := recorded(t, tt.file)
		g, _ := writing(t, func(chatQuestion) (int, string) { return 200, text })
		if a, err := g.Generate(t.Context(), relation); a != tt.want || !errors.Is(err, tt.kind) {
			t.Errorf("%s: got %+v, %v, want %+v, %v", tt.file, a, err, tt.want, tt.kind)
		}
	}
	for _, text := range []string{
		`{}`, `{"choices":[]}`, `{"choices":[{"message":{"content":null}}]}`, `{"choices":[{}]}`, `[]`,
		`{"choices":[{"message":{"content":["a"]}}]}`,
	} {
		g, _ := writing(t, func(chatQuestion) (int, string) { return 200, text })
		if a, err := g.Generate(t.Context(), relation); !errors.Is(err, llm.ErrNonsense) {
			t.Errorf("%s: got %+v, %v, want ErrNonsense", text, a, err)
		}
	}
}

// how writes down in which form a question was asked.
func how(q chatQuestion) string {
	s := "words"
	if q.Format != nil {
		s = q.Format.Type
	}
	if q.Completion > 0 {
		s += " completion"
	}
	if q.Temperature == nil {
		s += " warm"
	}
	return s
}

func TestAsksAsTheServerTakesIt(t *testing.T) {
	ok := recorded(t, "ok.json")
	tests := []struct {
		name   string
		answer func(q chatQuestion) (int, string)
		asked  []string // of two questions
		kind   error
	}{
		{"an old server", func(q chatQuestion) (int, string) {
			if q.Format != nil && q.Format.Type == "json_schema" {
				return 400, recorded(t, "format_400.json")
			}
			return 200, ok
		}, []string{"json_schema", "json_object", "json_object"}, nil},
		{"a server without any", func(q chatQuestion) (int, string) {
			if q.Format != nil {
				return 400, recorded(t, "lmstudio_400.json")
			}
			if !strings.Contains(q.Messages[0].Content, string(relation.Schema)) {
				t.Error("the schema is not in the instructions")
			}
			return 200, ok
		}, []string{"json_schema", "json_object", "words", "words"}, nil},
		{"a server that says nothing", func(q chatQuestion) (int, string) {
			if q.Format != nil {
				return 422, "<html>"
			}
			return 200, ok
		}, []string{"json_schema", "json_object", "words", "words"}, nil},
		{"a model that thinks", func(q chatQuestion) (int, string) {
			if q.Tokens > 0 {
				return 400, recorded(t, "tokens_400.json")
			}
			if q.Temperature != nil {
				return 400, recorded(t, "temperature_400.json")
			}
			return 200, ok
		}, []string{
			"json_schema", "json_schema completion", "json_schema completion warm",
			"json_schema completion warm",
		}, nil},
		{"another 400", func(chatQuestion) (int, string) { return 400, `{"error":{"message":"the context is too long"}}` },
			[]string{"json_schema", "json_schema"}, llm.ErrRefused},
		{"a 400 about whatever is asked is not learned from",
			func(chatQuestion) (int, string) { return 400, recorded(t, "format_400.json") },
			[]string{"json_schema", "json_object", "words", "json_schema", "json_object", "words"}, llm.ErrRefused},
		{"500 is no word about the form", func(chatQuestion) (int, string) { return 500, recorded(t, "format_400.json") },
			[]string{"json_schema", "json_schema"}, llm.ErrUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, asked := writing(t, tt.answer)
			for range 2 {
				if _, err := g.Generate(t.Context(), relation); !errors.Is(err, tt.kind) {
					t.Errorf("got %v, want %v", err, tt.kind)
				}
			}
			var got []string
			for _, q := range *asked {
				got = append(got, how(q))
			}
			if !slices.Equal(got, tt.asked) {
				t.Errorf("asked %q, want %q", got, tt.asked)
			}
		})
	}
}

func TestNewGeneratorRefuses(t *testing.T) {
	for _, c := range []GeneratorConfig{
		{Model: "m"}, {Base: "http://x"}, {Base: "http://x", Model: "m", Key: "a b"},
		{Base: "http://u:p@x", Model: "m"},
	} {
		if _, err := NewGenerator(c); err == nil || strings.Contains(err.Error(), "a b") ||
			strings.Contains(err.Error(), "embedder") {
			t.Errorf("%+v: %v, want an error of the model's that repeats no key", c, err)
		}
	}
	for _, base := range []string{"http://h", "http://h/v1/", "http://h/v1/chat/completions"} {
		if g, err := NewGenerator(GeneratorConfig{Base: base, Model: "m"}); err != nil || g.Model() != "openai:h/v1:m" {
			t.Errorf("%q: %v, %v", base, g, err)
		}
	}
	g, _ := NewGenerator(GeneratorConfig{Base: "http://h", Model: "m"})
	if _, err := g.Generate(t.Context(), llm.Question{Schema: json.RawMessage("{")}); !errors.Is(err, llm.ErrRefused) {
		t.Errorf("a broken schema: %v", err)
	}
}
