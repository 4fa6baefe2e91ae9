package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/importers"
	"github.com/stemma-memory/stemma/internal/lazy"
)

// mostUpload bounds a file that is sent from the page, in bytes.
const mostUpload = 64 << 20

// Headers of a file that is sent: its name, percent-encoded, and the plan that was shown.
const (
	fileHeader    = "Stemma-File"
	confirmHeader = "Stemma-Confirm"
)

// A step is one line of an answer that tells how far an import is; the last one has what came of it.
type step struct {
	Done  int    `json:"done"`
	Total int    `json:"total,omitempty"`
	Reply any    `json:"reply,omitempty"`
	Error string `json:"error,omitempty"`
}

// steps does an import and tells how far it is, as long as somebody listens. What was stored stays;
// the same import again goes on from there.
func steps(w http.ResponseWriter, r *http.Request, total int, do func(context.Context, func(int)) (any, error)) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	out, c := json.NewEncoder(w), http.NewResponseController(w)
	last := 0
	tell := func(s step) {
		last = s.Done
		_ = out.Encode(s) // who hung up does not read: the request's context ends the import
		_ = c.Flush()
	}
	tell(step{Total: total})
	reply, err := do(r.Context(), func(done int) { tell(step{Done: done, Total: total}) })
	if err != nil {
		tell(step{Done: last, Total: total, Error: err.Error()})
		return
	}
	tell(step{Done: max(last, total), Total: total, Reply: reply})
}

// importGit takes in the history of the repository in which the server was started.
func (p *pages) importGit(w http.ResponseWriter, r *http.Request) {
	repo, from, err := p.history(r.Context())
	if err == nil && r.Header.Get(confirmHeader) != repo.Plan {
		err = changedSince{}
	}
	if err != nil {
		fail(w, err)
		return
	}
	e, err := p.config.Engine(r)
	if err != nil {
		fail(w, err)
		return
	}
	steps(w, r, repo.Commits, func(ctx context.Context, progress func(int)) (any, error) {
		return e.Ingest(ctx, from, progress)
	})
}

// A sent is a file that somebody sent from the page.
type sent struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Total  int    `json:"total,omitempty"` // records or lines; 0 is not known before
	Plan   string `json:"plan"`

	run   func(context.Context, func(int)) (any, error)
	close func() // where it is not read after all
}

// importFile says what a file is; with the plan that was shown it takes the file in.
func (p *pages) importFile(w http.ResponseWriter, r *http.Request) {
	e, err := p.config.Engine(r)
	if err != nil {
		fail(w, err)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostUpload))
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		err = api.Invalid("the file is larger than %d MiB; the command line takes larger ones", mostUpload>>20)
	}
	if err != nil {
		fail(w, err)
		return
	}
	dir, err := os.MkdirTemp("", "stemma-upload-")
	if err != nil {
		fail(w, err)
		return
	}
	defer os.RemoveAll(dir) // what reads it ends before
	f, err := p.look(r.Context(), e, dir, r.Header.Get(fileHeader), body)
	if err != nil {
		fail(w, plainPath(err, dir))
		return
	}
	switch r.Header.Get(confirmHeader) {
	case "":
		f.close()
		send(w, f)
	case f.Plan:
		steps(w, r, f.Total, func(ctx context.Context, progress func(int)) (any, error) {
			reply, err := f.run(ctx, progress)
			return reply, plainPath(err, dir)
		})
	default:
		fail(w, changedSince{})
	}
}

var fileName = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$`)

// look finds out what a file is.
func (p *pages) look(ctx context.Context, e *engine.Engine, dir, name string, body []byte) (*sent, error) {
	if len(body) == 0 {
		return nil, api.Invalid("the file is empty")
	}
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	if !fileName.Get().MatchString(name) {
		name = "upload" // a name is only a hint; a path it never is
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, body, 0o600); err != nil {
		return nil, err
	}
	found, err := importers.Read(ctx, importers.Source{
		Path: path, Name: strings.TrimSuffix(name, filepath.Ext(name)), Held: e.Held,
	})
	if err != nil {
		return nil, err
	}
	f := &sent{Name: name, Format: strings.Join(found.Formats, "+"), Plan: planOf([]byte(name), body), close: found.Close}
	if f.Format == importers.FormatJSONL {
		f.Total = lines(body)
	}
	switch {
	case found.Open == nil:
		f.run = func(ctx context.Context, progress func(int)) (any, error) {
			reply, err := e.Ingest(ctx, found.Records, progress)
			return takenIn{reply, found.Lost}, err
		}
	case found.Formats[0] == importers.FormatAnamnesis:
		f.run = func(ctx context.Context, progress func(int)) (any, error) {
			return e.ImportDocuments(ctx, bytes.NewReader(body), progress)
		}
	default:
		f.Total = lines(body)
		f.run = func(ctx context.Context, progress func(int)) (any, error) {
			return e.Import(ctx, bytes.NewReader(body), progress)
		}
	}
	return f, nil
}

// takenIn is what came of a file, and what of it did not come along.
type takenIn struct {
	api.IngestReply
	importers.Lost
}

func lines(body []byte) int {
	n, s := 0, bufio.NewScanner(bytes.NewReader(body))
	s.Buffer(nil, mostUpload)
	for s.Scan() {
		if len(bytes.TrimSpace(s.Bytes())) > 0 {
			n++
		}
	}
	return n
}

// plainPath names an uploaded file without the directory in which it lies meanwhile.
func plainPath(err error, dir string) error {
	if err == nil {
		return nil
	}
	return renamed{err, strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")}
}

// renamed is an error with another text.
type renamed struct {
	error
	text string
}

func (e renamed) Error() string { return e.text }
func (e renamed) Unwrap() error { return e.error }
