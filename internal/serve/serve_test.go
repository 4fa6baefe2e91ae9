package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// running is a server over a store of its own.
type running struct {
	url    string
	o      Options
	tokens access.Tokens
	stop   func() error // ends it and gives what Run gave
}

func start(t testing.TB, change ...func(*Options)) *running {
	t.Helper()
	dir := t.TempDir()
	e, err := engine.Open(t.Context(), filepath.Join(dir, "memory.db"), engine.Config{Databases: sqlstore.Databases{}})
	if err != nil {
		t.Fatal(err)
	}
	listens := make(chan string, 1)
	r := &running{o: Options{
		Engine: e, Addr: "127.0.0.1:0", Dir: filepath.Join(dir, "server"), Store: filepath.Join(dir, "memory.db"),
		Version: "test",
		Ready:   func(url string) { listens <- url }, Say: t.Logf,
	}}
	for _, c := range change {
		c(&r.o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, r.o) }()
	select {
	case r.url = <-listens:
	case err := <-ended:
		t.Fatal(err)
	}
	stopped := false
	r.stop = func() error {
		stopped = true
		cancel()
		return <-ended
	}
	t.Cleanup(func() {
		if !stopped {
			if err := r.stop(); err != nil {
				t.Error(err)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	if r.tokens, err = access.Keep(r.o.Dir); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *running) do(
	t *testing.T, c *http.Client, method, path, body string, headers ...string,
) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, text, _ := strings.Cut(h, ": ")
		req.Header.Set(name, text)
	}
	got, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got, string(text)
}

// Every route asks who it is, for reads too; but whether the server serves.
func TestEveryRouteAsks(t *testing.T) {
	r := start(t)
	for _, path := range []string{
		"GET /", "GET /review", "GET /assets/app.js", "POST /v1/stats", "GET /v1/events", "POST /v1/export",
		"GET /openapi.json", "GET /metrics",
		"POST /mcp", "GET /mcp", "POST /ui/graph", "POST /signin/code", "POST /signout", "GET /signin",
		"GET /signin?code=guess", "GET /no/such",
	} {
		method, at, _ := strings.Cut(path, " ")
		if got, _ := r.do(t, http.DefaultClient, method, at, ""); got.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s without a token: %d, want 401", path, got.StatusCode)
		}
		foreign := []string{"Authorization: Bearer " + r.tokens.Agent, "Origin: http://evil.example"}
		if got, _ := r.do(t, http.DefaultClient, method, at, "", foreign...); got.StatusCode != http.StatusForbidden {
			t.Errorf("%s from a foreign page: %d, want 403", path, got.StatusCode)
		}
	}
	if got, text := r.do(t, http.DefaultClient, "GET", access.HealthPath, ""); got.StatusCode != 200 ||
		text != `{"status":"ok"}`+"\n" {
		t.Errorf("health: %d %s", got.StatusCode, text)
	}
	if got, text := r.do(
		t, http.DefaultClient, "GET", "/", "", "Accept: text/html",
	); got.StatusCode != http.StatusUnauthorized || !strings.Contains(text, "stemma ui") {
		t.Errorf("a browser that has not signed in is told %d %s", got.StatusCode, text)
	}
}

// A browser that signed in with a code speaks as the owner; an agent gets none.
func TestABrowserSignsIn(t *testing.T) {
	r := start(t)
	if got, _ := r.do(
		t, http.DefaultClient, "POST", access.CodePath, "", "Authorization: Bearer "+r.tokens.Agent,
	); got.StatusCode != http.StatusForbidden {
		t.Errorf("an agent asks for a code: %d, want 403", got.StatusCode)
	}
	_, text := r.do(t, http.DefaultClient, "POST", access.CodePath, "", "Authorization: Bearer "+r.tokens.Owner)
	var code access.Code
	if err := json.Unmarshal([]byte(text), &code); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	if got, text := r.do(t, browser, "GET", code.Path, ""); got.StatusCode != 200 || !strings.Contains(text, `url=/"`) {
		t.Fatalf("signing in: %d %s", got.StatusCode, text)
	}
	page := r.pageOf(t, browser)
	_, text = r.do(
		t, browser, "POST", "/v1/capture", `{"text":"said in a browser"}`, "Origin: "+r.url,
		"Sec-Fetch-Site: same-origin", page,
	)
	var wrote api.WriteReply
	if err := json.Unmarshal([]byte(text), &wrote); err != nil || wrote.Ref == "" {
		t.Fatalf("a browser writes: %s", text)
	}
	if _, text = r.do(
		t, browser, "POST", "/v1/show", `{"ref":"`+wrote.Ref+`"}`,
	); !strings.Contains(text, `"origin":"owner"`) {
		t.Errorf("what a browser wrote shows as %s", text)
	}
	if got, _ := r.do(
		t, browser, "POST", "/v1/capture", `{"text":"x"}`, "Origin: http://localhost:3000",
		"Sec-Fetch-Site: same-site", page,
	); got.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another port writes with the cookie: %d", got.StatusCode)
	}
}

