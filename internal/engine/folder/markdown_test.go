package folder_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// many writes one memory of each kind and gives a belief with what it rests on.
func many(t testing.TB, e *engine.Engine) (raw, episode, belief string) {
	t.Helper()
	raw = capture(t, e, "the API felt slow today\n\n## Lessons\n")
	r, err := e.Promote(t.Context(), api.PromoteRequest{From: []string{raw}, Draft: api.Draft{
		Text: "Find out why the API is slow", Outcome: "There was no index\n## Lessons\nand so on", OutcomeType: "success",
		Lessons: []string{"Look at the indexes first\n\n  - then deeper", "- dash"}, Avoid: []string{"guessing"},
	}, Meta: api.Meta{Tags: []string{"api", "two words"}}})
	if err != nil {
		t.Fatal(err)
	}
	episode = r.Ref
	belief = consolidate(t, e, "Caching pays off: \"always\" #yes", episode)
	priority := 7
	for _, d := range []api.Draft{
		{
			Kind: "note", Type: "decision", Text: "Use Redis\n\n# because\nit is there", Reason: "we have it",
			Alternatives: []string{"memcached"},
		},
		{Kind: "value", Text: "Honesty", Description: "say what is so", Priority: &priority},
		{Kind: "goal", Text: "Ship it", Description: "in May"},
		{Kind: "drive", Text: "curiosity", Focus: []string{"databases"}},
		{Kind: "relationship", Text: "Ada", Type: "person", Description: "knows engines"},
		{
			Kind: "playbook", Text: "Release", When: "every month", Steps: []string{"tag", "push"},
			FailureModes: []string{"red"}, Recovery: []string{"revert"},
		},
	} {
		if _, err := e.Add(t.Context(), api.AddRequest{Draft: d}); err != nil {
			t.Fatal(err)
		}
	}
	return raw, episode, belief
}

