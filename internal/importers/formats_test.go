package importers

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// told is a record in a few lines: who said it and when, from when until when it holds, its state,
// what it comes from, and all its words.
func told(f api.Foreign) string {
	var b strings.Builder
	kind := string(memory.KindOf(f.Body))
	who, when := "", f.Meta.ValidFrom
	switch body := f.Body.(type) {
	case *memory.Note:
		kind, who = kind+" "+body.Type, body.Speaker
	case *memory.Raw:
		who, when = body.Speaker, body.OccurredAt.String()
		if body.Event != turn && body.Event != "" {
			kind += " " + body.Event
		}
	}
	fmt.Fprintf(&b, "%s, %s, %s\n", f.Alias[0], kind, cmp.Or(when, "no time"))
	for _, m := range []struct{ name, is string }{
		{"speaker", who}, {"until", f.Meta.ValidUntil}, {"session", f.Meta.Session},
		{"about", strings.Join(f.Meta.About, ", ")},
		{"tags", strings.Join(f.Meta.Tags, ", ")}, {"from", strings.Join(f.From, " ")}, {"supersedes", f.Supersedes},
		{"gone", f.Gone}, {"ext", string(f.Ext)},
	} {
		if m.is != "" {
			fmt.Fprintf(&b, "  %s: %s\n", m.name, m.is)
		}
	}
	words := memory.Words(f.Body)
	if raw, ok := f.Body.(*memory.Raw); ok {
		words = raw.Text
	}
	fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(strings.TrimSpace(words), "\n", "\n  "))
	return b.String()
}

// fixtures returns the sources under testdata/formats, one a directory; what ends in .sql is made a database.
func fixtures(t testing.TB) map[string]string {
	t.Helper()
	dirs, err := os.ReadDir("testdata/formats")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		where := filepath.Join("testdata/formats", d.Name())
		if sql, _ := filepath.Glob(filepath.Join(where, "*.sql")); len(sql) == 1 {
			raw, err := os.ReadFile(sql[0])
			if err != nil {
				t.Fatal(err)
			}
			where = database(t, strings.TrimSuffix(filepath.Base(sql[0]), ".sql"), string(raw))
		}
		all[d.Name()] = where
	}
	return all
}

// readAll returns what a source says, and what of it was left out.
func readAll(t testing.TB, s Source) string {
	t.Helper()
	found, err := Read(t.Context(), s)
	if err != nil {
		return err.Error() + "\n"
	}
	var out []string
	for f, err := range found.Records {
		if err != nil {
			return err.Error() + "\n"
		}
		out = append(out, told(f))
	}
	text := strings.Join(found.Formats, ", ") + "\n\n" + strings.Join(out, "\n")
	lost := found.Lost
	if raw, err := json.Marshal(lost); err == nil && string(raw) != "{}" {
		var m map[string]any
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(m)) {
			one, _ := json.Marshal(m[name])
			text += fmt.Sprintf("\n%s: %s", name, one)
		}
		text += "\n"
	}
	return text
}

// Each format gives the words, times, speakers and state of its source, and says what it leaves out: from a
// folder, and from an archive of it.
func TestFormats(t *testing.T) {
	for name, where := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			got := readAll(t, Source{Path: where, Name: "x"})
			golden := filepath.Join("testdata/formats", name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if info, err := os.Stat(where); err == nil && info.IsDir() {
				if packed := readAll(t, Source{Path: zipped(t, where), Name: "x"}); packed != got {
					t.Errorf("from an archive\n%s\nfrom the folder\n%s", packed, got)
				}
			}
		})
	}
}

// zipped packs a folder.
func zipped(t testing.TB, dir string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "export.zip")
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	if err := z.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

// Everything that a format reads a store takes once: the second time all of it is there word for word, and
// nothing is approved for being imported.
func TestFormatsComeOnce(t *testing.T) {
	for name, where := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t)
			for time := range 2 {
				found, err := Read(t.Context(), Source{Path: where, Held: e.Held})
				if err != nil {
					t.Fatal(err)
				}
				reply, err := e.Ingest(t.Context(), found.Records, nil)
				if err != nil || time == 0 && (reply.Added == 0 || reply.Changed > 0) ||
					time == 1 && (reply.Added+reply.Changed > 0 || reply.AlreadyThere != reply.Read) {
					t.Fatalf("time %d: %+v, %v", time+1, reply, err)
				}
			}
			grounded(t, e)
		})
	}
}
