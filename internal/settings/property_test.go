package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"
)

// samples are values that Set may be asked for.
var samples = map[string][]string{
	"embedder.kind":       {"none", "openai", "static"},
	"embedder.url":        {"", "http://localhost:11434/v1"},
	"embedder.model":      {"", "bge-m3", "007", `C:\m "é"`, "# no comment", "'''"},
	"embedder.dimensions": {"0", "384"},
	"embedder.timeout":    {"3s", "1m0.5s"},
	"pack.budget":         {"", "100", "50000"},
	"receipts.keep":       {"0", "65536"},
	"timestamp.roots":     {"", "/etc/authorities.pem"},
}

// A written file is one that a person wrote, and what it says.
type writtenFile struct {
	lines []string
	says  map[string]string
}

// others are lines that are none of ours and look as if they were.
var others = []string{
	"", "# budget = 1", "   # [pack]", "x%d = '[pack]' # kind = 2",
	"x%d = \"\"\"\n[embedder]\nkind = 'x'\n\\\"\"\"\"\"\"", "x%d = '''\nbudget = 3\n''''' # '''",
	"x%d = [\n  1, # ]\n  \"]\", [ '#' ],\n]", "x%d = { budget = 1, kind = \"}\" }", "'budget %d' = 1",
	"\"pack.budget%d\" = 2", "x%d.budget = 1979-05-27 07:32:00", "\tx%d\t=\t-inf",
}

func genFile(t *rapid.T) writtenFile {
	f := writtenFile{says: map[string]string{}}
	n := 0
	other := func() {
		line := rapid.SampledFrom(others).Draw(t, "other")
		n++
		f.lines = append(f.lines, strings.Replace(line, "%d", strings.Repeat("i", n), 1))
	}
	known := func(key, as string) {
		v := rapid.SampledFrom(samples[key]).Draw(t, key)
		text := rapid.SampledFrom(
			[]string{
				"'" + v + "'", written(v),
				"\"\"\"" + strings.ReplaceAll(strings.ReplaceAll(v, `\`, `\\`), `"`, `\"`) + "\"\"\"",
			},
		).Draw(t, "quotes")
		if strings.Contains(v, "'") && text[0] == '\'' {
			text = written(v)
		}
		f.lines = append(f.lines, rapid.SampledFrom(
			[]string{"", "  ", "\t"},
		).Draw(t, "indent")+as+rapid.SampledFrom([]string{"=", " = ", "\t=  "}).Draw(t, "is")+text+
			rapid.SampledFrom([]string{"", " # why", "#'\"\"\""}).Draw(t, "comment"))
		f.says[key] = v
	}
	keys := rapid.Permutation(slices.Sorted(func(yield func(string) bool) {
		for key := range samples {
			if !yield(key) {
				return
			}
		}
	})).Draw(t, "order")
	dotted := map[string]bool{}
	section := func(key string) string { return key[:strings.IndexByte(key, '.')] }
	for _, s := range []string{"embedder", "pack", "receipts"} {
		dotted[s] = rapid.Bool().Draw(t, s+" dotted")
	}
	some := func() {
		for range rapid.IntRange(0, 3).Draw(t, "others") {
			other()
		}
	}
	some()
	for _, key := range keys {
		if dotted[section(key)] && rapid.Bool().Draw(t, "there") {
			known(
				key,
				rapid.SampledFrom(
					[]string{key, strings.Replace(key, ".", " . ", 1), "'" + strings.Replace(key, ".", "'.'", 1) + "'"},
				).Draw(t, "name"),
			)
			some()
		}
	}
	for _, s := range rapid.Permutation(
		[]string{"embedder", "pack", "receipts", "x", "pack.more", "[many]", "[many]"},
	).Draw(t, "tables") {
		if dotted[s] || dotted[section(s+".")] || !strings.HasPrefix(s, "[") && !rapid.Bool().Draw(t, s+" there") {
			continue
		}
		f.lines = append(
			f.lines,
			rapid.SampledFrom([]string{"", " "}).Draw(t, "indent")+"["+s+"]"+
				rapid.SampledFrom([]string{"", " # [x]"}).Draw(t, "comment"),
		)
		some()
		for _, key := range keys {
			if section(key) == s && rapid.Bool().Draw(t, "there") {
				known(key, key[len(s)+1:])
				some()
			}
		}
	}
	return f
}

// middles cuts off what two texts begin and end with alike.
func middles(a, b string) (string, string) {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

func TestSetThenLoadGivesTheValueAndKeepsTheRest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	inPlace, added := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		f := genFile(t)
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		before := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark") + strings.ReplaceAll(
			strings.Join(f.lines, "\n"), "\n", end,
		) + rapid.SampledFrom([]string{"", end}).Draw(t, "last")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		key := rapid.SampledFrom(
			[]string{
				"embedder.kind", "embedder.url", "embedder.model", "embedder.dimensions", "embedder.timeout",
				"pack.budget", "receipts.keep",
			},
		).Draw(t, "key")
		want := rapid.SampledFrom(samples[key]).Draw(t, "value")
		if err := Set(path, key, want); err != nil {
			t.Fatalf("%v in\n%s", err, before)
		}
		_, there := f.says[key]
		f.says[key] = want
		after := check(t, path, f)
		was, is := middles(before, after)
		switch {
		case there && (strings.Contains(was, "\n") || strings.Contains(is, "\n")):
			t.Fatalf("more than a line was changed: %q to %q", was, is)
		case !there && (was != "" || strings.Count(is, "\n") > 4):
			t.Fatalf("more than a line was added: %q to %q", was, is)
		case there:
			inPlace++
		default:
			added++
		}
		if err := Unset(path, key); err != nil {
			t.Fatalf("%v in\n%s", err, after)
		}
		delete(f.says, key)
		was, is = middles(after, check(t, path, f))
		if is != "" || strings.Count(was, "\n") > 1 {
			t.Fatalf("more than a line was taken: %q to %q", was, is)
		}
	})
	if inPlace == 0 || added == 0 {
		t.Errorf("%d changed in place, %d added: want some of both", inPlace, added)
	}
}

