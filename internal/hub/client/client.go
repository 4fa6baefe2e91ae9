// Package client speaks to a hub over HTTP in the name of one account. It waits and
// asks again where that may help, and says by name what does not pass by itself.
package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/tracing"
)

// The errors of a hub that cannot be reached, matched with errors.Is. None of them says
// anything about the data stored here.
var (
	ErrDown        = errors.New("the hub cannot be reached")
	ErrSlow        = errors.New("the hub does not answer in time")
	ErrCertificate = errors.New("the hub's certificate is not good")
	ErrNoHub       = errors.New("this is no hub")
	ErrToken       = errors.New(
		"the hub does not know this token: it was revoked, has expired, or is for another hub; join again with an invitation",
	)
	ErrPlain = errors.New("the address is not encrypted")
)

// Bounds on a reply. A hub sends less; a server that sends more is not a hub.
const mostReply = 48 << 20

// Options say how a hub is spoken with. The zero value is https with the system's
// authorities.
type Options struct {
	Token    string
	Binding                 // how requests are proven, and the token renewed
	Roots    *x509.CertPool // authorities that sign hubs' certificates; nil is the system's
	CA       string         // the same as PEM, to tell other machines; "" is the system's
	Insecure bool           // plain http to another machine, since the user says so
	Timeout  time.Duration  // of one request; 0 is 90 seconds
	// how long to ask again where the hub is away or busy; 0 is one minute, below 0 not at all.
	// One that never answered is asked for two seconds
	Patience time.Duration
	Dice     func() float64 // between 0 and 1, so that many do not come back at once; nil is the middle
	Version  string         // of this program, for the hub's log
	Packed   bool           // compress what goes to this machine too: its address may be the end of a tunnel
}

// greets is how long to retry a hub that has never answered this client: being offline is
// normal, and a person at a terminal wants an answer.
const greets = 2 * time.Second

// A Client speaks to one hub. It is a peer.Remote, a peer.Post and a peer.Keeping, and safe for concurrent use.
type Client struct {
	base *url.URL
	o    Options
	near bool // on this machine: requests need not be compressed
	http *http.Client
	met  *atomic.Bool // it has answered once, so that it is only away
	away *atomic.Bool // it was given up once: until it answers, it is asked and not waited for

	token    *holder
	renewing *sync.Mutex
}

var (
	_ peer.Remote     = (*Client)(nil)
	_ peer.Post       = (*Client)(nil)
	_ peer.Keeping    = (*Client)(nil)
	_ peer.Searcher   = (*Client)(nil)
	_ peer.Servicing  = (*Client)(nil)
	_ peer.Concurrent = (*Client)(nil)
)

