//go:build !race

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/outside/outsidetest"
)

// usedInAWeek are ordinary uses of tools, @ is the repository: pages, issues and mails that are read, commands, tests
// that fail, packages that are installed. Half of them bring words of others, and those are of the same things.
var usedInAWeek = []struct{ tool, input, output string }{
	{
		"Bash", `{"command":"curl -s localhost:8080/health"}`,
		"{\"status\":\"ok\",\"uptime\":812}",
	},
	{
		"WebFetch", `{"url":"https://pkg.go.dev/net/http","prompt":"how do timeouts work"}`,
		"Server.ReadTimeout is the maximum duration for reading the entire request, including the body. A " +
			"zero or negative value means there will be no timeout.",
	},
	{
		"WebSearch", `{"query":"postgres advisory lock"}`,
		"Advisory locks are useful for locking strategies that an application defines. Redis and PostgreSQL " +
			"both keep a queue.",
	},
	{
		"mcp__linear__get_issue", `{"id":"SHOP-12"}`,
		"SHOP-12: customers cannot change the delivery day after payment. The cart, the stock and the " +
			"invoice stay as they were.",
	},
	{
		"mcp__github__list_commits", `{"owner":"acme","repo":"shop"}`,
		"[{\"message\":\"keep the coupon in Redis\",\"author\":\"jonas\"}]",
	},
	{
		"mcp__slack__slack_get_channel_history", `{"channel_id":"C1"}`,
		"jonas: the label job runs at night and is slow, the limit is 40 requests a minute I think",
	},
	{
		"mcp__gmail__search_threads", `{"query":"courier"}`,
		"From: courier@example.com\nPickup moves to every Friday in December.",
	},
	{
		"Bash", `{"command":"gh issue view 31 --comments"}`,
		"title: ledger tests fail\nauthor: mia\n--\nThe ledger tests fail when the clock is ahead on my " +
			"machine.",
	},
	{
		"Bash", `{"command":"gh pr view 31"}`,
		"title: Retry the label printer\nauthor: jonas\nbody: The printer drops jobs when its buffer is full.",
	},
	{
		"Bash", `{"command":"gh run view --log-failed"}`,
		"test\tgo test\t--- FAIL: TestStock (0.01s)\n    want 3, got 2",
	},
	{
		"Bash", `{"command":"git clone -q https://github.com/acme/queue ../queue-lib"}`,
		"",
	},
	{
		"Read", `{"file_path":"@/../queue-lib/README.md"}`,
		"# queue\nKeeps jobs in Redis. Set the limit with QUEUE_LIMIT.",
	},
	{
		"Bash", `{"command":"cat node_modules/left-pad/README.md"}`,
		"# left-pad\nString left pad. Install it with npm.",
	},
	{
		"Bash", `{"command":"npm install left-pad"}`,
		"added 1 package, and audited 2 packages in 1s\nfound 0 vulnerabilities",
	},
	{
		"Bash", `{"command":"pip install requests"}`,
		"Successfully installed requests-2.32.0",
	},
	{
		"Bash", `{"command":"go get example.org/queue@v1.2.0"}`,
		"go: added example.org/queue v1.2.0",
	},
	{
		"Bash", `{"command":"go test ./..."}`,
		"ok  \t@/cart\t0.2s\n--- FAIL: TestStock\n    stock_test.go:12: want 3, got 2",
	},
	{
		"Bash", `{"command":"make check"}`,
		"ok",
	},
	{
		"Bash", `{"command":"git log --oneline -5"}`,
		"1f2e3d begin with a queue of orders",
	},
	{
		"Bash", `{"command":"git diff"}`,
		"+const limit = 40",
	},
	{
		"Bash", `{"command":"rg -n limit ."}`,
		"main.go:3:const limit = 40",
	},
	{
		"Bash", `{"command":"docker compose up -d"}`,
		"Container shop-db-1  Started",
	},
	{
		"Bash", `{"command":"psql -h localhost -c 'select count(*) from orders'"}`,
		"count\n-------\n 1204",
	},
	{
		"Read", `{"file_path":"@/main.go"}`,
		"package main",
	},
	{
		"Read", `{"file_path":"@/CLAUDE.md"}`,
		"# rules\n- Run the tests with make check",
	},
	{
		"Grep", `{"pattern":"queue","path":"@"}`,
		"main.go:1:package main",
	},
	{
		"Edit", `{"file_path":"@/main.go","old_string":"main","new_string":"main"}`,
		"The file has been updated.",
	},
	{
		"Write", `{"file_path":"@/cart.go","content":"package main"}`,
		"File created.",
	},
	{
		"mcp__playwright__browser_take_screenshot", `{"filename":"cart.png"}`,
		"Took the viewport screenshot and saved it as cart.png",
	},
	{
		"WebFetch", `{"url":"http://localhost:3000/cart"}`,
		"Cart: 2 items, the coupon is applied",
	},
	{
		"WebFetch", `{"url":"https://docs.python.org/3/library/sqlite3.html","prompt":"how is a lock taken"}`,
		"timeout: how many seconds the connection should wait before raising an OperationalError when a " +
			"table is locked.",
	},
	{
		"TodoWrite", `{"todos":[]}`,
		"Todos have been modified",
	},
}

