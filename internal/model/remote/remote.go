// Package remote asks a model server one question over HTTP, in JSON, and takes no more of its answer than it must.
//
// It is what the providers have in common: bounded answers, retries, errors a person can act on, and a key that
// goes nowhere but into one header of the server it is for.
package remote

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/llm"
)

const (
	maxBody     = 64 << 20 // of an answer, if the Server does not say otherwise
	maxError    = 64 << 10 // of an answer that is an error
	maxTries    = 3
	firstWait   = 200 * time.Millisecond // at most, before the second try; twice as much before the third
	defaultWhat = "embedder"
	maxWait     = time.Minute // a server that wants to be left alone for longer is unavailable
)

// A Server is one model server. Base must be set; make it with Base. The other fields' zero values are the defaults.
type Server struct {
	Base   *url.URL
	Key    string            // sent as a Bearer token when not empty
	Header string            // that the key is sent in, as it is; "" means Authorization, as a Bearer token
	Extra  map[string]string // other headers
	Client *http.Client      // nil means one of its own; its CheckRedirect is not used
	Most   int64             // bytes of an answer; 0 means 64 MiB
	Tries  int               // at most; 0 means 3. Generators ask once: llm.Bounds tries again
	What   string            // the server is for, in errors; "" means embedder

	// What tests replace: waiting, chance and the clock.
	Wait   func(ctx context.Context, d time.Duration) error
	Jitter func(most time.Duration) time.Duration
	Now    func() time.Time
}

// Base reads the address of a server. It refuses what is no plain http or https address, without repeating it:
// there may be a password in it.
func Base(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	switch {
	case err != nil:
		return nil, errors.New("the model's address is not a URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, errors.New("the model's address must begin with http:// or https:// and name a host")
	case u.User != nil:
		return nil, errors.New("the model's address contains a user or password: set the key instead")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the model's address contains a ? or #")
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	return u, nil
}

// CheckKey says what is wrong with a key, without repeating it.
func CheckKey(key string) error {
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the model's key contains spaces or invalid characters")
	}
	return nil
}

// Ask sends question to path below the base, or nothing when it is nil, and reads the answer into answer.
// Overload and servers' faults are asked again, at most Tries times in all and within ctx. Redirects are not
// followed. Every error but the caller's own cancelling is one of llm's.
func (s *Server) Ask(ctx context.Context, path string, question, answer any) error {
	var body []byte
	if question != nil {
		var err error
		if body, err = json.Marshal(question); err != nil {
			return fmt.Errorf("%s %s: %w: %w", s.what(), s.Base, llm.ErrRefused, err)
		}
	}
	for try := 1; ; try++ {
		wait, err := s.once(ctx, path, body, answer)
		if err == nil || wait < 0 {
			return err
		}
		if tries := cmp.Or(max(s.Tries, 0), maxTries); try >= tries {
			if try > 1 {
				err = fmt.Errorf("%w (asked %d times)", err, try)
			}
			return err
		}
		if wait == 0 {
			wait = s.jitter(firstWait << (try - 1))
		}
		if end, ok := ctx.Deadline(); wait > maxWait || ok && s.now().Add(wait).After(end) {
			return fmt.Errorf("%w (it would have to be asked again in %v)", err, wait.Round(time.Millisecond))
		}
		if s.wait(ctx, wait) != nil {
			return s.failed(ctx, ctx.Err())
		}
	}
}

// never is the wait of what is not to be asked again.
const never = -1

// once asks once. With an error it says how long to wait before asking again: never, 0 for a little, or what the
// server said.
func (s *Server) once(ctx context.Context, path string, body []byte, answer any) (time.Duration, error) {
	method, from := http.MethodGet, io.Reader(nil)
	if body != nil {
		method, from = http.MethodPost, bytes.NewReader(body)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.Base.String()+path, from)
	if err != nil {
		return never, fmt.Errorf("%s %s: %w: %w", s.what(), s.Base, llm.ErrRefused, err)
	}
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, value := range s.Extra {
		request.Header.Set(name, value)
	}
	switch {
	case s.Key == "":
	case s.Header != "":
		request.Header.Set(s.Header, s.Key)
	default:
		request.Header.Set("Authorization", "Bearer "+s.Key)
	}
	response, err := s.client().Do(request)
	if err != nil {
		var dial *net.OpError
		if ctx.Err() != nil || errors.As(err, &dial) && dial.Op == "dial" {
			return never, s.failed(ctx, err) // nobody there: asking again only takes time
		}
		return 0, s.failed(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return s.status(response)
	}
	most := cmp.Or(s.Most, maxBody)
	text, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err != nil {
		return 0, s.failed(ctx, err)
	}
	if int64(len(text)) > most {
		return never, &Error{
			What: s.what(), Server: s.Base.String(), Kind: llm.ErrNonsense,
			Text: fmt.Sprintf("an answer of more than %d MiB", most>>20),
		}
	}
	if err := json.Unmarshal(text, answer); err != nil {
		what := "an answer that cannot be read"
		if strings.HasPrefix(strings.TrimSpace(string(text[:min(len(text), 100)])), "<") {
			what = "a web page instead of an answer: is the address right?"
		}
		return never, &Error{What: s.what(), Server: s.Base.String(), Kind: llm.ErrNonsense, Text: what, Cause: err}
	}
	return 0, nil
}

// failed is the error of a request that got no answer.
func (s *Server) failed(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // without the address, which the error has already
	}
	text := "no answer"
	if errors.Is(err, context.DeadlineExceeded) {
		text = "no answer in time"
	}
	return &Error{What: s.what(), Server: s.Base.String(), Kind: llm.ErrUnavailable, Text: text, Cause: err}
}

func (s *Server) what() string { return cmp.Or(s.What, defaultWhat) }

// Nonsense is the error of an answer that cannot be used.
func (s *Server) Nonsense(format string, args ...any) error {
	return &Error{What: s.what(), Server: s.Base.String(), Kind: llm.ErrNonsense, Text: fmt.Sprintf(format, args...)}
}

func (s *Server) client() *http.Client {
	client := http.Client{}
	if s.Client != nil {
		client = *s.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

func (s *Server) wait(ctx context.Context, d time.Duration) error {
	if s.Wait != nil {
		return s.Wait(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// jitter returns any duration up to most, so that many who were turned away together do not come back together.
func (s *Server) jitter(most time.Duration) time.Duration {
	if s.Jitter != nil {
		return s.Jitter(most)
	}
	var bytes [8]byte
	_, _ = rand.Read(bytes[:]) // never fails
	return time.Duration(binary.LittleEndian.Uint64(bytes[:])%uint64(most)) + 1
}

func (s *Server) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}
