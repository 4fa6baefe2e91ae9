package access

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// A Problem is an error as RFC 9457 writes it, with the kind that every face
// gives the same name.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Kind   string `json:"kind"`
	// Changed names each record that is not as the request took it to be.
	Changed []Changed `json:"changed,omitempty"`
}

// Changed is a record and how it stands now, in words.
type Changed struct {
	Ref string `json:"ref"`
	Now string `json:"now"`
}

// ProblemType is the media type of problems.
const ProblemType = "application/problem+json"

// problemPage is where each kind of problem is told of.
const problemPage = "https://github.com/stemma-memory/stemma/blob/main/docs/reference/http.md#"

// The kinds of problem that are no failure of an operation.
const (
	KindUnauthorized = "unauthorized"
	KindForbidden    = "forbidden"
	KindTooMany      = "too_many_requests"
	KindPage         = "page" // a browser's request that our page did not send
)

// Refuse answers with a problem.
func Refuse(w http.ResponseWriter, status int, kind, detail string, changed ...Changed) {
	body, _ := json.Marshal(Problem{ // strings and a number
		Type: problemPage + kind, Title: http.StatusText(status), Status: status, Detail: detail, Kind: kind,
		Changed: changed,
	})
	h := w.Header()
	h.Set("Content-Type", ProblemType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // who hung up does not read
}

// RefuseFor answers that too much was asked, and when to ask again.
func RefuseFor(w http.ResponseWriter, wait time.Duration, detail string) {
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	Refuse(w, http.StatusTooManyRequests, KindTooMany, detail)
}
