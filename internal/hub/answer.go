package hub

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// Bounds on a request, packed and unpacked.
const (
	mostPacked   = 24 << 20
	mostUnpacked = 40 << 20
	mostStranger = 1 << 20 // either, by somebody who has not joined
)

// A refusal is an error whose reason the caller may read: they know of the space anyway.
type refusal struct {
	status     int
	kind, text string
}

// read reads a request's body. If it cannot, it answers the request itself and returns false.
func (s *Server) read(w http.ResponseWriter, r *http.Request, into any) bool {
	return s.readUpTo(w, r, into, mostPacked, mostUnpacked)
}

func (s *Server) readUpTo(w http.ResponseWriter, r *http.Request, into any, packed, unpacked int) bool {
	var body io.Reader = http.MaxBytesReader(w, r.Body, int64(packed))
	switch r.Header.Get("Content-Encoding") {
	case "":
	case "gzip":
		z, err := gzip.NewReader(body)
		if err != nil {
			access.Refuse(w, http.StatusBadRequest, "request", "the body is not what gzip made")
			return false
		}
		body = z
	default:
		access.Refuse(w, http.StatusUnsupportedMediaType, "request", "a body is packed with gzip or not at all")
		return false
	}
	length := r.ContentLength
	if r.Header.Get("Content-Encoding") != "" {
		length = -1
	}
	raw, err := client.All(io.LimitReader(body, int64(unpacked)+1), length)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large) || len(raw) > unpacked:
		access.Refuse(w, http.StatusRequestEntityTooLarge, "request", "too much at once: send it in smaller parts")
		return false
	case errors.Is(err, errBody):
		access.Refuse(w, http.StatusBadRequest, "request", errBody.Error())
		return false
	case err != nil:
		access.Refuse(w, http.StatusBadRequest, "request", "the body ends before it should")
		return false
	}
	if err := peer.Decode(raw, into); err != nil {
		access.Refuse(w, http.StatusBadRequest, "request", "the body is not the JSON of this request")
		return false
	}
	return true
}

// reply answers, packed where that is worth it.
func (s *Server) reply(w http.ResponseWriter, r *http.Request, v any) {
	raw, err := peer.Encode(v)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		var packed bool
		if raw, packed = client.Packed(raw); packed {
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	_, _ = w.Write(raw) // who hung up does not read
}

// fail answers with an error. An error meant for the caller is reported by its code; of any
// other the caller learns only that it happened and whether to retry. The log has all of it.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	code := peer.Code(err)
	if code == "history_rewritten" {
		s.counts.rewritten.Add(1)
	}
	status := map[string]int{
		"denied": http.StatusForbidden, "version": http.StatusConflict, "request": http.StatusUnprocessableEntity,
		"quota": http.StatusInsufficientStorage, "history_rewritten": http.StatusConflict,
	}[code]
	refused, known := errors.AsType[*refusal](err)
	switch {
	case known:
		access.Refuse(w, refused.status, refused.kind, refused.text)
	case code == "denied":
		access.Refuse(w, status, code, "the space does not exist, or you may not do that in it")
	case code != "":
		access.Refuse(w, status, code, strings.TrimPrefix(err.Error(), peer.Coded(code, "").Error()))
	case errors.Is(err, store.ErrAbsent):
		access.Refuse(w, http.StatusNotFound, "not_found", store.ErrAbsent.Error())
	case errors.Is(err, api.ErrInvalid):
		access.Refuse(w, http.StatusUnprocessableEntity, "request", err.Error())
	case away(err), errors.Is(err, store.ErrFull),
		errors.Is(err, api.ErrUnavailable),
		errors.Is(err, context.DeadlineExceeded):
		s.o.Log.Warn("asked to come again", "path", r.URL.Path, "error", err.Error())
		w.Header().Set("Retry-After", "1")
		kind := "unavailable"
		if errors.Is(err, store.ErrGone) || errors.Is(err, context.DeadlineExceeded) {
			kind = client.KindAway
		}
		access.Refuse(w, http.StatusServiceUnavailable, kind, doesNotAnswer(err)+": ask again")
	case r.Context().Err() != nil:
		w.WriteHeader(http.StatusRequestTimeout) // the client is gone
	default:
		s.o.Log.Error("failed", "path", r.URL.Path, "error", err.Error())
		access.Refuse(w, http.StatusInternalServerError, "internal", "something unforeseen; the hub's log has it")
	}
}

// seenKey is under which the log finds who asked.
type seenKey struct{}

func tell(r *http.Request, who *account) {
	if n, ok := r.Context().Value(seenKey{}).(*seen); ok {
		*n = seen{who.DID, who.token.ID}
	}
}

// seen names who asked: the account, and the public id of its token.
type seen struct{ account, token string }

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *recorder) WriteHeader(status int) { w.status = status; w.ResponseWriter.WriteHeader(status) }
func (w *recorder) Write(b []byte) (int, error) {
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// counted remembers how much of a body was read.
type counted struct {
	io.ReadCloser
	bytes int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	c.bytes += int64(n)
	return n, err
}

// logged logs each request: who, what and how long, and nothing of its content.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, who := time.Now(), new(seen)
		out := &recorder{ResponseWriter: w, status: http.StatusOK}
		body := &counted{ReadCloser: r.Body}
		inner := r.WithContext(context.WithValue(s.o.Store.Asking(r.Context()), seenKey{}, who))
		inner.Body = body
		next.ServeHTTP(out, inner)
		r.Pattern = inner.Pattern // the router notes it in the request that it was given
		s.counts.did(callOf(r.Pattern), who.token, out.status, time.Since(began), body.bytes, out.bytes)
		if (r.URL.Path == access.HealthPath || r.URL.Path == livePath) && out.status == http.StatusOK {
			return
		}
		path := r.URL.Path
		if r.Pattern != "" {
			path = r.Pattern // the ids in a path are not logged
		}
		s.o.Log.LogAttrs(r.Context(), slog.LevelInfo, "asked", slog.String("path", path), slog.Int("status", out.status),
			slog.Float64(
				"ms", float64(time.Since(began).Microseconds())/1000,
			), slog.Int64("bytes", out.bytes), slog.String("account", who.account), slog.String("token", who.token))
	})
}

// whichPart names what an error is of.
func whichPart(err error) string {
	if in, is := errors.AsType[*store.InShard](err); is {
		return "shard " + strconv.Itoa(in.No) + " of the hub's database"
	}
	return "the database"
}

// doesNotAnswer says which part of the database an error is of.
func doesNotAnswer(err error) string { return whichPart(err) + " does not answer, or is busy" }

// away reports whether an error is of a part of the database that may answer later.
func away(err error) bool {
	if _, of := errors.AsType[*store.InShard](err); of && errors.Is(err, store.ErrReadOnly) {
		return true // it has another version until the hub is migrated
	}
	return errors.Is(err, store.ErrGone) || errors.Is(err, store.ErrBusy) || errors.Is(err, store.ErrConflict)
}
