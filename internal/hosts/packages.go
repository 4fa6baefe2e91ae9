package hosts

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
)

// Release is the version of the next release, which packages for hosts bear too.
const Release = "0.1.0"

// What packages say about stemma.
const (
	repository = "https://github.com/stemma-memory/stemma"
	licence    = "Apache-2.0"
	about      = "Memory for AI agents that can say where it comes from."
	asksMemory = "Recall earlier work and keep what matters next time. Use before work that may have come up before, " +
		"after a decision, a fix or a failure, and when asked why something is believed."
)

var (
	publisher = object{{"name", "The stemma authors"}, {"url", repository}}
	subjects  = []string{"memory", "provenance", "mcp"}
)

// A PackageFile is a file of the project that a host or a registry takes stemma from.
type PackageFile struct{ Path, Text string }

// A packaged is what one host takes from the project.
type packaged struct {
	host     string
	dir      string
	manifest string // path in dir
	members  []pair // of the manifest, beside those that all have
	servers  string // path of the file with the MCP server; "" where the manifest has it
	server   object
	unit     int    // what a second is in the limits of hooks
	skill    bool   // the instructions are a skill
	page     string // path of the file with the instructions
	command  func(slashCommand) PackageFile
}

// packages are the hosts that have packages, in the order of the page.
func packages() []packaged {
	p := Place{Program: serverName}
	return []packaged{
		{
			host: ClaudeCode, dir: "packages/claude", manifest: ".claude-plugin/plugin.json", members: author,
			servers: ".mcp.json", server: append(p.server(true), pair{"alwaysLoad", true}), unit: 1, skill: true,
			command: slashCommand.markdown,
		},
		{
			host: Codex, dir: "packages/codex", manifest: ".codex-plugin/plugin.json",
			members: append(author[:len(author):len(author)], pair{"skills", "./skills/"}, pair{"mcpServers", "./.mcp.json"},
				pair{"hooks", "./hooks/hooks.json"}, pair{"interface", object{
					{"displayName", serverName}, {"shortDescription", about}, {"developerName", publisher[0].value},
					{"category", "Productivity"}, {"websiteURL", repository},
				}}),
			servers: ".mcp.json", server: append(p.server(false), pair{"env_vars", codexEnv}), unit: 1, skill: true,
		},
		{
			host: Gemini, dir: "packages/gemini", manifest: "gemini-extension.json",
			members: []pair{{"contextFileName", "GEMINI.md"}}, server: p.server(false), unit: 1000, page: "GEMINI.md",
			command: slashCommand.toml,
		},
	}
}

// author are members that plugins have, and extensions do not.
var author = []pair{
	{"author", publisher}, {"homepage", repository}, {"repository", repository}, {"license", licence},
	{"keywords", subjects},
}

// A slashCommand is a prompt that a person calls by its name.
type slashCommand struct{ name, about, hint, text string }

const theirWords = "ARGUMENTS" // stands for what the person types behind the name

var slashCommands = []slashCommand{
	{
		"recall", "Recall what is remembered about a subject", "[subject]",
		"Call stemma's tool `recall` with the query between the lines, or about the task at hand where it is empty:\n\n" +
			"---\n" + theirWords + "\n---\n\nAnswer with what it returns. Name the refs, and repeat each mark such as " +
			"disputed or perhaps replaced.",
	},
	{
		"remember", "Remember a decision, fact or result", "[what to remember]",
		"Call stemma's tool `remember` with the text between the lines, or with the decision that was just made where " +
			"it is empty:\n\n---\n" + theirWords + "\n---\n\nGive the reason as `why` if one was said. Answer with the " +
			"ref. Never keep passwords, keys, tokens or personal data.",
	},
	{
		"why", "Show where something remembered comes from", "[ref or subject]",
		"Call stemma's tool `why` with the ref between the lines. If it is no ref, call `recall` with it first and use " +
			"the ref of the best result:\n\n---\n" + theirWords + "\n---\n\nAnswer with the sources, the oldest first, " +
			"and what was corrected on the way.",
	},
}

