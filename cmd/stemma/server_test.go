package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// waitServer VAR waits until a server that was started says where it runs, and
// keeps its address.
func waitServer(ts *testscript.TestScript, _ bool, args []string) {
	const within = 30 * time.Second
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for began := time.Now(); time.Since(began) < within; <-look.C {
		files, _ := filepath.Glob(filepath.Join(ts.Getenv("XDG_DATA_HOME"), "stemma", "server", "running-*.json"))
		for _, name := range files {
			var says struct{ URL string }
			if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &says) == nil {
				ts.Setenv(args[0], says.URL)
				return
			}
		}
	}
	ts.Fatalf("no server says within %v where it runs", within)
}

// portOf VAR URL keeps the port of an address.
func portOf(ts *testscript.TestScript, _ bool, args []string) {
	u, err := url.Parse(args[1])
	ts.Check(err)
	ts.Setenv(args[0], u.Port())
}

// request METHOD URL STATUS [BODY [token | owner.token | - [HEADER…]]] asks a server, which
// must answer with the status. What it says is the standard output.
func request(ts *testscript.TestScript, _ bool, args []string) {
	body := ""
	if len(args) > 3 {
		body = args[3]
	}
	r, err := http.NewRequest(args[0], args[1], strings.NewReader(body))
	ts.Check(err)
	r.Header.Set("Content-Type", "application/json")
	if len(args) > 4 && args[4] != "-" {
		r.Header.Set(
			"Authorization",
			"Bearer "+strings.TrimSpace(ts.ReadFile(filepath.Join(ts.Getenv("XDG_DATA_HOME"), "stemma", "server", args[4]))),
		)
	}
	for _, h := range args[min(len(args), 5):] {
		name, text, _ := strings.Cut(h, ": ")
		r.Header.Set(name, text)
	}
	got, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	ts.Check(err)
	fmt.Fprintf(ts.Stdout(), "%s", text)
	if fmt.Sprint(got.StatusCode) != args[2] {
		ts.Fatalf("%s %s: %s, want %s\n%s", args[0], args[1], got.Status, args[2], text)
	}
}

// collector VAR starts what OpenTelemetry's spans and metrics are sent to, and keeps
// its address; 'collected' prints all that came.
func collector(ts *testscript.TestScript, _ bool, args []string) {
	var mu sync.Mutex
	var came strings.Builder
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body) // what was cut off is missed by the script
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(&came, "%s %v %s\n", r.URL, r.Header, text)
	}))
	ts.Defer(s.Close)
	ts.Setenv(args[0], s.URL)
	ts.Value(holdingKey{}).(*holding).collected = func() string {
		mu.Lock()
		defer mu.Unlock()
		return came.String()
	}
}

func collected(ts *testscript.TestScript, _ bool, _ []string) {
	fmt.Fprint(ts.Stdout(), ts.Value(holdingKey{}).(*holding).collected())
}
