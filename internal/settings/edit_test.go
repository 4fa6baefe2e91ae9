package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func contents(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSetChangesOneLine(t *testing.T) {
	tests := []struct{ name, before, key, value, after string }{
		{"nothing there", "", "pack.budget", "500", "[pack]\nbudget = 500\n"},
		{
			"another table", "# mine\n[embedder]\nkind = 'none'\n", "pack.budget", "500",
			"# mine\n[embedder]\nkind = 'none'\n\n[pack]\nbudget = 500\n",
		},
		{"no last line's end", "# mine", "pack.budget", "500", "# mine\n\n[pack]\nbudget = 500\n"},
		{
			"its table", "[pack] # p\n\n# above\n[embedder]\n", "pack.budget", "500",
			"[pack] # p\nbudget = 500\n\n# above\n[embedder]\n",
		},
		{
			"its table is last", "[embedder]\n  kind = 'static' # k\n\n# end", "embedder.model", `C:\m "x"`,
			"[embedder]\n  kind = 'static' # k\n  model = \"C:\\\\m \\\"x\\\"\"\n\n# end",
		},
		{"its table ends the file", "[pack]", "pack.budget", "500", "[pack]\nbudget = 500"},
		{
			"in its place", "[pack]\n\t\"budget\"  =   0x1F4\t# why\nx=1", "pack.budget", "600",
			"[pack]\n\t\"budget\"  =   600\t# why\nx=1",
		},
		{"empty", "[pack]\nbudget=1_000#x\n", "pack.budget", "", "[pack]\nbudget=\"\"#x\n"},
		{
			"dotted", "a = 1\nembedder . kind = 'none'\n[x]\nembedder.kind = 3\n", "embedder.kind", "ollama",
			"a = 1\nembedder . kind = \"ollama\"\n[x]\nembedder.kind = 3\n",
		},
		{
			"beside dotted", "embedder.kind = 'none'\na = 1\n[x]\nb = 2\n", "embedder.url", "http://h",
			"embedder.kind = 'none'\nembedder.url = \"http://h\"\na = 1\n[x]\nb = 2\n",
		},
		{
			"many lines", "[embedder]\nmodel = \"\"\"\na\\\"\"\"\"\"\" # m\nkind = 'none'\n", "embedder.model",
			"m", "[embedder]\nmodel = \"m\" # m\nkind = 'none'\n",
		},
		{
			"an escaped quote", "[embedder]\nmodel = \"a\\\"b\" # m\n", "embedder.model", "m",
			"[embedder]\nmodel = \"m\" # m\n",
		},
		{
			"other line ends", "[pack]\r\nbudget = 100\r\n", "receipts.keep", "0",
			"[pack]\r\nbudget = 100\r\n\r\n[receipts]\r\nkeep = 0\r\n",
		},
		{"a mark at the start", "\ufeffpack.budget = 100\n", "pack.budget", "500", "\ufeffpack.budget = 500\n"},
		{"it only looks like it", "x = '''\n[pack]\nbudget = 1\n'''\ny = [ # [pack]\n  \"]\", # ]\n  { a = '}' },\n]\n",
			"pack.budget", "500",
			"x = '''\n[pack]\nbudget = 1\n'''\ny = [ # [pack]\n  \"]\", # ]\n  { a = '}' },\n]\n\n[pack]\nbudget = 500\n"},
		{
			"below and beside", "[pack.x]\na = 1\n[[many]]\nbudget = 1\n", "pack.budget", "500",
			"[pack.x]\na = 1\n[[many]]\nbudget = 1\n\n[pack]\nbudget = 500\n",
		},
		{"a duration", "", "embedder.timeout", "1m30s", "[embedder]\ntimeout = \"1m30s\"\n"},
		{"no number", "a = nan\n", "receipts.keep", "0", "a = nan\n\n[receipts]\nkeep = 0\n"},
	}
	for _, tt := range tests {
		path := file(t, tt.before)
		if err := Set(path, tt.key, tt.value); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := contents(t, path); got != tt.after {
			t.Errorf("%s:\n%q, want\n%q", tt.name, got, tt.after)
		}
		if got := load(t, "", path, env()).Get(tt.key); got != tt.value {
			t.Errorf("%s: reads %q, want %q", tt.name, got, tt.value)
		}
	}
}

func TestUnsetTakesOneLine(t *testing.T) {
	tests := []struct{ name, before, after string }{
		{"alone", "[pack]\nbudget = 500\n", "[pack]\n"},
		{"among others", "# a\n[pack] # b\n# c\n  budget = 500 # d\nx = 1\n", "# a\n[pack] # b\n# c\nx = 1\n"},
		{"dotted, last", "a = 1\npack.budget = 500", "a = 1\n"},
		{"other line ends", "[pack]\r\nbudget = 500\r\nx = 1\r\n", "[pack]\r\nx = 1\r\n"},
		{"not there", "[pack]\nbudgets = 1", "[pack]\nbudgets = 1"},
	}
	for _, tt := range tests {
		path := file(t, tt.before)
		if err := Unset(path, "pack.budget"); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := contents(t, path); got != tt.after {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.after)
		}
	}
	missing := filepath.Join(t.TempDir(), "a", "config.toml")
	if err := Unset(missing, "pack.budget"); err != nil {
		t.Errorf("no file: %v", err)
	}
	if _, err := os.Lstat(filepath.Dir(missing)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Unset made a directory: %v", err)
	}
	if err := Unset(missing, "pack.bugdet"); err == nil {
		t.Error("an unknown key is no error")
	}
}

