package hosts

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// codexEnv are the variables that say where the store is and who speaks. Codex starts a
// server without them, though not its hooks: both would write to two stores.
var codexEnv = []string{
	"XDG_DATA_HOME", "XDG_CONFIG_HOME", "STEMMA_STORE", "STEMMA_URL", "STEMMA_TOKEN", "STEMMA_AGENT",
}

func (p Place) codexTable() string {
	quoted := func(v any) string {
		text, _ := json.Marshal(v)
		return strings.ReplaceAll(string(text), `","`, `", "`)
	}
	lines := fmt.Sprintf(
		"[mcp_servers.stemma]\ncommand = %s\nargs = %s\nenv_vars = %s", quoted(p.Program),
		quoted(append(append([]string{}, p.Flags...), "mcp")), quoted(codexEnv),
	)
	if mode := codexModes[p.Allow]; mode != "" {
		lines += "\n" + codexMode + quoted(mode)
	}
	return lines
}

// inlineServers is a line that gives mcp_servers a value at once.
var inlineServers = lazy.Regexp(`(?m)^\x{feff}?[ \t]*(?:mcp_servers|"mcp_servers"|'mcp_servers')[ \t]*=[ \t]*\{`)

// checkCodex says where a text is no TOML, or has its servers in a form that no table can
// be added to.
func checkCodex(text string) error {
	if err := checkTOML(text); err != nil {
		return err
	}
	top := len(text)
	if header := firstTable.Get().FindStringIndex(text); header != nil {
		top = header[0]
	}
	if inline := inlineServers.Get().FindStringIndex(text[:top]); inline != nil {
		return at(text, inline[0], "mcp_servers = {…} is an inline table, to which TOML lets nothing be added: "+
			"write each server as a table, [mcp_servers.NAME], and run this again")
	}
	return nil
}

var firstTable = lazy.Regexp(`(?m)^[ \t]*\[`)

// hasCodexTable reports whether somebody set the MCP server by hand.
func hasCodexTable(text string) bool {
	var all struct {
		Servers map[string]any `toml:"mcp_servers"`
	}
	_, err := toml.Decode(strings.TrimPrefix(text, bom), &all)
	return err == nil && all.Servers[serverName] != nil
}

// checkTOML says where a text is no TOML.
func checkTOML(text string) error {
	if len(text) > mostConfig {
		return fmt.Errorf("it is longer than %d MiB", mostConfig>>20)
	}
	var all map[string]any
	_, err := toml.Decode(strings.TrimPrefix(text, bom), &all)
	var wrong toml.ParseError
	if errors.As(err, &wrong) {
		return at(text, wrong.Position.Start, "it is not TOML: "+Harmless(wrong.Message))
	}
	return err
}
