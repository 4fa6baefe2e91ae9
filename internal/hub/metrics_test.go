package hub

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/otlp"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/tracing"
	"github.com/stemma-memory/stemma/memory"
)

// pooled is a hub's store whose connections do not depend on the machine.
type pooled struct{ store.Hub }

func (pooled) Pool() store.Pool { return store.Pool{InUse: 3, Most: 24, Waits: 2, Retries: 5} }

// counting is a hub that did this and that.
func counting(t *testing.T) *place {
	t.Helper()
	p := serveHub(t, openHub(t, filepath.Join(t.TempDir(), "hub.db")))
	p.joins("ann", "", "").mustSync(t)
	p.http.Close() // and what it counted is forgotten
	s := p.server
	s.counts = counts{began: p.now}
	s.o.Metrics, s.o.Version, s.o.Store = "token", "1.2.3", pooled{s.o.Store}
	s.o.Traces = tracing.New(tracing.Options{Target: otlp.Target{Endpoint: "http://127.0.0.1:1"}})
	p.now = p.now.Add(90*time.Minute + 25*time.Millisecond)
	s.counts.did("push", "3f9a81c05d11", http.StatusOK, 30*time.Millisecond, 1<<40, 100)
	s.counts.did("push", "", http.StatusOK, 1234567*time.Nanosecond, 5, 6)
	s.counts.did("push", "", http.StatusForbidden, time.Second, -1, 7)
	s.counts.did("letter", "", http.StatusNotFound, 0, 0, 0)
	s.counts.pushed(peer.Acks{Stored: make([]memory.ID, 3), Held: make([]memory.ID, 2), Refused: make([]peer.Refusal, 1)})
	s.counts.inbox.Add(4)
	return p
}

// What Prometheus reads is what dashboards are made of: it stays as it is to the byte.
func TestPrometheusIsShown(t *testing.T) {
	p := counting(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
	r.Header.Set("Authorization", "Bearer token")
	w := httptest.NewRecorder()
	p.server.showMetrics(w, r)
	want, err := os.ReadFile("testdata/prometheus.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Body.String(); got != string(want) ||
		w.Header().Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("%v\n%s\nwant\n%s", w.Header(), got, want)
	}
}

// What collectors are sent has names that stay. While the database is away what only that
// knows is missing, and the rest is there.
func TestNamesThatAreSent(t *testing.T) {
	p := counting(t)
	want := []string{"stemma.hub.build 1", "stemma.hub.uptime s", "stemma.hub.accounts {account}",
		"stemma.hub.spaces {space}", "stemma.hub.tokens.ending {token}", "stemma.hub.database.duration s",
		"stemma.hub.lag.records {record}", "stemma.hub.lag.duration s",
		"stemma.hub.connections {connection}", "stemma.hub.connection.waits {wait}",
		"stemma.hub.retries {transaction}", "stemma.hub.rewritten {log}",
		"stemma.hub.pushes {push}", "stemma.hub.records {record}",
		"stemma.hub.bytes By", "stemma.hub.letters {letter}", "stemma.spans.dropped {span}",
		"stemma.hub.requests {request}", "stemma.hub.request.duration s", "stemma.hub.token.requests {request}"}
	page, err := os.ReadFile("../../docs/reference/http.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, away := range []bool{false, true} {
		if away {
			want = slices.Delete(want, 2, 8)
			if err := p.store.(io.Closer).Close(); err != nil {
				t.Fatal(err)
			}
		}
		l, err := p.server.list(t.Context())
		var got []string
		for _, m := range l.Metrics {
			got = append(got, m.Sent+" "+m.Unit)
			if row := "\n| `" + m.Shown + "` | `" + m.Sent + "` |"; !strings.Contains(string(page), row) {
				t.Errorf("docs/reference/http.md has no row%s", row)
			}
		}
		if (err != nil) != away || !slices.Equal(got, want) {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
		r.Header.Set("Authorization", "Bearer token")
		p.server.showMetrics(w, r)
		if (w.Code == http.StatusOK) == away {
			t.Errorf("Prometheus is answered %d", w.Code)
		}
	}
}
