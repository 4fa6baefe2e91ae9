package project

import (
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// parse reads the address of a remote as git does. A repository of another machine is host/path, whatever leads
// there and as whom: no user, password, scheme, port or .git. One of this machine is a path; what is
// relative is so to a directory.
func parse(address, dir string) (remote, local string) {
	address = strings.TrimSpace(address)
	if helper, rest, ok := strings.Cut(address, "::"); ok && isWord(helper) {
		if !strings.Contains(rest, "://") {
			return "", "" // what a program of its own reads
		}
		address = rest
	}
	if scheme, rest, ok := strings.Cut(address, "://"); ok && isWord(scheme) {
		if strings.EqualFold(scheme, "file") {
			return "", ofFile(rest)
		}
		host, below, _ := strings.Cut(rest, "/")
		below, _, _ = strings.Cut(below, "?")
		below, _, _ = strings.Cut(below, "#")
		return joined(host, decoded(below)), ""
	}
	host, below := ofShell(address)
	if host == "" {
		if address != "" && !filepath.IsAbs(address) {
			address = filepath.Join(dir, address)
		}
		return "", address
	}
	return joined(host, below), ""
}

// ofFile is the path in file://…
func ofFile(rest string) string {
	host, below, _ := strings.Cut(rest, "/")
	if host != "" && !strings.EqualFold(host, "localhost") {
		return ""
	}
	below = decoded(below)
	if runtime.GOOS == "windows" && len(below) > 1 && below[1] == ':' {
		return filepath.FromSlash(below)
	}
	return "/" + below
}

// ofShell splits user@host:path; host is "" where an address is a path.
func ofShell(address string) (host, below string) {
	if open := strings.IndexByte(address, '['); open >= 0 {
		if before := address[:open]; before == "" || strings.HasSuffix(before, "@") { // [host:port]:path
			if end := strings.Index(address, "]:"); end > open {
				return address[:end+1], address[end+2:]
			}
		}
	}
	host, below, ok := strings.Cut(address, ":")
	if !ok || strings.Contains(host, "/") || filepath.VolumeName(address) != "" {
		return "", ""
	}
	return host, below
}

// joined is host/path in the one form.
func joined(host, below string) string {
	host = host[strings.LastIndexByte(host, '@')+1:]
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, _, _ = strings.Cut(inner, "]")
		host = inner[strings.LastIndexByte(inner, '@')+1:]
	}
	if strings.Count(host, ":") == 1 { // more are an address of IPv6
		host, _, _ = strings.Cut(host, ":")
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	below = strings.TrimPrefix(path.Clean("/"+below), "/")
	below = strings.TrimSuffix(strings.TrimSuffix(below, ".git"), "/")
	if host == "" || below == "" {
		return ""
	}
	return host + "/" + below
}

// decoded is a path of an address without its escapes.
func decoded(escaped string) string {
	if plain, err := url.PathUnescape(escaped); err == nil {
		return plain
	}
	return escaped
}

// isWord reports whether a text can be a scheme or the name of a program for remotes.
func isWord(s string) bool {
	other := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("+-.", r)
	}
	return s != "" && !strings.ContainsFunc(s, other)
}
