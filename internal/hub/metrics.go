package hub

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/internal/peer"
)

// metrics count what a hub did: names of calls and numbers, of nobody in particular.
type metrics struct {
	began time.Time

	pushes, stored, held, refused atomic.Int64 // what was pushed, and what became of its records
	in, out                       atomic.Int64 // bytes of bodies, packed as they came and went
	letters                       atomic.Int64

	mu   sync.Mutex
	done map[asked]int64
	took map[string]lasted
}

// asked is what requests are counted by.
type asked struct {
	call   string
	status int
}

type lasted struct {
	seconds float64
	count   int64
}

// callOf names a request by the route that answers it.
func callOf(pattern string) string {
	_, route, _ := strings.Cut(pattern, " ")
	switch name := path.Base(route); name {
	case "/", ".", "":
		return "other"
	case "{id}":
		return "letter"
	default:
		return name
	}
}

func (m *metrics) did(call string, status int, took time.Duration, in, out int64) {
	m.in.Add(max(0, in))
	m.out.Add(out)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done == nil {
		m.done, m.took = make(map[asked]int64), make(map[string]lasted)
	}
	m.done[asked{call, status}]++
	l := m.took[call]
	m.took[call] = lasted{l.seconds + took.Seconds(), l.count + 1}
}

func (m *metrics) pushed(a peer.Acks) {
	m.pushes.Add(1)
	m.stored.Add(int64(len(a.Stored)))
	m.held.Add(int64(len(a.Held)))
	m.refused.Add(int64(len(a.Refused)))
}

// metrics shows the counts, as Prometheus reads them, to whoever has the token that lies
// in the hub's directory. They are about all accounts together, and so for none of them.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	got, want := sha256.Sum256([]byte(text)), sha256.Sum256([]byte(s.o.Metrics))
	if !ok || s.o.Metrics == "" || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
		unknown(w)
		return
	}
	accounts, err := s.o.Store.Accounts(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	spaces, err := s.o.Store.Totals(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	live := 0
	for _, a := range accounts {
		if a.Ended.IsZero() {
			live++
		}
	}
	m := &s.counts
	var b strings.Builder
	say := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	one := func(name, kind, help string, n any) {
		say(name, kind, help)
		fmt.Fprintf(&b, "%s %v\n", name, n)
	}
	one("stemma_hub_up_seconds", "gauge", "How long this process has served.", s.o.Now().Sub(m.began).Seconds())
	one("stemma_hub_accounts", "gauge", "Accounts that may ask.", live)
	one("stemma_hub_spaces", "gauge", "Spaces that have begun.", len(spaces))
	one("stemma_hub_pushes_total", "counter", "Pushes taken.", m.pushes.Load())
	say("stemma_hub_records_total", "counter", "Records pushed: stored, held before (a replay), or refused.")
	for _, c := range []struct {
		what string
		n    int64
	}{{"stored", m.stored.Load()}, {"held", m.held.Load()}, {"refused", m.refused.Load()}} {
		fmt.Fprintf(&b, "stemma_hub_records_total{what=%q} %d\n", c.what, c.n)
	}
	say("stemma_hub_bytes_total", "counter", "Bytes of requests and of answers, as they travelled.")
	fmt.Fprintf(&b, "stemma_hub_bytes_total{direction=\"in\"} %d\nstemma_hub_bytes_total{direction=\"out\"} %d\n", m.in.Load(), m.out.Load())
	one("stemma_hub_letters_total", "counter", "Letters taken for somebody.", m.letters.Load())
	if s.o.Traces != nil {
		one("stemma_spans_dropped_total", "counter", "Spans that were made and not delivered.", s.o.Traces.Dropped())
	}
	m.mu.Lock()
	say("stemma_hub_requests_total", "counter", "Requests, by what they were answered with.")
	for _, k := range slices.SortedFunc(maps.Keys(m.done), func(a, b asked) int { return cmp.Or(cmp.Compare(a.call, b.call), a.status-b.status) }) {
		fmt.Fprintf(&b, "stemma_hub_requests_total{call=%q,status=\"%d\"} %d\n", k.call, k.status, m.done[k])
	}
	say("stemma_hub_request_seconds", "summary", "How long requests took.")
	for _, call := range slices.Sorted(maps.Keys(m.took)) {
		fmt.Fprintf(&b, "stemma_hub_request_seconds_sum{call=%q} %g\nstemma_hub_request_seconds_count{call=%q} %d\n", call, m.took[call].seconds, call, m.took[call].count)
	}
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write([]byte(b.String())) // who hung up does not read
}
