package hosts

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/reference/hosts.md")

const page = "../../docs/reference/hosts.md"

// hostTitles are the names of the hosts on the page, in its order.
var hostTitles = []struct{ host, title string }{
	{ClaudeCode, "Claude Code"}, {Codex, "Codex"}, {Gemini, "Gemini CLI"}, {Qwen, "Qwen Code"}, {Cursor, "Cursor"},
	{OpenCode, "OpenCode"}, {Copilot, "Copilot CLI"}, {VSCode, "VS Code"},
}

// eventTitles are the columns of the events: three hosts have the same.
var eventTitles = []struct{ host, title string }{
	{ClaudeCode, "Claude Code, Copilot CLI, VS Code"}, {Codex, "Codex"}, {Gemini, "Gemini CLI"}, {Cursor, "Cursor"},
	{OpenCode, "OpenCode"},
}

func TestHostsOfOneColumnHaveTheSameEvents(t *testing.T) {
	for _, host := range []string{Copilot, VSCode} {
		if !slices.Equal(installed[host], installed[ClaudeCode]) || !maps.Equal(moments[host], moments[ClaudeCode]) {
			t.Errorf("%s has other events than Claude Code", host)
		}
	}
	if !slices.Equal(installed[Qwen], slices.DeleteFunc(slices.Clone(installed[ClaudeCode]), func(e string) bool {
		return e == "SessionStart" || e == "PreCompact"
	})) {
		t.Error("Qwen Code has other events than the page says")
	}
}

// TestThePageIsTrue holds the two tables of the page to what is written into each host.
func TestThePageIsTrue(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("the page has the paths of Linux")
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	for part, want := range map[string]string{"files": fileTable(t), "events": eventTable(t)} {
		begin, end := "<!-- generated: "+part+" -->\n", "<!-- end of "+part+" -->\n"
		before, rest, begun := strings.Cut(whole, begin)
		have, after, ended := strings.Cut(rest, end)
		if !begun || !ended {
			t.Fatalf("%s has no part between %q and %q", page, begin, end)
		}
		if want = "\n" + want + "\n"; have != want && !*update {
			t.Errorf("%s: the %s are not those of the hosts; run go test ./internal/hosts -update\nhave%swant%s",
				page, part, have, want)
		}
		whole = before + begin + want + end + after
	}
	if *update {
		if err := os.WriteFile(page, []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// fileTable has a line for each file of a host: for a person, and for a project.
func fileTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| host | for you | with `--project` |\n|---|---|---|\n")
	for _, h := range hostTitles {
		user := Place{Home: "~", Config: "~/.config", Getenv: func(string) string { return "" }, Program: "stemma"}
		project := user
		project.Root = "."
		fmt.Fprintf(&b, "| %s | %s | %s |\n", h.title, filesOf(t, user, h.host), filesOf(t, project, h.host))
	}
	return b.String()
}

func filesOf(t *testing.T, p Place, host string) string {
	t.Helper()
	list, _, err := p.targets(host)
	if err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, f := range list {
		cells = append(cells, fmt.Sprintf("`%s` (%s)", filepath.ToSlash(f.path), f.what))
	}
	return strings.Join(cells, ", ")
}

// eventTable has a line for each moment, with the events of the hosts that are asked for.
func eventTable(t *testing.T) string {
	events := maps.Clone(installed)
	events[OpenCode] = slices.Sorted(maps.Keys(moments[OpenCode]))
	var b strings.Builder
	head, line := "| event |", "|---|"
	for _, h := range eventTitles {
		head, line = head+" "+h.title+" |", line+"---|"
	}
	fmt.Fprintf(&b, "%s kept as |\n%s---|\n", head, line)
	for _, m := range []struct {
		moment     moment
		name, kept string
	}{
		{begins, "session begins", "nothing; the agent receives a pack"},
		{prompted, "prompt", "`user_prompt`"},
		{used, "tool", "`tool_call`, `tool_output`"},
		{answered, "answer", "`assistant_response`"},
		{compacts, "compaction", "`turn`"},
		{ends, "session ends", "nothing"},
	} {
		fmt.Fprintf(&b, "| %s |", m.name)
		for _, h := range eventTitles {
			var names []string
			for _, event := range events[h.host] {
				if moments[h.host][event] == m.moment {
					names = append(names, "`"+event+"`")
				}
			}
			fmt.Fprintf(&b, " %s |", strings.Join(names, ", "))
		}
		fmt.Fprintf(&b, " %s |\n", m.kept)
	}
	return b.String()
}
