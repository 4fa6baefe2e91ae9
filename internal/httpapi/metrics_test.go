package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
)

// What Prometheus reads is what dashboards are made of: it stays as it is to the byte.
func TestPrometheusIsShown(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	m := newMetrics(Options{
		Now: func() time.Time { return now }, Dropped: func() int64 { return 7 }, Remotes: behind,
	})
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
	l, err := newMetrics(Options{
		Now: time.Now, Dropped: func() int64 { return 0 }, Remotes: behind,
	}).List(t.Context())
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
		"stemma.spans.dropped {span}", "stemma.remote.unpushed {record}", "stemma.remote.unpulled {record}",
		"stemma.remote.exchange.age s", "stemma.remote.failures {exchange}",
		"stemma.requests {request}", "stemma.request.duration s"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// behind is two remotes: one that is behind, and one that was never reached.
func behind(context.Context) ([]api.Remote, error) {
	ago := int64(90)
	return []api.Remote{
		{Name: "team", Sync: &api.SyncState{Failures: 3}, Lag: &api.SyncLag{Unpushed: 12, Unpulled: 340, Seconds: &ago}},
		{Name: "usb", Lag: &api.SyncLag{Unpushed: 1}},
	}, nil
}

// What the alert rules and the dashboard ask of a store's server is there.
func TestAlertsOfStoresAskForWhatIsThere(t *testing.T) {
	w := httptest.NewRecorder()
	newMetrics(Options{Now: time.Now, Remotes: behind}).serve(
		w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	shown := w.Body.String()
	for _, file := range []string{"alerts.yaml", "dashboard.json"} {
		text, err := os.ReadFile("../../deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		asked := regexp.MustCompile(`stemma_remote_\w+`).FindAllString(string(text), -1)
		if len(asked) < 4 {
			t.Errorf("%s asks for %v alone", file, asked)
		}
		for _, name := range asked {
			if !strings.Contains(shown, "\n"+name+"{remote=\"team\"} ") {
				t.Errorf("%s asks for %s, which /metrics does not show", file, name)
			}
		}
	}
}

// A store that cannot be read is an error, not a store that is behind in nothing.
func TestLagThatIsNotKnownIsAnError(t *testing.T) {
	failed := errors.New("the store does not answer")
	w := httptest.NewRecorder()
	newMetrics(Options{Now: time.Now, Remotes: func(context.Context) ([]api.Remote, error) { return nil, failed }}).serve(
		w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if w.Code == http.StatusOK {
		t.Errorf("answered %d: %s", w.Code, w.Body)
	}
}
