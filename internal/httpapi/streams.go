package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/strict"
)

// LinesType is the media type of one JSON object a line.
const LinesType = "application/x-ndjson"

// ReplyTrailer is the trailer in which a stream that leaves says what it held.
const ReplyTrailer = "Stemma-Reply"

// A passage is a path that is not an operation with one request and one reply.
type passage struct {
	name, doc string
	writes    bool
	in, out   reflect.Type // a request as JSON; nil is lines that come in
	leaves    bool         // the reply is lines, and out stands in the trailer
	do        func(ctx context.Context, e *engine.Engine, in io.Reader, out io.Writer) (any, error)
}

// streams are all of them.
var streams = []passage{
	{name: "export", doc: "Every record, signed, one line each; or those that some refs rest on.",
		in: reflect.TypeFor[api.ExportRequest](), out: reflect.TypeFor[api.ExportReply](), leaves: true,
		do: leaving((*engine.Engine).Export)},
	{name: "export_documents", doc: "Memories as documents of the Memory Provenance Schema.",
		in: reflect.TypeFor[api.DocumentsRequest](), out: reflect.TypeFor[api.DocumentsReply](), leaves: true,
		do: leaving((*engine.Engine).ExportDocuments)},
	{name: "trace_document", doc: "A lineage for tools that know PROV or in-toto.",
		in: reflect.TypeFor[api.TraceDocumentRequest](), out: reflect.TypeFor[api.TraceDocumentReply](),
		do: small((*engine.Engine).TraceDocument)},
	{name: "held", doc: "The refs of ids that records had elsewhere.",
		in: reflect.TypeFor[HeldRequest](), out: reflect.TypeFor[HeldReply](), do: small(held)},
	{name: "import", doc: "Take in what an export wrote: verified, then stored as it is.", writes: true,
		out: reflect.TypeFor[api.ImportReply](),
		do: func(ctx context.Context, e *engine.Engine, in io.Reader, _ io.Writer) (any, error) {
			return e.Import(ctx, in, nil)
		}},
	{name: "import_documents", doc: "Take in documents of the Memory Provenance Schema.", writes: true,
		out: reflect.TypeFor[api.IngestReply](),
		do: func(ctx context.Context, e *engine.Engine, in io.Reader, _ io.Writer) (any, error) {
			return e.ImportDocuments(ctx, in, nil)
		}},
	{name: "ingest", doc: "Take in records from elsewhere, one object a line.", writes: true,
		out: reflect.TypeFor[api.IngestReply](),
		do: func(ctx context.Context, e *engine.Engine, in io.Reader, _ io.Writer) (any, error) {
			return e.Ingest(ctx, foreigners(in), nil)
		}},
}

// HeldRequest asks for records by the ids they had elsewhere.
type HeldRequest struct {
	Aliases []string `json:"aliases"`
}

// HeldReply returns the refs of those that are held.
type HeldReply struct {
	Held map[string]string `json:"held"`
}

func held(e *engine.Engine, ctx context.Context, in HeldRequest) (HeldReply, error) {
	reply := HeldReply{Held: map[string]string{}}
	refs, err := e.Held(ctx, in.Aliases...)
	for alias, ref := range refs {
		reply.Held[alias] = ref.String()
	}
	return reply, err
}

// leaving is a passage whose reply is lines.
func leaving[In, Out any](
	do func(*engine.Engine, context.Context, io.Writer, In) (Out, error),
) func(context.Context, *engine.Engine, io.Reader, io.Writer) (any, error) {
	return func(ctx context.Context, e *engine.Engine, r io.Reader, w io.Writer) (any, error) {
		var in In
		if err := read(r, &in); err != nil {
			return nil, err
		}
		return do(e, ctx, w, in)
	}
}

// small is a passage whose request and reply are one object.
func small[In, Out any](
	do func(*engine.Engine, context.Context, In) (Out, error),
) func(context.Context, *engine.Engine, io.Reader, io.Writer) (any, error) {
	return func(ctx context.Context, e *engine.Engine, r io.Reader, _ io.Writer) (any, error) {
		var in In
		if err := read(r, &in); err != nil {
			return nil, err
		}
		return do(e, ctx, in)
	}
}

