package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/memory"
)

// post sends one message as somebody, and gives what came back.
func post(t *testing.T, s *httptest.Server, who, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if who != "" {
		r.Header.Set("Authorization", who)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// A session is its caller's alone: who has its name and is somebody else is told that
// there is none, as of a name that was made up.
func TestSessionsBelongToTheirCaller(t *testing.T) {
	s := wired(t, Options{})
	begun, text := post(t, s, "a", hello)
	id := begun.Header.Get(sessionHeader)
	if begun.StatusCode != http.StatusOK || id == "" {
		t.Fatalf("initialize: %s, session %q: %s", begun.Status, id, text)
	}
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	for _, tt := range []struct {
		who, session string
		want         int
	}{
		{"a", id, http.StatusOK}, {"b", id, http.StatusNotFound}, {
			"a", "made-up", http.StatusNotFound,
		}, {"a", "x", http.StatusNotFound},
		{"a", id[:len(id)-1] + "0", http.StatusNotFound}, {"", id, http.StatusForbidden},
	} {
		if tt.session == id && tt.want != http.StatusOK && tt.who == "a" {
			continue // the last digit was 0
		}
		if got, text := post(
			t, s, tt.who, list, sessionHeader, tt.session, versionHeader, "2025-11-25",
		); got.StatusCode != tt.want {
			t.Errorf("%q with the session %q: %s, want %d: %s", tt.who, tt.session, got.Status, tt.want, text)
		}
	}
}

// Since 2026-07-28 a request says all by itself, at the same address.
func TestWithoutSession(t *testing.T) {
	s := wired(t, Options{})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"late","version":"3"},"io.modelcontextprotocol/clientCapabilities":{}}`
	capture := func(who string) string {
		t.Helper()
		got, text := post(t, s, who, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"capture",`+
			`"arguments":{"text":"words of `+who+`"},`+meta+`}}`,
			versionHeader, "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "capture")
		if got.StatusCode != http.StatusOK || got.Header.Get(sessionHeader) != "" ||
			!strings.Contains(text, `"resultType":"complete"`) {
			t.Fatalf("%s, session %q: %s", got.Status, got.Header.Get(sessionHeader), text)
		}
		_, ref, _ := strings.Cut(text, `"ref":"`)
		ref, _, _ = strings.Cut(ref, `"`)
		shown := do(t, over(t, s, "reader"), "show", map[string]any{"ref": ref})
		if shown["agent"] != "late" || !strings.HasPrefix(shown["session"].(string), "mcp-") {
			t.Errorf("written by %v in %v, want late in a session", shown["agent"], shown["session"])
		}
		return shown["session"].(string)
	}
	if a, b, c := capture("a"), capture("a"), capture("b"); a != b || a == c {
		t.Errorf("the conversations are %q, %q and another's %q, want the first two alike", a, b, c)
	}
}

// What is no message, too large, or of no one is refused as HTTP and the protocol do,
// and the server goes on.
func TestBadRequestsOverHTTP(t *testing.T) {
	s := wired(t, Options{})
	for _, tt := range []struct {
		who, body string
		want      int
	}{
		{"a", "garbage", http.StatusBadRequest}, {"a", "", http.StatusBadRequest}, {"", hello, http.StatusForbidden},
		{
			"a", `{"jsonrpc":"2.0","id":1,"method":"ping","x":"` + strings.Repeat("x", MaxRequest) + `"}`,
			http.StatusRequestEntityTooLarge,
		},
	} {
		if got, text := post(t, s, tt.who, tt.body); got.StatusCode != tt.want {
			t.Errorf("%.40q: %s, want %d: %.200s", tt.body, got.Status, tt.want, text)
		}
	}
	c := over(t, s, "a")
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "no_such_tool"}); err == nil ||
		!strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("an unknown tool is %v", err)
	}
	if text, failed := call(t, c, "capture", map[string]any{"text": deep(40)}); !failed ||
		!strings.HasPrefix(text, "invalid: ") {
		t.Errorf("what nests too deep is %q", text)
	}
	do(t, c, "capture", map[string]any{"text": "still here"})
}

func deep(n int) any {
	var v any = "x"
	for range n {
		v = []any{v}
	}
	return v
}

// A stream that no one else would end ends with the server.
func TestStreamsEndWithTheServer(t *testing.T) {
	done := make(chan struct{})
	s := wired(t, Options{Done: done})
	begun, _ := post(t, s, "a", hello)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "a", "Accept": "text/event-stream", sessionHeader: begun.Header.Get(sessionHeader),
		versionHeader: "2025-11-25",
	} {
		r.Header.Set(name, value)
	}
	stream, err := http.DefaultClient.Do(r)
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", stream, err)
	}
	defer stream.Body.Close()
	close(done)
	if _, err := io.ReadAll(stream.Body); err != nil { // or this would wait for ever
		t.Error(err)
	}
}

// A handler that is not told who asks is none.
func TestHandlerNeedsItsCaller(t *testing.T) {
	if _, err := Handler(Options{}); err == nil {
		t.Error("a handler without Caller was made")
	}
	if _, err := Handler(
		Options{Tools: "some", Caller: func(*http.Request) (Caller, error) { return Caller{}, nil }},
	); err == nil {
		t.Error("a set of tools that is not there was taken")
	}
}