func exportTo(t testing.TB, e *engine.Engine, dir string) api.MarkdownReply {
	t.Helper()
	reply, err := e.ExportMarkdown(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func importFrom(t testing.TB, e *engine.Engine, dir string) api.FolderReply {
	t.Helper()
	reply, err := e.ImportMarkdown(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func exportedAll(t testing.TB, e *engine.Engine) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := e.Export(t.Context(), &out, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// file returns the path of the file of a memory.
func file(t testing.TB, dir, ref string) string {
	t.Helper()
	_, id, _ := strings.Cut(ref, ":")
	found, err := filepath.Glob(filepath.Join(dir, "*", "*"+id[:16]+".md"))
	if err != nil || len(found) != 1 {
		t.Fatalf("files of %s: %q, %v, want one", ref, found, err)
	}
	return found[0]
}

// change replaces a piece of a file.
func change(t testing.TB, path, from, to string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), from) {
		t.Fatalf("%s does not hold %q:\n%s", path, from, raw)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(raw), from, to, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// There and back: the same ids, the same bytes, nothing new.
func TestAFolderComesBackWhole(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw, episode, belief := many(t, e)
		dir := filepath.Join(t.TempDir(), "notes")
		reply := exportTo(t, e, dir)
		if reply.Files != 9 || reply.Written != 9 || reply.Records < 9 {
			t.Errorf("exported %+v, want 9 files", reply)
		}
		if again := exportTo(t, e, dir); again.Written != 0 || again.Files != 9 || len(again.Untouched) > 0 {
			t.Errorf("again: %+v, want nothing written", again)
		}
		text := read(t, file(t, dir, belief))
		name := strings.TrimSuffix(filepath.Base(file(t, dir, episode)), ".md")
		if !strings.Contains(text, "[["+name+"]]") || !strings.Contains(text, "ref: "+belief) {
			t.Errorf("the belief's file names neither itself nor its source:\n%s", text)
		}
		other := open(t, "mem", engine.Config{})
		in := importFrom(t, other, dir)
		if in.Unchanged != 9 || in.Records.Added != reply.Records || len(in.Warnings)+len(in.Revised)+len(in.Added) > 0 {
			t.Errorf("imported %+v, want 9 unchanged of %d records", in, reply.Records)
		}
		if got, want := exportedAll(t, other), exportedAll(t, e); got != want {
			t.Error("what came back is not what went")
		}
		if _, err := other.Show(t.Context(), api.RefRequest{Ref: raw}); err != nil {
			t.Error(err)
		}
		// an editor's own changes are none
		path := file(t, dir, episode)
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(read(t, path), "\n", "\r\n")+"\r\n\r\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if in = importFrom(t, other, dir); in.Unchanged != 9 || len(in.Revised) > 0 {
			t.Errorf("other line ends: %+v, want 9 unchanged", in)
		}
	})
}

// A file that a person changed is a revision; it stands on what it was.
func TestAnEditedFileIsARevision(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		_, episode, belief := many(t, e)
		dir := t.TempDir()
		exportTo(t, e, dir)
		path := file(t, dir, episode)
		change(t, path, "There was no index", "There was no index at all")
		change(t, path, "- guessing", "- guessing\n- haste")
		change(t, path, "  - api\n", "  - api\n  - sql\n")
		in := importFrom(t, e, dir)
		if len(in.Revised) != 1 || len(in.Warnings) > 0 {
			t.Fatalf("imported %+v, want one revision", in)
		}
		m, err := e.Show(t.Context(), api.RefRequest{Ref: in.Revised[0]})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]any{
			"objective": "Find out why the API is slow", "outcome": "There was no index at all\n## Lessons\nand so on",
			"outcome_type": "success",
			"lessons":      []any{"Look at the indexes first\n\n  - then deeper", "- dash"}, "avoid": []any{"guessing", "haste"},
		}
		if fmt.Sprint(m.Content) != fmt.Sprint(want) || !slices.Equal(m.Tags, []string{"api", "sql", "two words"}) {
			t.Errorf("the revision says %v with %q, want %v", m.Content, m.Tags, want)
		}
		if !slices.Equal(m.Supersedes, []string{episode}) || m.DerivedFrom[0] != episode || m.Origin != "agent" ||
			m.Review != "pending" {
			t.Errorf("the revision is %+v, want it from %s and pending", m, episode)
		}
		if in = importFrom(t, e, dir); in.AlreadyThere != 1 || len(in.Revised) > 0 {
			t.Errorf("again: %+v, want nothing new", in)
		}
		change(t, path, "no index at all", "no index whatever")
		if in = importFrom(t, e, dir); len(in.Revised) != 1 {
			t.Errorf("changed once more: %+v, want a revision", in)
		}
		// what came in can be written again, what did not stays
		other := file(t, dir, belief)
		change(t, other, "pays off", "does not pay off")
		out := exportTo(t, e, dir)
		if len(out.Untouched) != 1 || !strings.HasSuffix(filepath.ToSlash(other), out.Untouched[0]) {
			t.Errorf("untouched: %q, want %s", out.Untouched, other)
		}
		if !strings.Contains(read(t, other), "does not pay off") || !strings.Contains(read(t, path), "superseded_by") {
			t.Error("a changed file was written over, or an old one not")
		}
	})
}

// Who may not replace a memory proposes.
func TestAnAgentProposesForItsOwner(t *testing.T) {
	keys := filepath.Join(t.TempDir(), "keys")
	spec := filepath.Join(t.TempDir(), "memory.db")
	owner := open(t, spec, engine.Config{KeyDir: keys, Origin: memory.OriginOwner})
	belief := add(t, owner, "belief", "the sky is blue")
	dir := t.TempDir()
	exportTo(t, owner, dir)
	change(t, file(t, dir, belief), "---\n\nthe sky is blue", "---\n\nthe sky is green")
	agent := open(t, spec, engine.Config{KeyDir: keys})
	for i := range 2 {
		in := importFrom(t, agent, dir)
		if len(in.Proposed) != 1-i || in.AlreadyThere != i || len(in.Revised) > 0 {
			t.Errorf("time %d: %+v, want one proposal, once", i+1, in)
		}
	}
	if m, err := agent.Show(t.Context(), api.RefRequest{Ref: belief}); err != nil || m.SupersededBy != "" {
		t.Errorf("the owner's belief is superseded by %q, %v", m.SupersededBy, err)
	}
	if in := importFrom(t, owner, dir); len(in.Revised) != 1 || len(in.Proposed) > 0 {
		t.Errorf("the owner imports %+v, want a revision", in)
	}
}

