package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/internal/metrics"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
)

// counts are of what a hub did: names of calls and numbers, of no one in particular.
type counts struct {
	began time.Time

	pushes, stored, held, refused atomic.Int64 // what was pushed, and what became of its records
	in, out                       atomic.Int64 // bytes of bodies, packed as they came and went
	inbox                         atomic.Int64
	rewritten                     atomic.Int64 // histories that did not grow from what was seen of them
	readers                       readers

	mu     sync.Mutex
	done   map[asked]int64
	took   map[string]lasted
	tokens map[string]int64 // requests, by the public id of the token
}

// mostTokens is how many tokens are counted by themselves; requests with others are counted together.
const mostTokens = 1000

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

func (m *counts) did(call, token string, status int, took time.Duration, in, out int64) {
	m.in.Add(max(0, in))
	m.out.Add(out)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done == nil {
		m.done, m.took = make(map[asked]int64), make(map[string]lasted)
	}
	m.done[asked{call, status}]++
	if token != "" {
		if _, known := m.tokens[token]; !known && len(m.tokens) >= mostTokens {
			token = "other"
		}
		if m.tokens == nil {
			m.tokens = make(map[string]int64)
		}
		m.tokens[token]++
	}
	l := m.took[call]
	m.took[call] = lasted{l.seconds + took.Seconds(), l.count + 1}
}

func (m *counts) pushed(a peer.Acks) {
	m.pushes.Add(1)
	m.stored.Add(int64(len(a.Stored)))
	m.held.Add(int64(len(a.Held)))
	m.refused.Add(int64(len(a.Refused)))
}

// showMetrics shows the counters in Prometheus format to a client with the token in the hub's
// directory. They cover all accounts together, so no account may read them.
func (s *Server) showMetrics(w http.ResponseWriter, r *http.Request) {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	got, want := sha256.Sum256([]byte(text)), sha256.Sum256([]byte(s.o.Metrics))
	if !ok || s.o.Metrics == "" || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
		unknown(w)
		return
	}
	l, err := s.list(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	l.Serve(w)
}

// list returns the counters for both readers. While the database is unreachable it returns
// those that need no database, and the error.
func (s *Server) list(ctx context.Context) (metrics.List, error) {
	m := &s.counts
	word := func(n int64, shown, sent, text string) metrics.Point {
		return metrics.Whole(n, metrics.Word(shown, sent, text))
	}
	l := metrics.List{Began: m.began, Now: s.o.Now()}
	live, ending, spaces, err := s.totals(ctx)
	l.Metrics = append(l.Metrics, metrics.Metric{
		Kind: metrics.Gauge, Shown: "stemma_hub_build_info", Sent: "stemma.hub.build", Unit: "1",
		Help:   "1, with the version of the program.",
		Points: []metrics.Point{word(1, "version", "service.version", s.o.Version)},
	}, metrics.Metric{
		Kind: metrics.Gauge, Shown: "stemma_hub_up_seconds", Sent: "stemma.hub.uptime", Unit: "s",
		Help:   "How long this process has served.",
		Points: []metrics.Point{metrics.Seconds(l.Now.Sub(l.Began))},
	})
	if err == nil {
		l.Metrics = append(l.Metrics,
			metrics.Metric{Kind: metrics.Gauge, Shown: "stemma_hub_accounts", Sent: "stemma.hub.accounts",
				Unit: "{account}", Help: "Accounts that may ask.",
				Points: []metrics.Point{metrics.Whole(live)}},
			metrics.Metric{Kind: metrics.Gauge, Shown: "stemma_hub_spaces", Sent: "stemma.hub.spaces", Unit: "{space}",
				Help:   "Spaces that have begun.",
				Points: []metrics.Point{metrics.Whole(int64(len(spaces)))}},
			metrics.Metric{Kind: metrics.Gauge, Shown: "stemma_hub_tokens_ending", Sent: "stemma.hub.tokens.ending",
				Unit: "{token}", Help: "Tokens that end within a week.",
				Points: []metrics.Point{metrics.Whole(ending)}},
			metrics.Metric{Kind: metrics.Gauge, Shown: "stemma_hub_database_seconds", Sent: "stemma.hub.database.duration",
				Unit: "s", Help: "How long the database took to answer what this page asks of it.",
				Points: []metrics.Point{metrics.Seconds(s.o.Now().Sub(l.Now))}})
		records, since := m.readers.lag(spaces, l.Now)
		l.Metrics = append(l.Metrics,
			metrics.Metric{Kind: metrics.Gauge, Shown: "stemma_hub_lag_records", Sent: "stemma.hub.lag.records",
				Unit: "{record}", Help: "Records of a space that the member who is furthest behind has not read.",
				Points: []metrics.Point{metrics.Whole(records)}},
			metrics.Metric{Kind: metrics.Gauge, Shown: "stemma_hub_lag_seconds", Sent: "stemma.hub.lag.duration",
				Unit: "s", Help: "How long ago a member with unread records read last, the longest.",
				Points: []metrics.Point{metrics.Seconds(since)}})
	}
	pool := s.o.Store.Pool()
	const which = "stemma.hub.connections.state"
	l.Metrics = append(l.Metrics,
		metrics.Metric{Kind: metrics.Gauge, Shown: "stemma_hub_connections", Sent: "stemma.hub.connections",
			Unit: "{connection}", Help: "Connections to the database: in use, and how many there may be.",
			Points: []metrics.Point{word(int64(pool.InUse), "state", which, "used"),
				word(int64(pool.Most), "state", which, "most")}},
		metrics.Metric{Kind: metrics.Counter, Shown: "stemma_hub_connection_waits_total", Sent: "stemma.hub.connection.waits",
			Unit: "{wait}", Help: "How often a request waited for a connection to the database.",
			Points: []metrics.Point{metrics.Whole(pool.Waits)}},
		metrics.Metric{Kind: metrics.Counter, Shown: "stemma_hub_retries_total", Sent: "stemma.hub.retries",
			Unit: "{transaction}", Help: "Transactions that were tried again after a conflict or a lost connection.",
			Points: []metrics.Point{metrics.Whole(pool.Retries)}},
		metrics.Metric{Kind: metrics.Counter, Shown: "stemma_hub_rewritten_total", Sent: "stemma.hub.rewritten",
			Unit: "{log}", Help: "Logs that did not continue from what was seen of them: a restored store or hub.",
			Points: []metrics.Point{metrics.Whole(m.rewritten.Load())}})
	const what, way = "stemma.hub.outcome", "stemma.hub.direction"
	l.Metrics = append(l.Metrics,
		metrics.Metric{Kind: metrics.Counter, Shown: "stemma_hub_pushes_total", Sent: "stemma.hub.pushes",
			Unit: "{push}", Help: "Pushes taken.",
			Points: []metrics.Point{metrics.Whole(m.pushes.Load())}},
		metrics.Metric{Kind: metrics.Counter, Shown: "stemma_hub_records_total", Sent: "stemma.hub.records", Unit: "{record}",
			Help: "Records pushed: stored, held before (a replay), or refused.",
			Points: []metrics.Point{word(m.stored.Load(), "what", what, "stored"), word(m.held.Load(), "what", what, "held"),
				word(m.refused.Load(), "what", what, "refused")}},
		metrics.Metric{Kind: metrics.Counter, Shown: "stemma_hub_bytes_total", Sent: "stemma.hub.bytes", Unit: "By",
			Help:   "Bytes of requests and of answers, as they travelled.",
			Points: []metrics.Point{word(m.in.Load(), "direction", way, "in"), word(m.out.Load(), "direction", way, "out")}},
		metrics.Metric{Kind: metrics.Counter, Shown: "stemma_hub_letters_total", Sent: "stemma.hub.letters",
			Unit: "{letter}", Help: "Letters taken for somebody.",
			Points: []metrics.Point{metrics.Whole(m.inbox.Load())}})
	if s.o.Traces != nil {
		l.Metrics = append(l.Metrics, metrics.Dropped(s.o.Traces.Dropped()))
	}
	l.Metrics = append(l.Metrics, m.requests()...)
	return l, err
}

