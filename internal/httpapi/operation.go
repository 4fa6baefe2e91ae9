package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/internal/toolset"
)

// An answer is what a request was answered with.
type answer struct {
	status int
	header map[string]string
	body   []byte
}

func (n *answer) write(w http.ResponseWriter) {
	for name, text := range n.header {
		w.Header().Set(name, text)
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(replyWithin)) // tests have none
	w.WriteHeader(n.status)
	_, _ = w.Write(n.body) // who hung up does not read
}

// operation does one operation of the table.
func (a *API) operation(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	op, known := ops.Find(name)
	if !known {
		access.Refuse(
			w, http.StatusNotFound, "not_found",
			"there is no operation "+clip(name)+": GET /openapi.json lists them",
		)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		access.Refuse(
			w, http.StatusMethodNotAllowed, "method_not_allowed",
			"operations are asked with POST, those that only read too",
		)
		return
	}
	began := a.o.Now()
	got := a.perform(w, r, op)
	if got == nil {
		return // refused before it was one
	}
	a.Metrics.did(op.Name, got.status, a.o.Now().Sub(began))
	got.write(w)
}

// perform does an operation, once for each key where the client gave one. Nil is
// that it was refused, and answered.
func (a *API) perform(w http.ResponseWriter, r *http.Request, op ops.Op) *answer {
	if !a.allowed(w, r, op.Writes) {
		return nil
	}
	if op.Writes && !access.Meant(r) {
		access.NotMeant(w, r)
		return nil
	}
	body, done, err := a.body(w, r)
	if err != nil {
		refuse(w, err)
		return nil
	}
	defer done()
	lock, err := unlock(r, a.o.Engine, op)
	if err != nil {
		refuse(w, err)
		return nil
	}
	defer lock()
	do := func(ctx context.Context) *answer { return a.do(ctx, r, op, body) }
	key := r.Header.Get("Idempotency-Key")
	if key == "" || !op.Writes {
		return do(r.Context())
	}
	if len(key) > mostKey {
		refuse(w, &wrong{http.StatusBadRequest, kindMalformed, "Idempotency-Key: at most 200 bytes"})
		return nil
	}
	// What is done under a key is done to its end: who hangs up asks again with
	// the key, and is told what came of it.
	purges, err := a.purges(r)
	if err != nil {
		return problem(err)
	}
	got, err := a.again.once(
		r.Context(), question(r, op.Name, key), body, purges,
		func() *answer { return do(context.WithoutCancel(r.Context())) },
	)
	if err != nil {
		refuse(w, err)
		return nil
	}
	return got
}

// purges is another text once something was purged, here or by another process.
func (a *API) purges(r *http.Request) (string, error) {
	e, err := a.o.Engine(r)
	if err != nil {
		return "", err
	}
	return e.Purges(r.Context())
}

// do carries out an operation in the caller's voice, and writes its reply.
func (a *API) do(ctx context.Context, r *http.Request, op ops.Op, body []byte) *answer {
	done, err := a.turn(ctx)
	if err != nil {
		return problem(err)
	}
	defer done()
	e, err := a.o.Engine(r)
	if err != nil {
		return problem(err)
	}
	free, err := unchanged(ctx, &a.matched, r, e, op, body)
	if err != nil {
		return problem(err)
	}
	defer free()
	var call *toolset.Call // nil is of a program
	if asTool(r, op) {
		if call, err = toolset.Read(op, body, "api"); err != nil {
			return problem(err)
		}
		body = call.Args
	}
	reply, err := op.Do(ctx, e, body)
	if op.Writes {
		a.o.Wrote() // those that failed may have done a part
		a.news.tell()
	}
	if err != nil {
		return problem(err)
	}
	if pack, ok := reply.(api.ContextReply); ok {
		if format, ok := packFormat(r); ok {
			return packed(pack, format)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // as the command line writes it; a pack counts its tokens
	if call != nil {
		if reply, err = call.Answer(reply, e.C.Zone); err != nil {
			return problem(err)
		}
	}
	if err := enc.Encode(reply); err != nil {
		return problem(err)
	}
	header := map[string]string{"Content-Type": "application/json"}
	if tag := tagOf(reply); tag != "" {
		header["ETag"] = tag
	}
	if says := e.Damaged(); says != "" {
		header[WarningHeader] = strings.Join(strings.Fields(plain.Text(says)), " ")
	}
	return &answer{status: http.StatusOK, header: header, body: b.Bytes()}
}

// WarningHeader says that a part of the store is damaged, and what to do.
const WarningHeader = "Stemma-Warning"

// problem is an error as an answer.
func problem(err error) *answer {
	w := &recorder{header: make(http.Header)}
	refuse(w, err)
	n := &answer{status: w.status, header: make(map[string]string), body: w.body.Bytes()}
	for name := range w.header {
		n.header[name] = w.header.Get(name)
	}
	return n
}

// recorder keeps a copy of the response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

// The media types in which a pack is given, besides JSON.
var packTypes = map[string]string{"text/plain": "text", "text/markdown": "markdown"}

// packFormat reports whether the client wants a pack as a model reads it.
func packFormat(r *http.Request) (string, bool) {
	want, _, _ := strings.Cut(r.Header.Get("Accept"), ";")
	format, ok := packTypes[strings.TrimSpace(want)]
	return format, ok
}

func packed(pack api.ContextReply, format string) *answer {
	body, err := pack.Render(format, false)
	if err != nil {
		return problem(err)
	}
	kind := "text/plain"
	if format == packTypes["text/markdown"] {
		kind = "text/markdown"
	}
	return &answer{status: http.StatusOK, header: map[string]string{"Content-Type": kind + "; charset=utf-8"}, body: body}
}

// AnswerHeader is the header by which a program asks for what a model reads: with "tool", one of
// the six tools answers in short, and takes only what a model may set.
const AnswerHeader = "Stemma-Answer"

func asTool(r *http.Request, op ops.Op) bool {
	return r.Header.Get(AnswerHeader) == "tool" && toolset.Shortened(op.Name)
}

// clip quotes a name for a message.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		s = s[:most] + "…"
	}
	q, _ := json.Marshal(s) // a string
	return string(q)
}