// What a front matter claims is not believed.
func TestForgedFrontMatterChangesNothing(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	raw, episode, belief := many(t, e)
	dir := t.TempDir()
	exportTo(t, e, dir)
	before := exportedAll(t, e)
	path := file(t, dir, belief)
	change(t, path, "origin: agent", "origin: owner")
	change(t, path, "via: consolidate", "via: direct")
	change(t, path, "sources:", "sources:\n  - \""+raw+"\"")
	in := importFrom(t, e, dir)
	if len(in.Revised) > 0 || len(in.Warnings) != 1 || !strings.Contains(in.Warnings[0], "origin, sources, via") {
		t.Errorf("forged provenance: %+v, want a warning", in)
	}
	// the ref of another memory
	change(t, path, belief, episode)
	change(t, path, "pays", "never pays")
	in = importFrom(t, e, dir)
	if len(in.Revised) > 0 || len(in.Warnings) != 1 || !strings.Contains(in.Warnings[0], "ignored") {
		t.Errorf("another's ref: %+v, want it left out", in)
	}
	// a second file of one memory, and one of a memory that is not of this folder
	copied := filepath.Join(dir, "belief", "copy.md")
	if err := os.WriteFile(
		copied, []byte(strings.Replace(read(t, file(t, dir, episode)), "guessing", "thinking", 1)), 0o600,
	); err != nil {
		t.Fatal(err)
	}
	stray := filepath.Join(dir, "stray.md")
	if err := os.WriteFile(
		stray, []byte("---\nref: belief:"+strings.Repeat("0", 64)+"\n---\nhello\n"), 0o600,
	); err != nil {
		t.Fatal(err)
	}
	if in = importFrom(t, e, dir); len(in.Revised)+len(in.Added) > 0 || len(in.Warnings) != 3 {
		t.Errorf("strays: %+v, want three warnings", in)
	}
	if after := exportedAll(t, e); after != before {
		t.Error("something was stored")
	}
	// under another name it is still itself
	moved := filepath.Join(dir, "moved.md")
	if err := errors.Join(os.Remove(copied), os.Remove(stray), os.Rename(file(t, dir, episode), moved)); err != nil {
		t.Fatal(err)
	}
	change(t, moved, "guessing", "thinking")
	if in = importFrom(t, e, dir); len(in.Revised) != 1 {
		t.Errorf("a renamed file: %+v, want a revision", in)
	}
}

