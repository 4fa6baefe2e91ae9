package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// opener opens a store of the test's own.
func opener(t testing.TB) func(context.Context) (*engine.Engine, error) {
	dir := t.TempDir()
	return func(ctx context.Context) (*engine.Engine, error) {
		return engine.Open(
			ctx, filepath.Join(dir, "memory.db"),
			engine.Config{Databases: sqlstore.Databases{}, Dir: dir, Receipts: filepath.Join(dir, "receipts.jsonl")},
		)
	}
}

// connect returns the library's client of a server on a pipe.
func connect(t testing.TB, o Options) *mcp.ClientSession {
	t.Helper()
	return connectTee(t, o, io.Discard)
}

// connectTee also gives what the server sends, byte for byte.
func connectTee(t testing.TB, o Options, sent io.Writer) *mcp.ClientSession {
	t.Helper()
	if o.Open == nil {
		o.Open = opener(t)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(context.Background(), inR, io.MultiWriter(sent, outW), o)
		outW.Close()
	}()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1.2"}, nil).Connect(
		context.Background(), &mcp.IOTransport{Reader: outR, Writer: inW}, nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		if err := <-done; err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	return c
}

// call calls a tool and gives its text, and whether it says that it failed.
func call(t testing.TB, c *mcp.ClientSession, name string, args any) (string, bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s: %d contents, want one", name, len(r.Content))
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

// do calls a tool that must work.
func do(t testing.TB, c *mcp.ClientSession, name string, args any) map[string]any {
	t.Helper()
	text, failed := call(t, c, name, args)
	if failed {
		t.Fatalf("%s %v: %s", name, args, text)
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v in %s", name, err, text)
	}
	return out
}

// A model remembers, promotes, traces, and asks for evidence and context.
func TestAConversation(t *testing.T) {
	c := connect(t, Options{Agent: "coder", Session: "s1"})
	raw := do(t, c, "capture", map[string]any{"text": "the API felt slow, a cache helped"})["ref"].(string)
	if len(raw) != len("raw:")+64 {
		t.Errorf("capture answers %q, want the ref in full", raw)
	}
	belief := do(
		t, c, "promote",
		map[string]any{"from": []string{raw}, "kind": "belief", "text": "A cache makes the API fast"},
	)["ref"].(string)
	for tool, args := range map[string]map[string]any{
		"memory_trace": {"ref": belief}, "get_belief_evidence": {"ref": belief}, "context": {"query": "slow API"},
		"search": {"query": "slow API"},
	} {
		text, failed := call(t, c, tool, args)
		if failed || !strings.Contains(text, "felt slow") && !strings.Contains(text, "A cache makes") {
			t.Errorf("%s %v gives %s", tool, args, text)
		}
	}
	shown := do(t, c, "show", map[string]any{"ref": raw})
	for member, want := range map[string]string{"origin": "agent", "agent": "coder", "session": "s1"} {
		if shown[member] != want {
			t.Errorf("%s is %v, want %s, in %v", member, shown[member], want, shown)
		}
	}
	if content, _ := shown["content"].(map[string]any); content["source"] != "mcp" {
		t.Errorf("the source is %v, want mcp", content["source"])
	}
}

// wired returns a client over HTTP of a server on which two callers speak.
func wired(t testing.TB, o Options) *httptest.Server {
	t.Helper()
	e, err := opener(t)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o.Caller = func(r *http.Request) (Caller, error) {
		id := r.Header.Get("Authorization")
		if id == "" {
			return Caller{}, errors.New("nobody")
		}
		return Caller{ID: id, Engine: e}, nil
	}
	h, err := Handler(o)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// bearer is a client that says who it is.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func over(t testing.TB, s *httptest.Server, who string) *mcp.ClientSession {
	t.Helper()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1.2"}, nil).Connect(context.Background(),
		&mcp.StreamableClientTransport{Endpoint: s.URL, HTTPClient: &http.Client{Transport: bearer(who)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// The same over HTTP; a session is its caller's alone.
func TestOverHTTP(t *testing.T) {
	s := wired(t, Options{})
	a := over(t, s, "a")
	ref := do(t, a, "capture", map[string]any{"text": "words over HTTP"})["ref"].(string)
	if text, failed := call(t, over(t, s, "b"), "memory_trace", map[string]any{"ref": ref}); failed ||
		!strings.Contains(text, "words over HTTP") {
		t.Errorf("the trace is %s", text)
	}
}
