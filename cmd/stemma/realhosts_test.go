//go:build hosts

package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tokencount "github.com/stemma-memory/stemma/internal/tokens"
)

// hostsDir names the directory with the hosts' programs: node_modules/.bin of an installation.
const hostsDir = "STEMMA_TEST_HOSTS"

// realHosts are the hosts that run here.
var realHosts = []string{"claude-code", "codex", "copilot", "gemini", "opencode", "qwen"}

// A realHost is a host's own program in an empty home, with stemma set up as its users do.
type realHost struct {
	t      *testing.T
	name   string
	dir    string
	env    []string
	stemma string
	model  *modelServer
}

// newRealHost sets up a host in an empty home: stemma is installed as init does it.
func newRealHost(t *testing.T, name string, model *modelServer) *realHost {
	t.Helper()
	return newRealHostWith(t, name, model, func(h *realHost) { h.run("stemma", "init", name) })
}

// newRealHostWith sets up a host in an empty home, and stemma in it as install does.
func newRealHostWith(t *testing.T, name string, model *modelServer, install func(*realHost)) *realHost {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	h := &realHost{t: t, name: name, dir: filepath.Join(dir, "work"), stemma: filepath.Join(bin, "stemma"), model: model}
	for _, d := range []string{bin, h.dir, filepath.Join(dir, "home")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "build", "-o", h.stemma, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	h.env = []string{
		"HOME=" + filepath.Join(dir, "home"),
		"PATH=" + bin + ":" + os.Getenv(hostsDir) + ":" + os.Getenv("PATH"), "TERM=dumb",
		"LANG=C.UTF-8", "ANTHROPIC_BASE_URL=" + model.url, "ANTHROPIC_API_KEY=dummy", "OPENAI_API_KEY=dummy",
		"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + model.url, "GEMINI_TELEMETRY_ENABLED=false",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
	}
	switch name {
	case "qwen":
		h.env = append(h.env, "OPENAI_BASE_URL="+model.url+"/v1", "OPENAI_MODEL=test")
	case "copilot":
		h.env = append(h.env, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL="+model.url+"/v1",
			"COPILOT_PROVIDER_API_KEY=dummy", "COPILOT_MODEL=test", "COPILOT_AUTO_UPDATE=false")
	}
	if auth := map[string]string{"gemini": "gemini-api-key", "qwen": "openai"}[name]; auth != "" {
		settings := filepath.Join(dir, "home", "."+name, "settings.json")
		text := `{"security":{"auth":{"selectedType":"` + auth + `"},"folderTrust":{"enabled":false}},` +
			`"privacy":{"usageStatisticsEnabled":false}}`
		if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h.run("git", "init", "-q", ".")
	install(h)
	if name == "codex" {
		config := filepath.Join(dir, "home", ".codex", "config.toml")
		text, err := os.ReadFile(config)
		if err != nil {
			t.Fatal(err)
		}
		provider := "model = \"test\"\nmodel_provider = \"local\"\n" + string(text) +
			"\n[model_providers.local]\nname = \"local\"\nbase_url = \"" + model.url + "/v1\"\nwire_api = \"responses\"\n" +
			"env_key = \"OPENAI_API_KEY\"\n"
		if err := os.WriteFile(config, []byte(provider), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if name == "opencode" {
		config := filepath.Join(dir, "home", ".config", "opencode", "opencode.json")
		var whole map[string]any
		text, err := os.ReadFile(config)
		if err != nil || json.Unmarshal(text, &whole) != nil {
			t.Fatalf("%v: %s", err, text)
		}
		whole["provider"] = map[string]any{"local": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "local", "options": map[string]any{
				"baseURL": model.url + "/v1", "apiKey": "dummy",
			}, "models": map[string]any{"test": map[string]any{"name": "test", "tool_call": true}},
		}}
		if text, err = json.Marshal(whole); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(config, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// run runs a program in the host's home and returns what it prints.
func (h *realHost) run(program string, args ...string) string {
	h.t.Helper()
	ctx, stop := context.WithTimeout(h.t.Context(), 3*time.Minute)
	defer stop()
	path := program
	for _, v := range h.env {
		if list, is := strings.CutPrefix(v, "PATH="); is {
			for _, dir := range filepath.SplitList(list) {
				if p := filepath.Join(dir, program); path == program && exec.Command("test", "-x", p).Run() == nil {
					path = p
				}
			}
		}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env = h.dir, h.env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatalf("%s %v: %v\n%s\n%s", program, args, err, out, stderr.String())
	}
	if len(out) == 0 { // Gemini CLI lists there
		return stderr.String()
	}
	return string(out)
}

// listed has the host itself say which MCP servers it knows.
func (h *realHost) listed() string {
	program := map[string]string{"claude-code": "claude"}[h.name]
	if program == "" {
		program = h.name
	}
	return h.run(program, "mcp", "list")
}

// session has the host do one session with one prompt, and returns its last words.
func (h *realHost) session(prompt string) string {
	h.t.Helper()
	switch h.name {
	case "claude-code":
		var allowed []string
		for _, tool := range []string{"recall", "remember", "correct", "why"} {
			allowed = append(allowed, "mcp__stemma__"+tool, "mcp__plugin_stemma_stemma__"+tool)
		}
		return h.run("claude", "-p", prompt, "--allowedTools", strings.Join(allowed, ","))
	case "codex":
		return h.run("codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
			"--dangerously-bypass-hook-trust", prompt)
	case "gemini":
		return h.run("gemini", "-p", prompt, "--yolo", "-m", "gemini-2.5-pro")
	case "opencode":
		return h.run("opencode", "run", "-m", "local/test", prompt)
	case "qwen":
		return h.run("qwen", prompt, "--yolo")
	case "copilot":
		return h.run("copilot", "-p", prompt, "--allow-all-tools", "--no-color")
	}
	h.t.Fatalf("no session of %s", h.name)
	return ""
}

// refOf finds the ref of a memory in an answer.
var refOf = regexp.MustCompile(`(?:note|belief):[0-9a-f]{8}`)

// named returns the refs of memories in an answer that stand before given words.
func named(answer, words string) []string {
	var out []string
	before := regexp.MustCompile(`(` + refOf.String() + `)["\\, a-z:]*` + words)
	for _, m := range before.FindAllStringSubmatch(answer, -1) {
		out = append(out, m[1])
	}
	return out
}

// remembers plays a model that uses its memory as the tools say: it remembers what was decided, says nothing of what
// the user changes, settles what near names when it comes back to it, and asks for the reasons.
func remembers(k talk) say {
	last := ""
	if len(k.results) > 0 {
		last = k.results[len(k.results)-1]
	}
	in := func(word string) bool { return strings.Contains(k.prompt, word) }
	remember := func(text string) say { return say{tool: "remember", args: map[string]any{"text": text}} }
	settle := func(over string) say {
		made := refOf.FindString(k.results[0])
		for _, old := range named(k.results[0], over) {
			if old != made {
				return say{tool: "correct", args: map[string]any{"ref": old, "by": made}}
			}
		}
		return say{text: "Nothing to settle: " + k.results[0]}
	}
	switch n := len(k.results); {
	case in("We decided") && n == 0:
		return remember("Orders are kept in SQLite.")
	case in("Correction"):
		return say{text: "Understood."}
	case in("Set up") && n == 0:
		return remember("Orders are kept in PostgreSQL.")
	case in("Set up") && n == 1:
		return settle("Orders are kept in SQLite")
	case in("Back again") && n == 0:
		return remember("Orders are kept in SQLite.")
	case in("Back again") && n == 1:
		return settle("Orders are kept in PostgreSQL")
	case (in("Why do we") || in("Which database")) && n == 0:
		return say{tool: "recall", args: map[string]any{"query": "where are orders kept"}}
	case in("Why do we") && n == 1:
		return say{tool: "why", args: map[string]any{"ref": refOf.FindString(last)}}
	}
	return say{text: "From memory: " + last}
}

// A decision that the user says is remembered in the first session and changed by the user alone in the second; in the
// third the agent settles what near names; in the fourth it is said back again. The reasons end in the user's words.
func TestRealHosts(t *testing.T) {
	if os.Getenv(hostsDir) == "" {
		t.Fatalf("%s is not set: scripts/hosts.sh installs the hosts and says where", hostsDir)
	}
	for _, name := range realHosts {
		t.Run(name, func(t *testing.T) {
			model := newModelServer(t, remembers)
			h := newRealHost(t, name, model)
			if list := h.listed(); !strings.Contains(list, "stemma") {
				t.Errorf("the host does not list stemma: %s", list)
			}
			secret := "ghp_" + "x9Kd2LmQ7vRt4YbN" + "1cWz8HsJ5fGp3AeU6oTi"
			h.session("We decided: orders are kept in SQLite, one file is easy to back up. Keep that in mind. " + secret)
			if all := h.run("stemma", "list", "raw", "--json"); strings.Contains(all, secret) {
				t.Error("the secret was kept")
			}
			h.session("Correction: SQLite locked under ten writers. Orders are kept in PostgreSQL from now on.")
			const changed = "Orders are kept in PostgreSQL"
			if start := h.start(model, "Set up the migration of the orders table."); !strings.Contains(start, changed) {
				t.Error("the third session did not begin with what the user changed")
			}
			back := "Back again: orders are kept in SQLite, PostgreSQL was too much work."
			if start := h.start(model, back); !strings.Contains(start, changed) {
				t.Error("the fourth session did not begin with what was settled")
			}
			why := h.session("Why do we keep orders in SQLite?")
			for _, want := range []string{back, "said in the conversation", "replaced belief:"} {
				if !strings.Contains(why, want) {
					t.Errorf("the reasons do not have %q: %s", want, why)
				}
			}
			talks := model.said()
			if recalled := talks[len(talks)-1].results[0]; strings.Contains(recalled, "PostgreSQL\"") {
				t.Errorf("what was replaced is given: %s", recalled)
			}
			h.kept("We decided: orders", "Correction: SQLite", "Set up", "Back again", "Why do we keep")
		})
	}
}

// By hooks alone, with a model that calls no tool, the user's newer word stands before the older one.
func TestRealHostsByHooksAlone(t *testing.T) {
	if os.Getenv(hostsDir) == "" {
		t.Fatalf("%s is not set: scripts/hosts.sh installs the hosts and says where", hostsDir)
	}
	for _, name := range []string{"claude-code", "codex"} {
		t.Run(name, func(t *testing.T) {
			h := newRealHost(t, name, newModelServer(t, func(talk) say { return say{text: "Understood."} }))
			h.session("We decided: orders are kept in SQLite, one file is easy to back up. Keep that in mind.")
			h.session("Correction: SQLite locked under ten writers. Orders are kept in PostgreSQL from now on.")
			for _, processed := range []bool{false, true} {
				if processed {
					h.run("stemma", "process")
				}
				got := h.run("stemma", "recall", "where are orders kept")
				// a process that the session's end started may hold the jobs
				for end := time.Now().Add(20 * time.Second); processed && !strings.Contains(got, "belief:") &&
					time.Now().Before(end); {
					got = h.run("stemma", "recall", "where are orders kept")
				}
				if newer, older := strings.Index(got, "PostgreSQL"), strings.Index(got, "in SQLite"); newer < 0 ||
					older >= 0 && older < newer {
					t.Errorf("processed %v: %s", processed, got)
				}
			}
		})
	}
}

// What was said in one session is found in other words in the next: perhaps, and with nothing set up.
func TestRealHostsInOtherWords(t *testing.T) {
	if os.Getenv(hostsDir) == "" {
		t.Fatalf("%s is not set: scripts/hosts.sh installs the hosts and says where", hostsDir)
	}
	for _, name := range realHosts {
		t.Run(name, func(t *testing.T) {
			const fact, situation = "Jon is vegetarian.", "booking the offsite at a steakhouse"
			model := newModelServer(t, func(d talk) say {
				switch asked, n := d.prompt, len(d.results); {
				case strings.Contains(asked, fact) && n == 0:
					return say{tool: "remember", args: map[string]any{"text": fact}}
				case strings.Contains(asked, situation) && n == 0:
					return say{tool: "recall", args: map[string]any{"query": situation}}
				}
				return say{text: "Understood."}
			})
			h := newRealHost(t, name, model)
			h.session("Keep in mind: " + fact)
			h.session("I am " + situation + ". What should I know?")
			talks := model.said()
			var recalled string
			if last := talks[len(talks)-1]; len(last.results) > 0 {
				recalled = last.results[0]
			}
			if !strings.Contains(recalled, "Jon is vegetarian") || !strings.Contains(recalled, "perhaps, in other words") {
				t.Errorf("recalled %q", recalled)
			}
		})
	}
}

// offered are the tools that an agent is offered.
var offered = []string{"recall", "remember", "correct", "why", "recent", "status"}

// start has the host do a session, and returns what the model was given before its first answer.
func (h *realHost) start(model *modelServer, prompt string) string {
	h.t.Helper()
	begun := len(model.said())
	h.session(prompt)
	talks := model.said()
	if begun == len(talks) {
		h.t.Fatal("the model was offered no tool")
	}
	for _, tool := range offered {
		if !slices.Contains(talks[begun].tools, tool) {
			h.t.Errorf("%s is not offered: %v", tool, talks[begun].tools)
		}
	}
	const most = 900
	if n, cost := definitions(h.t, talks[begun].request); n != 6 || cost > most {
		h.t.Errorf("%d definitions take %d tokens, want 6 of %d at most", n, cost, most)
	} else {
		h.t.Logf("%s: the definitions take %d tokens", h.name, cost)
	}
	return talks[begun].request
}

// definitions counts the tools of stemma that a host offers its model, and the tokens of their names, descriptions and
// schemas.
func definitions(t *testing.T, request string) (n, cost int) {
	t.Helper()
	var whole map[string]any
	if err := json.Unmarshal([]byte(request), &whole); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			name, _ := v["name"].(string)
			short, is := ownTool(name)
			if !is {
				short = strings.TrimPrefix(name, "mcp_stemma_")
			}
			for _, schema := range []string{"input_schema", "parameters", "parametersJsonSchema"} {
				if v[schema] != nil && slices.Contains(offered, short) {
					if has, is := v[schema].(map[string]any)["properties"].(map[string]any); is {
						delete(has, "wait_for_previous") // Gemini CLI adds it to each tool of every server
					}
					text, err := json.Marshal([]any{name, v["description"], v[schema]})
					if err != nil {
						t.Fatal(err)
					}
					n, cost = n+1, cost+tokencount.Count(string(text))
					return
				}
			}
			for _, one := range v {
				walk(one)
			}
		}
	}
	walk(whole["tools"])
	return n, cost
}

// kept looks at what the store holds after the sessions: the words of each, once.
func (h *realHost) kept(prompts ...string) {
	h.t.Helper()
	var list struct {
		Memories []struct {
			Type    string
			Content map[string]any
		}
	}
	text := h.run("stemma", "list", "raw", "--json", "--limit", "-1")
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		h.t.Fatal(err)
	}
	for _, prompt := range prompts {
		n := 0
		for _, m := range list.Memories {
			if said, _ := m.Content["text"].(string); strings.HasPrefix(strings.Trim(said, `"`), prompt) { // OpenCode quotes it
				n++
			}
		}
		if n != 1 {
			h.t.Errorf("%q was kept %d times: %s", prompt, n, h.run("stemma", "list", "raw", "--limit", "-1"))
		}
	}
	for _, m := range list.Memories {
		said, _ := m.Content["text"].(string)
		if strings.Contains(said, "From memory: ") && strings.Contains(said, "tool_use") {
			h.t.Errorf("a call of our own tools was kept: %s", said)
		}
	}
}
