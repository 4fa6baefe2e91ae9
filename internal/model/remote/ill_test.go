package remote_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/internal/model/anthropic"
	"github.com/stemma-memory/stemma/internal/model/openai"
	"github.com/stemma-memory/stemma/llm"
)

const secret = "sk-very-secret-5678"

// raw answers with bytes of our own, HTTP or not.
func raw(bytes string, then func(c net.Conn)) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, bytes)
		if then != nil {
			then(c)
		}
	}
}

// pour writes until the other side hangs up.
func pour(c net.Conn) {
	w := bufio.NewWriter(c)
	for space := strings.Repeat(" ", 1<<16); ; {
		if _, err := w.WriteString(space); err != nil {
			return
		}
	}
}

func says(code int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// A server that behaves badly gets no key passed on, no more asked than it should, and every error is of a kind.
func TestIllServers(t *testing.T) {
	var stolen atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stolen.Add(1) }))
	defer elsewhere.Close()
	quit := make(chan struct{})
	tests := []struct {
		name  string
		ill   http.HandlerFunc
		kind  error
		says  string
		asked int32 // by the two tries that bounds make
	}{
		{"hangs", func(_ http.ResponseWriter, r *http.Request) { <-quit }, llm.ErrUnavailable, "no answer in time", 2},
		{
			"hangs in the middle",
			raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", func(net.Conn) { <-quit }), llm.ErrUnavailable,
			"no answer in time", 2,
		},
		{
			"hangs in an error",
			raw("HTTP/1.1 500 No\r\nContent-Length: 99\r\n\r\n{", func(net.Conn) { <-quit }), llm.ErrUnavailable,
			"", 2,
		},
		{"resets", raw("", func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }), llm.ErrUnavailable, "no answer", 2},
		{"closes", raw("", nil), llm.ErrUnavailable, "no answer", 2},
		{"no HTTP", raw("SSH-2.0-OpenSSH_9\r\n", nil), llm.ErrUnavailable, "no answer", 2},
		{
			"429", says(429, `{"error":{"message":"slow"}}`, "Retry-After", "0"), llm.ErrUnavailable,
			"429 too many requests", 2,
		},
		{
			"429 for an hour", says(429, ``, "Retry-After", "3600"), llm.ErrUnavailable,
			"it would have to be asked again in 2m0s", 1,
		},
		{"500", says(500, `{"error":{"message":"`+secret+`"}}`), llm.ErrUnavailable, "it says: [key]", 2},
		{"529", says(529, ``), llm.ErrUnavailable, "529 overloaded", 2},
		{"408", says(408, ``), llm.ErrUnavailable, "408", 2},
		{"403", says(403, ``), llm.ErrRefused, "403 forbidden", 1},
		{"truncated", says(200, `{"choices":[{"message":`), llm.ErrNonsense, "cannot be read", 1},
		{
			"truncated and short", raw("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{}", nil),
			llm.ErrUnavailable, "no answer", 2,
		},
		{"endless", raw("HTTP/1.1 200 OK\r\n\r\n{", pour), llm.ErrNonsense, "an answer of more than 4 MiB", 1},
		{"endless error", raw("HTTP/1.1 503 No\r\n\r\n{", pour), llm.ErrUnavailable, "503", 2},
		{"endless header", raw("HTTP/1.1 200 OK\r\nX: ", pour), llm.ErrUnavailable, "no answer", 2},
		{
			"many headers",
			raw("HTTP/1.1 200 OK\r\n"+strings.Repeat("X: "+strings.Repeat("y", 1000)+"\r\n", 20_000), nil),
			llm.ErrUnavailable, "no answer", 2,
		},
		{"web page", says(200, "<html>", "Content-Type", "text/html"), llm.ErrNonsense, "a web page", 1},
		{"bytes", says(200, "\x00\xff\x1f\x8b", "Content-Type", "image/png"), llm.ErrNonsense, "cannot be read", 1},
		{"gzip that is none", says(200, "{}", "Content-Encoding", "gzip"), llm.ErrUnavailable, "no answer", 2},
		{"deep", says(200, strings.Repeat("[", 1<<20)), llm.ErrNonsense, "cannot be read", 1},
		{"empty", says(200, ""), llm.ErrNonsense, "cannot be read", 1},
		{"null", says(200, "null"), llm.ErrNonsense, "a", 1},
		{"redirect", says(302, "", "Location", elsewhere.URL+"/v1?key="+secret), llm.ErrRefused, "302 sends us elsewhere", 1},
		{
			"redirect that keeps the body", says(307, "", "Location", elsewhere.URL), llm.ErrRefused,
			"307 sends us elsewhere", 1,
		},
		{"redirect for ever", says(308, "", "Location", "/v1"), llm.ErrRefused, "308 sends us elsewhere", 1},
	}
	before := runtime.NumGoroutine()
	for _, tt := range tests {
		for _, provider := range []string{"openai", "anthropic"} {
			t.Run(tt.name+" "+provider, func(t *testing.T) {
				var asked atomic.Int32
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					asked.Add(1)
					_, _ = io.Copy(io.Discard, r.Body)
					tt.ill(w, r)
				}))
				server.Start()
				transport := &http.Transport{}
				g := generator(t, provider, server.URL, &http.Client{Transport: transport})
				bounds := model.Bounds{
					Bounds: llm.Bounds{Timeout: 300 * time.Millisecond},
					Wait:   func(context.Context, time.Duration) error { return nil },
				}
				if strings.HasPrefix(tt.name, "endless") || strings.HasPrefix(tt.name, "many") {
					bounds.Timeout = 5 * time.Second
				}
				a, err := bounds.Checked(g).Generate(
					t.Context(), llm.Question{Task: llm.Detect, Parts: []llm.Part{{Name: "new", Text: "x"}}},
				)
				if !errors.Is(err, tt.kind) || a.Text != "" || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("got %v, want %v that says %q", err, tt.kind, tt.says)
				}
				for _, other := range []error{llm.ErrUnavailable, llm.ErrRefused, llm.ErrNonsense, llm.ErrDeclined} {
					if other != tt.kind && errors.Is(err, other) {
						t.Errorf("%v is %v too", err, other)
					}
				}
				if err != nil && (strings.Contains(err.Error(), secret) || len(err.Error()) > 1000) {
					t.Errorf("the error holds the key or is %d bytes: %.300s", len(err.Error()), err)
				}
				if asked.Load() != tt.asked {
					t.Errorf("asked %d times, want %d", asked.Load(), tt.asked)
				}
				transport.CloseIdleConnections()
				server.CloseClientConnections()
				go server.Close() // those that hang, hang until the end
			})
		}
	}
	close(quit)
	if stolen.Load() != 0 {
		t.Errorf("followed %d redirects", stolen.Load())
	}
	elsewhere.Close()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; <-time.After(10 * time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func generator(t *testing.T, provider, base string, client *http.Client) llm.Generator {
	t.Helper()
	var g llm.Generator
	var err error
	switch provider {
	case "openai":
		g, err = openai.NewGenerator(openai.GeneratorConfig{Base: base, Model: "small-1", Key: secret, Client: client})
	case "anthropic":
		g, err = anthropic.New(anthropic.Config{Base: base, Model: "small-1", Key: secret, Client: client})
	default:
		err = fmt.Errorf("no provider %q", provider)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}
