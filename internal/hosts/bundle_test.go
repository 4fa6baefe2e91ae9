package hosts

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The manifest of a bundle is as the published schema says, and names the tools of the short list.
func TestBundleManifestFollowsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(
		filepath.Join("testdata", "schemas", "mcpb-manifest-v0.3.schema.json"),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		text, program := BundleManifest(Release, goos)
		if err := schema.Validate(decode[any](t, text)); err != nil {
			t.Errorf("%s: %v", goos, err)
		}
		m := decode[map[string]any](t, text)
		if (goos == "windows") != strings.HasSuffix(program, ".exe") || m["version"] != Release {
			t.Errorf("%s: %s, %v", goos, program, m["version"])
		}
		delete(m, "server")
		if schema.Validate(m) == nil {
			t.Error("the schema takes a manifest without a server")
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "internal", "toolset", "core.json"))
	if err != nil {
		t.Fatal(err)
	}
	var tools []struct{ Name string }
	if err := json.Unmarshal(text, &tools); err != nil {
		t.Fatal(err)
	}
	if len(tools) != len(bundleTools) {
		t.Errorf("the server has %d tools, the bundle names %d", len(tools), len(bundleTools))
	}
	for _, tool := range tools {
		if !slices.ContainsFunc(bundleTools, func(t [2]string) bool { return t[0] == tool.Name }) {
			t.Errorf("the bundle does not name %s", tool.Name)
		}
	}
}

// The entry for the MCP registry is as its schema of 2025-12-11 and its rules say: they are written
// down here, as far as they are about what the entry has.
func TestServerJSONFollowsTheRulesOfTheRegistry(t *testing.T) {
	type entry struct {
		Schema      string `json:"$schema"`
		Name        string
		Title       string
		Description string
		Version     string
		Repository  struct{ URL, Source string }
		Packages    []struct {
			RegistryType, Identifier, Version, FileSHA256 string
			Transport                                     struct{ Type string }
		}
	}
	sum := strings.Repeat("0f", 32)
	e := decode[entry](t, ServerJSON("0.1.0", []Bundle{{"stemma_0.1.0_linux_amd64.mcpb", sum}}))
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(e.Name) || len(e.Name) > 200 ||
		!strings.HasPrefix(e.Name, "io.github.") ||
		!strings.Contains(e.Repository.URL, strings.TrimPrefix(e.Name, "io.github.")) {
		t.Errorf("the name is %q, of %s", e.Name, e.Repository.URL)
	}
	if n := len(e.Description); n < 1 || n > 100 {
		t.Errorf("the description has %d characters, 100 are allowed", n)
	}
	if e.Version != "0.1.0" || e.Repository.Source != "github" || len(e.Title) > 100 || len(e.Packages) != 1 ||
		!strings.HasSuffix(e.Schema, "/2025-12-11/server.schema.json") {
		t.Fatalf("%+v", e)
	}
	p := e.Packages[0]
	at, err := url.Parse(p.Identifier)
	if err != nil || at.Host != "github.com" || !strings.HasSuffix(at.Path, ".mcpb") || p.RegistryType != "mcpb" ||
		p.Version != "0.1.0" || p.Transport.Type != "stdio" ||
		!regexp.MustCompile(`^[a-f0-9]{64}$`).MatchString(p.FileSHA256) {
		t.Errorf("%v, %+v", err, p)
	}
}
