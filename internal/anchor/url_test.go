package anchor

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// A site is a server called example.com, whose certificate the tests trust.
type site struct {
	t      *testing.T
	server *httptest.Server
	read   atomic.Int64 // bytes that came over the wire
	others atomic.Int64 // dials of other names
}

func newSite(t *testing.T, handle http.HandlerFunc) *site {
	s := &site{t: t, server: httptest.NewTLSServer(handle)}
	t.Cleanup(s.server.Close)
	return s
}

func (s *site) page(path string) *url.URL {
	s.t.Helper()
	u, err := address("https://example.com" + path)
	if err != nil {
		s.t.Fatal(err)
	}
	return u
}

// way leads to the site and nowhere else.
func (s *site) way() *network {
	roots := x509.NewCertPool()
	roots.AddCert(s.server.Certificate())
	return &network{roots: roots, patience: 20 * time.Second, dial: func(
		ctx context.Context, network, addr string,
	) (net.Conn, error) {
		if addr != "example.com:443" && addr != "www.example.com:443" {
			s.others.Add(1)
			return nil, errors.New("no such host")
		}
		var d net.Dialer
		conn, err := d.DialContext(ctx, network, s.server.Listener.Addr().String())
		return &counted{conn, &s.read}, err
	}}
}

func (s *site) options() Options { return Options{Online: true, Now: atNoon, net: s.way()} }

type counted struct {
	net.Conn
	read *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.read.Add(int64(n))
	return n, err
}

func anchorTo(raw string) *memory.Anchor {
	return &memory.Anchor{Of: refOf("a memory"), Type: typeURL, Reference: raw, SHA256: digest([]byte("x"))}
}

func TestURL(t *testing.T) {
	of := refOf("a memory")
	body := "<p>" + of.ID.String() + "</p>"
	var seen http.Header
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		switch r.URL.Path {
		case "/old":
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			http.Redirect(w, r, "/new#part", http.StatusMovedPermanently)
		default:
			w.Header().Set("Content-Type", "Text/HTML; charset=utf-8")
			io.WriteString(w, body)
		}
	})
	o := s.options()
	o.Cache = filepath.Join(t.TempDir(), "deep", "cache")
	a, err := Make(
		t.Context(), typePost, "https://www.EXAMPLE.com./old?a=b#here", of,
		Options{net: o.net, Cache: o.Cache, Now: atNoon},
	)
	if err == nil {
		t.Fatalf("a host with a last dot reaches the site: %+v", a)
	}
	if a, err = Make(t.Context(), typePost, "https://example.com/old?a=b#here", of, o); err != nil {
		t.Fatal(err)
	}
	want := memory.Anchor{Of: of, Type: typePost, Reference: "https://example.com/old?a=b",
		Final:  "https://example.com/new",
		SHA256: digest([]byte(body)), Size: int64(len(body)), MediaType: "text/html"}
	if *a != want {
		t.Errorf("got  %+v, want %+v", *a, want)
	}
	for _, name := range []string{"Cookie", "Authorization", "Referer"} {
		if got := seen.Get(name); got != "" {
			t.Errorf("the server was sent %s: %s, want nothing", name, got)
		}
	}
	if got := seen.Get("Accept-Encoding"); got != "identity" {
		t.Errorf("asked for the encoding %q, want identity", got)
	}
	f := Check(t.Context(), a, o)
	if f.Status != Verified || !f.Bound || f.Class != "host:example.com" || f.Offline || !f.At.Equal(noon) {
		t.Errorf("unchanged: %+v, want verified and bound", f)
	}
	claimed := *a
	claimed.Final = "https://elsewhere.example.net/"
	if f = Check(t.Context(), &claimed, o); f.Status != Verified || f.Class != "host:example.com" {
		t.Errorf("claimed to be elsewhere: %+v, want the class of the host that answered", f)
	}
	body = "other"
	if f = Check(t.Context(), a, o); f.Status != Changed || f.Bound {
		t.Errorf("other bytes: %+v, want changed", f)
	}
	o.Online = false
	if f = Check(t.Context(), a, o); f.Status != Unreachable || f.Why != "not asked to use the network" || !f.Offline {
		t.Errorf("offline: %+v, want unreachable", f)
	}
	name := filepath.Join(o.Cache, want.SHA256)
	if info, err := os.Stat(name); err != nil || info.Mode() != 0o600 {
		t.Errorf("the snapshot is %v, %v; want a file of mode 0600", info, err)
	}
	if got, err := Snapshot(o.Cache, want.SHA256); err != nil || digest(got) != want.SHA256 {
		t.Errorf("the snapshot is %q, %v", got, err)
	}
	if err := os.WriteFile(name, []byte("forged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Snapshot(o.Cache, want.SHA256); err == nil {
		t.Errorf("a forged snapshot is given: %q", got)
	}
	if _, err := Snapshot(o.Cache, "../"+want.SHA256); !errors.Is(err, ErrInvalid) {
		t.Errorf("a name that leads out: %v, want %v", err, ErrInvalid)
	}
	if _, err := Snapshot(o.Cache, strings.Repeat("0", 64)); !errors.Is(err, ErrNotFound) {
		t.Errorf("no snapshot: %v, want %v", err, ErrNotFound)
	}
}