// A new file is a new memory, once; a file that is gone takes nothing with it.
func TestNewFilesAreNewMemories(t *testing.T) {
	e := open(t, "mem", engine.Config{Origin: memory.OriginOwner})
	_, _, belief := many(t, e)
	dir := t.TempDir()
	exportTo(t, e, dir)
	if err := os.Remove(file(t, dir, belief)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"new.md": "---\nkind: belief\ntags: [a, '#b']\ntier: grounded\norigin: owner\nreview: " +
			"approved\n---\nTests come first, see [[People/Ada|her]].\n",
		"deep/plain.md":  "just words\nin a note",
		".hidden/not.md": "no",
		"not.txt":        "no",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	in := importFrom(t, e, dir)
	if len(in.Added) != 2 || len(in.Warnings) > 0 {
		t.Fatalf("imported %+v, want two added", in)
	}
	m, err := e.Show(t.Context(), api.RefRequest{Ref: in.Added[1]})
	if err != nil || m.Type != "belief" || !slices.Equal(m.Tags, []string{"a", "b"}) ||
		!slices.Equal(m.About, []string{"Ada"}) || m.Review != "" || m.Origin != "owner" {
		t.Errorf("the new file is %+v, %v", m, err)
	}
	if in = importFrom(t, e, dir); in.AlreadyThere != 2 || len(in.Added) > 0 {
		t.Errorf("again: %+v, want nothing new", in)
	}
	if out := exportTo(t, e, dir); out.Written != 3 || len(out.Untouched) > 0 ||
		read(t, filepath.Join(dir, "new.md")) == "" {
		t.Errorf("exported again: %+v, want the removed file and two new ones", out)
	}
	if m, err := e.Show(t.Context(), api.RefRequest{Ref: belief}); err != nil || m.Hidden != "" {
		t.Errorf("the belief whose file was removed: %+v, %v", m, err)
	}
}

// A bad file is named, and nothing is stored.
func TestABadFolderChangesNothing(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	many(t, e)
	for name, spoil := range map[string]func(dir string) error{
		"blank": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "bad.md"), []byte("---\nkind: goal\n---\n\n"), 0o600)
		},
		"latin": func(dir string) error { return os.WriteFile(filepath.Join(dir, "bad.md"), []byte("caf\xe9"), 0o600) },
		"long": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "bad.md"), bytes.Repeat([]byte("long "), 1<<15), 0o600)
		},
		"tags": func(dir string) error {
			return os.WriteFile(
				filepath.Join(dir, "bad.md"), []byte("---\ntags: "+strings.Repeat("x", 65)+"\n---\nwords"),
				0o600,
			)
		},
		".stemma-markdown/records.jsonl": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".stemma-markdown", "records.jsonl"), []byte("{}\n"), 0o600)
		},
		".stemma-markdown/files.json": func(dir string) error {
			return os.WriteFile(
				filepath.Join(dir, ".stemma-markdown", "files.json"),
				[]byte(`{"version":1,"files":{"../x":{}}}`), 0o600,
			)
		},
	} {
		dir := t.TempDir()
		exportTo(t, e, dir)
		if err := errors.Join(
			os.WriteFile(filepath.Join(dir, "a good one.md"), []byte("good"), 0o600), spoil(dir),
		); err != nil {
			t.Fatal(err)
		}
		other := open(t, "mem", engine.Config{})
		before := exportedAll(t, other)
		_, err := other.ImportMarkdown(t.Context(), dir, nil)
		if !errors.Is(err, api.ErrInvalid) || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(err.Error(), "bad.md") && !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want one line that names the file", name, err)
		}
		if exportedAll(t, other) != before {
			t.Errorf("%s: something was stored", name)
		}
	}
}

// hostileNames are a hundred headlines that are no names of files.
func hostileNames() []string {
	names := []string{
		"../../../../etc/passwd", "..", ".", "/etc/passwd", `..\..\windows\system32`, `\\server\share\file`,
		`C:\autoexec.bat`, "C:x",
		"con", "CON", "nul", "NUL.md", "com1", "LPT9.txt", "aux", "prn", "a\x7fb", "a:b", "a|b", "a?b*c", "<script>",
		"\"quoted\"", "~/.ssh/id",
		"$(rm -rf /)", "`id`", "name.", "name ", "-rf", "--force", ".hidden", ".stemma-markdown/files.json",
		"records.jsonl", "\u202egnp.exe",
		"Same", "same", "SAME", "e\u0301tude", "\u00e9tude", "ﬁle", "İstanbul", "straße", "STRASSE",
		strings.Repeat("long", 5000), strings.Repeat("é", 300),
		"日本語の見出し", "🙂🙂🙂", "%2e%2e%2f", "file://x", "http://x/y", "a/b/c/d", "a\tb",
	}
	for i := len(names); i < 100; i++ {
		names = append(names, strings.Repeat("../", i%7+1)+fmt.Sprint("x", i))
	}
	return names
}

