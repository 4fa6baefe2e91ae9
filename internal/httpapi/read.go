package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/ops"
)

// What a request may be.
const (
	mostBytes = 2 << 20

	// bodyWithin is how long the body of a request may take to come.
	bodyWithin = 10 * time.Second
	// replyWithin is how long an answer may take to be fetched.
	replyWithin = 30 * time.Second
)

// Bodies that are held at a time, together, in bytes; small ones do not count.
const (
	mostHeld  = 64 << 20
	smallBody = 64 << 10
)

// bodies counts the bytes of requests that are held at a time.
type bodies struct {
	sync.Mutex
	held int64
}

func (b *bodies) hold(n int64) bool {
	b.Lock()
	defer b.Unlock()
	if b.held+n > mostHeld {
		return false
	}
	b.held += n
	return true
}

func (b *bodies) free(n int64) {
	b.Lock()
	defer b.Unlock()
	b.held -= n
}

// body reads a JSON request, bounded in bytes, depth and time. Call the returned function when
// the body is no longer needed.
func (a *API) body(w http.ResponseWriter, r *http.Request) (body []byte, done func(), err error) {
	none := func() {}
	if r.ContentLength > mostBytes {
		return nil, none, tooLarge(mostBytes)
	}
	counted := r.ContentLength
	if counted < 0 {
		counted = mostBytes
	}
	if counted > smallBody {
		if !a.bodies.hold(counted) {
			return nil, none, &wrong{
				http.StatusServiceUnavailable, kindUnavailable,
				"too many large requests at once: send it again in a while",
			}
		}
		done = sync.OnceFunc(func() { a.bodies.free(counted) })
	} else {
		done = none
	}
	defer func() {
		if err != nil {
			done()
		}
	}()
	// Only a server's own writer has deadlines; others are tests.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyWithin))
	body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
	if err == nil { // otherwise the server would wait for the rest of it before it answers
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, done, tooLarge(mostBytes)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, done, &wrong{
			http.StatusRequestTimeout, kindTimeout,
			fmt.Sprintf("the request was not complete within %v", bodyWithin),
		}
	case err != nil:
		return nil, done, &wrong{http.StatusBadRequest, kindMalformed, "the request could not be read: " + err.Error()}
	case len(body) == 0:
		return nil, done, nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, done, &wrong{
			http.StatusUnsupportedMediaType, kindMedia,
			"a request is JSON: send it with 'Content-Type: application/json'",
		}
	}
	return body, done, checkJSON(body)
}

func tooLarge(most int) error {
	return &wrong{http.StatusRequestEntityTooLarge, kindTooLarge, fmt.Sprintf("a request is at most %d bytes", most)}
}

// checkJSON refuses a body that is not text or is nested too deeply, before it is decoded.
func checkJSON(body []byte) error {
	if !utf8.Valid(body) {
		return &wrong{http.StatusBadRequest, kindMalformed, "the request is not UTF-8"}
	}
	if ops.Nests(body) > ops.MaxDepth {
		return &wrong{http.StatusBadRequest, kindMalformed, fmt.Sprintf("the request nests more than %d deep", ops.MaxDepth)}
	}
	return nil
}

// turn waits for one of the places in which operations are done.
func (a *API) turn(ctx context.Context) (done func(), err error) {
	select {
	case a.turns <- struct{}{}:
		return func() { <-a.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// allowed takes one turn of the client, or answers how long to wait.
func (a *API) allowed(w http.ResponseWriter, r *http.Request, writes bool) bool {
	limiter, what, limit := a.reads, "reads", a.o.Reads
	if writes {
		limiter, what, limit = a.writes, "writes", a.o.Writes
	}
	wait := limiter.Take(access.Client(r))
	if wait == 0 {
		return true
	}
	a.Metrics.limited.Add(1)
	access.RefuseFor(
		w, wait,
		fmt.Sprintf(
			"one client may do %v %s a second, and %d at once: wait %v", limit.Rate, what, limit.Burst,
			wait.Round(time.Millisecond),
		),
	)
	return false
}

// Limited holds another face to how often a client may ask.
func (a *API) Limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.allowed(w, r, false) {
			r.Body = &timely{ReadCloser: r.Body, c: http.NewResponseController(w)}
			next.ServeHTTP(w, r)
		}
	})
}

// timely is the body of a request that must come whole within a time, for handlers
// that read it themselves.
type timely struct {
	io.ReadCloser
	c     *http.ResponseController
	begun bool
}

func (t *timely) Read(b []byte) (int, error) {
	if !t.begun {
		t.begun = true
		_ = t.c.SetReadDeadline(time.Now().Add(bodyWithin)) // tests have none
	}
	n, err := t.ReadCloser.Read(b)
	if errors.Is(err, io.EOF) {
		_ = t.c.SetReadDeadline(time.Time{}) // the answer may take longer
	}
	return n, err
}
