package hosts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// claude is the richest editor of JSON: servers and nested hooks in one file.
func claude(t testing.TB) entries {
	t.Helper()
	p := Place{Program: "stemma"}
	return entries{
		host: Gemini, servers: []string{"mcpServers"}, server: p.server(true), nested: true,
		hooks: p.hooks(Gemini, 1), allow: Place{Allow: AllowReads}.rules(),
	}
}

// files are what people have, in all the ways in which they write it.
var files = map[string]string{
	"empty":           "",
	"blank":           "\n\n",
	"object":          "{}",
	"spaced object":   "{\n}\n",
	"one line":        `{"a": 1, "b": [1, 2]}`,
	"usual":           "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"]\n  }\n}\n",
	"tabs":            "{\n\t\"model\": \"opus\"\n}\n",
	"no last newline": "{\n  \"model\": \"opus\"\n}",
	"CRLF":            "{\r\n  \"model\": \"opus\",\r\n  \"x\": {\r\n    \"y\": 1\r\n  }\r\n}\r\n",
	"BOM":             bom + "{\n  \"model\": \"opus\"\n}\n",
	"comments": "// mine\n{\n  // before\n  \"model\": \"opus\", // beside\n  /* after */\n  \"b\": 2 // " +
		"last\n  // end\n}\n// out\n",
	"trailing commas": "{\n  \"model\": \"opus\",\n  \"list\": [1, 2,],\n}\n",
	"only a comment":  "// nothing here yet\n",
	"comment inside":  "{\n  // nothing here yet\n}\n",
	"other servers":   "{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"} // keep\n  }\n}\n",
	"other hooks": "{\n  \"hooks\": {\n    \"BeforeAgent\": [\n      {\"hooks\": [{\"type\": \"command\", " +
		"\"command\": \"mine.sh\"}]}\n    ],\n" +
		"    \"Notification\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"bell\"}]}]\n  },\n  " +
		"\"mcpServers\": {}\n}\n",
	"empty lists":   `{"hooks": {"BeforeAgent": []}, "mcpServers": {}}`,
	"strange names": "{\"a//b\": \"/* no */\", \"\\u0061\": \"}\", \"mcpServers\": {\"st{}\": {}}}",
	"twice":         `{"mcpServers": {"x": 1}, "mcpServers": {"y": 2}}`,
}

func TestMembersArePutInAndTakenOut(t *testing.T) {
	e := claude(t)
	for name, before := range files {
		t.Run(name, func(t *testing.T) {
			after, err := e.put(before)
			if err != nil {
				t.Fatal(err)
			}
			checkPut(t, e, before, after)
			again, err := e.put(after)
			if err != nil || again != after {
				t.Errorf("a second time it changes (%v):\n%s", err, Diff("x", after, again))
			}
			out, err := e.take(after)
			if err != nil {
				t.Fatal(err)
			}
			checkTaken(t, e, before, out)
		})
	}
}

// checkPut says whether a text is JSON that has what it had before and what is ours.
func checkPut(t *testing.T, e entries, before, after string) {
	t.Helper()
	root, err := parseJSONC(after)
	if err != nil {
		t.Fatalf("it is no JSON any more: %v\n%s", err, after)
	}
	if !e.hooksAreThere(after) || !sameValue(after, root.get("mcpServers").get(serverName), e.server) {
		t.Errorf("what is ours is not there:\n%s", after)
	}
	old, _ := parseJSONC(before)
	if old == nil {
		return
	}
	for _, m := range old.members {
		if m.name != "hooks" && m.name != "mcpServers" && m.name != permissions &&
			string(plainJSON(before, m.value)) != string(plainJSON(after, root.get(m.name))) {
			t.Errorf("%s changed:\n%s", m.name, after)
		}
	}
	for _, c := range []string{
		"// mine", "// before", "// beside", "/* after */", "// last", "// end", "// out", "// keep",
	} {
		if strings.Contains(before, c) && !strings.Contains(after, c) {
			t.Errorf("the comment %s is gone:\n%s", c, after)
		}
	}
	if strings.Contains(before, "\r\n") && !strings.Contains(strings.ReplaceAll(before, "\r\n", ""), "\n") &&
		strings.Contains(strings.ReplaceAll(after, "\r\n", ""), "\n") {
		t.Errorf("lines end in two ways: %q", after)
	}
}

// checkTaken says whether a text means what it meant before, but for empty objects that
// stood where ours did.
func checkTaken(t *testing.T, e entries, before, out string) {
	t.Helper()
	root, err := parseJSONC(out)
	if err != nil {
		t.Fatalf("it is no JSON any more: %v\n%s", err, out)
	}
	old, _ := parseJSONC(before)
	if strings.Contains(out, "hook run") || strings.Contains(out, ruleOfAll) ||
		root.get("mcpServers").get(serverName) != nil {
		t.Errorf("ours is still there:\n%s", out)
	}
	want, got := meaning(before, old), meaning(out, root)
	if want != got {
		t.Errorf("it means %s, want %s\n%s", got, want, out)
	}
	for _, line := range strings.Split(before, "\n") {
		if _, comment, ok := strings.Cut(line, "// "); ok && !strings.Contains(out, strings.TrimSpace(comment)) {
			t.Errorf("the comment %q is gone:\n%s", comment, out)
		}
	}
}

