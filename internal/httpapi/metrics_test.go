package httpapi

import (
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// What Prometheus reads is what dashboards are made of: it stays as it is to the byte.
func TestPrometheusIsShown(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	m := newMetrics(func() time.Time { return now }, func() int64 { return 7 })
	m.did("search", http.StatusOK, 30*time.Millisecond)
	m.did("search", http.StatusOK, 20*time.Second)
	m.did("search", http.StatusNotFound, time.Millisecond)
	m.did("capture", http.StatusOK, 1234567*time.Nanosecond)
	m.limited.Add(1 << 40)
	m.streams.Add(2)
	now = now.Add(2*time.Hour + 345*time.Millisecond)
	w := httptest.NewRecorder()
	m.serve(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	want, err := os.ReadFile("testdata/prometheus.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Body.String(); got != string(want) ||
		w.Header().Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("%v\n%s\nwant\n%s", w.Header(), got, want)
	}
}

// What collectors are sent has names that stay.
func TestNamesThatAreSent(t *testing.T) {
	l, err := newMetrics(time.Now, func() int64 { return 0 }).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/reference/http.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range l.Metrics {
		got = append(got, m.Sent+" "+m.Unit)
		if row := "\n| `" + m.Shown + "` | `" + m.Sent + "` |"; !strings.Contains(string(page), row) {
			t.Errorf("docs/reference/http.md has no row%s", row)
		}
	}
	if want := []string{"stemma.uptime s", "stemma.limited {request}", "stemma.event.streams {stream}",
		"stemma.spans.dropped {span}",
		"stemma.requests {request}", "stemma.request.duration s"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