func TestCheckURLStatuses(t *testing.T) {
	tests := []struct {
		name   string
		handle http.HandlerFunc
		want   Status
	}{
		{"same", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "x") }, Verified},
		{"missing", http.NotFound, Gone},
		{"taken away", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }, Gone},
		{
			"failing",
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
			Unreachable,
		},
		{"forbidden", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, Unreachable},
		{"partial", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusPartialContent) }, Unreachable},
		{"compressed", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, "x")
		}, Unreachable},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9")
			io.WriteString(w, "x")
		}, Unreachable},
		{"headers without end", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X", strings.Repeat("a", 2*maxHeaders))
			io.WriteString(w, "x")
		}, Unreachable},
		{
			"round and round",
			func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) },
			Unverifiable,
		},
		{"big by its own word", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(maxPage+1))
			io.WriteString(w, "x")
		}, Changed},
	}
	for _, tt := range tests {
		s := newSite(t, tt.handle)
		s.server.Config.ErrorLog = nil
		if f := Check(t.Context(), anchorTo("https://example.com/"), s.options()); f.Status != tt.want {
			t.Errorf("%s: %s (%s), want %s", tt.name, f.Status, f.Why, tt.want)
		}
	}
	s := newSite(t, http.NotFound)
	if f := Check(t.Context(), anchorTo("https://elsewhere.example.com/"), s.options()); f.Status != Unreachable {
		t.Errorf("no such host: %s (%s), want unreachable", f.Status, f.Why)
	}
	o := s.options()
	o.net.roots = x509.NewCertPool()
	if f := Check(t.Context(), anchorTo("https://example.com/"), o); f.Status != Unreachable {
		t.Errorf("an unknown certificate: %s (%s), want unreachable", f.Status, f.Why)
	}
}

func TestRedirectsAreCounted(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if n, _ := strconv.Atoi(r.URL.Query().Get("n")); n > 0 {
			http.Redirect(w, r, "/?n="+strconv.Itoa(n-1), http.StatusFound)
			return
		}
		io.WriteString(w, "x")
	})
	if _, err := fetch(t.Context(), s.page("/?n="+strconv.Itoa(maxRedirects)), s.way()); err != nil {
		t.Errorf("%d redirects: %v", maxRedirects, err)
	}
	if _, err := fetch(t.Context(), s.page("/?n="+strconv.Itoa(maxRedirects+1)), s.way()); !errors.Is(err, ErrInvalid) {
		t.Errorf("%d redirects: %v, want %v", maxRedirects+1, err, ErrInvalid)
	}
}

// A page without end is read to the bound and no further.
func TestBigPages(t *testing.T) {
	piece := bytes.Repeat([]byte("a"), 64<<10)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/fits":
			w.Write(bytes.Repeat([]byte("a"), maxPage))
		case "/over":
			w.Write(bytes.Repeat([]byte("a"), maxPage+1))
		case "/gigabyte":
			w.Header().Set("Content-Length", strconv.Itoa(1<<30))
			fallthrough
		default:
			for r.Context().Err() == nil {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		}
	})
	if p, err := fetch(t.Context(), s.page("/fits"), s.way()); err != nil || len(p.body) != maxPage {
		t.Errorf("a page that just fits: %d bytes, %v", len(p.body), err)
	}
	for path, most := range map[string]int64{"/over": maxPage, "/endless": maxPage, "/gigabyte": 0} {
		before := s.read.Load()
		if _, err := fetch(t.Context(), s.page(path), s.way()); !errors.Is(err, errTooBig) {
			t.Errorf("%s: %v, want %v", path, err, errTooBig)
		}
		got := s.read.Load() - before
		if got > most+256<<10 {
			t.Errorf("%s: %d bytes were read, want about %d", path, got, most)
		}
		t.Logf("%s: %d bytes read", path, got)
	}
}

// A server that is slow at any point is given up in time.
func TestSlowServers(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/trickle" {
			tick := time.NewTicker(5 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-r.Context().Done():
					return
				case <-tick.C:
					w.Write([]byte("a"))
					w.(http.Flusher).Flush()
				}
			}
		}
		<-r.Context().Done()
	})
	o := s.options()
	o.net.patience = 100 * time.Millisecond
	for _, path := range []string{"/silent", "/trickle"} {
		began := time.Now()
		f := Check(t.Context(), anchorTo("https://example.com"+path), o)
		if took := time.Since(began); f.Status != Unreachable || took > 5*time.Second {
			t.Errorf("%s: %s (%s) after %s, want unreachable soon", path, f.Status, f.Why, took)
		}
	}
	if patience != 10*time.Second {
		t.Errorf("patience is %s, want 10s", patience)
	}
}

func TestSnapshotsAreKeptOnce(t *testing.T) {
	dir := t.TempDir()
	body := []byte("page")
	// A part left behind does not stop the next, and a link is not written through.
	out := filepath.Join(t.TempDir(), "out")
	if err := os.Symlink(out, filepath.Join(dir, digest(body)+".part")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := keepSnapshot(dir, body); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written through a link: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files in the cache, want 1", len(entries))
	}
}
