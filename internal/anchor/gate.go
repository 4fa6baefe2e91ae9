package anchor

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

const (
	maxURL   = 4096
	maxHost  = 253
	httpPort = "443"
	noProbes = -1 // of idle connections: each is used once
)

// address reads a URL that may be fetched: https, a host that is a name with a dot
// or an address, the usual port, no one's password. The fragment is dropped.
// Where the name leads is for dial to judge.
func address(raw string) (*url.URL, error) {
	if len(raw) > maxURL || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return nil, invalid("a URL has no blanks and at most %d bytes", maxURL)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, invalid("%v", err)
	}
	switch {
	case u.Scheme != "https" || u.Opaque != "":
		return nil, invalid("%q is no https URL", raw)
	case u.User != nil:
		return nil, invalid("a URL with a user or password is refused")
	case u.Port() != "" && u.Port() != httpPort || strings.HasSuffix(u.Host, ":"):
		return nil, invalid("%q: ports other than %s are refused", raw, httpPort)
	case !okHost(hostOf(u)):
		return nil, invalid("%q is no host on the internet", u.Hostname())
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// hostOf returns the host in one spelling: lower case, without port or last dot.
func hostOf(u *url.URL) string {
	return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
}

// okHost tells a public-looking name or address from others. Numbers that are no
// address in its usual spelling are refused, since resolvers read them in many ways.
func okHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return public(ip)
	}
	labels := strings.Split(host, ".")
	if len(host) > maxHost || len(labels) < 2 {
		return false
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	last := labels[len(labels)-1] // no such name begins with a digit; numbers do, and so do 0x7f and 0177
	return (last[0] < '0' || last[0] > '9') && last != "localhost" && last != "local" && last != "internal"
}

// global is all of IPv6 that is handed out; translated is IPv4 seen through it.
var (
	global     = netip.MustParsePrefix("2000::/3")
	translated = netip.MustParsePrefix("64:ff9b::/96")
)

// shut are the networks within the public ones that are not, or lead elsewhere.
var shut = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"168.63.129.16/32", // a cloud's own services, at a public address
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

func prefixes(list ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, s := range list {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}

// public reports whether an address is of the internet and not of this machine,
// its network or a service for them, however it is wrapped.
func public(ip netip.Addr) bool {
	if ip.Zone() != "" || !ip.IsValid() {
		return false
	}
	ip = ip.Unmap()
	if translated.Contains(ip) {
		b := ip.As16()
		ip = netip.AddrFrom4([4]byte(b[12:]))
	}
	if ip.Is6() && !global.Contains(ip) {
		return false
	}
	for _, p := range shut {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}

// dialer dials public addresses only. It looks at the address it is about to
// connect to, after all names are resolved, so that a name cannot change its mind.
func dialer(patience time.Duration, resolver *net.Resolver) *net.Dialer {
	return &net.Dialer{Timeout: patience, KeepAlive: noProbes, Resolver: resolver,
		Control: func(network, at string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(at)
			if err != nil || network != "tcp4" && network != "tcp6" || !public(to.Addr()) {
				return fmt.Errorf("%w: %s is not on the internet", ErrInvalid, plain(at))
			}
			return nil
		}}
}