// geminis are the names of tools in Gemini CLI.
var geminis = strings.NewReplacer(
	"Bash", "run_shell_command", "WebFetch", "web_fetch", "WebSearch", "google_web_search", "Read", "read_file",
	"Grep", "search_file_content", "Edit", "replace", "Write", "write_file", "TodoWrite", "write_todos",
)

// A week of ordinary work in two repositories: nothing that was remembered is lost, at most 2 of 100 wait for a person
// because of what was read, and no session is given what is of the other repository.
func TestAWeekOfOrdinaryWork(t *testing.T) {
	home := t.TempDir()
	w := newWorkplace(t, home)
	repos := []string{"shop", "parcel"}
	for _, name := range repos {
		dir := filepath.Join(home, name)
		rules := fmt.Sprintf(
			"# %[1]s\n- Run the tests of %[1]s with make check-%[1]s\n- The %[1]s service logs no addresses\n", name,
		)
		for file, text := range map[string]string{"CLAUDE.md": rules, "main.go": "package main\n"} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{
			{"init", "-q", "-b", "main"}, {"config", "user.email", "ada@example.org"}, {"config", "user.name", "Ada"},
			{"add", "-A"}, {"commit", "-q", "-m", name + ": begin with a queue of orders, because the old list lost some"},
		} {
			c := exec.Command("git", args...)
			c.Dir, c.Env = dir, w.env
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatal(args, err, string(out))
			}
		}
		w.run(dir, "", "", "import", "CLAUDE.md")
		w.run(dir, "", "", "import", "git")
	}
	ada := &worker{workplace: w, home: home, repos: repos, r: rand.New(rand.NewPCG(7, 7))}
	for range long("STEMMA_WEEK", 3, 10) {
		for n := range repos {
			ada.session(n)
		}
	}
	ada.looksBack()
}

// An honest memory is one that an agent made of its own work.
type honest struct {
	repo      int
	text, ref string
}

// A worker goes through a week.
type worker struct {
	*workplace
	home     string
	repos    []string
	r        *rand.Rand
	sessions int
	built    int
	calls    int
	all      []honest
}

var (
	subjects = strings.Split("cart,stock,invoice,label,tariff,pickup,return,coupon,ledger,webhook,courier,locker,refund,"+
		"search index,price list,session store,mail queue,image cache,audit trail,currency table", ",")
	wishes = []string{
		"I want short names in", "I prefer tables to prose for", "Use tabs in the files of", "Keep the log quiet in",
		"I like small commits in", "Write the tests first for", "Show me the plan before you change",
	}
	wordings = []struct{ text, kind, values string }{
		{"We decided to keep the %s in %s", "decision", "Redis,PostgreSQL,SQLite,S3"},
		{"The %s job runs at %s", "", "02:15,five past noon,every Friday"},
		{
			"The %s tests fail when %s; run make clean first", "known_fix",
			"the clock is ahead,the cache is warm,port 5433 is taken",
		},
		{"The %s limit is %s requests a minute", "", "40,250,900"},
		{"Call the %s endpoint with the header X-%s", "", "Trace,Tenant,Shop"},
	}
)

