package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/serve"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// server starts one over an empty store in dir, and gives its address and the
// agents' token.
func server(dir string) (url, token string, stop func() error, err error) {
	e, err := engine.Open(
		context.Background(), filepath.Join(dir, "memory.db"), engine.Config{Databases: sqlstore.Databases{}},
	)
	if err != nil {
		return "", "", nil, err
	}
	listens, ended := make(chan string, 1), make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	o := serve.Options{
		Engine: e, Addr: "127.0.0.1:0", Dir: filepath.Join(dir, "server"), Store: filepath.Join(dir, "memory.db"),
		Ready: func(url string) { listens <- url }, Say: func(string, ...any) {},
	}
	go func() { ended <- serve.Run(ctx, o) }()
	stop = func() error {
		cancel()
		return errors.Join(<-ended, e.Close())
	}
	select {
	case url = <-listens:
	case err := <-ended:
		cancel()
		return "", "", nil, err
	}
	tokens, err := access.Keep(o.Dir)
	return url, tokens.Agent, stop, err
}

// Example asks a server as a program would.
func Example() {
	dir, err := os.MkdirTemp("", "stemma")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	url, token, stop, err := server(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer stop()

	ctx := context.Background()
	c := client.New(url, token)
	c.Agent = "planner"
	kept, err := c.Remember(ctx, api.RememberRequest{Text: "We decided to deploy on Mondays"})
	if err != nil {
		log.Fatal(err)
	}
	found, err := c.Search(ctx, api.SearchRequest{Query: "when do we deploy", Kind: "note"})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range found.Results {
		fmt.Println(r.Text, r.Ref == kept.Memories[0].Ref)
		why, err := c.Why(ctx, api.WhyRequest{Ref: r.Ref})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("from the words:", why.Sources[0].Blob)
	}
	_, err = c.Show(ctx, api.RefRequest{Ref: "raw:00000000"})
	fmt.Println(errors.Is(err, api.ErrNotFound), err)
	// Output:
	// We decided to deploy on Mondays true
	// from the words: We decided to deploy on Mondays
	// true no record raw:00000000 in this store
}

// Events come as things are written, and go on where they broke off.
func TestEvents(t *testing.T) {
	dir := t.TempDir()
	url, token, stop, err := server(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}()
	c := client.New(url, token)
	capture := func(text string) string {
		t.Helper()
		w, err := c.Capture(t.Context(), api.CaptureRequest{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return w.Ref
	}
	capture("before")
	beside, err := engine.Open(
		t.Context(), filepath.Join(dir, "memory.db"), engine.Config{Databases: sqlstore.Databases{}, ReadOnly: true},
	)
	if err != nil {
		t.Fatal(err)
	}
	last, err := beside.Cursor(t.Context())
	if closeErr := beside.Close(); err != nil || closeErr != nil {
		t.Fatal(err, closeErr)
	}
	wanted := []string{capture("first"), ""}
	for e, err := range c.Events(t.Context(), last) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Change == nil {
			continue
		}
		if last = e.ID; e.Change.Ref != wanted[0] {
			t.Fatalf("the event is %+v, want %s", e.Change, wanted[0])
		}
		if wanted = wanted[1:]; len(wanted) == 0 {
			break
		}
		wanted[0] = capture("while somebody listens")
	}
	missed := []string{capture("while nobody listened"), capture("and again")}
	for e, err := range c.Events(t.Context(), last) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Change == nil {
			continue
		}
		if e.Change.Ref != missed[0] || e.Change.Type != "raw" || strings.Contains(fmt.Sprint(*e.Change), "nobody") {
			t.Fatalf("the event is %+v, want %s", e.Change, missed[0])
		}
		if missed = missed[1:]; len(missed) == 0 {
			break
		}
	}
}

// Each kind of problem is the error of package stemma that it names, and what a
// server says to wait for is asked again under the same key.
func TestErrors(t *testing.T) {
	status, asked, keys := ops.Statuses[0], 0, map[string]bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		keys[r.Header.Get("Idempotency-Key")] = true
		if status.Name == "" {
			if asked == 1 {
				w.Header().Set("Retry-After", "1")
				access.Refuse(w, http.StatusTooManyRequests, access.KindTooMany, "wait")
				return
			}
			fmt.Fprint(w, `{"ref":"raw:1"}`)
			return
		}
		access.Refuse(w, status.HTTP, status.Name, "because")
	}))
	defer s.Close()
	c := client.New(s.URL, "token")
	ask := func() (api.WriteReply, error) { return c.Capture(t.Context(), api.CaptureRequest{}) }
	for _, status = range ops.Statuses {
		if _, err := ask(); !errors.Is(err, status.Err) || err.Error() != "because" {
			t.Errorf("%s: %v", status.Name, err)
		}
		for _, other := range ops.Statuses {
			if _, err := ask(); other.Name != status.Name && errors.Is(err, other.Err) {
				t.Errorf("%s is %s too", status.Name, other.Name)
			}
		}
	}
	status, asked, keys = ops.Status{}, 0, map[string]bool{}
	if r, err := ask(); err != nil || r.Ref != "raw:1" || asked != 2 || len(keys) != 1 {
		t.Errorf("asked %d times under %d keys: %+v, %v; want twice under one", asked, len(keys), r, err)
	}
	s.Close()
	if _, err := ask(); !errors.Is(err, api.ErrUnavailable) {
		t.Errorf("nobody listens: %v", err)
	}
}
