// Package client asks a stemma server. Each operation is a method of a Client, as it is of an
// Engine of package stemma, with the same request and reply and errors of the same six kinds. What
// a request has for its own process alone, such as a function for progress, is not sent.
package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
)

// A Client asks one server. Its fields are set before it is used; then it is safe
// for concurrent use.
type Client struct {
	Agent    string       // display name of the agent that asks
	Platform string       // where it runs
	Session  string       // the conversation that writes belong to
	Space    string       // the space; "" is the server's
	Project  string       // the space of the project that the caller is in, where Space is ""; "-" is outside any
	HTTP     *http.Client // nil is one of its own

	base, token string
}

// New returns a client of the server at an address such as http://127.0.0.1:7463,
// with one of its tokens.
func New(base, token string) *Client {
	return &Client{base: strings.TrimRight(base, "/"), token: token}
}

// An Error is what a server answered in place of a reply. It matches one of the
// six errors of package stemma, if it is of their kind.
type Error struct {
	Status int
	Kind   string // as every face names it: not_found, invalid, …
	Detail string // what was wrong, with what, and what to do

	wait time.Duration // until it may be asked again
}

func (e *Error) Error() string { return e.Detail }

// kinds are the errors that a kind of problem is.
var kinds = map[string]error{
	"not_found": api.ErrNotFound, "invalid": api.ErrInvalid, "conflict": api.ErrConflict, "ambiguous": api.ErrAmbiguous,
	"forbidden": api.ErrForbidden, "unavailable": api.ErrUnavailable,
	"malformed": api.ErrInvalid, "too_large": api.ErrInvalid, "key_reused": api.ErrConflict,
	"unauthorized":      api.ErrForbidden,
	"too_many_requests": api.ErrUnavailable, "timeout": api.ErrUnavailable,
}

// Is reports whether the problem is of a kind.
func (e *Error) Is(target error) bool { return kinds[e.Kind] == target && target != nil }

// How often something is asked, and the longest that is waited between.
const (
	mostTries = 4
	longest   = 10 * time.Second
)

// Do asks for an operation by its name, which is what each method does. A write is done
// once however often it had to be asked: where the connection broke, or the server said to
// wait, it is asked again under the same key.
//
// Out is the reply of the operation; another type is an error, and nothing is asked. With
// json.RawMessage the reply comes as the server wrote it.
//
// A reply may have a member that this package does not know: the server is newer. That is
// an error which names the member, and what was asked is done. Update this module to the
// version of the server, or take the reply as json.RawMessage until then.
func Do[In, Out any](ctx context.Context, c *Client, name string, in In) (Out, error) {
	var out Out
	err := c.do(ctx, name, in, &out)
	return out, err
}

func (c *Client) do(ctx context.Context, name string, in, out any) error {
	if err := fits(name, reflect.TypeOf(out).Elem()); err != nil {
		return err
	}
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if pack, is := out.(*api.ContextReply); is {
		return c.pack(ctx, name, formatOf(in), body, pack)
	}
	text, err := c.asked(ctx, name, body, "application/json")
	if err != nil {
		return err
	}
	return decode(name, text, out)
}

// fits refuses a type that is not the reply of an operation. Of an operation that this
// package does not know, any type fits: the server is newer, or says that there is none.
func fits(name string, out reflect.Type) error {
	want := replyOf(name)
	if want == nil || out == want || out == reflect.TypeFor[json.RawMessage]() {
		return nil
	}
	return api.Invalid("%s: the reply is %s, not %s: nothing was asked", name, want, out)
}

// decode reads a reply, and refuses one with members that its type does not have.
func decode(name string, text []byte, out any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(out)
	if err == nil && len(bytes.TrimSpace(text[d.InputOffset():])) > 0 {
		err = errors.New("something comes after it")
	}
	if err == nil {
		return nil
	}
	const before = "json: unknown field "
	if member, unknown := strings.CutPrefix(err.Error(), before); unknown {
		const newer = "%s: the reply has the member %s, which this client does not know: " +
			"the server is newer, and did what was asked; update the module github.com/stemma-memory/stemma"
		return fmt.Errorf(newer, name, member)
	}
	return fmt.Errorf("%s: the reply cannot be read: %w", name, err)
}

// formats are the media types in which packs are given.
var formats = map[string]string{"text": "text/plain", "markdown": "text/markdown", "json": "application/json"}

