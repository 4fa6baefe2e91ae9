package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/peer"
)

func newClient(t *testing.T, url string, o Options) *Client {
	t.Helper()
	c, err := New(url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func hello(t *testing.T, c *Client) error {
	t.Helper()
	_, err := c.Hello(t.Context(), peer.Hello{Version: peer.Version})
	return err
}

// A hub of an earlier version refuses what it does not know with texts that do not say so. The client does.
func TestAHubOfAnEarlierVersionIsNamed(t *testing.T) {
	for _, tt := range []struct {
		what, kind, detail string
		status             int
		ask                func(*Client) error
		is                 error
		old                bool
	}{
		{"joined", "denied", "the account did not sign that it wants to join this hub with this invitation", 403,
			func(c *Client) error { _, err := c.Join(t.Context(), Join{}); return err }, peer.ErrDenied, true},
		{"asked for services", "not_found", "a hub has nothing there", 404,
			func(c *Client) error { _, err := c.Services(t.Context(), peer.ServicesRequest{}); return err },
			peer.ErrAbsent, true},
		{"asked for a member who is none", "not_found", "that key is not a member of that space", 404,
			func(c *Client) error { _, err := c.SetMember(t.Context(), peer.Placing{}); return err }, peer.ErrAbsent, false},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			access.Refuse(w, tt.status, tt.kind, tt.detail)
		}))
		err := tt.ask(newClient(t, s.URL, Options{Patience: -1}))
		if !errors.Is(err, tt.is) || strings.Contains(fmt.Sprint(err), "an earlier version of stemma") != tt.old {
			t.Errorf("a hub %s: %v; of an earlier version: want %t", tt.what, err, tt.old)
		}
		s.Close()
	}
}