func (w *worker) session(n int) {
	repo := w.repos[n]
	dir := filepath.Join(w.home, repo)
	w.sessions++
	s := fmt.Sprintf("week-%d", w.sessions)
	host, names := "claude-code", [...]string{"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"}
	if w.sessions%3 == 0 {
		host, names = "gemini", [...]string{"SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"}
	}
	event := func(name string, more map[string]any) string {
		in := map[string]any{"session_id": s, "hook_event_name": name, "cwd": dir}
		for k, v := range more {
			in[k] = v
		}
		text, err := json.Marshal(in)
		if err != nil {
			w.Fatal(err)
		}
		return w.hook(host, name, dir, text)
	}
	start := event(names[0], map[string]any{"source": "startup"})
	if other := w.repos[1-n]; strings.Contains(start, other+" ") {
		w.Errorf("a start in %s has what is of %s: %s", repo, other, start)
	}
	if w.sessions > 2 && !strings.Contains(start, repo+" ") {
		w.Errorf("a start in %s has nothing of it: %s", repo, start)
	}
	wish := fmt.Sprintf("%s the %s %s", wishes[w.sessions%len(wishes)], repo, subjects[w.sessions%len(subjects)])
	asks := "Please look at the " + subjects[w.r.IntN(len(subjects))] + " today. "
	event(names[1], map[string]any{"prompt": asks + wish + "."})
	for _, k := range w.r.Perm(len(usedInAWeek))[:6] {
		use := usedInAWeek[k]
		c := outsidetest.Call{
			Host: host, Tool: use.tool, Output: strings.ReplaceAll(use.output, "@", repo),
			Input: json.RawMessage(strings.ReplaceAll(use.input, "@", dir)),
		}
		if host == "gemini" {
			if server, tool, is := strings.Cut(strings.TrimPrefix(c.Tool, "mcp__"), "__"); is {
				c.Tool, c.MCP = tool, fmt.Appendf(nil, `{"server_name":%q,"tool_name":%q,"command":"npx"}`, server, tool)
			} else {
				c.Tool = geminis.Replace(c.Tool)
			}
		}
		w.uses(c, dir, s)
		w.calls++
	}
	w.remembers(n, s, wish, "preference")
	for range 4 {
		form := wordings[(w.built+w.built/len(subjects))%len(wordings)]
		values := strings.Split(form.values, ",")
		text := fmt.Sprintf(form.text, repo+" "+subjects[w.built%len(subjects)], values[w.r.IntN(len(values))])
		w.remembers(n, s, fmt.Sprintf("%s since build %d", text, 100+w.built), form.kind)
	}
	event(names[2], map[string]any{"last_assistant_message": "Done.", "prompt_response": "Done."})
	event(names[3], nil)
}

func (w *worker) remembers(n int, session, text, kind string) {
	args := []string{"remember", text, "--json"}
	if kind != "" {
		args = append(args, "--kind", kind)
	}
	out := w.run(filepath.Join(w.home, w.repos[n]), session, "", args...)
	var said struct{ Memories []struct{ Ref string } }
	if err := json.Unmarshal([]byte(out), &said); err != nil || len(said.Memories) == 0 {
		w.Fatalf("%q: %v: %s", text, err, out)
	}
	w.all = append(w.all, honest{repo: n, text: text, ref: said.Memories[0].Ref})
	w.built++
}

// looksBack asks for each memory by its words.
func (w *worker) looksBack() {
	lost, muted := 0, 0
	for _, m := range w.all {
		var found *given
		for ref, e := range w.gives(filepath.Join(w.home, w.repos[m.repo]), m.text, 3000) {
			if strings.HasPrefix(m.ref, ref) {
				found = &e
			}
		}
		switch {
		case found == nil:
			lost++
			w.Errorf("lost: %s: %q", w.repos[m.repo], m.text)
		case found.Section == "unverified":
			muted++
			w.Logf("muted: %s: %q %q", w.repos[m.repo], m.text, found.Marks)
		}
	}
	for n, repo := range w.repos {
		start, other := w.run(filepath.Join(w.home, repo), "last", "", "load", "--budget", "8000"), w.repos[1-n]
		if !strings.Contains(start, repo+" ") || strings.Contains(start, other+" ") {
			w.Errorf("in %s: %s", repo, start)
		}
	}
	w.Logf("%d sessions, %d calls, %d honest memories: lost %d, muted %d", w.sessions, w.calls, len(w.all), lost, muted)
	if 50*muted > len(w.all) {
		w.Errorf("%d of %d wait for a person, want at most 2 of 100", muted, len(w.all))
	}
}
