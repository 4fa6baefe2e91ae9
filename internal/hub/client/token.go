package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
)

// Renew asks for another secret of a token. The proof of the request says who asks.
type Renew struct {
	TokenID string `json:"token_id"`
}

// Renewed is a token with another secret. It is sent only once.
type Renewed struct {
	Token   string    `json:"token"`
	TokenID string    `json:"token_id"`
	Expires time.Time `json:"expires,omitzero"`
	Ends    time.Time `json:"ends,omitzero"` // until then it is renewed
}

// Binding says how a client proves its requests and renews its token.
type Binding struct {
	Key     *keys.Key // signs each request; nil sends none of that, as earlier releases
	Hub     string    // the name of the hub
	TokenID string
	Bound   bool      // the hub knows the key already
	Expires time.Time // of the token
	// Keep is called with each renewed token, before it is used.
	Keep func(Renewed) error
	// Kept returns the token that is kept now: another process may have renewed it. nil is that none does.
	Kept func() (Renewed, error)
	// Join is called where there is no token yet, or none that can be renewed any more: by a machine whose key lets it
	// in. nil is no such machine.
	Join func(context.Context) (Joined, error)
	Now  func() time.Time // nil is the clock
}

// holder is the token of a client, which changes while it is used.
type holder struct {
	mu      sync.Mutex
	token   string
	b       Binding
	away    time.Duration // how far the hub's clock is ahead of this one
	refused bool          // the hub knows no renewing: it is of an earlier release
}

// early is how long before its end a token is renewed.
const early = time.Minute

// now returns the hub's time, as far as it is known.
func (h *holder) now() time.Time { return h.b.Now().Add(h.away) }

// sign proves a request, if there is a key for it that the hub knows or is told of.
func (h *holder) sign(req *http.Request, path, token string, body []byte, tells bool) error {
	h.mu.Lock()
	b, now := h.b, h.now()
	h.mu.Unlock()
	if b.Key == nil || b.Hub == "" || !b.Bound && !tells {
		return nil
	}
	proof, err := peer.NewRequestProof(b.Hub, req.Method, path, token, body, now).Sign(b.Key)
	if err == nil {
		req.Header.Set(peer.ProofHeader, proof)
	}
	return err
}

// clock takes the time that a hub told, and reports whether that may help.
func (h *holder) clock(text string) bool {
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	away := time.UnixMilli(ms).Sub(h.b.Now())
	moved := (away - h.away).Abs() > peer.ProofSkew/2
	h.away = away
	return moved
}

// has returns the token.
func (h *holder) has() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.token
}

// stale reports whether the token is to be renewed before it is used.
func (h *holder) stale() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.b
	if b.Key == nil || b.Hub == "" {
		return false
	}
	if h.token == "" {
		return b.Join != nil
	}
	return !b.Bound && !h.refused || b.Bound && !b.Expires.IsZero() && !h.now().Before(b.Expires.Add(-early))
}

// fresh renews the token where it is due, or where the hub did not know it: was is the one that it did not know. A
// machine that cannot renew joins again.
func (c *Client) fresh(ctx context.Context, was string) error {
	h := c.token
	c.renewing.Lock()
	defer c.renewing.Unlock()
	if now := h.has(); was != "" && now != was {
		return nil // another request renewed it meanwhile
	}
	if was == "" && !h.stale() {
		return nil
	}
	if h.has() == "" {
		return c.rejoin(ctx, nil)
	}
	if h.changed() {
		return nil
	}
	var got Renewed
	err := c.once(ctx, http.MethodPost, Base+"renew", mustEncode(Renew{TokenID: h.b.TokenID}), &got)
	switch {
	case err == nil:
	case !h.b.Bound && (errors.Is(err, peer.ErrAbsent) || errors.Is(err, ErrNoHub)):
		h.mu.Lock()
		h.refused = true // a hub of an earlier release takes the token as it is
		h.mu.Unlock()
		return nil
	case errors.Is(err, ErrToken):
		return c.rejoin(ctx, err)
	default:
		return err
	}
	if h.b.Keep != nil {
		if err := h.b.Keep(got); err != nil {
			return fmt.Errorf("keep the renewed token: %w", err)
		}
	}
	h.takes(got)
	return nil
}

// takes goes on with a renewed token.
func (h *holder) takes(r Renewed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.token, h.b.TokenID, h.b.Expires, h.b.Bound = r.Token, r.TokenID, r.Expires, true
}

// changed takes the token that another process of this machine renewed, and reports whether there is one.
func (h *holder) changed() bool {
	h.mu.Lock()
	kept, token, now := h.b.Kept, h.token, h.now()
	h.mu.Unlock()
	if kept == nil {
		return false
	}
	r, err := kept()
	if err != nil || r.Token == "" || r.Token == token || !now.Before(r.Expires.Add(-early)) {
		return false // it is renewed, whatever is kept
	}
	h.takes(r)
	return true
}

// rejoin lets a machine join with its key alone. err is why it has to; nil is that it never did.
func (c *Client) rejoin(ctx context.Context, err error) error {
	h := c.token
	if h.b.Join == nil {
		return err
	}
	joined, err := h.b.Join(ctx)
	if err != nil {
		return err
	}
	h.takes(Renewed{Token: joined.Token, TokenID: joined.TokenID, Expires: joined.Expires})
	return nil
}

func mustEncode(v any) []byte {
	raw, err := peer.Encode(v)
	if err != nil {
		panic(err) // a struct of words
	}
	return raw
}