func TestWhatCannotBeDoneChangesNothing(t *testing.T) {
	tests := []struct{ name, before, key, value string }{
		{"wrong value", "[pack]\n", "pack.budget", "7"},
		{"unknown key", "[pack]\n", "pack.x", "7"},
		{"the secret", "", "embedder.key", "k"},
		{"not TOML", "[pack\n", "pack.budget", "500"},
		{"in braces", "pack = { budget = 100 }\n", "pack.budget", "500"},
		{"braces to add to", "pack = { x = 100 }\n", "pack.budget", "500"},
		{"no table", "pack = 1\n", "pack.budget", "500"},
		{"many tables", "[[pack]]\nbudget = 100\n", "pack.budget", "500"},
		{"a table of that name", "[pack.budget]\nx = 1\n", "pack.budget", "500"},
	}
	for _, tt := range tests {
		path := file(t, tt.before)
		if err := Set(path, tt.key, tt.value); err == nil {
			t.Errorf("%s: Set gives no error and\n%s", tt.name, contents(t, path))
		} else if got := contents(t, path); got != tt.before {
			t.Errorf("%s: %q, want it as it was", tt.name, got)
		}
		if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
			t.Errorf("%s: %d files are left, want 1", tt.name, len(names))
		}
	}
	path := file(t, "pack = { budget = 100 }\n")
	if err := Unset(path, "pack.budget"); err == nil || contents(t, path) != "pack = { budget = 100 }\n" {
		t.Errorf("Unset in braces: %v and %q", err, contents(t, path))
	}
}

func TestTheFileIsItsOwnersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(dir, "config.toml")
	if err := Set(path, "pack.budget", "500"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Set(path, "pack.budget", "600"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{dir: fs.ModeDir | 0o700, path: 0o600} {
		info, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode(); got != want && os.PathSeparator == '/' {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("%d files are left, want 1", len(names))
	}
}

func TestLinksAndDirectoriesAreNotReplaced(t *testing.T) {
	dir := t.TempDir()
	target := file(t, "# mine\n")
	link := filepath.Join(dir, "config.toml")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, dir, filepath.Join(target, "config.toml")} {
		if err := Set(path, "pack.budget", "500"); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("Set of %s = %v, want an error that names it", path, err)
		}
	}
	if got, err := os.Readlink(link); err != nil || got != target || contents(t, target) != "# mine\n" {
		t.Errorf("the link leads to %q, %v, which holds %q", got, err, contents(t, target))
	}
}
