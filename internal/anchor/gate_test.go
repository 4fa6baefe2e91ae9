package anchor

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// forbidden are URLs that lead to this machine, its network or its secrets, or
// that are spelled so that readers differ over where they lead.
var forbidden = []string{
	"https://127.0.0.1/", "https://127.0.0.1:443/", "https://127.1/", "https://127.0.1/", "https://127.255.255.254/",
	"https://2130706433/", "https://017700000001/", "https://0177.0.0.1/", "https://0x7f000001/", "https://0x7f.0.0.1/",
	"https://0x7f.1/", "https://0X7F.0X0.0X0.0X1/", "https://127.0.0.0x1/", "https://00127.0.0.1/", "https://127.0.0.01/",
	"https://127.0.0.1./", "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://a.localhost/",
	"https://printer.local/", "https://metadata.google.internal/", "https://metadata/", "https://intranet/",
	"https://0.0.0.0/", "https://0/", "https://0.1.2.3/", "https://10.0.0.1/", "https://10.255.255.255/",
	"https://172.16.0.1/", "https://172.31.255.255/", "https://192.168.0.1/", "https://192.168.255.255/",
	"https://169.254.169.254/latest/meta-data/", "https://169.254.0.1/", "https://2852039166/", "https://0xa9fea9fe/",
	"https://100.64.0.1/", "https://100.100.100.200/", "https://100.127.255.255/", "https://168.63.129.16/",
	"https://192.0.0.192/", "https://192.0.2.1/", "https://198.51.100.1/", "https://203.0.113.1/", "https://198.18.0.1/",
	"https://198.19.255.255/", "https://192.88.99.1/", "https://224.0.0.1/", "https://239.255.255.255/",
	"https://240.0.0.1/", "https://255.255.255.255/",
	"https://[::1]/", "https://[::]/", "https://[0:0:0:0:0:0:0:1]/", "https://[::ffff:127.0.0.1]/",
	"https://[::ffff:7f00:1]/",
	"https://[::ffff:10.0.0.1]/", "https://[::ffff:169.254.169.254]/", "https://[::127.0.0.1]/", "https://[::7f00:1]/",
	"https://[64:ff9b::127.0.0.1]/", "https://[64:ff9b::a00:1]/", "https://[64:ff9b::169.254.169.254]/",
	"https://[64:ff9b:1::1]/",
	"https://[2002:7f00:1::]/", "https://[2002:a00:1::1]/", "https://[2002:c0a8:1::1]/", "https://[2001:0:7f00:1::]/",
	"https://[2001:db8::1]/", "https://[3fff::1]/", "https://[fe80::1]/", "https://[fe80::1%25eth0]/",
	"https://[::1%25lo]/",
	"https://[2606:4700::1111%25eth0]/", "https://[fc00::1]/", "https://[fd00:ec2::254]/", "https://[ff02::1]/",
	"https://[fec0::1]/", "https://[100::1]/", "https://[5f00::1]/",
	"http://example.org/", "HTTP://example.org/", "ftp://example.org/", "file:///etc/passwd",
	"file://localhost/etc/passwd",
	"gopher://example.org/", "data:text/plain,x", "javascript:alert(1)", "https:example.org", "//example.org/",
	"/etc/passwd",
	"example.org", "", "https://", "https:///x", "https://:443/", "https://.", "https://..example.org/", "https://a..b/",
	"https://user@example.org/", "https://user:pass@example.org/", "https://example.org@127.0.0.1/",
	"https://@example.org/",
	"https://127.0.0.1#@example.org/", "https://example.org:80/", "https://example.org:8443/", "https://example.org:0/",
	"https://example.org:/", "https://example.org:443443/", "https://example.org:22/", "https://example.org:-1/",
	"https://ex ample.org/", "https://example.org/\r\nHost: x", "https://example.org/\x00",
	"https://example.org\\@127.0.0.1/",
	"https://exämple.org/", "https://ⓔxample.org/", "https://１２７.0.0.1/", "https://127。0。0。1/", "https://example。org/",
	"https://%31%32%37.0.0.1/", "https://ex%61mple.org/", "https://[127.0.0.1]/", "https://[::1/", "https://::1/",
	"https://example.org/" + strings.Repeat("a", maxURL), "https://" + strings.Repeat("a.", 130) + "org/",
	"https://" + strings.Repeat("a", 64) + ".org/",
}

// A counter listens on this machine and counts who comes.
type counter struct {
	port  string
	comes atomic.Int64
}

func newCounter(t *testing.T) *counter {
	t.Helper()
	c := &counter{}
	listen, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listen.Close() })
	_, c.port, _ = net.SplitHostPort(listen.Addr().String())
	count := func(l net.Listener) {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.comes.Add(1)
			conn.Close()
		}
	}
	go count(listen)
	if six, err := net.Listen("tcp", "[::1]:"+c.port); err == nil {
		t.Cleanup(func() { six.Close() })
		go count(six)
	}
	return c
}

// toCounter is the real way out, except that it comes to the counter's port.
func (c *counter) way(resolver *net.Resolver) *network {
	return &network{patience: 5 * time.Second, dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		return dialer(time.Second, resolver).DialContext(ctx, network, net.JoinHostPort(host, c.port))
	}}
}

