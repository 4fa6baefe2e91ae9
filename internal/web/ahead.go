package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
)

// What of first views may wait to be asked for: how many, and how long.
const (
	mostAhead = 16
	aheadFor  = 5 * time.Second
)

// ahead has the first views that are read while a browser still takes in their document. Each is given once, to
// whom the document was given.
type ahead struct {
	sync.Mutex
	views map[string]*coming
}

// coming is a first view that is being read.
type coming struct {
	caller access.Caller
	since  time.Time
	ready  chan struct{} // closed when it is
	view   front
	err    error
}

// begin starts to read a first view, and returns its name; "" is that it is read when it is asked for.
func (p *pages) begin(r *http.Request) string {
	if p.config.Beside == nil {
		return ""
	}
	e, err := p.config.Engine(r)
	if err != nil {
		return ""
	}
	who, _ := access.CallerOf(r.Context())
	c := &coming{caller: who, since: time.Now(), ready: make(chan struct{})}
	name := rand.Text()
	p.ahead.Lock()
	defer p.ahead.Unlock()
	for other, old := range p.ahead.views {
		if c.since.Sub(old.since) > aheadFor {
			delete(p.ahead.views, other)
		}
	}
	if len(p.ahead.views) >= mostAhead {
		return ""
	}
	ctx := context.WithoutCancel(r.Context())
	if !p.config.Beside(func() { c.read(ctx, e) }) {
		return ""
	}
	if p.ahead.views == nil {
		p.ahead.views = make(map[string]*coming)
	}
	p.ahead.views[name] = c
	return name
}

func (c *coming) read(ctx context.Context, e *engine.Engine) {
	defer close(c.ready)
	ctx, cancel := context.WithTimeout(ctx, aheadFor)
	defer cancel()
	c.view, c.err = readFront(ctx, e)
}

// take returns the first view of a name, once it is read. It is given to no one else, and not late.
func (p *pages) take(r *http.Request, name string) (front, bool) {
	who, _ := access.CallerOf(r.Context())
	p.ahead.Lock()
	c := p.ahead.views[name]
	if c == nil || c.caller != who {
		p.ahead.Unlock()
		return front{}, false
	}
	delete(p.ahead.views, name)
	p.ahead.Unlock()
	if time.Since(c.since) > aheadFor {
		return front{}, false
	}
	select {
	case <-c.ready:
		return c.view, c.err == nil
	case <-r.Context().Done():
		return front{}, false
	}
}

// named returns the document of a first view that is being read.
func named(document []byte, name string) []byte {
	if name == "" {
		return document
	}
	return bytes.Replace(document, []byte(`"`+frontPath+`"`), []byte(`"`+frontPath+`?of=`+name+`"`), 1)
}
