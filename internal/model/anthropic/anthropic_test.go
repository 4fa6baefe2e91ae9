package anthropic

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/llm"
)

const secret = "sk-ant-very-secret-1234"

// replays returns a generator that is answered with a file of testdata, and what it was asked last.
func replays(t *testing.T, code int, name string, headers ...string) (*Generator, *map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var asked map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" || r.URL.Path != "/v1/messages" || r.Header.Get("X-Api-Key") != secret ||
			r.Header.Get("Anthropic-Version") != "2023-06-01" || r.Header.Get("Authorization") != "" {
			t.Errorf("asked %s %s with %v", r.Method, r.URL, r.Header)
		}
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &asked); err != nil {
			t.Error(err)
		}
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = w.Write(text)
	}))
	t.Cleanup(server.Close)
	g, err := New(Config{Base: server.URL, Model: "small-1", Key: secret + "\n"})
	if err != nil {
		t.Fatal(err)
	}
	return g, &asked
}

var relation = llm.Question{Task: llm.Detect, System: "Compare.", Tokens: 300, Seed: 3,
	Parts: []llm.Part{{Name: "new", Text: "Alice left Acme"}, {Name: "candidate 1", Text: "Alice works at Acme"}},
	Schema: json.RawMessage(
		`{"title":"relation","type":"object","properties":{"relation":{"type":"string"}},"required":["relation"],` +
			`"additionalProperties":false}`,
	)}

func TestGenerate(t *testing.T) {
	g, asked := replays(t, 200, "tool.json")
	a, err := g.Generate(t.Context(), relation)
	if err != nil {
		t.Fatal(err)
	}
	if want := (llm.Answer{
		Text: `{"relation":"update","candidate":1,"confidence":0.9,"reason":"Alice left"}`, In: 415, Out: 60,
	}); a != want {
		t.Errorf("got %+v, want %+v", a, want)
	}
	r := relation.Render()
	want := map[string]any{
		"model": "small-1", "max_tokens": 300, "system": r.System, "messages": []any{
			map[string]any{"role": "user", "content": r.User},
		},
		"tools": []any{
			map[string]any{"name": "relation", "description": "Takes the answer.", "input_schema": relation.Schema},
		},
		"tool_choice": map[string]any{"type": "tool", "name": "relation", "disable_parallel_tool_use": true},
	}
	got, _ := json.Marshal(*asked)
	wanted, _ := json.Marshal(want)
	var again any
	_ = json.Unmarshal(wanted, &again)
	if wanted, _ = json.Marshal(again); string(got) != string(wanted) {
		t.Errorf("asked\n%s\nwant\n%s", got, wanted)
	}
	if !strings.HasPrefix(g.Model(), "anthropic:127.0.0.1:") || !strings.HasSuffix(g.Model(), "/v1:small-1") {
		t.Errorf("model %q", g.Model())
	}
}

func TestReplies(t *testing.T) {
	tests := []struct {
		file string
		code int
		want llm.Answer
		kind error
		says string
	}{
		{"thinking.json", 200, llm.Answer{Text: `{"relation":"none"}`, In: 400, Out: 60}, nil, ""},
		{"max.json", 200, llm.Answer{Text: `{}`, In: 400, Out: 1024, Cut: true}, nil, ""},
		{"refusal.json", 200, llm.Answer{In: 400, Out: 1, Refused: true}, llm.ErrDeclined, "it would not answer"},
		{"beside.json", 200, llm.Answer{In: 400, Out: 60}, llm.ErrNonsense, "1 answers and 1 texts beside them"},
		{"two.json", 200, llm.Answer{In: 400, Out: 60}, llm.ErrNonsense, "2 answers and 0 texts beside them"},
		{"text.json", 200, llm.Answer{In: 400, Out: 60}, llm.ErrNonsense, "0 answers and 1 texts"},
		{"other.json", 200, llm.Answer{In: 400, Out: 60}, llm.ErrNonsense, "a call of a tool there is not"},
		{
			"error_401.json", 401, llm.Answer{}, llm.ErrRefused,
			"401 unauthorised: is the key right? (it says: invalid x-api-key)",
		},
		{"error_429.json", 429, llm.Answer{}, llm.ErrUnavailable, "429 too many requests"},
		{"error_529.json", 529, llm.Answer{}, llm.ErrUnavailable, "529 overloaded (it says: Overloaded)"},
	}
	for _, tt := range tests {
		g, _ := replays(t, tt.code, tt.file, "Retry-After", "7")
		a, err := g.Generate(t.Context(), relation)
		if a != tt.want || !errors.Is(err, tt.kind) || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got %+v, %v, want %+v, %v", tt.file, a, err, tt.want, tt.kind)
		}
		var after interface{ RetryAfter() time.Duration }
		if tt.kind == llm.ErrUnavailable && (!errors.As(err, &after) || after.RetryAfter() != 7*time.Second) {
			t.Errorf("%s: %v does not say when to ask again", tt.file, err)
		}
		if errors.Is(err, llm.ErrDeclined) != (tt.kind == llm.ErrDeclined) {
			t.Errorf("%s: %v tells declined wrongly", tt.file, err)
		}
	}
}

func TestWithoutASchema(t *testing.T) {
	g, asked := replays(t, 200, "text.json")
	a, err := g.Generate(t.Context(), llm.Question{Task: llm.Emotion})
	if err != nil || a.Text != `{"relation":"none"}` {
		t.Errorf("got %+v, %v", a, err)
	}
	if (*asked)["tools"] != nil || !strings.Contains((*asked)["system"].(string), "one JSON object") {
		t.Errorf("asked %v", *asked)
	}
	if _, err := g.Generate(t.Context(), llm.Question{Schema: json.RawMessage("{")}); !errors.Is(err, llm.ErrRefused) {
		t.Errorf("a broken schema: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []Config{
		{Model: ""}, {Model: "m", Base: "ftp://x"}, {Model: "m", Key: "a b"},
		{Model: "m", Base: "https://u:p@x"},
	} {
		if _, err := New(c); err == nil || strings.Contains(err.Error(), "a b") {
			t.Errorf("%+v: %v, want an error that repeats no key", c, err)
		}
	}
	for _, base := range []string{
		"", "https://api.anthropic.com/", "https://api.anthropic.com/v1",
		"https://api.anthropic.com/v1/messages",
	} {
		if g, err := New(Config{Base: base, Model: "m"}); err != nil || g.Model() != "anthropic:api.anthropic.com/v1:m" {
			t.Errorf("%q: %v, %v", base, g, err)
		}
	}
}
