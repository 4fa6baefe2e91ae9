package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A call over HTTP whose id no 64-bit number holds is answered by that id, and stops when its client cancels it by that
// id: here while a model is asked, which lets the server wait.
func TestCallsStopByTheirIDsOverHTTP(t *testing.T) {
	const within = 20 * time.Second
	asked, left := make(chan string, 9), make(chan string, 9)
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		_ = json.NewDecoder(r.Body).Decode(&in) // what is no list is answered by none
		if strings.Contains(strings.Join(in.Input, " "), "which database") {
			asked <- in.Input[0]
			select {
			case <-r.Context().Done():
				left <- r.URL.Path
			case <-time.After(within):
			}
			return
		}
		var data []any
		for i := range in.Input {
			data = append(data, map[string]any{"index": i, "embedding": []float32{0.6, 0.8, float32(i)}})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	defer model.Close()
	dir := t.TempDir()
	c := exec.Command("stemma", "serve", "--addr", "127.0.0.1:0", "--tools", "full")
	c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir,
		"STEMMA_STORE="+filepath.Join(dir, "memory.db"),
		"STEMMA_EMBEDDER=openai", "STEMMA_EMBEDDER_URL="+model.URL+"/v1", "STEMMA_EMBEDDER_MODEL=slow",
		"STEMMA_EMBEDDER_TIMEOUT=2m", "GORACE=atexit_sleep_ms=0")
	url, token, stop := serveProcess(t, c, dir)
	defer stop()

	session, version := "", ""
	post := func(ctx context.Context, body string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": session,
			"Mcp-Protocol-Version": version, "Authorization": "Bearer " + token,
		} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	read := func(r *http.Response) string {
		t.Helper()
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	call := func(id, tool, arguments string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `",` +
			`"arguments":` + arguments + `,"_meta":{"progressToken":` + id + `}}}`
	}
	begun := post(t.Context(), `{"jsonrpc":"2.0","id":0.50,"method":"initialize",`+
		`"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"probe","version":"1"}}}`)
	if said := read(begun); !strings.Contains(said, `"id":0.50,"result"`) {
		t.Fatalf("the first answer is %s", said)
	}
	session, version = begun.Header.Get("Mcp-Session-Id"), "2025-11-25"
	read(post(t.Context(), `{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	kept := call("9007199254740993", "capture", `{"text":"We decided: orders are kept in SQLite."}`)
	if said := read(post(t.Context(), kept)); !strings.Contains(said, `"id":9007199254740993,"result"`) {
		t.Fatalf("a call is answered by %s", said)
	}
	for _, id := range []string{"1.5", "9007199254740993", `"1.5"`} {
		answer := make(chan string, 1)
		go func() {
			answer <- read(post(t.Context(), call(id, "search", `{"query":"which database are orders kept in"}`)))
		}()
		select {
		case <-asked:
		case said := <-answer:
			t.Fatalf("the call %s asked no model: %s", id, said)
		case <-time.After(within):
			t.Fatalf("the call %s asks no model", id)
		}
		other := post(t.Context(), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		if read(other); other.StatusCode != http.StatusAccepted {
			t.Errorf("a cancellation is answered by %s", other.Status)
		}
		select {
		case <-left:
			t.Errorf("the call %s stops by the id 1", id)
		case <-time.After(200 * time.Millisecond):
		}
		read(post(t.Context(), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`}}`))
		select {
		case <-left:
		case <-time.After(within / 2):
			t.Errorf("the call %s goes on", id)
		}
		if said := <-answer; !strings.Contains(said, `"id":`+id+`,`) {
			t.Errorf("the call %s is answered by %s", id, said)
		}
	}
}
