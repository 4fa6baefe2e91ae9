package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/llm"
)

const secret = "sk-very-secret-1234"

// against returns an embedder that asks the handler, and waits for nothing but remembers how long it would have.
func against(t *testing.T, handler http.HandlerFunc) (*Embedder, *[]time.Duration) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	e, err := New(Config{Base: server.URL, Model: "tiny", Key: secret + "\n"})
	if err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	e.server.Most = 1 << 20
	e.server.Wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	e.server.Jitter = func(most time.Duration) time.Duration { return most }
	return e, &waits
}

// answers returns a handler that answers always the same.
func answers(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestEmbed(t *testing.T) {
	e, _ := against(t, func(w http.ResponseWriter, r *http.Request) {
		var q map[string]any
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		want := `map[dimensions:2 encoding_format:float input:[one two] model:tiny]`
		if got := fmt.Sprint(q); got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
		if r.Method != "POST" || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("asked %s %s with %q", r.Method, r.URL, r.Header.Get("Authorization"))
		}
		answers(200, `{"data":[{"index":1,"embedding":[0, -2e0]},{"index":0,"embedding":[1.5,0]}]}`)(w, r)
	})
	e.dimensions = 2
	got, err := e.Embed(t.Context(), llm.Document, "one", "two")
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]float32{{1.5, 0}, {0, -2}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := "openai:" + e.server.Base.Host + "/v1:tiny:2"; e.Model() != want {
		t.Errorf("model %q, want %q", e.Model(), want)
	}
	if got, err := e.Embed(t.Context(), llm.Document); got != nil || err != nil {
		t.Errorf("no texts: %v, %v", got, err)
	}
}

