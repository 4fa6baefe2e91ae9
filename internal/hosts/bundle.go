package hosts

import "strings"

// RegistryName is the name of the server in the MCP registry.
const RegistryName = "io.github.stemma-memory/stemma"

// BundleManifest is the manifest of an MCP bundle for a platform of Go, such as linux, and the
// path that the program has in the bundle.
func BundleManifest(version, goos string) (manifest, program string) {
	program = "server/" + serverName
	platform := goos
	if goos == "windows" {
		platform, program = "win32", program+".exe"
	}
	var tools []any
	for _, tool := range bundleTools {
		tools = append(tools, object{{"name", tool[0]}, {"description", tool[1]}})
	}
	return pretty(object{
		{"manifest_version", "0.3"}, {"name", serverName}, {"version", version}, {"description", about},
		{"author", publisher}, {"repository", object{{"type", "git"}, {"url", repository}}}, {"homepage", repository},
		{"server", object{
			{"type", "binary"}, {"entry_point", program},
			{"mcp_config", object{{"command", "${__dirname}/" + program}, {"args", []string{"mcp"}}}},
		}},
		{"tools", tools}, {"keywords", subjects}, {"license", licence},
		{"compatibility", object{{"platforms", []string{platform}}}},
	}), program
}

// bundleTools are the tools of the short list, for a person who looks at a bundle.
var bundleTools = [][2]string{
	{"recall", "Return what is remembered about a subject"},
	{"remember", "Keep a decision, fact or result"},
	{"correct", "Replace something remembered"},
	{"why", "Show where something remembered comes from"},
	{"recent", "List what was stored last"},
	{"status", "Show the store and what waits"},
}

// A Bundle is one of a release, for its entry in the registry.
type Bundle struct{ Name, SHA256 string }

// ServerJSON is the entry of a release in the MCP registry.
func ServerJSON(version string, bundles []Bundle) string {
	var list []any
	for _, b := range bundles {
		list = append(list, object{
			{"registryType", "mcpb"},
			{"identifier", strings.Join([]string{repository, "releases", "download", "v" + version, b.Name}, "/")},
			{"version", version}, {"fileSha256", b.SHA256}, {"transport", object{{"type", "stdio"}}},
		})
	}
	return pretty(object{
		{"$schema", "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
		{"name", RegistryName}, {"title", serverName}, {"description", about}, {"version", version},
		{"repository", object{{"url", repository}, {"source", "github"}}}, {"packages", list},
	})
}