// No headline leads out of the folder, and no two share a file.
func TestHostileNamesStayInside(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	for _, name := range hostileNames() {
		add(t, e, "belief", name)
	}
	outside := t.TempDir()
	dir := filepath.Join(outside, "in", "side")
	if out := exportTo(t, e, dir); out.Written != 100 {
		t.Errorf("%+v, want 100 files", out)
	}
	seen := make(map[string]bool)
	err := filepath.WalkDir(outside, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name := strings.ToLower(filepath.Base(path))
		if !strings.HasPrefix(path, dir+string(filepath.Separator)) || seen[name] ||
			strings.ContainsAny(name, `\:*?"<>| `) || len(name) > 100 {
			t.Errorf("%s: outside, or a bad name", path)
		}
		seen[name] = true
		return nil
	})
	if err != nil || len(seen) != 102 {
		t.Errorf("%d files, %v, want 100 and two beside", len(seen), err)
	}
}

// Links that stand in the folder lead nowhere.
func TestLinksInAFolderAreNotFollowed(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	belief := add(t, e, "belief", "words of mine")
	outside, dir := t.TempDir(), t.TempDir()
	secret := filepath.Join(outside, "secret.md")
	if err := os.WriteFile(secret, []byte("a secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "belief")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if _, err := e.ExportMarkdown(t.Context(), dir, nil); err == nil {
		t.Error("a directory that leads outside was written to")
	}
	if found, _ := os.ReadDir(outside); len(found) != 1 {
		t.Errorf("%d files outside, want 1", len(found))
	}
	if err := errors.Join(
		os.Remove(filepath.Join(dir, "belief")), os.Symlink(secret, filepath.Join(dir, "new.md")),
	); err != nil {
		t.Fatal(err)
	}
	exportTo(t, e, dir)
	path := file(t, dir, belief)
	if err := errors.Join(os.Remove(path), os.Symlink(secret, path)); err != nil {
		t.Fatal(err)
	}
	if in := importFrom(t, e, dir); len(in.Added)+len(in.Revised) > 0 {
		t.Errorf("a link was read: %+v", in)
	}
	if out := exportTo(t, e, dir); len(out.Untouched) != 1 || read(t, secret) != "a secret" {
		t.Errorf("a link was written to: %+v", out)
	}
}

// What is purged or forgotten leaves the folder with its words.
func TestHiddenMemoriesLeaveTheFolder(t *testing.T) {
	e := open(t, "mem", engine.Config{Origin: memory.OriginOwner})
	gone, kept := add(t, e, "belief", "to be forgotten"), add(t, e, "belief", "to be purged")
	dir := t.TempDir()
	exportTo(t, e, dir)
	changed := file(t, dir, kept)
	change(t, changed, "to be", "shall be")
	if err := enginetest.SignMark(t.Context(), e, memory.Forget, "", gone, kept); err != nil {
		t.Fatal(err)
	}
	out := exportTo(t, e, dir)
	if out.Removed != 1 || out.LeftOut != 2 || len(out.Untouched) != 1 || !strings.Contains(read(t, changed), "shall be") {
		t.Errorf("%+v, want one removed and the changed one named", out)
	}
}

// A folder of one space is not mixed with another's.
func TestAFolderIsOfItsSpaces(t *testing.T) {
	keys, spec := filepath.Join(t.TempDir(), "keys"), filepath.Join(t.TempDir(), "memory.db")
	work := open(t, spec, engine.Config{KeyDir: keys, Space: "work"})
	add(t, work, "belief", "of work")
	dir := t.TempDir()
	exportTo(t, work, dir)
	home := open(t, spec, engine.Config{KeyDir: keys})
	add(t, home, "belief", "of home")
	if _, err := home.ExportMarkdown(t.Context(), dir, nil); !errors.Is(err, api.ErrConflict) {
		t.Errorf("err = %v, want a conflict", err)
	}
}
