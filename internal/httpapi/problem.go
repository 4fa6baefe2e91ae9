package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/ops"
)

// A wrong is what a request did against the protocol, before any operation saw it.
type wrong struct {
	status int
	kind   string
	detail string
}

func (w *wrong) Error() string { return w.detail }

// A stale request is about records as they are no longer.
type stale struct {
	detail  string
	changed []access.Changed
}

func (s *stale) Error() string { return s.detail }

// The kinds of problem of the protocol. Those of operations are named in ops.
const (
	kindMalformed   = "malformed"
	kindTooLarge    = "too_large"
	kindMedia       = "unsupported_media_type"
	kindTimeout     = "timeout"
	kindReused      = "key_reused"
	kindUnavailable = "unavailable"
	kindChanged     = "changed"
	kindPassphrase  = "passphrase"
)

// refuse answers with what went wrong.
func refuse(w http.ResponseWriter, err error) {
	var bad *wrong
	if errors.As(err, &bad) {
		access.Refuse(w, bad.status, bad.kind, bad.detail)
		return
	}
	var old *stale
	if errors.As(err, &old) {
		access.Refuse(w, http.StatusConflict, kindChanged, old.detail, old.changed...)
		return
	}
	status := ops.StatusOf(err)
	detail := strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' }), "; ")
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		access.Refuse(w, http.StatusServiceUnavailable, kindUnavailable, "it was stopped: "+detail)
		return
	}
	access.Refuse(w, status.HTTP, status.Name, detail)
}
