package access

import (
	"container/list"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// A Limit is how often one client may do something.
type Limit struct {
	Rate  float64 // a second; 0 is no limit
	Burst int
	Now   func() time.Time // nil is the clock
}

// mostClients is how many are told apart: the one that asked longest ago is
// forgotten, and starts again.
const mostClients = 4096

// A Limiter keeps clients to a Limit, each by itself.
type Limiter struct {
	limit Limit

	sync.Mutex
	known map[string]*list.Element
	order list.List // the last who asked first
}

type client struct {
	name string
	*rate.Limiter
}

// NewLimiter makes one.
func NewLimiter(l Limit) *Limiter {
	if l.Now == nil {
		l.Now = time.Now
	}
	return &Limiter{limit: l, known: make(map[string]*list.Element)}
}

// Take takes one turn of a client. It gives how long to wait where there is none;
// 0 is that it was taken.
func (l *Limiter) Take(name string) time.Duration {
	if l.limit.Rate <= 0 {
		return 0
	}
	now := l.limit.Now()
	turn := l.of(name).ReserveN(now, 1)
	wait := turn.DelayFrom(now)
	if wait > 0 {
		turn.CancelAt(now)
	}
	return wait
}

// Give gives turns back that a client took, up to its burst.
func (l *Limiter) Give(name string, turns int) {
	if l.limit.Rate > 0 {
		l.of(name).ReserveN(l.limit.Now(), -turns)
	}
}

func (l *Limiter) of(name string) *rate.Limiter {
	l.Lock()
	defer l.Unlock()
	if at, ok := l.known[name]; ok {
		l.order.MoveToFront(at)
		return at.Value.(client).Limiter
	}
	if l.order.Len() >= mostClients {
		last := l.order.Back()
		delete(l.known, last.Value.(client).name)
		l.order.Remove(last)
	}
	c := client{name, rate.NewLimiter(rate.Limit(l.limit.Rate), max(1, l.limit.Burst))}
	l.known[name] = l.order.PushFront(c)
	return c.Limiter
}

// Client names who asks, as limits and what is bound to a caller tell them apart:
// by what they proved, and by what they say of themselves or, where that is
// nothing, by their connection.
func Client(r *http.Request) string {
	c, _ := CallerOf(r.Context())
	if c.Agent == "" && c.Session == "" {
		return string(c.Origin) + "\x00" + r.RemoteAddr
	}
	return string(c.Origin) + "\x00" + c.Agent + "\x00" + c.Session
}
