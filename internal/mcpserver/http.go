package mcpserver

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/internal/engine"
)

const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
	sessionless   = "2026-07-28" // the version since which a request says all by itself
	idleSession   = 30 * time.Minute
	mostCallers   = 256
)

// Handler serves the protocol over streamable HTTP, at one address for clients of
// every version. Who may ask at all, from where and how often is decided before:
// Options.Caller only says who it was.
func Handler(o Options) (http.Handler, error) {
	if o.Caller == nil {
		return nil, errors.New("mcp over HTTP: no caller is known")
	}
	if err := Check(o.Tools); err != nil {
		return nil, err
	}
	h := &handler{o: o, secret: rand.Text(), servers: make(map[string]*mcp.Server)}
	h.streams = Streams(h.serverOf)
	return h, nil
}

type handler struct {
	o       Options
	secret  string
	streams http.Handler

	sync.Mutex
	servers map[string]*mcp.Server // by caller
}

// callerKey is the key of the Caller in the context of a request.
type callerKey struct{}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := h.o.Caller(r)
	if err != nil {
		http.Error(w, "who asks? "+err.Error(), http.StatusForbidden)
		return
	}
	switch r.Method {
	case http.MethodPost:
		kept, status, err := readBody(r)
		if err != nil {
			http.Error(w, err.Error(), status)
			return
		}
		if kept {
			w = restoring{w}
		}
	case http.MethodGet: // a stream of what concerns requests that are answered
		w = restoring{w}
	}
	if id := r.Header.Get(sessionHeader); id != "" && !h.owns(c.ID, id) {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	v := &voice{
		id: c.ID, agent: c.Agent, session: c.Session,
		engine: func(context.Context, bool) (*engine.Engine, error) { return c.Engine, nil },
	}
	ctx := context.WithValue(context.WithValue(r.Context(), callerKey{}, c.ID), voiceKey{}, v)
	if r.Method == http.MethodGet { // a stream that has no end of its own
		var end context.CancelFunc
		ctx, end = h.untilDone(ctx)
		defer end()
	}
	h.streams.ServeHTTP(w, r.WithContext(ctx))
}

// readBody refuses a message that is too long, is no JSON, or of which the library would lose a part. It reports
// whether ids in the message are kept: that makes it longer, so its length is judged here.
func readBody(r *http.Request) (kept bool, status int, err error) {
	text, err := io.ReadAll(io.LimitReader(r.Body, MaxRequest+1))
	switch {
	case err != nil:
		return false, http.StatusBadRequest, err
	case len(text) > MaxRequest:
		return false, http.StatusRequestEntityTooLarge, fmt.Errorf("request body exceeds %d bytes", MaxRequest)
	case !json.Valid(text):
		return false, http.StatusBadRequest, errors.New("malformed payload: the body is no JSON")
	}
	if err := unlike(text); err != nil {
		return false, http.StatusBadRequest, err
	}
	text, kept = keep(text)
	r.ContentLength = int64(len(text))
	r.Body = struct {
		io.Reader
		io.Closer
	}{bytes.NewReader(text), r.Body}
	return kept, 0, nil
}

// untilDone returns a context that ends with the server.
func (h *handler) untilDone(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if h.o.Done == nil {
		return ctx, cancel
	}
	go func() { // ends with the request, if not with the server
		select {
		case <-h.o.Done:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// serverOf returns the server of a caller, whose sessions are named after them.
func (h *handler) serverOf(r *http.Request) *mcp.Server {
	id, _ := r.Context().Value(callerKey{}).(string)
	h.Lock()
	defer h.Unlock()
	if s := h.servers[id]; s != nil {
		return s
	}
	if len(h.servers) >= mostCallers {
		clear(h.servers) // open sessions keep theirs
	}
	s, err := server(h.o, func() string { return h.sign(id, rand.Text()) })
	if err != nil {
		return nil // the library answers that there is none
	}
	h.servers[id] = s
	return s
}

// sign names a session so that no one else can continue it.
func (h *handler) sign(caller, nonce string) string {
	sum := hmac.New(sha256.New, []byte(h.secret))
	sum.Write([]byte(nonce + "\n" + caller))
	return nonce + "-" + hex.EncodeToString(sum.Sum(nil)[:16])
}

func (h *handler) owns(caller, session string) bool {
	nonce, _, ok := strings.Cut(session, "-")
	return ok && hmac.Equal([]byte(h.sign(caller, nonce)), []byte(session))
}

// Streams serves the servers that get gives, at one address for clients with a
// session and for those of versions that have none.
func Streams(get func(*http.Request) *mcp.Server) http.Handler {
	with := mcp.NewStreamableHTTPHandler(
		get, &mcp.StreamableHTTPOptions{SessionTimeout: idleSession, MaxRequestBodyBytes: mostGrown * MaxRequest},
	)
	without := mcp.NewStreamableHTTPHandler(
		get, &mcp.StreamableHTTPOptions{
			Stateless: true, MaxRequestBodyBytes: mostGrown * MaxRequest,
			PropagateRequestCancellation: true, // who hangs up has no other way to cancel
		},
	)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(versionHeader) >= sessionless {
			without.ServeHTTP(w, r)
			return
		}
		with.ServeHTTP(w, r)
	})
}
