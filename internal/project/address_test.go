package project

import "testing"

func TestAddresses(t *testing.T) {
	const one = "forge.example/ada/engine"
	for address, want := range map[string]string{
		"https://forge.example/ada/engine.git": one, "https://forge.example/ada/engine": one,
		"https://forge.example/ada/engine/": one, "https://forge.example/ada/engine.git/": one,
		"http://ada:secret@Forge.Example:443/ada/engine": one, "git@forge.example:ada/engine.git": one,
		"forge.example:ada/engine": one, "git@forge.example:/ada/engine": one, "FORGE.example.:ada/engine": one,
		"ssh://git@forge.example/ada/engine.git": one, "ssh://git@forge.example:2222/ada/engine": one,
		"git://forge.example/ada/engine.git": one, "git+ssh://git@forge.example/ada//engine": one,
		"https://token@forge.example/ada/engine?x=y#z": one, "[git@forge.example:2222]:ada/engine.git": one,
		"ada@[forge.example:22]:ada/engine": one, " https://forge.example/ada/engine \n": one,
		"https://a@b:p@ss@forge.example/ada/engine": one, "hg::https://forge.example/ada/engine": one,
		"https://forge.example/ada/../ada/engine": one, "https://forge.example/%61da/engine": one,
		"ssh://git@[2001:db8::1]:22/ada/engine": "2001:db8::1/ada/engine", "[2001:db8::1]:x.git": "2001:db8::1/x",
		"host:~ada/x": "host/~ada/x", "https://forge.example/Ada/Engine": "forge.example/Ada/Engine",
		"https://forge.example/ada/engine.git.git": one + ".git", "https://forge.example/a b/%zz": "forge.example/a b/%zz",
		"https://forge.example": "", "https:///x": "", "host:": "", ":x": "", "": "", "ext::sh -c foo% %S": "",
	} {
		remote, local := parse(address, "/src/a")
		if remote != want || want != "" && local != "" {
			t.Errorf("%q is %q (at %q), want %q", address, remote, local, want)
		}
	}
	for address, want := range map[string]string{
		"/srv/a.git": "/srv/a.git", "../b": "/src/b", "b": "/src/a/b", "./x:y": "/src/a/x:y", "/srv/x:y": "/srv/x:y",
		"file:///srv/a": "/srv/a", "FILE:///srv/a%20b": "/srv/a b", "file://localhost/srv/a": "/srv/a",
		"file://other/srv/a": "",
	} {
		remote, local := parse(address, "/src/a")
		if remote != "" || local != want {
			t.Errorf("%q is at %q (remote %q), want %q", address, local, remote, want)
		}
	}
}

func FuzzAddresses(f *testing.F) {
	f.Add("git@[::1]:x")
	f.Add("a::b://c@d/..")
	f.Fuzz(func(t *testing.T, address string) {
		remote, _ := parse(address, "/src/a")
		if remote == "" {
			return
		}
		if again, _ := parse("ssh://x/"+remote, "/"); again == "" {
			t.Errorf("%q is %q", address, remote)
		}
	})
}
