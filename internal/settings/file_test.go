package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAProjectDoesNotDecideWhereMemoryIsSent(t *testing.T) {
	for _, text := range []string{
		"[embedder]\nkind = 'openai'\nurl = 'http://evil'\nmodel = 'm'\nkey = 'k'\ndimensions = 1\ntimeout = '1s'\n",
		"embedder.kind = 'openai'\nembedder.url = 'http://evil'\nembedder.model = 'm'\nembedder.key = " +
			"'k'\nembedder.dimensions = 1\nembedder.timeout = '1s'\n",
		"embedder = { kind = 'openai', url = 'http://evil', model = 'm', key = 'k', dimensions = 1, timeout = '1s' }\n",
		"[ \"embed\\u0064er\" ]\n'kind' = 'openai'\n\"\\u0075rl\" = 'http://evil'\nmodel = 'm'\nkey = 'k'\ndimensions " +
			"= 1\ntimeout = '1s'\n",
	} {
		path := file(t, text+"pack.budget = 500\n")
		s := load(t, path, "", env())
		ignored := 0
		for _, k := range Keys() {
			if !strings.HasPrefix(k.Key, "embedder.") {
				continue
			}
			if got := s.Get(k.Key); got != k.Default || s.Source(k.Key) != "default" {
				t.Errorf("%s is %q after\n%s", k.Key, got, text)
			}
			if n := strings.Count(strings.Join(s.Warnings, "\n"), path+": "+k.Key+" is ignored"); n != 1 {
				t.Errorf("%d warnings of %s, want 1: %q", n, k.Key, s.Warnings)
			}
			ignored++
		}
		if ignored != 6 {
			t.Errorf("%d keys of the embedder, want 6", ignored)
		}
	}
}

func TestNothingButTheKeysThemselvesSetThem(t *testing.T) {
	for _, text := range []string{
		"\"pack.budget\" = 500", "[[pack]]\nbudget = 500", "[Pack]\nBudget = 500", "[pack.budget]\nx = 500",
		"[x.pack]\nbudget = 500", "pack = 500", "budget = 500",
	} {
		s := load(t, "", file(t, text+"\n"), env())
		if got := s.Get("pack.budget"); got != "" || len(s.Warnings) != 1 {
			t.Errorf("%s: pack.budget = %q, warnings %q, want none and one", text, got, s.Warnings)
		}
	}
}

func TestUnknownKeysAreWarnedOf(t *testing.T) {
	path := file(t, "budget = 1\nfoo = 2\n[embeder]\nurl = 'http://h'\n[pack]\nBudgets = 3\n\"\\u001b[31m\" = 4\n")
	s := load(t, "", path, env())
	want := []string{
		path + ": unknown setting budget (is pack.budget meant?)",
		path + ": unknown setting embeder.url (is embedder.url meant?)",
		path + ": unknown setting foo",
		path + `: unknown setting pack."\u001b[31m"`,
		path + ": unknown setting pack.Budgets (is pack.budget meant?)",
	}
	if got := strings.Join(s.Warnings, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("warnings\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "x%d = 1\n", i)
	}
	if s := load(t, file(t, many.String()), "", env()); len(s.Warnings) != mostUnknown+1 ||
		!strings.Contains(s.Warnings[mostUnknown], "90 more") {
		t.Errorf("%d warnings: %q", len(s.Warnings), s.Warnings)
	}
	if err := Set(path, "pack.buget", "500"); err == nil || !strings.Contains(err.Error(), "is pack.budget meant?") {
		t.Errorf("Set of an unknown key = %v", err)
	}
}

func TestWhatIsNotTOMLIsOneErrorWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1\n\n[embedder\n":             "line 3: ",
		"a = 1\na = 2\n":                   "line 2: ",
		"a = 1\nb = \"\x1b[31m\"":          "line 2: ",
		"\xff":                             "line 1: ",
		"a = {b = 1}\n[a]\n":               "line 2: ",
		strings.Repeat("#\n", 40) + "oops": "line 41: ",
	} {
		path := file(t, text)
		s, err := Load("", path, env())
		if s != nil || err == nil || !strings.HasPrefix(err.Error(), path+" is not TOML: "+want) ||
			strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if s := load(t, path, "", env()); len(s.Warnings) != 1 ||
			!strings.HasPrefix(s.Warnings[0], path+" is not TOML: "+want) {
			t.Errorf("%q in a project: %q, want a warning of %s", text, s.Warnings, want)
		}
	}
}

func TestAFileThatCannotBeReadIsAnError(t *testing.T) {
	dir := t.TempDir()
	long := file(t, "#"+strings.Repeat("x", mostBytes))
	for _, path := range []string{dir, filepath.Join(long, "config.toml"), long} {
		if _, err := Load("", path, env()); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want an error that names it", path, err)
		}
	}
	link := filepath.Join(dir, "link.toml")
	if err := os.Symlink(file(t, "pack.budget = 500"), link); err != nil {
		t.Fatal(err)
	}
	if s := load(t, "", link, env()); s.Source("pack.budget") != link {
		t.Errorf("a link is not followed: %s", s.Source("pack.budget"))
	}
}

// A stranger's file can be as deep as it is long: the parser would take minutes.
func TestDeepFilesDoNoHarm(t *testing.T) {
	const n = mostBytes - 100
	for name, tt := range map[string]struct {
		text    string
		refused bool
	}{
		"lists":       {"a = " + strings.Repeat("[", n/2) + strings.Repeat("]", n/2), false},
		"open lists":  {"a = " + strings.Repeat("[", n), true},
		"tables":      {"a = " + strings.Repeat("{a=", n/4) + "1" + strings.Repeat("}", n/4), true},
		"dotted":      {strings.Repeat("a.", n/2) + "a = 1", true},
		"header":      {"[" + strings.Repeat("a.", n/2) + "a]\na = 1", true},
		"many tables": {strings.Repeat("[[a]]\n", n/6), false},
		"as deep as it may be": {
			"[" + strings.Repeat("a.", mostDeep/2) + "a]\n" + strings.Repeat("a.", mostDeep/2) + "a = 1", false,
		},
		"one deeper": {
			"[" + strings.Repeat("a.", mostDeep/2) + "a]\n" + strings.Repeat("a.", mostDeep/2+1) + "a = 1", true,
		},
		"dots of comments": {strings.Repeat("# ...........\n", n/14), false},
	} {
		s, err := Load("", file(t, tt.text), env())
		if (err != nil) != tt.refused {
			t.Errorf("%s: %v, want refused: %t", name, err, tt.refused)
		}
		if err == nil && len(strings.Join(s.Warnings, "")) > 1000 {
			t.Errorf("%s: warnings of %d bytes", name, len(strings.Join(s.Warnings, "")))
		}
	}
}
