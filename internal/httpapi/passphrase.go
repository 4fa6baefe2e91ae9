package httpapi

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
)

// PassphraseHeader carries the passphrase of the owner's key, percent-encoded.
const PassphraseHeader = "Stemma-Passphrase"

// unlock unlocks the owner's key for one request of a signed-in browser, where the key has a
// passphrase: a browser left open is no person. lock ends that.
func unlock(r *http.Request, engineOf func(*http.Request) (*engine.Engine, error), op ops.Op) (lock func(), err error) {
	none := func() {}
	c, _ := access.CallerOf(r.Context())
	if c.Page == "" || !op.Writes {
		return none, nil
	}
	e, err := engineOf(r)
	if err != nil {
		return none, err
	}
	locked, err := e.OwnerLocked()
	if err != nil || !locked {
		return none, err
	}
	given := r.Header.Get(PassphraseHeader)
	if given == "" {
		return none, &wrong{http.StatusForbidden, kindPassphrase, "your key has a passphrase: type it to go on"}
	}
	text, err := url.PathUnescape(given)
	if err != nil {
		return none, &wrong{http.StatusBadRequest, kindMalformed, PassphraseHeader + ": is not percent-encoded"}
	}
	lock, err = e.UnlockOwner([]byte(text))
	switch {
	case err == nil:
		return lock, nil
	case errors.Is(err, api.ErrForbidden):
		return none, &wrong{http.StatusForbidden, kindPassphrase, "wrong passphrase: type it again"}
	}
	return none, err
}
