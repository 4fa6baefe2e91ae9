package hosts

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

const root = "../.."

// packageDirs hold nothing but what is made from the table.
var packageDirs = []string{"packages", ".claude-plugin", ".agents"}

// The packages in the tree are what the table says, and nothing else is among them.
func TestPackagesAreTrue(t *testing.T) {
	want := make(map[string]bool)
	for _, f := range Packages() {
		path := filepath.Join(root, filepath.FromSlash(f.Path))
		want[path] = true
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(f.Text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(path); err != nil || string(have) != f.Text {
			t.Errorf("%s is not what the table says (%v); run go test ./internal/hosts -update", f.Path, err)
		}
	}
	for _, dir := range packageDirs {
		if err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !want[path] {
				t.Errorf("%s is not in the table: remove it", path)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
}

// packageFile returns a file of the packages.
func packageFile(t *testing.T, path string) string {
	t.Helper()
	for _, f := range Packages() {
		if f.Path == path {
			return f.Text
		}
	}
	t.Fatalf("no %s", path)
	return ""
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

type aServer struct {
	Command string
	Args    []string
	EnvVars []string `json:"env_vars"`
	Loaded  bool     `json:"alwaysLoad"`
}

// A package has the MCP server and the hooks that init writes.
func TestAPackageHasWhatInitWrites(t *testing.T) {
	place := Place{Program: serverName, Home: t.TempDir(), Getenv: func(string) string { return "" }, posix: true}
	for _, p := range packages() {
		in := p.servers
		if in == "" {
			in = p.manifest
		}
		server := decode[struct{ MCPServers map[string]aServer }](t, packageFile(t, p.dir+"/"+in)).MCPServers[serverName]
		if server.Command != serverName || !slices.Equal(server.Args, []string{"mcp"}) ||
			server.Loaded != (p.host == ClaudeCode) || (server.EnvVars != nil) != (p.host == Codex) {
			t.Errorf("%s: the server is %+v", p.host, server)
		}
		var whole any
		targets, _, err := place.targets(p.host)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range targets {
			e, is := target.editor.(entries)
			if !is || len(e.hooks) == 0 {
				continue
			}
			text, err := entries{host: e.host, nested: e.nested, hooks: e.hooks}.put("{}")
			if err != nil {
				t.Fatal(err)
			}
			whole = decode[any](t, text)
		}
		have, _ := json.Marshal(decode[any](t, packageFile(t, p.dir+"/hooks/hooks.json")))
		if want, _ := json.Marshal(whole); string(have) != string(want) {
			t.Errorf("%s: the hooks are\n%s\nand init writes\n%s", p.host, have, want)
		}
	}
}

// Names are as hosts want them, versions are one, and what a manifest names is there.
func TestManifestsAreComplete(t *testing.T) {
	for _, p := range packages() {
		m := decode[map[string]any](t, packageFile(t, p.dir+"/"+p.manifest))
		if m["name"] != serverName || m["version"] != Release || m["description"] != about {
			t.Errorf("%s: %v", p.host, m)
		}
		for _, path := range []string{"skills", "mcpServers", "hooks", "contextFileName"} {
			named, is := m[path].(string)
			if !is {
				continue
			}
			at := p.dir + "/" + strings.TrimPrefix(named, "./")
			if !slices.ContainsFunc(Packages(), func(f PackageFile) bool { return strings.HasPrefix(f.Path, at) }) {
				t.Errorf("%s: the manifest names %s, which is not there", p.host, named)
			}
		}
	}
	claude := decode[struct {
		Name    string
		Owner   struct{ Name string }
		Plugins []struct{ Name, Source, Version string }
	}](t, packageFile(t, ".claude-plugin/marketplace.json"))
	if claude.Name == "" || claude.Owner.Name == "" || len(claude.Plugins) != 1 ||
		claude.Plugins[0].Source != "./packages/claude" || claude.Plugins[0].Version != Release {
		t.Errorf("%+v", claude)
	}
	codex := decode[struct {
		Name    string
		Plugins []struct {
			Name   string
			Source struct{ Source, Path string }
		}
	}](t, packageFile(t, ".agents/plugins/marketplace.json"))
	if codex.Name == "" || len(codex.Plugins) != 1 || codex.Plugins[0].Source.Path != "./packages/codex" {
		t.Errorf("%+v", codex)
	}
}

// A skill begins with its name, which is that of its directory, and says when it is to be used.
func TestSkillsAndCommandsCanBeRead(t *testing.T) {
	skills, commands := 0, 0
	for _, f := range Packages() {
		dir, name := filepath.Split(f.Path)
		switch {
		case name == "SKILL.md":
			skills++
			head, body, ok := strings.Cut(strings.TrimPrefix(f.Text, "---\n"), "\n---\n")
			if !ok || !strings.HasPrefix(head, "name: "+filepath.Base(dir)+"\ndescription: ") || len(head) > 1024 ||
				strings.Count(head, ": ") != 2 || !strings.Contains(body, instructions) {
				t.Errorf("%s: %s", f.Path, head)
			}
		case strings.HasSuffix(name, ".toml"):
			commands++
			var c struct{ Description, Prompt string }
			if _, err := toml.Decode(f.Text, &c); err != nil || c.Description == "" || !strings.Contains(c.Prompt, "{{args}}") {
				t.Errorf("%s: %v, %+v", f.Path, err, c)
			}
		case strings.Contains(f.Path, "/commands/"):
			commands++
			if !strings.HasPrefix(f.Text, "---\ndescription: ") || !strings.Contains(f.Text, "$ARGUMENTS") {
				t.Errorf("%s: %s", f.Path, f.Text)
			}
		}
		if strings.Contains(f.Text, theirWords) && !strings.Contains(f.Text, "$"+theirWords) {
			t.Errorf("%s: nothing stands for what a person types", f.Path)
		}
	}
	if skills != 2 || commands != 2*len(slashCommands) {
		t.Errorf("%d skills and %d commands", skills, commands)
	}
}

// Cursor gets the server that init writes, and the page has the link.
func TestCursorLink(t *testing.T) {
	link, err := url.Parse(CursorLink())
	if err != nil || link.Scheme != "cursor" || link.Host != "anysphere.cursor-deeplink" || link.Path != "/mcp/install" ||
		link.Query().Get("name") != serverName {
		t.Fatalf("%v, %v", link, err)
	}
	raw, err := base64.StdEncoding.DecodeString(link.Query().Get("config"))
	if err != nil {
		t.Fatal(err)
	}
	if s := decode[aServer](t, string(raw)); s.Command != serverName || !slices.Equal(s.Args, []string{"mcp"}) {
		t.Errorf("the server is %+v", s)
	}
	text, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(text), "`"+CursorLink()+"`") {
		t.Errorf("%s does not have `%s`", page, CursorLink())
	}
}

// The next release is the first section of the changelog.
func TestPackagesHaveTheVersionOfTheRelease(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n## ")
	if version, _, _ := strings.Cut(rest, "\n"); version != Release {
		t.Errorf("CHANGELOG.md begins with %s, and packages are of %s", version, Release)
	}
}