// New makes a client of the hub at an address.
func New(address string, o Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("a hub's address is https://HOST, got %q", address)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("a hub's address has no user, query or fragment: %q", u.Redacted())
	}
	if u.Scheme == "http" && !loopback(u.Hostname()) && !o.Insecure {
		return nil, fmt.Errorf("%w: %s would send the token and all records in plain text; use https", ErrPlain, u.Host)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	if o.Timeout == 0 {
		o.Timeout = 90 * time.Second
	}
	if o.Patience == 0 {
		o.Patience = time.Minute
	}
	if o.Dice == nil {
		o.Dice = func() float64 { return 0.5 }
	}
	if o.Binding.Now == nil {
		o.Binding.Now = time.Now
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	near := loopback(u.Hostname()) && !o.Packed
	own := &holder{token: o.Token, b: o.Binding}
	return &Client{base: u, o: o, near: near, met: new(atomic.Bool), away: new(atomic.Bool), token: own,
		renewing: new(sync.Mutex), http: &http.Client{
			Timeout: o.Timeout,
			Transport: &http.Transport{
				DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: time.Minute,
				TLSClientConfig:     &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
				MaxIdleConnsPerHost: 4, ForceAttemptHTTP2: true, DisableCompression: near,
			},
			// the token is for this hub: no one else is asked in its place
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Concurrent says that a hub may be asked several things at once.
func (c *Client) Concurrent() {}

// Host is where the hub is, for reports.
func (c *Client) Host() string { return c.base.Host }

// Close closes the connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// later is an error after which asking again may help.
type later struct {
	err  error
	wait time.Duration // at least; 0 is as you like
}

func (l *later) Error() string { return l.err.Error() }
func (l *later) Unwrap() error { return l.err }

// do asks, and asks again after a while where the hub is away or busy: every request
// may be asked twice.
func (c *Client) do(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = peer.Encode(in); err != nil {
			return err
		}
	}
	const first, most = 100 * time.Millisecond, 10 * time.Second
	began := time.Now()
	for pause := first; ; pause = min(2*pause, most) {
		err := c.asked(ctx, method, path, body, out)
		l, again := errors.AsType[*later](err)
		if !again || ctx.Err() != nil {
			return err
		}
		// on top of what the hub asks for, or all whom it refused at once would come back at once
		wait := max(l.wait, pause/2) + time.Duration(c.o.Dice()*float64(pause/2))
		patience := c.o.Patience
		if !c.met.Load() {
			patience = min(patience, greets)
		}
		if time.Since(began)+wait > patience || c.away.Load() && !c.met.Load() {
			c.away.Store(true)
			c.met.Store(false) // what is asked next is asked once, until it answers
			return l.err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// asked asks once, with a token that is good, and once more where a renewed one or the hub's clock may help.
func (c *Client) asked(ctx context.Context, method, path string, body []byte, out any) error {
	opens := path != Base+"challenge" && path != Base+"join"
	if opens && c.token.stale() {
		if err := c.fresh(ctx, ""); err != nil {
			return err
		}
	}
	token := c.token.has()
	err := c.once(ctx, method, path, body, out)
	if opens && errors.Is(err, ErrToken) && c.token.b.Key != nil && token != "" {
		if renewed := c.fresh(ctx, token); renewed != nil {
			return renewed
		}
		if c.token.has() != token {
			if err = c.once(ctx, method, path, body, out); errors.Is(err, ErrToken) {
				// the hub renewed it a moment ago: so many others renew it that it does not know this one any more
				return &later{err: err}
			}
		}
	}
	return err
}

// once asks, and again with the hub's clock where that is told.
func (c *Client) once(ctx context.Context, method, path string, body []byte, out any) error {
	err := c.send(ctx, method, path, body, out)
	if told, ok := errors.AsType[*clockOff](err); ok && c.token.clock(told.now) {
		err = c.send(ctx, method, path, body, out)
	}
	return err
}

// clockOff is a refusal of a hub whose clock is another.
type clockOff struct{ now, text string }

func (c *clockOff) Error() string { return c.text }

func (c *Client) send(ctx context.Context, method, path string, body []byte, out any) error {
	sent, zipped := body, false
	if !c.near {
		sent, zipped = Packed(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base.String()+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if zipped {
		req.Header.Set("Content-Encoding", "gzip")
	}
	token, joins := c.token.has(), path == Base+"join"
	if joins || path == Base+"challenge" {
		token = ""
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if path != Base+"challenge" {
		if err := c.token.sign(req, path, token, sent, joins || path == Base+"renew"); err != nil {
			return err
		}
	}
	req.Header.Set("User-Agent", "stemma/"+c.o.Version)
	ctx, span := tracing.Start(ctx, tracing.Client, "hub "+route(path), tracing.Word("http.request.method", method))
	defer span.End()
	tracing.Give(ctx, req.Header)
	resp, err := c.http.Do(req)
	if err != nil {
		span.Fail("unreachable")
		return c.unreached(ctx, err)
	}
	span.Set(tracing.Number("http.response.status_code", resp.StatusCode))
	defer resp.Body.Close()
	raw, err := All(io.LimitReader(resp.Body, mostReply+1), resp.ContentLength)
	if err != nil {
		return c.unreached(ctx, err)
	}
	if len(raw) > mostReply {
		return fmt.Errorf("%w: %s sends more than %d MB at once", ErrNoHub, c.base.Host, mostReply>>20)
	}
	if serves(resp.StatusCode, raw) {
		c.met.Store(true)
	}
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusNoContent {
		return c.refused(resp, raw)
	}
	if out == nil || resp.StatusCode == http.StatusNoContent {
		return nil
	}
	if err := peer.Decode(raw, out); err != nil {
		return fmt.Errorf("%w: %s answers, but not as a hub does", ErrNoHub, c.base.Host)
	}
	return nil
}

// KindAway is the kind of a refusal by a hub whose database does not answer.
const KindAway = "away"

// serves reports whether a hub that can serve gave an answer: not a gateway, nor a hub whose database is away.
func serves(status int, raw []byte) bool {
	switch status {
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return false
	case http.StatusServiceUnavailable:
		var p access.Problem
		return json.Unmarshal(raw, &p) == nil && p.Kind != "" && p.Kind != KindAway
	}
	return true
}

// route returns a path without the ids in it, which must not be reported.
func route(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, Base), "/")
	return name
}

// unreached names why there was no reply.
func (c *Client) unreached(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	if errors.As(err, &unknown) || errors.As(err, &name) || errors.As(err, &invalid) || errors.As(err, &verification) {
		return fmt.Errorf("%w: %s: %s", ErrCertificate, c.base.Host, cause(err))
	}
	var header tls.RecordHeaderError
	if errors.As(err, &header) || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client") {
		return fmt.Errorf("%w: %s does not speak https", ErrNoHub, c.base.Host)
	}
	var network net.Error
	if errors.As(err, &network) && network.Timeout() {
		return &later{err: fmt.Errorf("%w: %s, within %s", ErrSlow, c.base.Host, c.o.Timeout)}
	}
	return &later{err: fmt.Errorf("%w: %s: %s", ErrDown, c.base.Host, cause(err))}
}

// cause returns the last part of an error, without the address before it.
func cause(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

// refused returns the error that a status and a problem say.
func (c *Client) refused(resp *http.Response, raw []byte) error {
	var p access.Problem
	if json.Unmarshal(raw, &p) != nil || p.Kind == "" {
		p = access.Problem{}
	}
	seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
	wait := min(time.Duration(max(seconds, 0))*time.Second, time.Minute)
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests,
		code == http.StatusServiceUnavailable,
		code == http.StatusBadGateway,
		code == http.StatusGatewayTimeout:
		return &later{fmt.Errorf("%w: %s is busy: %s", ErrDown, c.base.Host, or(p.Detail, resp.Status)), wait}
	case code >= 300 && code < 400:
		return fmt.Errorf("%w: %s sends elsewhere, and the token is for it alone", ErrNoHub, c.base.Host)
	case p.Kind == "":
		return fmt.Errorf("%w: %s answers %s", ErrNoHub, c.base.Host, resp.Status)
	case code == http.StatusUnauthorized && p.Kind == "clock":
		return &clockOff{resp.Header.Get(peer.TimeHeader), c.base.Host + ": " + p.Detail}
	case code == http.StatusUnauthorized:
		return fmt.Errorf("%w: %w", peer.ErrDenied, ErrToken)
	case p.Kind == "not_found" && p.Detail == nothingThere && strings.HasPrefix(resp.Request.URL.Path, Base):
		return fmt.Errorf("%w: %s %s", peer.ErrAbsent, c.base.Host, tooOld)
	case p.Kind == "not_found":
		return fmt.Errorf("%w: %s", peer.ErrAbsent, p.Detail)
	case p.Kind == "denied" && p.Detail == unboundClaim:
		return fmt.Errorf("%w: %s %s", peer.ErrDenied, c.base.Host, tooOld)
	}
	return peer.Coded(p.Kind, p.Detail)
}

// What a hub of an earlier version answers to a request that it does not know, and to a claim with the key
// of a machine: it verifies another claim. Both say nothing of the cause.
const (
	nothingThere = "a hub has nothing there"
	unboundClaim = "the account did not sign that it wants to join this hub with this invitation"
	tooOld       = "runs an earlier version of stemma, which does not know this request; ask its operator to update it"
)

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