// A model that speaks for whoever has the owner's voice is an agent all the same.
func TestNoCallerIsTheOwner(t *testing.T) {
	e, err := opener(t)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	owner, err := e.As(engine.Caller{Origin: memory.OriginOwner})
	if err != nil {
		t.Fatal(err)
	}
	h, err := Handler(
		Options{
			Page:   func(ref string) string { return "http://page/" + ref },
			Caller: func(*http.Request) (Caller, error) { return Caller{ID: "owner", Engine: owner}, nil },
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	c := over(t, s, "owner")
	note := do(t, c, "add", map[string]any{"kind": "note", "text": "words"})["ref"].(string)
	shown := do(t, c, "show", map[string]any{"ref": note})
	if shown["origin"] != "agent" || shown["review"] != "pending" {
		t.Errorf("it is %v's and %v, want an agent's and pending", shown["origin"], shown["review"])
	}
	for _, tool := range []string{"approve", "reject", "purge", "accept_suggestion"} {
		if text, failed := call(t, c, tool, map[string]any{"refs": []string{note}, "ref": note}); !failed ||
			!strings.Contains(text, "http://page/"+note) {
			t.Errorf("%s answers %q, want the address of a page", tool, text)
		}
	}
}

// What was asked before the client hung up is answered, and the store is closed.
func TestHangingUp(t *testing.T) {
	open := opener(t)
	var out bytes.Buffer
	in := strings.NewReader(
		hello + "\n" + strings.Repeat(
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"capture","arguments":{"text":"last words"}}}`+"\n",
			1,
		),
	)
	if err := Serve(t.Context(), in, &out, Options{Open: open}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"id":2,"result"`) {
		t.Errorf("the last call was not answered: %s", out.String())
	}
	if err := Serve(t.Context(), strings.NewReader(hello+"\n"), deaf{}, Options{Open: open}); err != nil &&
		!errors.Is(err, errDeaf) {
		t.Errorf("a client that hears nothing: %v", err)
	}
}

type deaf struct{}

var errDeaf = errors.New("nobody listens")

func (deaf) Write([]byte) (int, error) { return 0, errDeaf }

// A store that cannot be opened is an answer, and is tried again.
func TestAStoreThatComesLater(t *testing.T) {
	open, there := opener(t), false
	c := connect(t, Options{Open: func(ctx context.Context) (*engine.Engine, error) {
		if !there {
			return nil, fmt.Errorf("%w: not yet", api.ErrUnavailable)
		}
		return open(ctx)
	}})
	if text, failed := call(t, c, "capture", map[string]any{"text": "words"}); !failed ||
		text != "unavailable: unavailable: not yet" {
		t.Errorf("without a store: %q", text)
	}
	there = true
	do(t, c, "capture", map[string]any{"text": "words"})
}

// A store that vanishes is said to be gone, and one that lies there again is used, whichever file it is.
func TestAStoreThatIsReplaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open keeps its name there")
	}
	dir, open := t.TempDir(), 0
	path := filepath.Join(dir, "memory.db")
	c := connect(t, Options{Open: func(ctx context.Context) (*engine.Engine, error) {
		open++
		return engine.Open(ctx, path, engine.Config{Databases: sqlstore.Databases{}, Dir: dir})
	}})
	do(t, c, "capture", map[string]any{"text": "an otter sleeps"})
	kept, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	move := func(from, to string) {
		t.Helper()
		for _, f := range kept {
			if end, is := strings.CutPrefix(f.Name(), "memory.db"); is {
				if err := os.Rename(from+end, to+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			}
		}
	}
	move(path, path+".away")
	if text, failed := call(t, c, "capture", map[string]any{"text": "lost"}); !failed ||
		!strings.Contains(text, "the store is gone") {
		t.Errorf("a store that is gone: %q", text)
	}
	copied, err := os.ReadFile(path + ".away")
	if err == nil {
		err = os.WriteFile(path, copied, 0o600)
	}
	for _, end := range []string{"-wal"} {
		if log, logErr := os.ReadFile(path + ".away" + end); logErr == nil {
			err = errors.Join(err, os.WriteFile(path+end, log, 0o600))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	do(t, c, "capture", map[string]any{"text": "a heron stands"})
	for _, words := range []string{"otter", "heron"} {
		if text, failed := call(t, c, "search", map[string]any{"query": words}); failed || !strings.Contains(text, words) {
			t.Errorf("%s: %s", words, text)
		}
	}
	if open != 2 {
		t.Errorf("opened %d times, want 2", open)
	}
}

// What hooks put aside while a server runs is taken in before each call, so that it stands behind what
// the agent writes.
func TestWhatHooksPutAsideIsTakenInBeforeEachCall(t *testing.T) {
	taken := 0
	c := connect(t, Options{Open: opener(t), Fresh: func(ctx context.Context, e *engine.Engine) {
		taken++
		seen := []engine.Observed{{ID: fmt.Sprint("seen", taken), Event: "tool_output", Tool: true, Text: "an otter sleeps"}}
		if _, err := e.Observe(ctx, seen); err != nil {
			t.Error(err)
		}
	}})
	do(t, c, "capture", map[string]any{"text": "words"}) // opens the store, which takes in what waits
	for range 2 {
		do(t, c, "status", map[string]any{})
	}
	if text, failed := call(t, c, "search", map[string]any{"query": "otter"}); failed || taken != 3 ||
		!strings.Contains(text, "an otter sleeps") {
		t.Errorf("taken in %d times, want 3: %s", taken, text)
	}
}