func read(r io.Reader, into any) error {
	raw, err := io.ReadAll(r)
	if err != nil || len(bytes.TrimSpace(raw)) == 0 {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err = d.Decode(into); err == nil {
		err = strict.Check(raw, reflect.TypeOf(into))
	}
	if err != nil {
		return api.Invalid("the request: %v", err)
	}
	return nil
}

// mostLine is how long one record from elsewhere may be: more than any fits in.
const mostLine = 4 << 20

// foreigners reads records from elsewhere, one a line.
func foreigners(in io.Reader) iter.Seq2[api.Foreign, error] {
	return func(yield func(api.Foreign, error) bool) {
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, mostLine)
		for n := 1; lines.Scan(); n++ {
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			var f api.Foreign
			err := json.Unmarshal(lines.Bytes(), &f)
			if err != nil {
				err = api.Invalid("line %d: %v", n, err)
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(api.Foreign{}, api.Invalid("the lines: %v", err))
		}
	}
}

// stream serves a passage.
func (a *API) stream(w http.ResponseWriter, r *http.Request, p passage) {
	began := a.o.Now()
	status, err := a.pass(w, r, p)
	if err != nil {
		n := problem(err)
		status = n.status
		n.write(w)
	}
	a.Metrics.did(p.name, status, a.o.Now().Sub(began))
}

func (a *API) pass(w http.ResponseWriter, r *http.Request, p passage) (status int, err error) {
	if !a.allowed(w, r, p.writes) {
		return http.StatusTooManyRequests, nil
	}
	if p.writes && !access.Meant(r) {
		access.NotMeant(w, r)
		return http.StatusForbidden, nil
	}
	e, err := a.o.Engine(r)
	if err != nil {
		return 0, err
	}
	var in io.Reader
	if p.in != nil {
		body, done, err := a.body(w, r)
		if err != nil {
			return 0, err
		}
		defer done()
		in = bytes.NewReader(body)
	} else {
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || !slices.Contains([]string{LinesType, "application/json", "application/jsonl"}, kind) {
			return 0, &wrong{
				http.StatusUnsupportedMediaType, kindMedia,
				"send lines of JSON with 'Content-Type: " + LinesType + "'",
			}
		}
		in = &patient{r.Body, http.NewResponseController(w)}
	}
	out := &lines{w: w, c: http.NewResponseController(w)}
	var to io.Writer = io.Discard
	if p.leaves {
		to = out
	}
	reply, err := p.do(r.Context(), e, in, to)
	if p.writes {
		a.o.Wrote()
		a.news.tell()
	}
	switch {
	case err != nil && out.begun:
		panic(http.ErrAbortHandler) // what was sent is not whole, and the client is to see that
	case err != nil:
		return 0, err
	}
	text, err := json.Marshal(reply)
	if err != nil {
		return 0, err
	}
	if p.leaves {
		out.begin()
		w.Header().Set(ReplyTrailer, string(text))
		return http.StatusOK, nil
	}
	(&answer{http.StatusOK, map[string]string{"Content-Type": "application/json"}, append(text, '\n')}).write(w)
	return http.StatusOK, nil
}

// patient reads what may be long, as long as it keeps coming.
type patient struct {
	io.Reader
	c *http.ResponseController
}

func (p *patient) Read(b []byte) (int, error) {
	_ = p.c.SetReadDeadline(time.Now().Add(replyWithin)) // tests have none
	return p.Reader.Read(b)
}

// lines writes what may be long, as long as somebody fetches it.
type lines struct {
	w     http.ResponseWriter
	c     *http.ResponseController
	begun bool
}

func (l *lines) begin() {
	if !l.begun {
		l.begun = true
		l.w.Header().Set("Content-Type", LinesType)
		l.w.Header().Set("Trailer", ReplyTrailer)
		l.w.WriteHeader(http.StatusOK)
	}
}

func (l *lines) Write(b []byte) (int, error) {
	l.begin()
	_ = l.c.SetWriteDeadline(time.Now().Add(replyWithin)) // tests have none
	return l.w.Write(b)
}