// requests returns the metrics of requests, by call.
func (m *counts) requests() []metrics.Metric {
	call := func(name string) metrics.Label { return metrics.Word("call", "stemma.hub.call", name) }
	done := metrics.Metric{
		Kind: metrics.Counter, Shown: "stemma_hub_requests_total", Sent: "stemma.hub.requests", Unit: "{request}",
		Help: "Requests, by what they were answered with.",
	}
	took := metrics.Metric{
		Kind: metrics.Summary, Shown: "stemma_hub_request_seconds", Sent: "stemma.hub.request.duration",
		Unit: "s", Help: "How long requests took.",
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	answered := slices.Collect(maps.Keys(m.done))
	sorting.By(answered, func(a, b asked) int { return cmp.Or(cmp.Compare(a.call, b.call), a.status-b.status) })
	for _, k := range answered {
		done.Points = append(done.Points, metrics.Whole(m.done[k], call(k.call), metrics.Status(k.status)))
	}
	for _, name := range slices.Sorted(maps.Keys(m.took)) {
		took.Points = append(took.Points, metrics.Total(m.took[name].count, m.took[name].seconds, call(name)))
	}
	tokens := metrics.Metric{
		Kind: metrics.Counter, Shown: "stemma_hub_token_requests_total", Sent: "stemma.hub.token.requests",
		Unit: "{request}", Help: "Requests with a token, by its public id.",
	}
	for _, id := range slices.Sorted(maps.Keys(m.tokens)) {
		tokens.Points = append(tokens.Points, metrics.Whole(m.tokens[id], metrics.Word("token", "stemma.hub.token", id)))
	}
	return []metrics.Metric{done, took, tokens}
}

// endsSoon is the time before its end in which a token is counted as ending.
const endsSoon = 7 * 24 * time.Hour

// totals asks the database how many accounts may ask, how many tokens end soon, and how long each log is.
func (s *Server) totals(ctx context.Context) (live, ending int64, spaces []store.Space, err error) {
	accounts, err := s.o.Store.Accounts(ctx)
	if err != nil {
		return 0, 0, nil, err
	}
	if spaces, err = s.o.Store.Totals(ctx); err != nil {
		return 0, 0, nil, err
	}
	tokens, err := s.o.Store.Tokens(ctx, "")
	if err != nil {
		return 0, 0, nil, err
	}
	now := s.o.Now()
	for _, t := range tokens {
		over := t.Over()
		if t.Revoked.IsZero() && !over.IsZero() && over.After(now) && !over.After(now.Add(endsSoon)) {
			ending++
		}
	}
	for _, a := range accounts {
		if a.Ended.IsZero() {
			live++
		}
	}
	return live, ending, spaces, nil
}
