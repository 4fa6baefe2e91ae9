package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

const (
	linesType    = "application/x-ndjson"
	replyTrailer = "Stemma-Reply"
)

// Export writes records, signed, one line each: all, or those that some rest on.
func (c *Client) Export(ctx context.Context, w io.Writer, in api.ExportRequest) (api.ExportReply, error) {
	return fetch[api.ExportRequest, api.ExportReply](ctx, c, "export", w, in)
}

// ExportDocuments writes memories as documents of the Memory Provenance Schema.
func (c *Client) ExportDocuments(
	ctx context.Context, w io.Writer, in api.DocumentsRequest,
) (api.DocumentsReply, error) {
	return fetch[api.DocumentsRequest, api.DocumentsReply](ctx, c, "export_documents", w, in)
}

// fetch copies what a stream holds. Its reply comes after the last of it.
func fetch[In, Out any](ctx context.Context, c *Client, name string, w io.Writer, in In) (Out, error) {
	var out Out
	body, err := json.Marshal(in)
	if err != nil {
		return out, err
	}
	got, err := c.pass(ctx, name, bytes.NewReader(body), "application/json")
	if err != nil {
		return out, err
	}
	defer got.Body.Close()
	if _, err := io.Copy(w, got.Body); err != nil {
		return out, fmt.Errorf("%s: it broke off: %w", name, err)
	}
	return out, json.Unmarshal([]byte(got.Trailer.Get(replyTrailer)), &out)
}

// Import takes in what an export wrote: verified, then stored as it is.
func (c *Client) Import(ctx context.Context, r io.Reader) (api.ImportReply, error) {
	return deliver[api.ImportReply](ctx, c, "import", r)
}

// ImportDocuments takes in documents of the Memory Provenance Schema.
func (c *Client) ImportDocuments(ctx context.Context, r io.Reader) (api.IngestReply, error) {
	return deliver[api.IngestReply](ctx, c, "import_documents", r)
}

// Ingest takes in records that were somewhere else before. An error of the
// sequence ends it.
func (c *Client) Ingest(ctx context.Context, from iter.Seq2[api.Foreign, error]) (api.IngestReply, error) {
	read, write := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		err := writeLines(write, from)
		write.CloseWithError(err)
		sent <- err
	}()
	reply, err := deliver[api.IngestReply](ctx, c, "ingest", read)
	read.CloseWithError(io.ErrClosedPipe) // where the server answered before the end
	if own := <-sent; own != nil && own != io.ErrClosedPipe {
		return reply, own
	}
	return reply, err
}

func writeLines(w io.Writer, from iter.Seq2[api.Foreign, error]) error {
	lines := bufio.NewWriter(w)
	enc := json.NewEncoder(lines)
	for f, err := range from {
		if err == nil {
			err = enc.Encode(f)
		}
		if err != nil {
			return err
		}
	}
	return lines.Flush()
}

func deliver[Out any](ctx context.Context, c *Client, name string, r io.Reader) (Out, error) {
	var out Out
	got, err := c.pass(ctx, name, r, linesType)
	if err != nil {
		return out, err
	}
	defer got.Body.Close()
	return out, json.NewDecoder(got.Body).Decode(&out)
}

func (c *Client) pass(ctx context.Context, name string, body io.Reader, kind string) (*http.Response, error) {
	r, err := c.request(ctx, http.MethodPost, "/v1/"+name, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", kind)
	return c.send(r)
}

// TraceDocument returns a lineage for tools that know PROV or in-toto.
func (c *Client) TraceDocument(ctx context.Context, in api.TraceDocumentRequest) (api.TraceDocumentReply, error) {
	return Do[api.TraceDocumentRequest, api.TraceDocumentReply](ctx, c, "trace_document", in)
}

// Held returns the records of the space by the ids they had elsewhere.
func (c *Client) Held(ctx context.Context, aliases ...string) (map[string]memory.Ref, error) {
	type request struct {
		Aliases []string `json:"aliases"`
	}
	type reply struct {
		Held map[string]string `json:"held"`
	}
	got, err := Do[request, reply](ctx, c, "held", request{aliases})
	if err != nil {
		return nil, err
	}
	refs := make(map[string]memory.Ref, len(got.Held))
	for alias, text := range got.Held {
		if refs[alias], err = memory.ParseRef(text); err != nil {
			return nil, err
		}
	}
	return refs, nil
}

// An Event is something that came into the store: a record, or another number of
// jobs.
type Event struct {
	ID     string // where to go on after it; "" is where the one before it says
	Change *api.Change
	Jobs   *api.JobCount
}

// Events returns what comes into the store, as it comes, until ctx ends or the
// connection does. After is the id of the event seen last; "" is from now on.
func (c *Client) Events(ctx context.Context, after string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r, err := c.request(ctx, http.MethodGet, "/v1/events", nil)
		if err != nil {
			yield(Event{}, err)
			return
		}
		if after != "" {
			r.Header.Set("Last-Event-ID", after)
		}
		got, err := c.send(r)
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer got.Body.Close()
		const mostLine = 1 << 20
		lines := bufio.NewScanner(got.Body)
		lines.Buffer(nil, mostLine)
		for said := (frame{}); lines.Scan(); {
			if lines.Text() != "" {
				said.read(lines.Text())
				continue
			}
			e, ok, err := said.event()
			said = frame{}
			if (ok || err != nil) && (!yield(e, err) || err != nil) {
				return
			}
		}
		if err := lines.Err(); err != nil && ctx.Err() == nil {
			yield(Event{}, fmt.Errorf("events: they broke off: %w", err))
		}
	}
}

// frame is one event as it is sent.
type frame struct{ id, name, data string }

func (f *frame) read(line string) {
	name, text, _ := strings.Cut(line, ":")
	text = strings.TrimPrefix(text, " ")
	switch name {
	case "id":
		f.id = text
	case "event":
		f.name = text
	case "data":
		f.data += text
	}
}

// event reads a frame; one of a kind that is not known is passed over.
func (f *frame) event() (Event, bool, error) {
	e := Event{ID: f.id}
	switch f.name {
	case "record":
		e.Change = new(api.Change)
		return e, true, json.Unmarshal([]byte(f.data), e.Change)
	case "jobs":
		e.Jobs = new(api.JobCount)
		return e, true, json.Unmarshal([]byte(f.data), e.Jobs)
	}
	return e, false, nil
}