func TestEmbedWithoutIndexAndKey(t *testing.T) {
	e, _ := against(t, func(w http.ResponseWriter, r *http.Request) {
		if _, there := r.Header["Authorization"]; there {
			t.Error("sent an empty key")
		}
		answers(200, `{"data":[{"embedding":[1]},{"embedding":[2]}]}`)(w, r)
	})
	e.server.Key = ""
	if got, err := e.Embed(t.Context(), llm.Query, "a", "b"); err != nil || got[0][0] != 1 || got[1][0] != 2 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestBadAnswers(t *testing.T) {
	tests := []struct {
		name    string
		handler http.HandlerFunc
		kind    error
		says    string
		asked   int
	}{
		{"wrong key", answers(401, `{"error":{"message":"no such key: `+secret+`"}}`), llm.ErrRefused,
			"/v1: 401 unauthorised: is the key right? (it says: no such key: [key])", 1},
		{
			"unknown model", answers(404, `{"error":"no model \u001b[31m`+strings.Repeat("é", 300)+`"}`),
			llm.ErrRefused, "404 not found", 1,
		},
		{"bad request", answers(400, `{"detail":"too long"}`), llm.ErrRefused, "400 bad request (it says: too long)", 1},
		{"broken", answers(500, `<html>`), llm.ErrUnavailable, "500 internal server error (asked 3 times)", 3},
		{
			"overloaded", answers(429, `{"message":"slow down"}`), llm.ErrUnavailable,
			"429 too many requests (it says: slow down) (asked 3 times)", 3,
		},
		{"never", answers(501, ``), llm.ErrRefused, "501 not implemented", 1},
		{"empty", answers(204, ``), llm.ErrRefused, "204 no content", 1},
		{"asks for an hour", answers(503, ``, "Retry-After", "3600"), llm.ErrUnavailable, "asked again in 2m0s", 1},
		{"web page", answers(200, " <!doctype html><html>"), llm.ErrNonsense, "a web page instead of an answer", 1},
		{"no JSON", answers(200, "hello"), llm.ErrNonsense, "cannot be read", 1},
		{"half", answers(200, `{"data":[{"index":0,"embedding":[1,`), llm.ErrNonsense, "cannot be read", 1},
		{"cut off", answers(200, `{"data":[`, "Content-Length", "1000"), llm.ErrUnavailable, "(asked 3 times)", 3},
		{"no data", answers(200, `{}`), llm.ErrNonsense, "0 vectors for 2 texts", 1},
		{"too few", answers(200, `{"data":[{"index":0,"embedding":[1]}]}`), llm.ErrNonsense, "1 vectors for 2 texts", 1},
		{
			"one twice", answers(200, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`),
			llm.ErrNonsense, "numbered", 1,
		},
		{
			"one beyond", answers(200, `{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`),
			llm.ErrNonsense, "numbered", 1,
		},
		{
			"one below", answers(200, `{"data":[{"index":0,"embedding":[1]},{"index":-1,"embedding":[1]}]}`),
			llm.ErrNonsense, "numbered", 1,
		},
		{
			"empty vector", answers(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[]}]}`),
			llm.ErrNonsense, "empty vector", 1,
		},
		{
			"null vector", answers(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":null}]}`),
			llm.ErrNonsense, "list of numbers", 1,
		},
		{
			"null number", answers(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[null]}]}`),
			llm.ErrNonsense, "list of numbers", 1,
		},
		{
			"NaN in words",
			answers(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":["NaN"]}]}`),
			llm.ErrNonsense, "list of numbers", 1,
		},
		{
			"base64",
			answers(200, `{"data":[{"index":0,"embedding":"AACAPw=="},{"index":1,"embedding":"AACAPw=="}]}`),
			llm.ErrNonsense, "list of numbers", 1,
		},
		{
			"NaN", answers(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[NaN]}]}`),
			llm.ErrNonsense, "cannot be read", 1,
		},
		{
			"too great", answers(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e39]}]}`),
			llm.ErrNonsense, "list of numbers", 1,
		},
		{
			"nested", answers(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[[1]]}]}`),
			llm.ErrNonsense, "list of numbers", 1,
		},
		{"elsewhere", answers(307, ``, "Location", "https://evil.example/v1/embeddings?k=v"), llm.ErrRefused,
			`307 sends us elsewhere, which we do not follow: give "https://evil.example/v1/embeddings"`, 1},
		{"a gigabyte", func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"data":[`)
			for space := strings.Repeat(" ", 1<<20); ; {
				if _, err := io.WriteString(w, space); err != nil {
					return // we hung up; a gigabyte would have come otherwise
				}
			}
		}, llm.ErrNonsense, "more than 1 MiB", 1},
		{
			"hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			llm.ErrUnavailable, "no answer", 3,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked atomic.Int64
			e, _ := against(t, func(w http.ResponseWriter, r *http.Request) { asked.Add(1); tt.handler(w, r) })
			got, err := e.Embed(t.Context(), llm.Document, "a", "b")
			if got != nil || !errors.Is(err, tt.kind) {
				t.Fatalf("got %v, error %v, want %v", got, err, tt.kind)
			}
			text := err.Error()
			if !strings.Contains(text, tt.says) || !strings.HasPrefix(text, "embedder http://") {
				t.Errorf("error %q does not say %q", text, tt.says)
			}
			if strings.Contains(text, secret) || strings.ContainsRune(text, '\x1b') || len(text) > 500 {
				t.Errorf("error tells too much: %q", text)
			}
			if int(asked.Load()) != tt.asked {
				t.Errorf("asked %d times, want %d", asked.Load(), tt.asked)
			}
		})
	}
}

func TestRetries(t *testing.T) {
	tries := 0
	e, waits := against(t, func(w http.ResponseWriter, r *http.Request) {
		tries++
		switch tries {
		case 1:
			answers(429, ``, "Retry-After", "7")(w, r)
		case 2:
			answers(502, ``)(w, r)
		default:
			answers(200, `{"data":[{"embedding":[1]}]}`)(w, r)
		}
	})
	if _, err := e.Embed(t.Context(), llm.Document, "a"); err != nil {
		t.Fatal(err)
	}
	if want := []time.Duration{7 * time.Second, 400 * time.Millisecond}; !slices.Equal(*waits, want) {
		t.Errorf("waited %v, want %v", *waits, want)
	}
}

func TestRetryAfterADate(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	e, waits := against(t, answers(503, ``, "Retry-After", now.Add(9*time.Second).Format(http.TimeFormat)))
	e.server.Now = func() time.Time { return now }
	_, err := e.Embed(t.Context(), llm.Document, "a")
	if want := []time.Duration{9 * time.Second, 9 * time.Second}; !errors.Is(err, llm.ErrUnavailable) ||
		!slices.Equal(*waits, want) {
		t.Errorf("waited %v, want %v; error %v", *waits, want, err)
	}
}