// No forbidden URL is fetched: not when it is anchored to, not when it is checked,
// and not when only the gate at the dial is left.
func TestForbiddenURLs(t *testing.T) {
	c := newCounter(t)
	o := Options{Online: true, Now: atNoon, net: c.way(nil)}
	of := refOf("a memory")
	for _, raw := range forbidden {
		if _, err := URL(t.Context(), raw, of, o); !errors.Is(err, ErrInvalid) {
			t.Errorf("URL(%.80q): %v, want %v", raw, err, ErrInvalid)
		}
		a := anchorTo(raw)
		if f := Check(t.Context(), a, o); f.Status != Unverifiable {
			t.Errorf("Check(%.80q) = %s (%s), want unverifiable", raw, f.Status, f.Why)
		}
		_, _ = Class(a), CanonicalReference(a)
	}
	if got := c.comes.Load(); got != 0 {
		t.Errorf("%d connections were made, want 0", got)
	}
	t.Logf("%d URLs, %d connections", len(forbidden), c.comes.Load())
}

// The gate at the dial alone keeps out every address that is not public.
func TestDialRefuses(t *testing.T) {
	c := newCounter(t)
	hosts := []string{"localhost", "127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "127.0.0.2"}
	for _, raw := range forbidden {
		if ip, err := netip.ParseAddr(
			strings.Trim(strings.TrimSuffix(strings.TrimPrefix(raw, "https://"), "/"), "[]"),
		); err == nil && ip.Zone() == "" {
			hosts = append(hosts, ip.String())
		}
	}
	for _, host := range hosts {
		conn, err := c.way(nil).dial(t.Context(), "tcp", net.JoinHostPort(host, httpPort))
		if err == nil {
			conn.Close()
		}
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("dial %s: %v, want %v", host, err, ErrInvalid)
		}
	}
	if got := c.comes.Load(); got != 0 || len(hosts) < 50 {
		t.Errorf("%d connections to %d hosts, want 0 to at least 50", got, len(hosts))
	}
	// The counter counts: without the gate the same way leads to it.
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", c.port))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.ReadAll(conn)
	conn.Close()
	if got := c.comes.Load(); got != 1 {
		t.Errorf("an open way makes %d connections, want 1", got)
	}
}

// The way out that is used when no test is running has the gate.
func TestTheWayOutHasTheGate(t *testing.T) {
	u, err := address("https://example.org/")
	if err != nil {
		t.Fatal(err)
	}
	u.Host = "127.0.0.1"
	if _, err := fetch(t.Context(), u, nil); !errors.Is(err, ErrInvalid) {
		t.Errorf("fetch of this machine: %v, want %v", err, ErrInvalid)
	}
}

func TestPublic(t *testing.T) {
	for _, good := range []string{"1.1.1.1", "93.184.216.34", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1",
		"192.167.0.1", "198.17.0.1", "223.255.255.255", "2606:4700::1111", "2a00::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"} {
		if !public(netip.MustParseAddr(good)) {
			t.Errorf("public(%s) = false, want true", good)
		}
	}
	if public(netip.Addr{}) {
		t.Error("public of no address = true, want false")
	}
	if _, err := address("https://xn--exmple-cua.org:443/a?b#c"); err != nil {
		t.Errorf("a good URL is refused: %v", err)
	}
}

// A name that resolves to something else each time it is asked leads nowhere.
func TestRebinding(t *testing.T) {
	c := newCounter(t)
	var asked atomic.Int64
	answers := []netip.Addr{netip.MustParseAddr("198.51.100.1"), netip.MustParseAddr("127.0.0.1")}
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go answer(far, func() netip.Addr { return answers[asked.Add(1)%2] })
		return near, nil
	}}
	o := Options{Online: true, Now: atNoon, net: c.way(resolver)}
	for range 10 {
		if _, err := URL(t.Context(), "https://rebind.example.org/", refOf("a memory"), o); !errors.Is(err, ErrInvalid) {
			t.Errorf("a name of ours: %v, want %v", err, ErrInvalid)
		}
	}
	if got := c.comes.Load(); got != 0 || asked.Load() < 10 {
		t.Errorf("%d connections after %d answers, want 0 after at least 10", got, asked.Load())
	}
}

// answer is a name server for one question over a stream: an address for every
// name, of the fourth version only.
func answer(conn net.Conn, next func() netip.Addr) {
	defer conn.Close()
	var size [2]byte
	for {
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		q := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, q); err != nil || len(q) < 17 {
			return
		}
		end := 12
		for q[end] != 0 {
			end += int(q[end]) + 1
		}
		end += 5
		r := append([]byte{q[0], q[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, q[12:end]...)
		if q[end-3] == 1 { // type A
			r[7] = 1
			ip := next().As4()
			r = append(append(r, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4), ip[:]...)
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(r))), r...)); err != nil {
			return
		}
	}
}

// No redirect leads where a URL may not.
func TestRedirectsAreChecked(t *testing.T) {
	c := newCounter(t)
	to := ""
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	})
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { c.comes.Add(1) }))
	defer inside.Close()
	targets := []string{inside.URL, "http://site.example/", "file:///etc/passwd", "https://site.example:" + c.port + "/",
		fmt.Sprintf(
			"https://127.0.0.1:%s/", c.port,
		), "https://user:secret@site.example/", "//127.0.0.1/", "gopher://x.example/"}
	for _, raw := range forbidden {
		if strings.HasPrefix(raw, "https://") && !strings.ContainsAny(raw, "\r\x00") {
			targets = append(targets, raw)
		}
	}
	for _, to = range targets {
		if p, err := fetch(t.Context(), s.page("/"), s.way()); err == nil {
			t.Errorf("redirected to %.80q and read %d bytes", to, len(p.body))
		}
	}
	if got := c.comes.Load(); got != 0 {
		t.Errorf("%d connections were made, want 0", got)
	}
	if got := s.others.Load(); got != 0 {
		t.Errorf("%d names other than the site's were dialled, want 0", got)
	}
}