// check asks that a file says what it should.
func check(t *rapid.T, path string, f writtenFile) string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Load("", path, env())
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, k := range Keys() {
		want, there := f.says[k.Key]
		if !there {
			want = k.Default
		}
		if got := s.Get(k.Key); got != want || there != (s.Source(k.Key) == path) {
			t.Fatalf("%s = %q from %s, want %q from\n%s", k.Key, got, s.Source(k.Key), want, text)
		}
	}
	return string(text)
}

// Whatever a file is, Set says what was asked or leaves it as it was.
func FuzzSet(f *testing.F) {
	for _, text := range []string{
		"", "[pack]\nbudget = 1 # x\n", "pack.budget='''1'''", "pack = {budget=1}",
		"\ufeff[ \"pack\" ]\r\nx = [1,\r\n#]\r\n]\r\n", "[[pack]]\n", "a = \"\"\"\\", "\x03", "pACk.BudgEt=''",
		"\"\\u0070ack\".budget = 1979-05-27 07:32:00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, before string) {
		scan(before) // ends, and does not panic, whatever it is
		path := file(t, before)
		if err := Set(path, "pack.budget", "500"); err != nil {
			if got := contents(t, path); got != before {
				t.Fatalf("%v, and %q became %q", err, before, got)
			}
			return
		}
		var tree map[string]any // and not a struct, for which case is nothing
		_, err := toml.DecodeFile(path, &tree)
		if pack, ok := tree["pack"].(map[string]any); err != nil || !ok || pack["budget"] != int64(500) {
			t.Fatalf("%q became %q: %v", before, contents(t, path), err)
		}
		if err := Unset(path, "pack.budget"); err != nil {
			t.Fatalf("%q: %v", contents(t, path), err)
		}
	})
}
