package tracing

import (
	"net/http"
	"strconv"
	"strings"
)

// Served tells of each request that a server answers: its method, the pattern of its
// route and the status, never its address, which may hold an id or what was searched.
func Served(t *Tracer, next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, s := Start(From(With(r.Context(), t), r.Header), Server, method(r))
		defer s.End()
		r = r.WithContext(ctx)
		out := &answered{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			if s == nil {
				return
			}
			route := r.Pattern // as the router that saw this request noted it
			if _, path, ok := strings.Cut(route, " "); ok {
				route = path
			}
			s.mu.Lock()
			s.name = strings.TrimSpace(method(r) + " " + route)
			s.mu.Unlock()
			s.Set(
				Word("http.request.method", method(r)), Word("http.route", route),
				Number("http.response.status_code", out.status),
			)
			if out.status >= http.StatusInternalServerError {
				s.Fail(strconv.Itoa(out.status))
			}
		}()
		next.ServeHTTP(out, r)
	})
}

// method returns the method of a request where it is one that there is.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return "_OTHER"
}

// answered remembers the status of an answer.
type answered struct {
	http.ResponseWriter
	status int
}

func (a *answered) WriteHeader(status int) { a.status = status; a.ResponseWriter.WriteHeader(status) }

// Flush sends what was written so far.
// where there is nothing to flush nothing waits
func (a *answered) Flush() { _ = http.NewResponseController(a.ResponseWriter).Flush() }

// Unwrap lets streams be flushed and deadlines be set.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }
