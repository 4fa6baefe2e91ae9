package hub

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/tracing"
	"github.com/stemma-memory/stemma/memory"
)

// counting is a hub that did this and that.
func counting(t *testing.T) *place {
	t.Helper()
	p := serveHub(t, openHub(t, filepath.Join(t.TempDir(), "hub.db")))
	p.joins("ann", "", "").mustSync(t)
	p.http.Close() // and what it counted is forgotten
	s := p.server
	s.counts = metrics{began: p.now}
	s.o.Metrics = "token"
	s.o.Traces = tracing.New(tracing.Options{Endpoint: "http://127.0.0.1:1"})
	p.now = p.now.Add(90*time.Minute + 25*time.Millisecond)
	s.counts.did("push", http.StatusOK, 30*time.Millisecond, 1<<40, 100)
	s.counts.did("push", http.StatusOK, 1234567*time.Nanosecond, 5, 6)
	s.counts.did("push", http.StatusForbidden, time.Second, -1, 7)
	s.counts.did("letter", http.StatusNotFound, 0, 0, 0)
	s.counts.pushed(peer.Acks{Stored: make([]memory.ID, 3), Held: make([]memory.ID, 2), Refused: make([]peer.Refusal, 1)})
	s.counts.letters.Add(4)
	return p
}

// What Prometheus reads is what dashboards are made of: it stays as it is to the byte.
func TestPrometheusIsShown(t *testing.T) {
	p := counting(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
	r.Header.Set("Authorization", "Bearer token")
	w := httptest.NewRecorder()
	p.server.metrics(w, r)
	want, err := os.ReadFile("testdata/prometheus.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Body.String(); got != string(want) || w.Header().Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("%v\n%s\nwant\n%s", w.Header(), got, want)
	}
}