// markdown is the command as Claude Code reads it.
func (c slashCommand) markdown() PackageFile {
	head := "---\ndescription: " + c.about + "\nargument-hint: \"" + c.hint + "\"\n---\n\n"
	return PackageFile{"commands/" + c.name + ".md", head + strings.ReplaceAll(c.text, theirWords, "$ARGUMENTS") + "\n"}
}

// toml is the command as Gemini CLI reads it.
func (c slashCommand) toml() PackageFile {
	text := strings.ReplaceAll(c.text, theirWords, "{{args}}")
	return PackageFile{
		"commands/" + c.name + ".toml", "description = \"" + c.about + "\"\nprompt = '''\n" + text + "\n'''\n",
	}
}

// Packages are all files of the project that hosts take stemma from. The server, the hooks and
// the instructions are those that init writes.
func Packages() []PackageFile {
	var out []PackageFile
	for _, p := range packages() {
		out = append(out, p.files()...)
	}
	return append(out, claudeMarketplace(), codexMarketplace())
}

func (p packaged) files() []PackageFile {
	var out []PackageFile
	add := func(path, text string) { out = append(out, PackageFile{p.dir + "/" + path, text}) }
	manifest := object{{"name", serverName}, {"version", Release}, {"description", about}}
	servers := pair{"mcpServers", object{{serverName, p.server}}}
	if p.servers == "" {
		manifest = append(manifest, servers)
	} else {
		add(p.servers, pretty(object{servers}))
	}
	add(p.manifest, pretty(append(manifest, p.members...)))
	add("hooks/hooks.json", pretty(object{{"hooks", packagedHooks(p.host, p.unit)}}))
	if p.skill {
		head := "---\nname: memory\ndescription: " + asksMemory + "\n---\n\n"
		add("skills/memory/SKILL.md", head+instructions+"\n")
	}
	if p.page != "" {
		add(p.page, instructions+"\n")
	}
	if p.command != nil {
		for _, c := range slashCommands {
			file := p.command(c)
			add(file.Path, file.Text)
		}
	}
	return out
}

// packagedHooks are a host's hooks by their events. One package serves all systems: its commands
// are for sh, which hosts use on Windows too where they find it.
func packagedHooks(host string, unit int) object {
	var on object
	for _, h := range (Place{Program: serverName, posix: true}).hooks(host, unit) {
		on = append(on, pair{h.event, []any{h.entry(true)}})
	}
	return on
}

// claudeMarketplace lets "claude plugin marketplace add" take the repository.
func claudeMarketplace() PackageFile {
	return PackageFile{".claude-plugin/marketplace.json", pretty(object{
		{"name", serverName}, {"owner", publisher}, {"metadata", object{{"description", about}, {"version", Release}}},
		{"plugins", []any{object{
			{"name", serverName}, {"source", "./packages/claude"}, {"description", about}, {"version", Release},
			{"author", publisher}, {"homepage", repository}, {"license", licence}, {"keywords", subjects},
		}}},
	})}
}

// codexMarketplace lets "codex plugin marketplace add" take the repository.
func codexMarketplace() PackageFile {
	return PackageFile{".agents/plugins/marketplace.json", pretty(object{
		{"name", serverName}, {"interface", object{{"displayName", serverName}}}, {"plugins", []any{object{
			{"name", serverName}, {"source", object{{"source", "local"}, {"path", "./packages/codex"}}},
			{"policy", object{{"installation", "AVAILABLE"}, {"authentication", "ON_INSTALL"}}},
			{"category", "Productivity"},
		}}},
	})}
}

// CursorLink is the address that has Cursor add the MCP server.
func CursorLink() string {
	server, _ := json.Marshal(Place{Program: serverName}.server(false))
	return "cursor://anysphere.cursor-deeplink/mcp/install?name=" + serverName + "&config=" +
		url.QueryEscape(base64.StdEncoding.EncodeToString(server))
}

func pretty(o object) string { return format(o, "  ", 0, "\n") + "\n" }