// Each way in which a hub cannot be spoken with has a name, and names the hub.
func TestEveryFailureHasAName(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	answer := func(status int, header, value, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, value)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	problem := func(status int, kind string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { access.Refuse(w, status, kind, "as it was told to") }
	}
	for _, tt := range []struct {
		what string
		h    http.HandlerFunc
		want error
	}{
		{"slow", func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then is it seen that he has gone
			select {
			case <-never:
			case <-r.Context().Done():
			}
		}, ErrSlow},
		{"busy", problem(http.StatusServiceUnavailable, "unavailable"), ErrDown},
		{"behind a gateway that finds none", answer(http.StatusBadGateway, "X", "", "<html>"), ErrDown},
		{"a page", answer(http.StatusOK, "Content-Type", "text/html", "<html>"), ErrNoHub},
		{"a page not found", answer(http.StatusNotFound, "Content-Type", "text/html", "<html>"), ErrNoHub},
		{"elsewhere", answer(http.StatusFound, "Location", "http://127.0.0.1:1/", ""), ErrNoHub},
		{"a half reply", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"version":`)
		}, ErrDown},
		{"of another version", problem(http.StatusConflict, "version"), peer.ErrVersion},
		{"not knowing the token", problem(http.StatusUnauthorized, "unauthorized"), ErrToken},
		{"refusing", problem(http.StatusForbidden, "denied"), peer.ErrDenied},
		{"full", problem(http.StatusInsufficientStorage, "quota"), peer.ErrQuota},
		{"seeing another history", problem(http.StatusConflict, "history_rewritten"), peer.ErrRewritten},
	} {
		s := httptest.NewServer(tt.h)
		patience := time.Minute // of all but the one that never answers: a machine may be busy
		if tt.want == ErrSlow {
			patience = 300 * time.Millisecond
		}
		err := hello(t, newClient(t, s.URL, Options{Token: "secret", Patience: -1, Timeout: patience}))
		if !errors.Is(err, tt.want) {
			t.Errorf("a hub that is %s gives %v, want %v", tt.what, err, tt.want)
		}
		if peer.Lasting(err) != peer.Lasting(tt.want) && tt.want != ErrToken {
			t.Errorf("a hub that is %s: whether asking again helps is wrong", tt.what)
		}
		s.CloseClientConnections()
		s.Close()
	}
	s := httptest.NewServer(http.NotFoundHandler())
	url := s.URL
	s.Close()
	if err := hello(t, newClient(t, url, Options{Patience: -1})); !errors.Is(err, ErrDown) ||
		!strings.Contains(err.Error(), strings.TrimPrefix(url, "http://")) {
		t.Errorf("a hub that is not there gives %v, want ErrDown with its name", err)
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	if err := hello(
		t, newClient(t, strings.Replace(plain.URL, "http:", "https:", 1), Options{Patience: -1}),
	); !errors.Is(err, ErrNoHub) {
		t.Errorf("a hub that does not speak https gives %v, want ErrNoHub", err)
	}
}

func TestCertificates(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") }))
	defer s.Close()
	good := x509.NewCertPool()
	good.AddCert(s.Certificate())
	if err := hello(t, newClient(t, s.URL, Options{Roots: good, Patience: -1})); err != nil {
		t.Errorf("a certificate of a known authority gives %v", err)
	}
	if err := hello(t, newClient(t, s.URL, Options{Patience: -1})); !errors.Is(err, ErrCertificate) {
		t.Errorf("one of an unknown authority gives %v, want ErrCertificate", err)
	}
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	if err := hello(
		t, newClient(t, "https://localhost:"+port, Options{Roots: good, Patience: -1}),
	); !errors.Is(err, ErrCertificate) {
		t.Errorf("one for another name gives %v, want ErrCertificate", err)
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]error{
		"https://hub.example.org": nil, "https://hub.example.org:7465/under/": nil, "http://127.0.0.1:1": nil,
		"http://[::1]:1": nil, "http://localhost": nil,
		"http://hub.example.org": ErrPlain, "http://127.0.0.1.example.org": ErrPlain, "http://10.0.0.1": ErrPlain,
	} {
		if _, err := New(address, Options{}); !errors.Is(err, want) {
			t.Errorf("New(%s) = %v, want %v", address, err, want)
		}
	}
	for _, address := range []string{
		"", "hub", "ftp://hub", "https://", "https://me:secret@hub", "https://hub/?x", "https://hub/#x",
	} {
		if _, err := New(address, Options{}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("New(%q) = %v, want an error without a secret", address, err)
		}
	}
	if _, err := New("http://hub.example.org", Options{Insecure: true}); err != nil {
		t.Errorf("New of what the user says is well gives %v", err)
	}
}

// The token goes to the hub alone, and a request is sent again while the hub is away.
func TestRedirectsAndPatience(t *testing.T) {
	var stolen atomic.Bool
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		stolen.Store(r.Header.Get("Authorization") != "")
	}))
	defer thief.Close()
	s := httptest.NewServer(http.RedirectHandler(thief.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	if err := hello(t, newClient(t, s.URL, Options{Token: "secret", Patience: -1})); !errors.Is(err, ErrNoHub) ||
		stolen.Load() {
		t.Errorf("a hub that sends elsewhere gives %v, the token went there: %v", err, stolen.Load())
	}
	var asked atomic.Int32
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) < 4 {
			access.Refuse(w, http.StatusServiceUnavailable, "unavailable", "later")
			return
		}
		fmt.Fprint(w, `{"version":1}`)
	}))
	defer busy.Close()
	if err := hello(t, newClient(t, busy.URL, Options{Patience: 20 * time.Second})); err != nil || asked.Load() != 4 {
		t.Errorf("a hub that answers at the fourth time gives %v after %d", err, asked.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newClient(t, busy.URL, Options{}).Hello(ctx, peer.Hello{}); !errors.Is(err, context.Canceled) {
		t.Errorf("whoever gives up gets %v, want Canceled", err)
	}
}

// What goes to another machine is compressed, what stays on this one is not, and either
// way it is what was said.
func TestCompressed(t *testing.T) {
	space := strings.Repeat("a space of a long name ", 100)
	for _, tt := range []struct{ packed bool }{{true}, {false}} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("Content-Encoding") == "gzip"; got != tt.packed {
				t.Errorf("compressed is %v, want %v", got, tt.packed)
			}
			if got := r.Header.Get("Accept-Encoding") == "gzip"; got != tt.packed {
				t.Errorf("a compressed reply is asked for: %v, want %v", got, tt.packed)
			}
			raw, err := io.ReadAll(r.Body)
			if tt.packed {
				var z *gzip.Reader
				if z, err = gzip.NewReader(bytes.NewReader(raw)); err == nil {
					raw, err = io.ReadAll(z)
				}
				w.Header().Set("Content-Encoding", "gzip")
			}
			var in peer.KeysRequest
			if err := errors.Join(err, peer.Decode(raw, &in)); err != nil || in.Space != space {
				t.Errorf("it is %.40q, %v", in.Space, err)
			}
			out, err := peer.Encode(peer.Lines{Lines: []peer.Line{[]byte(`"` + space + `"`)}})
			if tt.packed {
				out, _ = Packed(out)
			}
			_, wrote := w.Write(out)
			if err := errors.Join(err, wrote); err != nil {
				t.Error(err)
			}
		}))
		t.Cleanup(srv.Close)
		c := newClient(t, srv.URL, Options{Packed: tt.packed})
		out, err := call[peer.KeysRequest, peer.Lines](t.Context(), c, "keys", peer.KeysRequest{Space: space})
		if err != nil || len(out.Lines) != 1 || string(out.Lines[0]) != `"`+space+`"` {
			t.Errorf("compressed %v: the reply is %d lines, %v", tt.packed, len(out.Lines), err)
		}
	}
}

// A hub that never answered is given up soon, whatever patience there is: whoever is
// offline is told so. One that answered once is only away.
func TestGreeting(t *testing.T) {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		c.Close()
	}))
	defer s.Close()
	c := newClient(t, s.URL, Options{Patience: 10 * time.Second, Dice: func() float64 { return 1 }})
	const most = 6 // after 100, 300, 700 and 1,500 ms; the transport may ask one of them twice
	if err := hello(t, c); !errors.Is(err, ErrDown) || asked.Load() > most {
		t.Errorf(
			"a hub that never answers, with patience: %v after %d requests, want ErrDown after at most %d", err,
			asked.Load(), most,
		)
	}
	asked.Store(0)
	if err := hello(t, c); !errors.Is(err, ErrDown) || asked.Load() > 2 { // an exchange asks again, and was told
		t.Errorf("one that was given up: %v after %d requests, want ErrDown at once", err, asked.Load())
	}
}

// A hub whose database is away, and a gateway that finds no hub, are given up as soon as a hub that is not there. One
// that served is waited for, and once it was given up it is asked once, until it serves.
func TestAHubWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		if away.Load() {
			access.Refuse(w, http.StatusServiceUnavailable, KindAway, "the database does not answer")
			return
		}
		fmt.Fprint(w, "{}")
	}))
	defer s.Close()
	const patience = 300 * time.Millisecond
	c := newClient(t, s.URL, Options{Patience: patience})
	if err := hello(t, c); err != nil {
		t.Fatal(err)
	}
	away.Store(true)
	for i, want := range []string{"several times", "once", "once"} {
		asked.Store(0)
		if err := hello(t, c); !errors.Is(err, ErrDown) || (asked.Load() == 1) != (want == "once") {
			t.Errorf("request %d of a hub that is away: %v, asked %d times, want %s", i, err, asked.Load(), want)
		}
	}
	away.Store(false)
	if err := hello(t, c); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		status int
		body   string
		want   bool
	}{
		{http.StatusOK, "{}", true}, {http.StatusTooManyRequests, "", true}, {http.StatusForbidden, "", true},
		{http.StatusServiceUnavailable, `{"kind":"unavailable"}`, true},
		{http.StatusServiceUnavailable, `{"kind":"away"}`, false}, {http.StatusServiceUnavailable, "<html>", false},
		{http.StatusBadGateway, "<html>", false}, {http.StatusGatewayTimeout, "", false},
	} {
		if got := serves(tt.status, []byte(tt.body)); got != tt.want {
			t.Errorf("%d %s is of a hub that serves: %v, want %v", tt.status, tt.body, got, tt.want)
		}
	}
}
