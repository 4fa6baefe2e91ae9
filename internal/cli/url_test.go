package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/brief"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/serve"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/toolset"
)

// overHTTP is a person's data directory with a server over their store.
type overHTTP struct {
	dir, url string
	tokens   access.Tokens
}

func serveDir(t *testing.T, dir string) overHTTP {
	t.Helper()
	noReceipts(t, dir)
	(overHTTP{dir: dir}).must(t, "init", "--user") // so that the store is the person's own
	e, err := engine.Open(t.Context(), filepath.Join(dir, appName, storeFile),
		engine.Config{Databases: sqlstore.Databases{}, KeyDir: filepath.Join(dir, appName, keysDir), Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	s := overHTTP{dir: dir}
	listens, ended := make(chan string, 1), make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	o := serve.Options{
		Engine: e, Addr: "127.0.0.1:0", Dir: filepath.Join(dir, appName, "server"),
		Store: filepath.Join(dir, appName, storeFile),
		Ready: func(url string) { listens <- url }, Say: t.Logf,
	}
	go func() { ended <- serve.Run(ctx, o) }()
	select {
	case s.url = <-listens:
	case err := <-ended:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	if s.tokens, err = access.Keep(o.Dir); err != nil {
		t.Fatal(err)
	}
	return s
}

// run runs the command line with an environment of "NAME=text", and gives what it
// printed, said and ended with.
func (s overHTTP) run(t *testing.T, env []string, stdin string, args ...string) (out, said string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	set := map[string]string{"XDG_DATA_HOME": s.dir, "XDG_CONFIG_HOME": s.dir, "STEMMA_SPACE": "main"}
	for _, v := range env {
		name, text, _ := strings.Cut(v, "=")
		set[name] = text
	}
	code = Run(t.Context(), args, Env{Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr, Dir: s.dir,
		Getenv: func(name string) string { return set[name] }})
	return stdout.String(), stderr.String(), code
}

func (s overHTTP) must(t *testing.T, args ...string) string {
	t.Helper()
	out, said, code := s.run(t, nil, "", args...)
	if code != 0 {
		t.Fatalf("%v: exit code %d: %s", args, code, said)
	}
	return strings.TrimSpace(out)
}

// Every verb that is an operation says the same of the store and of a server over
// it, to people and as JSON, and so does the operation over HTTP.
func TestEveryVerbOverURL(t *testing.T) {
	s := serveDir(t, t.TempDir())
	raw := s.must(t, "raw", "words of a test", "--url", s.url)
	episode := s.must(t, "promote", raw, "-m", "an episode", "--url", s.url)
	belief := s.must(t, "consolidate", episode, "-m", "a belief about words", "--url", s.url)
	fill := strings.NewReplacer("$B", belief, "$R", raw)
	model := s.model(t)
	n := 0
	for _, op := range ops.All {
		v := verbs[op.Name]
		if v.request == nil {
			continue
		}
		n++
		args := strings.Fields(v.command)
		for _, arg := range v.args {
			args = append(args, fill.Replace(arg))
		}
		asJSON := append(args, "--json")
		want := s.must(t, asJSON...)
		if got := s.must(t, append(asJSON, "--url", s.url)...); !sameJSON(t, got, want) {
			t.Errorf("%s --json --url gives\n%s\nand of the store\n%s", v.command, got, want)
		}
		request, err := json.Marshal(v.request)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.post(t, op.Name, fill.Replace(string(request))); !sameJSON(t, got, want) {
			t.Errorf("%s over HTTP gives\n%s\nand %s --json\n%s", op.Name, got, v.command, want)
		}
		if _, short := brief.Of(reflect.Zero(op.Out).Interface(), nil); short && toolset.Shortened(op.Name) {
			request = append(bytes.TrimSuffix(request, []byte("}")), `,"verbose":true}`...)
			request = bytes.Replace(request, []byte("{,"), []byte("{"), 1)
		}
		if got := model.call(t, op.Name, fill.Replace(string(request))); !sameJSON(t, got, want) {
			t.Errorf("%s over MCP gives\n%s\nand %s --json\n%s", op.Name, got, v.command, want)
		}
		if got, want := s.must(t, append(args, "--url", s.url)...),
			s.must(t, args...); took.ReplaceAllString(got, "") != took.ReplaceAllString(want, "") {
			t.Errorf("%s --url prints\n%s\nand of the store\n%s", v.command, got, want)
		}
	}
	if n < 40 {
		t.Errorf("%d operations were compared", n)
	}
}

// An mcpModel is a client of MCP.
type mcpModel struct{ *mcp.ClientSession }

// asAgent shows the agents' token.
type asAgent struct{ token string }

func (a asAgent) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+a.token)
	return http.DefaultTransport.RoundTrip(r)
}

func (s overHTTP) model(t *testing.T) mcpModel {
	t.Helper()
	over := &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp",
		HTTPClient: &http.Client{Transport: asAgent{s.tokens.Agent}}}
	c, err := mcp.NewClient(&mcp.Implementation{}, nil).Connect(t.Context(), over, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return mcpModel{c}
}

// call returns what a tool answers a program.
func (m mcpModel) call(t *testing.T, op, request string) string {
	t.Helper()
	r, err := m.CallTool(t.Context(), &mcp.CallToolParams{Name: op, Arguments: json.RawMessage(request)})
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	if r.IsError {
		t.Fatalf("%s: %s", op, r.Content[0].(*mcp.TextContent).Text)
	}
	text, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// took is how long something took, as it is printed.
var took = regexp.MustCompile(` in [0-9.]+[mµ]?s\b`)

func (s overHTTP) post(t *testing.T, op, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.url+"/v1/"+op, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.tokens.Agent)
	r.Header.Set("Content-Type", "application/json")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil || got.StatusCode != 200 {
		t.Fatalf("%s: %s, %v: %s", op, got.Status, err, text)
	}
	return string(text)
}

// A server's failures end the command line as the store's do, and what cannot be
// asked of one says so in a line.
func TestURLFailures(t *testing.T) {
	s := serveDir(t, t.TempDir())
	at := []string{"STEMMA_URL=" + s.url}
	raw := s.must(t, "raw", "words")
	for _, tt := range []struct {
		env  []string
		args string
		code int
		says string
	}{
		{at, "show raw:00000000", 3, "00000000"},
		{at, "raw show", 64, "name a record"},
		{at, "belief add x --confidence 7", 65, "confidence"},
		{at, "quarantine " + raw, 6, "only a person"},
		{at, "search x --store other.db", 65, "leave out --store"},
		{nil, "tour --url " + s.url, 65, "works only"},
		{nil, "config list --url " + s.url, 65, "works only"},
		{nil, "stats --url http://127.0.0.1:1", 2, "127.0.0.1:1"},
		{nil, "stats --url http://example.org", 65, "STEMMA_TOKEN"},
		{nil, "stats --url ftp://example.org", 65, "address"},
		{nil, "stats --url http://u:p@127.0.0.1:1", 65, "address"},
		{[]string{"STEMMA_TOKEN=wrong"}, "stats --url " + s.url, 6, "who you are"},
	} {
		out, said, code := s.run(t, tt.env, "", strings.Fields(tt.args)...)
		if code != tt.code || !strings.Contains(said, tt.says) || out != "" ||
			strings.Count(strings.TrimSpace(strings.Split(said, "\nexamples: ")[0]), "\n") > 0 {
			t.Errorf("%v %s: exit code %d, %q; want %d and %q in one line", tt.env, tt.args, code, said, tt.code, tt.says)
		}
	}
	if _, said, code := s.run(t, at, "", "config", "list"); code != 0 {
		t.Errorf("config where STEMMA_URL is set: %d %s", code, said)
	}
}

// What leaves one store over HTTP and comes into another over HTTP is what it was.
func TestStreamsOverURL(t *testing.T) {
	one, two := serveDir(t, t.TempDir()), serveDir(t, t.TempDir())
	raw := one.must(t, "raw", "words that travel")
	note := one.must(t, "promote", raw, "--to", "note", "-m", "a note that travels")
	file := filepath.Join(t.TempDir(), "records.jsonl")
	one.must(t, "export", file, "--url", one.url)
	if got := two.must(t, "import", file, "--url", two.url); strings.HasPrefix(got, "0 ") {
		t.Errorf("import says %s", got)
	}
	if got, want := two.must(t, "export", "--url", two.url), one.must(t, "export"); got != want {
		t.Errorf("what came out of the second is\n%s\nwant\n%s", got, want)
	}
	clock := regexp.MustCompile(`"computed_at": "[^"]*"`)
	document := func(more ...string) string {
		return clock.ReplaceAllString(one.must(t, append([]string{"export", "--format", "anamnesis", note}, more...)...), "")
	}
	if got, want := document("--url", one.url), document(); got != want {
		t.Errorf("the document over HTTP is\n%s\nwant\n%s", got, want)
	}
	lines := `{"id":"1","text":"from elsewhere"}` + "\n" + `{"id":"2","kind":"note","text":"made of it","from":["1"]}` +
		"\n"
	for _, want := range []string{"2 records added", "0 records added"} {
		out, said, code := two.run(t, nil, lines, "import", "jsonl", "-", "--source", "test", "--url", two.url)
		if code != 0 || !strings.HasPrefix(out, want) {
			t.Errorf("import jsonl over HTTP: %d %s%s, want %s", code, out, said, want)
		}
	}
	if _, said, code := two.run(t, nil, "{}\n", "import", "-", "--url", two.url); code != 65 {
		t.Errorf("what is no export is imported: %d %s", code, said)
	}
}