// A second server on a port says whose it is and what to do, and changes nothing.
func TestTwoServersOnOnePort(t *testing.T) {
	r := start(t)
	again := r.o
	again.Addr = strings.TrimPrefix(r.url, "http://")
	again.Ready = func(string) { t.Error("a second server listens") }
	for store, want := range map[string]string{r.o.Store: "runs there already", "other.db": "--addr"} {
		again.Store = store
		if err := Run(t.Context(), again); !errors.Is(err, api.ErrConflict) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "port ") {
			t.Errorf("a second server for %s: %v; want a conflict that says %q", store, err, want)
		}
	}
	if found, ok := access.Find(r.o.Dir, r.o.Store); !ok || found.URL != r.url || found.PID != os.Getpid() {
		t.Errorf("the first is found as %+v, %v", found, ok)
	}
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	if _, ok := access.Find(r.o.Dir, r.o.Store); ok {
		t.Error("a server is found after it ended")
	}
}

// A server listens on this machine alone unless told what else it is called.
func TestLoopbackOnly(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.org:0", "7463", ""} {
		if l, err := listen(Options{Addr: addr}); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%q: %v, %v; want invalid", addr, l, err)
		}
	}
	l, err := listen(Options{Addr: "0.0.0.0:0", Hosts: []string{"memory.example"}})
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// A server that is told to end answers what it began, and ends its streams.
func TestItEndsInOrder(t *testing.T) {
	r := start(t)
	req, err := http.NewRequestWithContext(t.Context(), "GET", r.url+"/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.tokens.Agent)
	stream, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewReader(stream.Body)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	body, out := io.Pipe()
	answered := make(chan string, 1)
	go func() {
		req, _ := http.NewRequestWithContext(context.Background(), "POST", r.url+"/v1/capture", body)
		req.Header.Set("Authorization", "Bearer "+r.tokens.Agent)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Expect", "100-continue") // the body is read once the server asks for it
		got, err := (&http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}).Do(req)
		if err != nil {
			answered <- err.Error()
			return
		}
		got.Body.Close()
		answered <- got.Status
	}()
	if _, err := io.WriteString(out, `{"text":"under`); err != nil { // it is on its way
		t.Fatal(err)
	}
	ahead, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://")) // as browsers do, before they ask
	if err != nil {
		t.Fatal(err)
	}
	defer ahead.Close()
	ended := make(chan error, 1)
	go func() { ended <- r.stop() }()
	if err := ahead.SetReadDeadline(time.Now().Add(4 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := ahead.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a connection on which nothing was asked keeps the server: %v", err)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Errorf("the stream of events ends with %v", err)
	}
	if _, err := io.WriteString(out, ` way"}`); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if got := <-answered; got != "200 OK" {
		t.Errorf("a request under way is answered %s", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