// formatOf is the format in which a request wants its pack.
func formatOf(in any) string {
	switch in := in.(type) {
	case api.ContextRequest:
		return cmp.Or(in.Format, "json")
	case api.LoadRequest:
		return cmp.Or(in.Format, "json")
	}
	return "json"
}

// pack asks for a pack in one format, and keeps it in that one.
func (c *Client) pack(ctx context.Context, name, format string, body []byte, out *api.ContextReply) error {
	text, err := c.packed(ctx, name, format, body)
	if err != nil {
		return err
	}
	if format == "json" {
		out.Body = text
	}
	out.Render = func(as string, _ bool) ([]byte, error) {
		if as != format {
			return nil, api.Invalid("format: the server was asked for %s: set Format of the request to %.40q", format, as)
		}
		return text, nil
	}
	return nil
}

func (c *Client) packed(ctx context.Context, name, format string, body []byte) ([]byte, error) {
	kind := formats[format]
	if kind == "" {
		return nil, api.Invalid("format: must be text, markdown or json, got %.40q", format)
	}
	return c.asked(ctx, name, body, kind)
}

// Pack asks for context or load, as a model reads it: in text or markdown.
func Pack[In any](ctx context.Context, c *Client, name string, in In, format string) ([]byte, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	return c.packed(ctx, name, format, body)
}

func (c *Client) asked(ctx context.Context, name string, body []byte, accept string) ([]byte, error) {
	key := rand.Text()
	for try := 1; ; try++ {
		text, err := c.once(ctx, name, body, accept, key)
		wait, again := worthwhile(err)
		if !again || try == mostTries || ctx.Err() != nil {
			return text, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, err
		}
	}
}

// worthwhile reports whether to ask again, and when.
func worthwhile(err error) (time.Duration, bool) {
	const soon = 100 * time.Millisecond
	var said *Error
	var broken *brokenError
	switch {
	case errors.As(err, &said):
		return min(said.wait, longest), said.wait > 0
	case errors.As(err, &broken):
		return soon, true
	}
	return 0, false
}

// brokenError is a connection that was there and broke before the answer came.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

func (c *Client) once(ctx context.Context, name string, body []byte, accept, key string) ([]byte, error) {
	r, err := c.request(ctx, http.MethodPost, "/v1/"+name, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", accept)
	r.Header.Set("Idempotency-Key", key)
	got, err := c.send(r)
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return nil, &brokenError{fmt.Errorf("%s: the answer broke off: %w", name, err)}
	}
	return text, nil
}

func (c *Client) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, api.Invalid("the address of the server: %v", err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	for name, text := range map[string]string{
		"Stemma-Agent": c.Agent, "Stemma-Platform": c.Platform, "Stemma-Session": c.Session,
		"Stemma-Space": c.Space, "Stemma-Project": c.Project,
	} {
		if text != "" {
			r.Header.Set(name, text)
		}
	}
	return r, nil
}

// unreached is a server that cannot be asked.
type unreached struct{ err error }

func (e *unreached) Error() string {
	return "the server cannot be asked: " + e.err.Error() + "; does 'stemma serve' run there?"
}
func (e *unreached) Unwrap() error        { return e.err }
func (e *unreached) Is(target error) bool { return target == api.ErrUnavailable }

// send sends a request, and gives an answer that is no problem.
func (c *Client) send(r *http.Request) (*http.Response, error) {
	h := c.HTTP
	if h == nil {
		h = plain
	}
	got, err := h.Do(r)
	var dial *net.OpError
	switch {
	case err != nil && (r.Context().Err() != nil || errors.As(err, &dial) && dial.Op == "dial"):
		return nil, &unreached{err}
	case err != nil:
		return nil, &brokenError{&unreached{err}}
	}
	if got.StatusCode < http.StatusMultipleChoices {
		return got, nil
	}
	defer got.Body.Close()
	const most = 64 << 10
	said := &Error{Status: got.StatusCode, Detail: "the server answered " + got.Status}
	if text, err := io.ReadAll(io.LimitReader(got.Body, most)); err == nil {
		var p struct{ Kind, Detail string }
		if json.Unmarshal(text, &p) == nil && p.Kind != "" {
			said.Kind, said.Detail = p.Kind, p.Detail
		}
	}
	if seconds, err := strconv.Atoi(got.Header.Get("Retry-After")); err == nil && seconds > 0 {
		said.wait = time.Duration(seconds) * time.Second
	}
	return nil, said
}

// plain follows no one elsewhere: a token is for the server it was given for.
var plain = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
