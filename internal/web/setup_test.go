package web_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/web"
)

// signed is the page behind a guard, with a home of its own and a browser that is signed in.
type signed struct {
	*served
	home   string
	tokens access.Tokens
	cookie *http.Cookie
	page   string // what our own page sends with each act
}

// ofPage returns what the page is told at its start.
func (s *signed) ofPage() string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.URL+"/ui/me", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.AddCookie(s.cookie)
	_, text := s.do(r)
	var me struct{ Page string }
	if err := json.Unmarshal([]byte(text), &me); err != nil || me.Page == "" {
		s.t.Fatalf("no page in %s: %v", text, err)
	}
	return me.Page
}

func signIn(t *testing.T) *signed {
	t.Helper()
	home, data := t.TempDir(), t.TempDir()
	e, err := engine.Open(t.Context(), "mem", engine.Config{KeyDir: filepath.Join(data, "keys"), Origin: "owner"})
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := access.Keep(filepath.Join(data, "server"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	guard, err := access.New(access.Options{Tokens: tokens, Port: at.Port()})
	if err != nil {
		t.Fatal(err)
	}
	place := func() (hosts.Place, error) {
		return hosts.Place{
			Home: home, Config: filepath.Join(home, ".config"), Program: "/usr/bin/stemma",
			Backups: filepath.Join(data, "backups"), Getenv: func(string) string { return "" },
		}, nil
	}
	pages := web.Handler(web.Config{
		Engine: func(r *http.Request) (*engine.Engine, error) {
			c, _ := access.CallerOf(r.Context())
			return e.As(engine.Caller{Origin: c.Origin})
		},
		Setup: web.Setup{Place: place, Here: home},
	})
	mux.Handle("/", guard.Ask(pages))
	mux.Handle(access.CodePath, guard.SignIn())
	mux.Handle(access.SignInPath, guard.SignIn())
	t.Cleanup(func() {
		server.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &signed{served: &served{t, e, server}, home: home, tokens: tokens}
	res, _ := s.served.get(guard.Code().Path)
	s.cookie = res.Cookies()[0]
	s.page = s.ofPage()
	return s
}

// ask sends a request as the signed-in browser, or as who the headers say.
func (s *signed) ask(path string, body []byte, headers ...string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.URL+path, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.AddCookie(s.cookie)
	r.Header.Set(access.PageHeader, s.page)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, text := s.do(r)
	return res.StatusCode, text
}

// files are all files below a directory with what is in them.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, ".git"+string(filepath.Separator)) {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Only a person in a signed-in browser is shown a plan or may confirm one.
func TestSetupIsForAPersonAtThePage(t *testing.T) {
	s := signIn(t)
	for _, path := range []string{"/ui/setup", "/ui/connect", "/ui/import_git", "/ui/import_file"} {
		for who, headers := range map[string][]string{
			"an agent":          {"Authorization", "Bearer " + s.tokens.Agent},
			"the owner's token": {"Authorization", "Bearer " + s.tokens.Owner},
			"another page":      {"Origin", "http://evil.example"},
			"another site":      {"Sec-Fetch-Site", "cross-site"},
			"another tab":       {access.PageHeader, "guessed"},
		} {
			if who == "another tab" && path == "/ui/setup" {
				continue // it only reads
			}
			if got, text := s.ask(path, []byte(`{"host":"cursor"}`), headers...); got/100 != 4 || got == 404 || got == 422 {
				t.Errorf("%s for %s: %d %s", path, who, got, text)
			}
		}
	}
	if got := files(t, s.home); len(got) != 0 {
		t.Errorf("something was written: %v", got)
	}
}

// A host is connected as it was shown, and not otherwise.
func TestConnect(t *testing.T) {
	s := signIn(t)
	settings := filepath.Join(s.home, ".cursor", "mcp.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
		t.Fatal(err)
	}
	const before = `{"mcpServers":{"mine":{"command":"x"}}}`
	if err := os.WriteFile(settings, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	var plan struct {
		Plan  string
		Done  bool
		Files []struct{ Path, Change, Diff string }
	}
	ask := func(body string) int {
		t.Helper()
		status, text := s.ask("/ui/connect", []byte(body))
		if status == 200 {
			if err := json.Unmarshal([]byte(text), &plan); err != nil {
				t.Fatal(err)
			}
		}
		return status
	}
	if got := ask(`{"host":"cursor"}`); got != 200 || plan.Done || len(plan.Files) == 0 || plan.Plan == "" {
		t.Fatalf("%d: %+v", got, plan)
	}
	shown := false
	for _, f := range plan.Files {
		shown = shown || f.Path == settings && f.Change == "changed" && strings.Contains(f.Diff, "+") &&
			strings.Contains(f.Diff, "stemma")
	}
	if now := files(t, s.home); !shown || len(now) != 1 || now[settings] != before {
		t.Fatalf("shown %v; a look wrote: %v", shown, now)
	}
	first := plan.Plan
	for _, body := range []string{
		`{"host":"cursor","confirm":"x"}`, `{"host":"codex","confirm":"` + first + `"}`,
	} {
		if got := ask(body); got != http.StatusConflict {
			t.Errorf("%s: %d", body, got)
		}
	}
	for _, body := range []string{`{"host":"../x"}`, `{"host":""}`, `{"host":"cursor","path":"/etc"}`, `{`} {
		if got := ask(body); got != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", body, got)
		}
	}
	if err := os.WriteFile(settings, []byte(`{"mcpServers":{}}`), 0o644); err != nil { // meanwhile
		t.Fatal(err)
	}
	if got := ask(`{"host":"cursor","confirm":"` + first + `"}`); got != http.StatusConflict {
		t.Errorf("a file that changed since: %d", got)
	}
	if now := files(t, s.home); len(now) != 1 {
		t.Fatalf("written all the same: %v", now)
	}
	if got := ask(`{"host":"cursor"}`); got != 200 {
		t.Fatal(got)
	}
	if got := ask(`{"host":"cursor","confirm":"` + plan.Plan + `"}`); got != 200 || !plan.Done {
		t.Fatalf("%d: %+v", got, plan)
	}
	if now := files(t, s.home); !strings.Contains(now[settings], "stemma") {
		t.Errorf("not connected: %v", now)
	}
	if got := ask(`{"host":"cursor"}`); got != 200 || plan.Files[0].Change != "unchanged" {
		t.Errorf("again: %d %+v", got, plan)
	}
}

// A link that leads out of the home is not followed by the page.
func TestConnectStaysAtHome(t *testing.T) {
	s := signIn(t)
	away := t.TempDir()
	if err := os.Symlink(away, filepath.Join(s.home, ".cursor")); err != nil {
		t.Skip(err)
	}
	if got, text := s.ask("/ui/connect", []byte(`{"host":"cursor"}`)); got != http.StatusForbidden {
		t.Errorf("%d %s", got, text)
	}
	if now := files(t, away); len(now) != 0 {
		t.Errorf("written: %v", now)
	}
}

// last is the last line of an answer that tells how far it is.
func last(t *testing.T, text string) (out struct {
	Done  int
	Error string
	Reply struct {
		Added   int
		Present int `json:"already_there"`
	}
}) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// A file is named for what it is first, taken in when that is confirmed, and once.
func TestImportFile(t *testing.T) {
	s := signIn(t)
	body := []byte(`{"id":"1","text":"the orders page is slow"}
{"id":"2","text":"an index was missing"}
`)
	name := []string{"Stemma-File", url.PathEscape("../../etc/notes ü.jsonl")}
	var plan struct {
		Name, Format, Plan string
		Total              int
	}
	got, text := s.ask("/ui/import_file", body, name...)
	if err := json.Unmarshal([]byte(text), &plan); err != nil || got != 200 || plan.Format != "jsonl" ||
		plan.Total != 2 {
		t.Fatalf("%d %s", got, text)
	}
	if r, err := s.e.Stats(t.Context(), api.Nothing{}); err != nil || r.Records != 0 {
		t.Errorf("a look stored %d records, %v", r.Records, err)
	}
	confirmed := append(name, "Stemma-Confirm", plan.Plan)
	if got, _ := s.ask("/ui/import_file", append(body, body...), confirmed...); got != 409 {
		t.Errorf("another file under this plan: %d", got)
	}
	for i, want := range []int{2, 0} {
		got, text = s.ask("/ui/import_file", body, confirmed...)
		end := last(t, text)
		if got != 200 || end.Error != "" || end.Reply.Added != want || end.Reply.Present != 2-want {
			t.Errorf("time %d: %d %s", i+1, got, text)
		}
	}
	for body, want := range map[string]int{"": 422, `{"odd":{}}`: 422, `{"id":"1"`: 422} {
		got, text := s.ask("/ui/import_file", []byte(body), name...)
		if got != want || strings.Contains(text, os.TempDir()) {
			t.Errorf("%q: %d %s", body, got, text)
		}
	}
	if got, text := s.ask("/ui/import_file", make([]byte, 64<<20+1), name...); got != 422 ||
		!strings.Contains(text, "64 MiB") {
		t.Errorf("too large: %d %s", got, text)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "stemma-upload-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestImportGit(t *testing.T) {
	s := signIn(t)
	if got, text := s.ask("/ui/import_git", nil); got != 422 {
		t.Errorf("no repository: %d %s", got, text)
	}
	if _, text := s.ask("/ui/setup", []byte(`{}`)); !strings.Contains(text, `"why_not":"`) ||
		!strings.Contains(text, "not a git") {
		t.Errorf("it is not said why nothing can be imported: %s", text)
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"-c", "user.name=D", "-c", "user.email=d@x", "commit", "-q", "--allow-empty", "-m", "First of all"},
	} {
		c := exec.Command("git", args...)
		c.Dir = s.home
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	var setup struct {
		Hosts      []struct{ Name string }
		Repository struct {
			Dir, Plan string
			Commits   int
		}
	}
	got, text := s.ask("/ui/setup", []byte(`{}`))
	if err := json.Unmarshal([]byte(text), &setup); err != nil || got != 200 || setup.Repository.Commits != 1 ||
		len(setup.Hosts) != len(hosts.Names()) || setup.Repository.Dir != s.home {
		t.Fatalf("%d %s", got, text)
	}
	if got, text = s.ask("/ui/import_git", nil, "Stemma-Confirm", "x"); got != 409 {
		t.Errorf("not confirmed: %d %s", got, text)
	}
	got, text = s.ask("/ui/import_git", nil, "Stemma-Confirm", setup.Repository.Plan)
	if end := last(t, text); got != 200 || end.Reply.Added == 0 || end.Error != "" {
		t.Errorf("%d %s", got, text)
	}
}
