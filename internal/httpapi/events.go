package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
)

// How often a stream looks for what other processes wrote, and after how long a
// quiet one says that it is alive. What this server wrote is told at once.
const (
	lookEvery    = time.Second
	aliveEvery   = 15 * time.Second
	mostStreams  = 256
	eventsWithin = 10 * time.Second // an event that nobody fetches for so long ends its stream
)

// news wakes those who wait for something new.
type news struct {
	sync.Mutex
	next chan struct{}
}

// wait returns a channel that is closed when there is something new.
func (n *news) wait() <-chan struct{} {
	n.Lock()
	defer n.Unlock()
	if n.next == nil {
		n.next = make(chan struct{})
	}
	return n.next
}

func (n *news) tell() {
	n.Lock()
	defer n.Unlock()
	if n.next != nil {
		close(n.next)
		n.next = nil
	}
}

// counts keeps for all streams how many jobs there are: counting reads them all.
type counts struct {
	sync.Mutex
	jobs api.JobCount
	at   time.Time
}

func (c *counts) get(ctx context.Context, e *engine.Engine) (api.JobCount, error) {
	c.Lock()
	defer c.Unlock()
	if now := time.Now(); now.Sub(c.at) >= lookEvery {
		jobs, err := e.JobCounts(ctx)
		if err != nil {
			return jobs, err
		}
		c.jobs, c.at = jobs, now
	}
	return c.jobs, nil
}

// Tell wakes the streams of events after a write.
func (a *API) Tell() { a.news.tell() }

// events streams what comes into the store, from now on or from the event that
// the client saw last.
func (a *API) events(w http.ResponseWriter, r *http.Request) {
	if !a.allowed(w, r, false) {
		return
	}
	if a.Metrics.streams.Add(1) > mostStreams {
		a.Metrics.streams.Add(-1)
		access.RefuseFor(w, lookEvery, fmt.Sprintf("%d streams of events are open, which is all there may be", mostStreams))
		return
	}
	defer a.Metrics.streams.Add(-1)
	s := &listener{w: w, out: http.NewResponseController(w), r: r, counts: &a.counts}
	var err error
	if s.e, err = a.o.Engine(r); err == nil {
		err = s.begin()
	}
	if err != nil {
		refuse(w, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	look, alive := time.NewTicker(lookEvery), time.NewTicker(aliveEvery)
	defer look.Stop()
	defer alive.Stop()
	if s.comment("stemma") != nil || s.send("begin", s.at, struct{}{}) != nil {
		return
	}
	for {
		more := a.news.wait() // before looking, so that nothing falls between
		if err := s.catchUp(); err != nil {
			return // the client comes again with what it saw last
		}
		select {
		case <-more:
		case <-look.C:
		case <-alive.C:
			if s.comment("alive") != nil {
				return
			}
		case <-a.o.Done:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// listener is one stream of events.
type listener struct {
	w   http.ResponseWriter
	out *http.ResponseController
	r   *http.Request
	e   *engine.Engine

	counts *counts

	at   string // the cursor
	jobs api.JobCount
}

func (s *listener) begin() error {
	var err error
	s.at = cmp.Or(s.r.Header.Get("Last-Event-ID"), s.r.URL.Query().Get("after")) // a page cannot send the header
	if s.at == "" {
		s.at, err = s.e.Cursor(s.r.Context())
	} else {
		_, err = s.e.Changes(s.r.Context(), s.at) // is it one that was given?
	}
	if err == nil {
		s.jobs, err = s.counts.get(s.r.Context(), s.e)
	}
	return err
}

// catchUp sends what came since the last time.
func (s *listener) catchUp() error {
	for {
		list, err := s.e.Changes(s.r.Context(), s.at)
		if err != nil {
			return err
		}
		for _, c := range list {
			if err := s.send("record", c.Cursor, c); err != nil {
				return err
			}
			s.at = c.Cursor
		}
		if len(list) == 0 {
			break
		}
	}
	jobs, err := s.counts.get(s.r.Context(), s.e)
	if err != nil || jobs == s.jobs {
		return err
	}
	s.jobs = jobs
	return s.send("jobs", "", jobs)
}

func (s *listener) send(event, id string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	if id != "" {
		id = "id: " + id + "\n"
	}
	return s.put(fmt.Sprintf("%sevent: %s\ndata: %s\n\n", id, event, text))
}

func (s *listener) comment(text string) error { return s.put(": " + text + "\n\n") }

func (s *listener) put(text string) error {
	_ = s.out.SetWriteDeadline(time.Now().Add(eventsWithin)) // tests have none
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.out.Flush()
}
