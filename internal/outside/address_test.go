package outside

import "testing"

// What is of this machine or of a private network is inside; what only looks so is not.
func TestInsideHosts(t *testing.T) {
	for address, want := range map[string]bool{
		"http://localhost:8080/x": true, "localhost": true, "http://app.localhost/": true, "http://printer.local": true,
		"http://127.0.0.1": true, "http://127.1/": true, "http://2130706433/": true, "http://0x7f.1/": true,
		"http://[::1]:80/": true, "::1": true, "http://[::ffff:127.0.0.1]/": true, "http://0.0.0.0:80": true,
		"http://10.1.2.3": true, "http://172.16.0.1": true, "http://172.31.255.1": true, "http://192.168.1.1": true,
		"http://[fc00::1]/": true, "http://[fd12::1]/": true, "http://169.254.169.254/x": true,
		"http://[fe80::1%25eth0]/": true,
		"http://web:8080":          true, "http://host.docker.internal:80": true, "postgres://ada:pw@localhost/app": true,

		"http://example.org": false, "example.org": false, "http://172.32.0.1": false, "http://11.0.0.1": false,
		"http://localhost@example.org/": false, "http://127.0.0.1:80@example.org": false,
		"http://localhost.example.org": false,
		"http://127.0.0.1.example.org": false, "http://134744072": false, "http://0x08080808/": false,
		"http://8.8.8.8":        false,
		"http://[2001:db8::1]/": false, "http://example.org/localhost": false, "http://example.org?localhost": false,
		"http://example.org#@localhost": false, `http://example.org\@localhost`: false, "http://" + unknown: false,
		"http://" + unknown + ".local": false, "http://localhost" + unknown + "/": false, "": false,
	} {
		if got := insideHost(hostOf(address)); got != want {
			t.Errorf("%q: host %q, inside %v, want %v", address, hostOf(address), got, want)
		}
	}
}

// A source names host and path, and nothing that may be a secret.
func TestShortAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"https://ada:secret@example.org:8443/a/b?token=x#y": "https://example.org/a/b",
		"https://example.org/":                              "https://example.org",
		"example.org/x?y":                                   "example.org/x",
		"https://example.org?token=x":                       "https://example.org",
	} {
		if got := shortAddress(address); got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
	for address, want := range map[string]string{
		"git@github.com:a/b.git": "github.com/a/b", "https://x:y@github.com/a/b.git": "github.com/a/b",
		"ssh://git@example.org:22/a/b": "example.org/a/b", "/srv/a.git": "/srv/a",
	} {
		if got := remoteName(address); got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
}