// meaning is a value without the empty objects and lists in which ours may stand.
func meaning(text string, n *node) string {
	v := map[string]any{}
	if n != nil && json.Unmarshal(plainJSON(text, n), &v) != nil {
		return "nothing"
	}
	if hooks, ok := v["hooks"].(map[string]any); ok {
		for event, list := range hooks {
			if l, ok := list.([]any); ok && len(l) == 0 {
				delete(hooks, event)
			}
		}
		if len(hooks) == 0 {
			delete(v, "hooks")
		}
	}
	if servers, ok := v["mcpServers"].(map[string]any); ok && len(servers) == 0 {
		delete(v, "mcpServers")
	}
	all, _ := json.Marshal(v)
	return string(all)
}

func TestBrokenJSONNamesThePlace(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: invalid character '\"' after object value (expecting ',' " +
			"or '}')"},
		{"{\n  a: 1\n}", "line 2, column 3: invalid literal: a"},
		{"{\"a\": tru}", "line 1, column 7: invalid literal: tru"},
		{"{\"a\": \"x\n\"}", "line 1, column 7: invalid literal: \"x"},
		{"{\"a\": 1", "line 1, column 8: parsing object after value: unexpected EOF"},
		{"{} {}", "line 1, column 4: invalid character '{' after top-level value"},
		{"/* a", "line 1, column 1: parsing comment: unexpected EOF"},
		{"[1]", "line 1, column 1: want an object"},
		{"{\"mcpServers\": 4}", "line 1, column 16: \"mcpServers\" is no object"},
		{"{\"hooks\": {\"AfterTool\": 4}}", "line 1, column 25: \"AfterTool\" is no list"},
	} {
		if _, err := claude(t).put(tt.text); err == nil || err.Error() != tt.want {
			t.Errorf("put(%q): %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestAServerEntryWrittenByAPersonStays(t *testing.T) {
	const text = `{"mcpServers": {"stemma": {"command": "docker", "args": ["run", "x"]}}}`
	after, err := claude(t).put(text)
	if err != nil || !strings.Contains(after, "docker") {
		t.Errorf("%s, %v", after, err)
	}
	if out, err := claude(t).take(after); err != nil || !sameJSON([]byte(out), []byte(text)) {
		t.Errorf("%s, %v", out, err)
	}
}

// FuzzEditor: what is JSON stays JSON and means what it did, and taking out gives the
// meaning back.
func FuzzEditor(f *testing.F) {
	for _, text := range files {
		f.Add(text)
	}
	e := claude(f)
	f.Fuzz(func(t *testing.T, before string) {
		old, err := parseJSONC(before)
		if err != nil || strings.Contains(before, "hook run") || strings.Contains(before, permissions) ||
			old.get("mcpServers").get(serverName) != nil ||
			duplicates(old) {
			return
		}
		after, err := e.put(before)
		if err != nil {
			return
		}
		checkPut(t, e, before, after)
		if again, err := e.put(after); err != nil || again != after {
			t.Errorf("a second time it changes: %v", err)
		}
		out, err := e.take(after)
		if err != nil {
			t.Fatal(err)
		}
		root, err := parseJSONC(out)
		if err != nil || meaning(before, old) != meaning(out, root) {
			t.Errorf("%v: %q, %q, %q", err, before, after, out)
		}
	})
}

// duplicates reports names that stand twice, of which only the last counts.
func duplicates(n *node) bool {
	if n == nil {
		return false
	}
	seen := map[string]bool{}
	for _, m := range n.members {
		if seen[m.name] || duplicates(m.value) {
			return true
		}
		seen[m.name] = true
	}
	for _, i := range n.items {
		if duplicates(i) {
			return true
		}
	}
	return false
}

// place is one whose home and project are in a directory of the test.
func place(t *testing.T, project bool) Place {
	t.Helper()
	dir := t.TempDir()
	p := Place{
		Home: filepath.Join(dir, "home"), Config: filepath.Join(dir, "home", ".config"),
		Getenv: func(string) string { return "" }, Program: "/opt/a b/stemma", Backups: filepath.Join(dir, "data", "backups"),
	}
	if project {
		p.Root, p.Program = filepath.Join(dir, "project"), "stemma"
	}
	return p
}

func all(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, readErr := os.ReadFile(path)
			out[path], err = string(text), readErr
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}

func install(t *testing.T, p Place, host string, remove bool) []Change {
	t.Helper()
	changes, _, err := p.Plan(host, remove)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(changes); err != nil {
		t.Fatal(err)
	}
	return changes
}

// Each host goes in and out, into nothing and into what people have, and leaves every
// byte as it was.
func TestHostsGoInAndOut(t *testing.T) {
	for _, host := range Names() {
		for _, project := range []bool{true, false} {
			for name, before := range map[string]string{
				"nothing": "", "usual": files["usual"], "comments": files["comments"], "CRLF": files["CRLF"],
				"BOM": files["BOM"], "trailing commas": files["trailing commas"],
			} {
				t.Run(host+"/"+map[bool]string{true: "project", false: "user"}[project]+"/"+name, func(t *testing.T) {
					p := place(t, project)
					p.Allow = []Allow{"", AllowReads, AllowAll}[len(before)%3]
					list, _, err := p.targets(host)
					if err != nil {
						t.Fatal(err)
					}
					for _, f := range list {
						switch f.editor.(type) {
						case whole, sharedFile:
							continue
						}
						if before == "" {
							continue
						}
						text := before
						if b, ok := f.editor.(block); ok {
							text = "# my own\nmodel = \"x\"\n"
							if b.check == nil && strings.Contains(before, "\r\n") {
								text = "mine\r\n\r\nand more"
							}
						}
						if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
							t.Fatal(err)
						}
						if err := os.WriteFile(f.path, []byte(text), 0o640); err != nil {
							t.Fatal(err)
						}
					}
					was := all(t, filepath.Dir(p.Home))
					install(t, p, host, false)
					in := all(t, filepath.Dir(p.Home))
					for _, f := range list {
						if !strings.Contains(in[f.path], "stemma") {
							t.Errorf("%s has nothing of ours: %q", f.path, in[f.path])
						}
					}
					for _, c := range install(t, p, host, false) {
						if !c.Same() {
							t.Errorf("a second time %s changes:\n%s", c.Path, Diff(c.Path, string(c.Old), string(c.New)))
						}
					}
					install(t, p, host, true)
					out := all(t, filepath.Dir(p.Home))
					for path, text := range was {
						if out[path] != text {
							t.Errorf("%s is %q, want %q", path, out[path], text)
						}
					}
					for path := range out {
						if _, ok := was[path]; !ok {
							t.Errorf("%s is left", path)
						}
					}
				})
			}
		}
	}
}

func TestWhatWasEditedSinceKeepsItsEdits(t *testing.T) {
	p := place(t, true)
	path := filepath.Join(p.Root, ".claude", "settings.json")
	page := filepath.Join(p.Root, "CLAUDE.md")
	for file, text := range map[string]string{path: files["comments"], page: "# Mine\n"} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	install(t, p, ClaudeCode, false)
	for file, edit := range map[string][2]string{path: {`"opus"`, `"sonnet"`}, page: {"# Mine", "# Mine, edited"}} {
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), edit[0]) {
			t.Fatal(err, string(text))
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), edit[0], edit[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	install(t, p, ClaudeCode, true)
	if left := all(t, p.Backups); len(left) > 0 {
		t.Errorf("backups are left: %v", left)
	}
	out := all(t, p.Root)
	if want := strings.Replace(files["comments"], `"opus"`, `"sonnet"`, 1); out[path] != want {
		t.Errorf("settings:\n%s", Diff("x", want, out[path]))
	}
	if out[page] != "# Mine, edited\n" {
		t.Errorf("page: %q", out[page])
	}
}

func TestHostsShareAPage(t *testing.T) {
	p := place(t, true)
	page := filepath.Join(p.Root, "AGENTS.md")
	if err := os.MkdirAll(p.Root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte("# Mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	install(t, p, Codex, false)
	install(t, p, OpenCode, false)
	if text := all(t, p.Root)[page]; strings.Count(text, beginWord) != 1 || !strings.Contains(text, "codex opencode") {
		t.Errorf("both: %s", text)
	}
	install(t, p, Codex, true)
	if text := all(t, p.Root)[page]; !strings.Contains(text, beginWord+" opencode:") {
		t.Errorf("one left: %s", text)
	}
	install(t, p, OpenCode, true)
	if left := all(t, p.Root); len(left) != 1 || left[page] != "# Mine" {
		t.Errorf("left: %q", left)
	}
}

func TestFilesThatAreNotToBeWrittenAreNot(t *testing.T) {
	p := place(t, true)
	path := filepath.Join(p.Root, ".mcp.json")
	if err := os.MkdirAll(p.Root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{}"), 0o440); err != nil {
		t.Fatal(err)
	}
	changes, _, err := p.Plan(ClaudeCode, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(changes); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("read-only: %v", err)
	}
	if left := all(t, p.Root); len(left) != 1 {
		t.Errorf("something was written: %v", left)
	}
}

func TestLinksAndModesStay(t *testing.T) {
	p := place(t, true)
	real, link := filepath.Join(p.Root, "dotfiles", "mcp.json"), filepath.Join(p.Root, ".mcp.json")
	if err := os.MkdirAll(filepath.Dir(real), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(real, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	install(t, p, ClaudeCode, false)
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode changed: %v, %v", info, err)
	}
	install(t, p, ClaudeCode, true)
	if text := all(t, p.Root)[real]; text != "{}" {
		t.Errorf("%q", text)
	}
}
