package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// firstWithin is how long the document of the first view waits for what it shows. After that its script asks.
const firstWithin = time.Second

// newestShown is how many memories the first view lists.
const newestShown = 12

// A front is what the first view shows before anything is asked.
type front struct {
	Waits  waits                `json:"waits"`
	Newest []engine.FoundResult `json:"newest"`
	Status api.StatusReply      `json:"status"`
}

// first serves the document of the first view: at once what a browser needs to load the bundle, and the view when it is
// read. Without it, the script asks for it.
func (p *pages) first(w http.ResponseWriter, r *http.Request) {
	all, err := files()
	if err != nil {
		fail(w, err)
		return
	}
	if r.URL.RawQuery != "" { // a search
		p.shell(w, r)
		return
	}
	theme := themeOf(r)
	h := w.Header()
	h.Set("Content-Type", all["index.html"].kind)
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Cookie")
	if r.Method == http.MethodHead {
		return
	}
	before, after, _ := bytes.Cut(all[p.document(r)].plain, []byte(endOfPage))
	before = bytes.Replace(before, []byte("<title>"), []byte("<title>queue · "), 1)
	_, _ = w.Write(append(before, beforeFront(theme, p.chosen(r))...)) // who hung up does not read
	_ = http.NewResponseController(w).Flush()                          // one that cannot sends all of it later
	view, err := p.firstView(r)
	if err != nil { // the script is told when it asks
		view = []byte(endOfPage)
	}
	_, _ = w.Write(append(view, after...))
}

// endOfPage closes the element that the page is drawn in.
const endOfPage = "</div>\n  </body>"

// firstView reads and writes the first view.
func (p *pages) firstView(r *http.Request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(r.Context(), firstWithin)
	defer cancel()
	r = r.WithContext(ctx)
	me, err := p.speaker(r)
	if err != nil {
		return nil, err
	}
	me.Reads = p.choose(r, me.Choices)
	e, err := p.config.Engine(reading(r, me.Reads))
	if err != nil {
		return nil, err
	}
	d := firstData{Me: me}
	if d.Front, err = readFront(ctx, e); err != nil {
		return nil, err
	}
	view, err := d.html(time.Now())
	return append(view, "\n  </body>"...), err
}

// front serves what the first view shows.
func (p *pages) front(w http.ResponseWriter, r *http.Request) {
	e, err := p.config.Engine(r)
	if err != nil {
		fail(w, err)
		return
	}
	view, err := readFront(r.Context(), e)
	if err != nil {
		fail(w, err)
		return
	}
	send(w, view)
}

// readFront reads what the first view shows: its lists, and its counts at the same time.
func readFront(ctx context.Context, e *engine.Engine) (front, error) {
	type counted struct {
		status api.StatusReply
		err    error
	}
	counts := make(chan counted, 1)
	go func() {
		s, err := e.Status(ctx, api.Nothing{})
		counts <- counted{s, err}
	}()
	ask := engine.FoundRequest{SearchRequest: api.SearchRequest{Limit: newestShown}, Here: true}
	found, err := e.Found(ctx, ask)
	if err == nil && len(found.Results) == 0 { // captures are all there is
		ask.Kind = string(memory.KindRaw)
		found, err = e.Found(ctx, ask)
	}
	needs, failed := readWaits(ctx, e)
	c := <-counts // the engine is not left while it reads
	return front{needs, found.Results, c.status}, cmp.Or(err, c.err, failed)
}

// found serves a search with facets.
func (p *pages) found(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in engine.FoundRequest) (any, error) { return e.Found(r.Context(), in) })
}

// queue serves what waits for a person.
func (p *pages) queue(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in engine.QueueRequest) (any, error) { return e.Queue(r.Context(), in) })
}

// around serves what stands beside a memory that waits.
func (p *pages) around(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in engine.AroundRequest) (any, error) { return e.Around(r.Context(), in) })
}

// subject serves what memories say of one name.
func (p *pages) subject(w http.ResponseWriter, r *http.Request) {
	answer(p, w, r, func(e *engine.Engine, in engine.SubjectRequest) (any, error) {
		return e.Subject(r.Context(), in)
	})
}

// send writes a picture.
func send(w http.ResponseWriter, out any) {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(out); err != nil {
		fail(w, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(b.Len())) // in one piece
	_, _ = w.Write(b.Bytes())                      // who hung up does not read
}
