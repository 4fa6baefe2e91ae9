package httpapi

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Metrics count what was asked. They hold names of operations and numbers, and
// nothing of what a memory says.
type Metrics struct {
	began   time.Time
	now     func() time.Time
	limited atomic.Int64 // requests refused for being too many
	streams atomic.Int64 // of events, open now
	dropped func() int64 // spans that no collector took; nil is none

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
	count int64
}

func newMetrics(now func() time.Time, dropped func() int64) *Metrics {
	return &Metrics{dropped: dropped, began: now(), now: now, done: make(map[asked]int64), took: make(map[string]*spread)}
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
	s.count++
}

// serve writes the counts as Prometheus reads them.
func (m *Metrics) serve(w http.ResponseWriter, _ *http.Request) {
	var b strings.Builder
	say := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	say("stemma_up_seconds", "gauge", "How long the server has run.")
	fmt.Fprintf(&b, "stemma_up_seconds %g\n", m.now().Sub(m.began).Seconds())
	say("stemma_limited_total", "counter", "Requests refused because a client asked too much.")
	fmt.Fprintf(&b, "stemma_limited_total %d\n", m.limited.Load())
	say("stemma_event_streams", "gauge", "Streams of events that are open.")
	fmt.Fprintf(&b, "stemma_event_streams %d\n", m.streams.Load())
	if m.dropped != nil {
		say("stemma_spans_dropped_total", "counter", "Spans that were made and not delivered.")
		fmt.Fprintf(&b, "stemma_spans_dropped_total %d\n", m.dropped())
	}
	m.mu.Lock()
	say("stemma_requests_total", "counter", "Operations done, by what they were answered with.")
	for _, k := range slices.SortedFunc(maps.Keys(m.done), asked.compare) {
		fmt.Fprintf(&b, "stemma_requests_total{op=%q,status=\"%d\"} %d\n", k.op, k.status, m.done[k])
	}
	say("stemma_request_seconds", "histogram", "How long operations took.")
	for _, op := range slices.Sorted(maps.Keys(m.took)) {
		s, sum := m.took[op], int64(0)
		for i, n := range s.steps {
			sum += n
			end := "+Inf"
			if i < len(bounds) {
				end = fmt.Sprint(bounds[i])
			}
			fmt.Fprintf(&b, "stemma_request_seconds_bucket{op=%q,le=%q} %d\n", op, end, sum)
		}
		fmt.Fprintf(&b, "stemma_request_seconds_sum{op=%q} %g\nstemma_request_seconds_count{op=%q} %d\n", op, s.sum, op, s.count)
	}
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write([]byte(b.String())) // who hung up does not read
}

func (k asked) compare(o asked) int { return cmp.Or(cmp.Compare(k.op, o.op), k.status-o.status) }