func TestDoesNotWaitBeyondItsTime(t *testing.T) {
	e, waits := against(t, answers(503, ``, "Retry-After", "30"))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := e.Embed(ctx, llm.Document, "a"); !errors.Is(err, llm.ErrUnavailable) || len(*waits) != 0 {
		t.Errorf("waited %v, error %v, want ErrUnavailable at once", *waits, err)
	}
}

func TestSlow(t *testing.T) {
	gone := make(chan struct{})
	e, _ := against(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		close(gone)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := e.Embed(ctx, llm.Document, "a")
	if !errors.Is(err, llm.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) ||
		!strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("slow: %v, want ErrUnavailable, DeadlineExceeded", err)
	}
	<-gone
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e, _ := against(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	if _, err := e.Embed(ctx, llm.Document, "a"); !errors.Is(err, context.Canceled) || errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("cancelled: %v, want context.Canceled alone", err)
	}
}

func TestCancelledWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e, _ := against(t, answers(503, ``))
	e.server.Wait = nil // the real one
	e.server.Jitter = func(time.Duration) time.Duration { cancel(); return time.Minute }
	if _, err := e.Embed(ctx, llm.Document, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestDown(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	e, err := New(Config{Base: server.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	e.server.Wait = func(context.Context, time.Duration) error { t.Error("waited for nobody"); return nil }
	if _, err := e.Embed(t.Context(), llm.Document, "a"); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("down: %v, want ErrUnavailable", err)
	}
}

// The key goes to the server it is for, whatever that says.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var asked atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		e, _ := against(t, answers(status, ``, "Location", other.URL+"/v1/embeddings"))
		if _, err := e.Embed(t.Context(), llm.Document, "a"); !errors.Is(err, llm.ErrRefused) {
			t.Errorf("%d: %v, want ErrRefused", status, err)
		}
	}
	if asked.Load() != 0 {
		t.Errorf("the other host was asked %d times", asked.Load())
	}
}

func TestCheckedOverHTTP(t *testing.T) {
	dims := 0
	inner, _ := against(t, func(w http.ResponseWriter, r *http.Request) {
		dims++
		answers(200, `{"data":[{"embedding":[`+strings.Repeat("1,", dims)+`1]}]}`)(w, r)
	})
	e := model.Checked(inner)
	if _, err := e.Embed(t.Context(), llm.Document, "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), llm.Document, "a"); !errors.Is(err, llm.ErrNonsense) {
		t.Errorf("another dimension the second time: %v, want ErrNonsense", err)
	}
}

func TestAddresses(t *testing.T) {
	tests := []struct{ base, want string }{
		{"http://localhost:8080", "http://localhost:8080/v1"},
		{" http://localhost:8080/ ", "http://localhost:8080/v1"},
		{"https://api.openai.com/v1/", "https://api.openai.com/v1"},
		{"https://api.openai.com/v1/embeddings", "https://api.openai.com/v1"},
		{"https://h/v1beta/openai", "https://h/v1beta/openai"},
	}
	for _, tt := range tests {
		e, err := New(Config{Base: tt.base, Model: "m"})
		if err != nil || e.server.Base.String() != tt.want {
			t.Errorf("base %q is %v (%v), want %s", tt.base, e.server.Base, err, tt.want)
		}
	}
	for _, base := range []string{
		"", "localhost:8080", "ftp://h", "http://", "http://u:hunter2@h", "http://h?k=hunter2",
		"http://h#hunter2", "http://h\x00hunter2",
	} {
		if _, err := New(Config{Base: base, Model: "m"}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("base %q: error %v", base, err)
		}
	}
	for _, key := range []string{"a b", "a\nb", "ключ"} {
		if _, err := New(Config{Base: "http://h", Model: "m", Key: key}); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("key %q: error %v", key, err)
		}
	}
	if _, err := New(Config{Base: "http://h"}); err == nil {
		t.Error("no model: no error")
	}
}
