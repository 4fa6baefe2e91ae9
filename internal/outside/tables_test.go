package outside

import (
	"strings"
	"testing"
)

// Each program of the table is there once, with a reason, and is found by its words.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rows {
		if seen[r.words] {
			t.Errorf("%s has two rows", r.words)
		}
		seen[r.words] = true
		if len(r.why) < 5 {
			t.Errorf("%s has no reason", r.words)
		}
		args := strings.Fields(r.words)
		if found, _ := rowOf(args); found == nil || found.words != r.words {
			t.Errorf("%s is not found by its words", r.words)
		}
		if found, _ := rowOf(append([]string{"/usr/bin/" + args[0]}, args[1:]...)); found == nil || found.words != r.words {
			t.Errorf("%s is not found with its directory", r.words)
		}
		if general, _ := rowOf(args[:1]); r.prints == inside && !r.brings && general == nil && len(args) == 1 &&
			r.words != "slackcat" && r.words != "pydoc" && r.words != "ollama" && r.words != "pipx" {
			t.Errorf("%s is inside without a row", r.words)
		}
	}
}

// No tool of a host is in two tables.
func TestHostTools(t *testing.T) {
	seen := map[string]work{}
	for w, names := range hostTools {
		for _, name := range strings.Fields(names) {
			if other, twice := seen[name]; twice {
				t.Errorf("%s does %d and %d", name, other, w)
			}
			if name != strings.ToLower(name) {
				t.Errorf("%s is not in small letters", name)
			}
			seen[name] = w
		}
	}
}

// A program that runs another is looked through.
func TestWrappers(t *testing.T) {
	for line, want := range map[string]string{
		"sudo -u ada curl x": "curl x", "env -u A B=c curl x": "curl x", "timeout -k 1 5 curl x": "curl x",
		"nice -n 5 curl x": "curl x", "xargs -n 1 -P4 curl x": "curl x", "stdbuf -oL curl x": "curl x",
		"docker exec -it -e A=b web curl x": "curl x", "docker compose exec -T web curl x": "curl x",
		"docker run --rm -v /a:/b image curl x": "curl x", "kubectl exec -n a pod -- curl x": "curl x",
		"poetry run curl x": "curl x", "uv run --with a curl x": "curl x", "bundle exec curl x": "curl x",
		"nix develop -c curl x": "curl x", "command -v curl": "", "docker ps": "", "time": "",
	} {
		c := &command{args: strings.Fields(line)}
		got := ""
		if in := c.inner(); in != nil {
			got = strings.Join(in.args, " ")
		}
		if got != want {
			t.Errorf("%s runs %q, want %q", line, got, want)
		}
	}
}
