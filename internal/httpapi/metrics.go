package httpapi

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/metrics"
	"github.com/stemma-memory/stemma/internal/sorting"
)

// Metrics count what was asked. They hold names of operations and numbers, and
// nothing of what a memory says.
type Metrics struct {
	began   time.Time
	now     func() time.Time
	limited atomic.Int64 // requests refused for being too many
	streams atomic.Int64 // of events, open now
	dropped func() int64 // spans that no collector took; nil is none
	remotes func(context.Context) ([]api.Remote, error)

	mu   sync.Mutex
	done map[asked]int64
	took map[string]*spread // by operation
}

// asked is what requests are counted by.
type asked struct {
	op     string
	status int
}

// bounds are the ends of the steps in which times are counted, in seconds.
var bounds = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10}

// spread is how long requests took.
type spread struct {
	steps []int64 // one more than bounds
	sum   float64
}

func newMetrics(o Options) *Metrics {
	return &Metrics{
		dropped: o.Dropped, remotes: o.Remotes, began: o.Now(), now: o.Now, done: make(map[asked]int64),
		took: make(map[string]*spread),
	}
}

func (m *Metrics) did(op string, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done[asked{op, status}]++
	s := m.took[op]
	if s == nil {
		s = &spread{steps: make([]int64, len(bounds)+1)}
		m.took[op] = s
	}
	at, _ := slices.BinarySearch(bounds, took.Seconds())
	s.steps[at]++
	s.sum += took.Seconds()
}

// List returns what was counted, for both that read it.
func (m *Metrics) List(ctx context.Context) (metrics.List, error) {
	op := func(name string) metrics.Label { return metrics.Word("op", "stemma.operation", name) }
	l := metrics.List{Began: m.began, Now: m.now()}
	l.Metrics = []metrics.Metric{
		{Kind: metrics.Gauge, Shown: "stemma_up_seconds", Sent: "stemma.uptime", Unit: "s",
			Help:   "How long the server has run.",
			Points: []metrics.Point{metrics.Seconds(l.Now.Sub(l.Began))}},
		{Kind: metrics.Counter, Shown: "stemma_limited_total", Sent: "stemma.limited", Unit: "{request}",
			Help:   "Requests refused because a client asked too much.",
			Points: []metrics.Point{metrics.Whole(m.limited.Load())}},
		{Kind: metrics.Gauge, Shown: "stemma_event_streams", Sent: "stemma.event.streams", Unit: "{stream}",
			Help:   "Streams of events that are open.",
			Points: []metrics.Point{metrics.Whole(m.streams.Load())}},
	}
	if m.dropped != nil {
		l.Metrics = append(l.Metrics, metrics.Dropped(m.dropped()))
	}
	behind, err := lag(ctx, m.remotes)
	if err != nil {
		return l, err
	}
	l.Metrics = append(l.Metrics, behind...)
	requests := metrics.Metric{
		Kind: metrics.Counter, Shown: "stemma_requests_total", Sent: "stemma.requests", Unit: "{request}",
		Help: "Operations done, by what they were answered with.",
	}
	times := metrics.Metric{
		Kind: metrics.Histogram, Shown: "stemma_request_seconds", Sent: "stemma.request.duration", Unit: "s",
		Help: "How long operations took.",
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	answered := slices.Collect(maps.Keys(m.done))
	sorting.By(answered, asked.compare)
	for _, k := range answered {
		requests.Points = append(requests.Points, metrics.Whole(m.done[k], op(k.op), metrics.Status(k.status)))
	}
	for _, name := range slices.Sorted(maps.Keys(m.took)) {
		s := m.took[name]
		times.Points = append(times.Points, metrics.Spread(bounds, s.steps, s.sum, op(name)))
	}
	l.Metrics = append(l.Metrics, requests, times)
	return l, nil
}

// serve shows the counts to Prometheus.
func (m *Metrics) serve(w http.ResponseWriter, r *http.Request) {
	l, err := m.List(r.Context())
	if err != nil {
		refuse(w, err)
		return
	}
	l.Serve(w)
}

func (k asked) compare(o asked) int { return cmp.Or(cmp.Compare(k.op, o.op), k.status-o.status) }
