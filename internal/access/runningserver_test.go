package access

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server is found by its store while it runs, and only if it proves to be ours:
// one that took its place, or that hands on what another proved, is not.
func TestFind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "server")
	secrets, err := Keep(dir)
	if err != nil {
		t.Fatal(err)
	}
	serve := func(secrets Tokens, port string) *httptest.Server {
		s := httptest.NewUnstartedServer(nil)
		if port == "" {
			_, port, _ = strings.Cut(s.Listener.Addr().String(), ":")
		}
		g, err := New(Options{Tokens: secrets, Port: port})
		if err != nil {
			t.Fatal(err)
		}
		s.Config.Handler = g.Health()
		s.Start()
		t.Cleanup(s.Close)
		return s
	}
	ours := serve(secrets, "")
	announce := func(url string) func() {
		end, err := Announce(dir, "memory.db", Running{URL: url, PID: os.Getpid()})
		if err != nil {
			t.Fatal(err)
		}
		return end
	}
	if _, ok := Find(dir, "memory.db"); ok {
		t.Error("a server is found before one runs")
	}
	end := announce(ours.URL)
	if r, ok := Find(dir, "sqlite:./memory.db"); !ok || r.URL != ours.URL {
		t.Errorf("the server is found at %q, %v; want %s", r.URL, ok, ours.URL)
	}
	if _, ok := Find(dir, "other.db"); ok {
		t.Error("the server of one store is found for another")
	}
	end()
	if _, ok := Find(dir, "memory.db"); ok {
		t.Error("a server is found after it ended")
	}

	stranger := serve(Tokens{Agent: "x", Owner: "y"}, "")
	hands := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		on := r.Clone(r.Context())
		on.Host = strings.TrimPrefix(ours.URL, "http://")
		ours.Config.Handler.ServeHTTP(w, on)
	}))
	defer hands.Close()
	for name, url := range map[string]string{
		"a stranger": stranger.URL, "one that hands on": hands.URL, "nobody": "http://127.0.0.1:1",
	} {
		defer announce(url)()
		if _, ok := Find(dir, "memory.db"); ok {
			t.Errorf("%s is taken for the server", name)
		}
	}
}

// The name localhost is not looked up: it may lead to an address where another account passes on
// what the server proves.
func TestDirect(t *testing.T) {
	for base, want := range map[string]string{
		"http://localhost:7463": "http://127.0.0.1:7463", "http://LOCALHOST:7463/a": "http://LOCALHOST:7463/a",
		"http://localhost": "http://127.0.0.1", "https://localhost:7463": "https://localhost:7463",
		"http://[::1]:7463": "http://[::1]:7463", "http://localhost.example:7463": "http://localhost.example:7463",
		"http://user@localhost:1": "http://user@127.0.0.1:1", "::": "::", "": "",
	} {
		if got := Direct(base); got != want {
			t.Errorf("Direct(%q) = %q, want %q", base, got, want)
		}
	}
}
