package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"github.com/stemma-memory/stemma/internal/toolset"
)

// What is held is written as the library writes it, each once, whatever it says, and no more is held then.
func TestHeldRepliesAreWritten(t *testing.T) {
	h := newHeld()
	id, err := jsonrpc.MakeID("x\"1")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text, err := toolset.Plain(map[string]any{
			rapid.String().Draw(t, "name"): rapid.SliceOf(rapid.String()).Draw(t, "texts"), "n": 3,
			"lines": "a\n\u2028\\\"<b>", "like": h.prefix[:8], "empty": map[string]any{},
		})
		if err != nil {
			t.Fatal(err)
		}
		warned := rapid.Bool().Draw(t, "warned")
		result := func(structured any, text string) *jsonrpc.Response {
			content := []mcp.Content{&mcp.TextContent{Text: text}}
			if warned {
				content = append(content, &mcp.TextContent{Text: "warning"})
			}
			raw, err := json.Marshal(&mcp.CallToolResult{Content: content, StructuredContent: structured})
			if err != nil {
				t.Fatal(err)
			}
			return &jsonrpc.Response{ID: id, Result: raw}
		}
		want, err := jsonrpc.EncodeMessage(result(text, string(text)))
		if err != nil {
			t.Fatal(err)
		}
		name := h.hold(text)
		got, err := (&lines{held: h}).encode(result(name, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(got), h.prefix) || len(h.replies) > 0 {
			t.Fatalf("%d are held still; it is written as %s", len(h.replies), got)
		}
		if sorted(t, got) != sorted(t, want) {
			t.Fatalf("it is written as\n%s\nwant\n%s", got, want)
		}
	})
}

// sorted returns a JSON text with its members in order.
func sorted(t *rapid.T, raw []byte) string {
	var v any
	err := json.Unmarshal(raw, &v)
	if err == nil {
		raw, err = json.Marshal(v)
	}
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return string(raw)
}

// Results that are not held, errors and notifications are written as the library writes them.
func TestWhatIsNotHeldIsWritten(t *testing.T) {
	id, err := jsonrpc.MakeID(7.0)
	if err != nil {
		t.Fatal(err)
	}
	for _, msg := range []jsonrpc.Message{
		&jsonrpc.Response{ID: id, Result: json.RawMessage(`{"content":[{"type":"text","text":"held-"}]}`)},
		&jsonrpc.Response{ID: id, Result: json.RawMessage(`{}`)},
		&jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: 3, Message: "no"}},
		&jsonrpc.Request{Method: "notifications/x", Params: json.RawMessage(`{}`)},
	} {
		var out strings.Builder
		c := &lines{held: newHeld(), out: &out, idle: make(chan struct{}, 1)}
		want, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Write(context.Background(), msg); err != nil || out.String() != string(want)+"\n" {
			t.Errorf("%s is written as %s, %v", want, out.String(), err)
		}
	}
}

// Many replies at once are each written in their own place.
func TestHeldAtOnce(t *testing.T) {
	h := newHeld()
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			text, _ := json.Marshal(map[string]int{"n": i})
			name := h.hold(text)
			got := h.appendTo(nil, []byte(`["`+name+`","`+name+`"]`))
			var out []any
			if err := json.Unmarshal(got, &out); err != nil || len(out) != 2 || out[0] != string(text) {
				t.Errorf("%s, %v", got, err)
			}
		})
	}
	all.Wait()
}
