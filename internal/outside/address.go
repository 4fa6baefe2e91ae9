package outside

import (
	"net/netip"
	"strconv"
	"strings"
)

// schemes are the beginnings of addresses that lead to another machine.
var schemes = []string{
	"http://", "https://", "ftp://", "ftps://", "sftp://", "ws://", "wss://", "ssh://", "git://", "scp://", "rsync://",
	"git+ssh://", "git+https://", "tcp://", "ldap://", "ldaps://", "gopher://", "rtsp://", "smb://", "imap://", "imaps://",
	"postgres://", "postgresql://", "mysql://", "redis://", "rediss://", "mongodb://", "mongodb+srv://", "amqp://",
}

// hasScheme reports whether a text begins as an address does.
func hasScheme(s string) bool {
	lower := strings.ToLower(s)
	for _, scheme := range schemes {
		if strings.HasPrefix(lower, scheme) {
			return true
		}
	}
	return false
}

// hostOf returns the host in an address, with or without a scheme: "example.org" of
// "https://ada@example.org:80/x?y". What is in front of an "@" is no host.
func hostOf(address string) string {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	if at := strings.IndexAny(address, `/?#\`); at >= 0 {
		address = address[:at]
	}
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		address = address[at+1:]
	}
	if strings.HasPrefix(address, "[") {
		inner, _, _ := strings.Cut(address[1:], "]")
		return inner
	}
	if strings.Count(address, ":") > 1 {
		return address // an address of IPv6 without brackets
	}
	host, _, _ := strings.Cut(address, ":")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// ends of names that are only of this machine or of the network around it.
var insideEnds = []string{".localhost", ".local", ".internal", ".home.arpa"}

// insideHost reports whether a host is this machine or one of a private network. What is not known is not.
func insideHost(host string) bool {
	host, _, _ = strings.Cut(strings.ToLower(strings.TrimSuffix(host, ".")), "%")
	switch {
	case host == "" || strings.Contains(host, unknown):
		return false
	case host == "localhost":
		return true
	}
	for _, end := range insideEnds {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	if ip, ok := ipOf(host); ok {
		ip = ip.Unmap()
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
	}
	// a name without a dot is found on the network around the machine, or in a file of its own
	return !strings.ContainsAny(host, ".:")
}

// ipOf reads an IP address as programs do: 127.1 and 2130706433 are 127.0.0.1.
func ipOf(host string) (netip.Addr, bool) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip, true
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 0, 32)
		if err != nil || strings.Contains(part, "_") {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			shift := 8 * (5 - len(parts))
			value = value<<shift | n
		} else {
			value = value<<8 | n&0xff
		}
	}
	v := uint32(value)
	return netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}), true
}

// insideAddress reports whether what lies at an address is of this machine or its network.
func insideAddress(address string) bool {
	lower := strings.ToLower(address)
	if strings.HasPrefix(lower, "file:") || strings.HasPrefix(lower, "data:") || strings.HasPrefix(lower, "about:") {
		return true // it is no other machine; a file is judged as one
	}
	return insideHost(hostOf(address))
}

// shortAddress is an address as a reader needs it: host and path, with nothing that may be a secret.
func shortAddress(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		rest, scheme = address, ""
	} else {
		scheme += "://"
	}
	path := ""
	if at := strings.IndexAny(rest, `/?#\`); at >= 0 && rest[at] == '/' {
		path, _, _ = strings.Cut(rest[at:], "?")
		path, _, _ = strings.Cut(path, "#")
	}
	return strings.ReplaceAll(scheme+hostOf(address)+strings.TrimSuffix(path, "/"), unknown, "…")
}

// addressLike reports whether an argument of a program that fetches can be an address: with a scheme,
// or a host's name or number.
func addressLike(arg string) bool {
	if strings.ContainsAny(arg, " \t\n{}<>\"'") && !strings.Contains(arg, unknown) {
		return false
	}
	switch {
	case strings.HasPrefix(arg, unknown):
		return true
	case strings.Contains(arg, "://"):
		return true
	case strings.HasPrefix(arg, "/") || strings.HasPrefix(arg, ".") || strings.HasPrefix(arg, "@"):
		return false
	}
	host := hostOf(arg)
	if host == "localhost" || strings.Contains(host, ".") && !strings.HasSuffix(host, ".") {
		return true
	}
	return strings.HasPrefix(arg, "[") || host != arg && host != "" && strings.ContainsAny(arg[len(host):], ":/")
}

// addressesIn returns the addresses with a scheme that stand in a text.
func addressesIn(text string) []string {
	var out []string
	for rest := text; len(out) < 50; {
		at := strings.Index(rest, "://")
		if at < 0 {
			return out
		}
		begin := at
		for begin > 0 && (isLetter(rest[begin-1]) || rest[begin-1] == '+') {
			begin--
		}
		end := at + len("://")
		for end < len(rest) && !strings.ContainsRune(" \t\r\n\"'`<>|)];,", rune(rest[end])) {
			end++
		}
		if hasScheme(rest[begin:end]) {
			out = append(out, rest[begin:end])
		}
		rest = rest[end:]
	}
	return out
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }
